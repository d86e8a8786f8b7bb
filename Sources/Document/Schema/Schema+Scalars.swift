extension Schema {
  /// A value of one word or line, by what it means. `parse` answers nil for what is not allowed.
  package static func scalar(
    _ shape: ScalarShape, write: @escaping (Value) -> String, parse: @escaping (String) -> Value?
  ) -> Schema {
    Schema(.scalar(shape), write: write) { node, decoding in
      if let text = node.text, let value = parse(text) { return value }
      decoding.problem(Quoted.node(node), at: node.position, remedy: remedy(for: shape, found: node.text))
      return nil
    }
  }

  private static func remedy(for shape: ScalarShape, found: String?) -> String {
    guard case .words(let words) = shape.form, let found, let nearest = NearestName.to(found, among: words) else {
      return "Allowed: \(shape.allowed)"
    }
    return "Did you mean \(nearest)? Allowed: \(shape.allowed)"
  }
}

extension Schema where Value == String {
  /// Text of one line, no longer than so many characters.
  package static func text(atMost limit: Int = 200) -> Schema {
    let shape = ScalarShape(
      name: "text", allowed: "text of 1 to \(limit) characters in one line", form: .text(pattern: nil))
    return .scalar(shape, write: { $0 }) { text in
      guard !text.isEmpty, text.count <= limit, text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
      else { return nil }
      return text
    }
  }

  /// Text made of a few letters only; the pattern is for editors, `accepts` decides.
  package static func name(
    _ name: String, allowed: String, pattern: String?, _ accepts: @escaping (String) -> Bool
  ) -> Schema {
    .scalar(ScalarShape(name: name, allowed: allowed, form: .text(pattern: pattern)), write: { $0 }) { text in
      accepts(text) ? text : nil
    }
  }
}

extension Schema where Value: FixedWidthInteger & Sendable {
  /// A whole number in decimal digits; `unit` is what it counts.
  package static func integer(_ range: ClosedRange<Value>, unit: String = "") -> Schema {
    let shape = ScalarShape(
      name: "number",
      allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)" + (unit.isEmpty ? "" : " (\(unit))"),
      form: .integer(Int64(range.lowerBound)...Int64(range.upperBound)))
    return .scalar(shape, write: { String($0) }) { text in
      let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
      guard !digits.isEmpty, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }), digits.count == 1 || digits.first != 48,
        let value = Value(text), range.contains(value)
      else { return nil }
      return value
    }
  }
}

extension Schema where Value == Bool {
  /// `true` or `false` and no other word: `yes`, `on` and `1` mean too many things to too many programs.
  package static var truth: Schema {
    .scalar(ScalarShape(name: "truth", allowed: "true or false", form: .truth), write: { $0 ? "true" : "false" }) {
      switch $0 {
      case "true": true
      case "false": false
      default: nil
      }
    }
  }
}

extension Schema where Value == Duration {
  package static func duration(_ range: ClosedRange<Duration>) -> Schema {
    let shape = ScalarShape(
      name: "duration",
      allowed: "a duration from \(DurationText.write(range.lowerBound)) to \(DurationText.write(range.upperBound)),"
        + " with its unit: us, ms, s, m or h",
      form: .text(pattern: "^([0-9]+(\\.[0-9]+)?(us|ms|s|m|h))+$"))
    return .scalar(shape, write: DurationText.write) { text in
      DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension Schema where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the type's own words.
  package static func words(_ name: String) -> Schema {
    let words = Value.allCases.map(\.rawValue)
    let shape = ScalarShape(name: name, allowed: words.joined(separator: ", "), form: .words(words))
    return .scalar(shape, write: \.rawValue) { Value(rawValue: $0) }
  }
}
