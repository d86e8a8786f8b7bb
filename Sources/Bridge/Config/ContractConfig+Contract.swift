package import Publishing

extension ContractConfig {
  /// As the payloads are held against it.
  package var contract: Contract {
    Contract(
      attributesType: attributesType,
      attributes: attributes.map { Contract.Field($0, .text) },
      state: state.map { Contract.Field($0.name, $0.type.contractType, allowed: $0.values ?? []) },
      extra: extra.map { key in
        switch key.type {
        case .text: Contract.Extra(key.name, .text(key.value))
        case .integer: Contract.Extra(key.name, .integer(Int64(key.value) ?? 0))
        }
      })
  }
}

extension ContractConfig.ValueType {
  fileprivate var contractType: Contract.FieldType {
    switch self {
    case .integer: .integer
    case .text: .text
    }
  }
}
