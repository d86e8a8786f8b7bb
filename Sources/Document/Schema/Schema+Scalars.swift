extension Schema {
  /// A value of one word or line, by what it means. `parse` answers nil for what is not allowed; `nearest` then says
  /// what was probably meant.
  package static func scalar(
    _ shape: ScalarShape, write: @escaping (Value) -> String,
    nearest: @escaping (String) -> String? = { _ in nil }, parse: @escaping (String) -> Value?
  ) -> Schema {
    Schema(.scalar(shape), write: write) { node, decoding in
      if let text = node.text, let value = parse(text) { return value }
      let meant = node.text.flatMap { nearest($0) ?? self.nearest(to: $0, shape) }
      decoding.problem(
        Quoted.node(node), at: node.position,
        remedy: (meant.map { "Did you mean \($0)? " } ?? "") + "Allowed: \(shape.allowed)")
      return nil
    }
  }

  private static func nearest(to found: String, _ shape: ScalarShape) -> String? {
    guard case .words(let words) = shape.form else { return nil }
    return NearestName.to(found, among: words)
  }
}

extension Schema where Value == String {
  /// Text of one line, no longer than so many characters.
  package static func text(atMost limit: Int = 200) -> Schema {
    let shape = ScalarShape(
      name: "text", allowed: "text of 1 to \(limit) characters in one line", form: .text(pattern: nil))
    return .scalar(shape, write: \.self) { text in
      guard !text.isEmpty, text.count <= limit, text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
      else { return nil }
      return text
    }
  }

  /// Text made of a few letters only; the pattern is for editors, `accepts` decides.
  package static func name(
    _ name: String, allowed: String, pattern: String?, _ accepts: @escaping (String) -> Bool
  ) -> Schema {
    .scalar(ScalarShape(name: name, allowed: allowed, form: .text(pattern: pattern)), write: \.self) { text in
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
    return .scalar(shape, write: \.description) { text in
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
    .scalar(
      ScalarShape(name: "truth", allowed: "true or false", form: .truth), write: { $0 ? "true" : "false" },
      nearest: { text in
        switch text.lowercased() {
        case "true", "yes", "y", "on", "1", "enabled": "true"
        case "false", "no", "n", "off", "0", "disabled": "false"
        default: nil
        }
      },
      parse: { text in
        switch text {
        case "true": true
        case "false": false
        default: nil
        }
      })
  }
}

extension Schema where Value == Duration {
  package static func duration(_ range: ClosedRange<Duration>) -> Schema {
    let shape = ScalarShape(
      name: "duration",
      allowed: "a duration from \(DurationText.write(range.lowerBound)) to \(DurationText.write(range.upperBound)),"
        + " with its unit: us, ms, s, m or h",
      form: .text(pattern: "^([0-9]+(\\.[0-9]+)?(us|ms|s|m|h))+$"))
    let parse = { (text: String) in DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil } }
    return .scalar(
      shape, write: DurationText.write,
      nearest: { text in
        // A bare number, or a unit written out: what the digits mean in seconds, where that is allowed.
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        let short = unit.isEmpty || unit.hasPrefix("sec") ? "s" : unit.hasPrefix("min") ? "m" : unit
        return parse(digits + short).map { _ in digits + short }
      }, parse: parse)
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
