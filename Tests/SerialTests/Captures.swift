import Document
import Foundation
import Input
import Platform
import Testing

/// One recorded byte stream with what its bytes mean, as the captures folder describes it.
struct Capture: CustomTestStringConvertible, Sendable {
  struct Checkpoint: Sendable {
    var bytes: Int
    var state: JSONValue
  }

  var name: String
  var console: ConsoleProtocol
  var sport: String?
  var pattern: String?
  var bytes: [UInt8]
  var checkpoints: [Checkpoint]
  var allowed: JSONValue

  var testDescription: String { name }

  func makeDecoder() throws -> any FrameDecoder {
    let sport = try sport.map { name in
      guard let sport = ConsoleSport(name, on: console) else { throw Unreadable(what: "sport \(name)") }
      return sport
    }
    let options = pattern.map { [(name: "pattern", value: $0)] } ?? []
    return try DecoderSettings(console: console, sport: sport, options: options, compile: Pattern.compile)
      .makeDecoder().get()
  }

  struct Unreadable: Error {
    var what: String
  }

  /// Every capture in the folder; empty, with the reason printed, where there is none.
  static let all: [Capture] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder =
      ProcessInfo.processInfo.environment["SCOREBOARD_CAPTURES"].map { URL(fileURLWithPath: $0) }
      ?? root.deletingLastPathComponent().appendingPathComponent("shared/captures")
    guard let names = FileManager.default.subpaths(atPath: folder.path) else {
      print("skipped: no captures at \(folder.path); name their folder in SCOREBOARD_CAPTURES")
      return []
    }
    return names.filter { $0.hasSuffix(".expect.json") }.sorted().compactMap { try? load(folder, $0) }
  }()

  private static func load(_ folder: URL, _ name: String) throws -> Capture {
    let url = folder.appendingPathComponent(name)
    let document = try JSONValue(parsing: Data(contentsOf: url)).awayForGuest
    let bytes = try Data(
      contentsOf: folder.appendingPathComponent(name.replacingOccurrences(of: ".expect.json", with: ".bin")))
    guard let console = document["protocol"]?.text.flatMap(ConsoleProtocol.init(rawValue:)),
      case .list(let checkpoints)? = document["checkpoints"]
    else { throw Unreadable(what: name) }
    // The pattern keeps its own group names.
    let pattern = try JSONValue(parsing: Data(contentsOf: url))["pattern"]?.text
    return Capture(
      name: name.replacingOccurrences(of: ".expect.json", with: ""), console: console,
      sport: document["sport"]?.text, pattern: pattern, bytes: Array(bytes),
      checkpoints: checkpoints.compactMap { checkpoint in
        guard case .number(let bytes)? = checkpoint["after_bytes"], let state = checkpoint["state"] else { return nil }
        return Checkpoint(bytes: Int(bytes), state: state)
      },
      allowed: document["allowed"] ?? .null)
  }
}

/// A JSON value that can be compared, and that names its first difference.
enum JSONValue: Hashable, Sendable {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case map([String: JSONValue])

  init(parsing data: Data) throws {
    self.init(try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed]))
  }

  private init(_ value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let number as NSNumber:
      self = isBoolean(number) ? .truth(number.boolValue) : .number(number.doubleValue)
    case let list as [Any]: self = .list(list.map(JSONValue.init))
    case let map as [String: Any]: self = .map(map.mapValues(JSONValue.init))
    default: self = .null
    }
  }

  subscript(_ key: String) -> JSONValue? {
    guard case .map(let members) = self else { return nil }
    return members[key]
  }

  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  var members: [String: JSONValue] {
    guard case .map(let members) = self else { return [:] }
    return members
  }

  var integer: Int? {
    guard case .number(let number) = self else { return nil }
    return Int(number)
  }

  var elements: [JSONValue] {
    guard case .list(let elements) = self else { return [] }
    return elements
  }

  /// Captures say guest, we say away: in keys and in values.
  var awayForGuest: JSONValue {
    switch self {
    case .null, .truth, .number: self
    case .text(let text): .text(text == "guest" ? "away" : text)
    case .list(let values): .list(values.map(\.awayForGuest))
    case .map(let members):
      .map(
        Dictionary(
          uniqueKeysWithValues: members.map { key, value in
            (key.replacingOccurrences(of: "guest", with: "away"), value.awayForGuest)
          }))
    }
  }

  /// The members of `expected` that are not equal here; members only we have do not matter.
  func differences(from expected: JSONValue) -> [String] {
    guard case .map(let members) = expected else { return ["no object"] }
    return members.compactMap { key, value in
      let got = self[key] ?? .null
      return got == value ? nil : "\(key): expected \(value), got \(got)"
    }.sorted()
  }
}

private func isBoolean(_ number: NSNumber) -> Bool {
  String(cString: number.objCType) == "c" && (number == NSNumber(value: true) || number == NSNumber(value: false))
}

extension FrameDecoder {
  /// What the `decode` command would print for the state now.
  func json() throws -> JSONValue {
    var writer = JSONWriter()
    image().write(to: &writer)
    return try JSONValue(parsing: Data(writer.bytes))
  }
}
