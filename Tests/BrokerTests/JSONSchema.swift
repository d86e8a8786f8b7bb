import Foundation

/// As much of JSON Schema as our own schemas use; a word it does not know is a problem, so that none is passed over.
struct JSONSchema {
  private let root: [String: Any]

  init(file: URL) throws {
    root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
  }

  /// The names under `$defs`.
  var definitions: [String] { (root["$defs"] as? [String: Any])?.keys.sorted() ?? [] }

  /// Against the whole schema, or one of its definitions.
  func problems(_ json: [UInt8], of definition: String? = nil) -> [String] {
    guard let value = try? JSONSerialization.jsonObject(with: Data(json), options: [.fragmentsAllowed]) else {
      return ["no JSON"]
    }
    return problems(value, definition.map { ["$ref": "#/$defs/\($0)"] } ?? root, at: "$")
  }

  private func resolve(_ reference: Any) -> [String: Any] {
    let name = (reference as? String ?? "").components(separatedBy: "#/$defs/").last ?? ""
    return (root["$defs"] as? [String: Any])?[name] as? [String: Any] ?? ["the schema has no": reference]
  }

  /// How many of the schemas in a list take the value.
  private func takers(_ value: Any, _ list: Any) -> Int {
    (list as? [[String: Any]] ?? []).count { problems(value, $0, at: "$").isEmpty }
  }

  private func problems(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
    var found: [String] = []
    for (word, rule) in schema {
      switch word {
      case "$schema", "title", "$defs": break
      case "$ref": found += problems(value, resolve(rule), at: path)
      case "oneOf": if takers(value, rule) != 1 { found.append("\(path) is \(takers(value, rule)) of the choices") }
      case "anyOf": if takers(value, rule) == 0 { found.append("\(path) is none of the choices") }
      case "not": if takers(value, [rule]) != 0 { found.append("\(path) is just what it must not be") }
      case "minLength": if (value as? String)?.isEmpty == true { found.append("\(path) is empty") }
      case "maxLength":
        if let text = value as? String, let most = rule as? Int, text.utf8.count > most {
          found.append("\(path) is longer than \(most)")
        }
      case "maximum":
        if let number = value as? NSNumber, let most = rule as? NSNumber, number.doubleValue > most.doubleValue {
          found.append("\(path) above \(most)")
        }
      case "type":
        let names = rule as? [String] ?? [rule as? String ?? "?"]
        if !names.contains(where: { Self.is(value, $0) }) { found.append("\(path) is no \(names)") }
      case "const": if !Self.equal(value, rule) { found.append("\(path) is not \(rule)") }
      case "enum":
        if !(rule as? [Any] ?? []).contains(where: { Self.equal(value, $0) }) { found.append("\(path): \(value)") }
      case "minimum":
        if let number = value as? NSNumber, let least = rule as? NSNumber, number.doubleValue < least.doubleValue {
          found.append("\(path) below \(least)")
        }
      case "pattern":
        if let text = value as? String, text.range(of: rule as? String ?? "", options: .regularExpression) == nil {
          found.append("\(path): \(text)")
        }
      case "properties":
        guard let members = value as? [String: Any], let rules = rule as? [String: [String: Any]] else { break }
        for (name, member) in members {
          if let rule = rules[name] {
            found += problems(member, rule, at: "\(path).\(name)")
          } else if schema["additionalProperties"] as? Bool == false {
            found.append("\(path).\(name) is unknown")
          }
        }
      case "required":
        guard let members = value as? [String: Any] else { break }
        for name in rule as? [String] ?? [] where members[name] == nil { found.append("\(path).\(name) is missing") }
      case "additionalProperties": break
      case "items":
        guard let list = value as? [Any], let rule = rule as? [String: Any] else { break }
        for (index, element) in list.enumerated() { found += problems(element, rule, at: "\(path)[\(index)]") }
      default: found.append("the schema says \(word)")
      }
    }
    return found
  }

  private static func `is`(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": isTruth(value)
    case "integer": !isTruth(value) && (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    default: false
    }
  }

  private static func isTruth(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" || $0 === kTrue || $0 === kFalse } ?? false
  }

  private static let kTrue = NSNumber(value: true)
  private static let kFalse = NSNumber(value: false)

  private static func equal(_ value: Any, _ other: Any) -> Bool {
    if value is NSNull || other is NSNull { return value is NSNull && other is NSNull }
    return (value as? NSObject)?.isEqual(other as? NSObject) ?? false
  }
}
