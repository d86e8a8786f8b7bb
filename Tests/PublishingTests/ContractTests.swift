import Foundation
import GameCore
import LiveContract
import Testing

@testable import Publishing

/// One property of a type, as the fan app's Swift would declare it; the stock decoder decides.
private struct Box<Value: Decodable>: Decodable { var v: Value }
private struct OptionalBox<Value: Decodable>: Decodable { var v: Value? }
private struct Defaulted: Decodable { var v: Int = 5 }
private enum Status: String, Decodable { case live, finished }

@Suite("Contract check") struct ContractCheckTests {
  enum Property: String {
    case int, int32, string, bool, double, status, date, range
    case optionalInt, optionalString, defaultedInt

    var field: Contract.Field {
      switch self {
      case .int, .defaultedInt: Contract.Field("v", .integer)
      case .int32: Contract.Field("v", .integer32)
      case .string: Contract.Field("v", .text)
      case .bool: Contract.Field("v", .truth)
      case .double: Contract.Field("v", .number)
      case .status: Contract.Field("v", .text, allowed: ["live", "finished"])
      case .date: Contract.Field("v", .date)
      case .range: Contract.Field("v", .dateRange)
      case .optionalInt: Contract.Field("v", .integer, isOptional: true)
      case .optionalString: Contract.Field("v", .text, isOptional: true)
      }
    }

    func stockDecodes(_ json: String) -> Bool {
      func decodes<Value: Decodable>(_ type: Value.Type) -> Bool {
        (try? JSONDecoder().decode(type, from: Data(json.utf8))) != nil
      }
      return switch self {
      case .int: decodes(Box<Int>.self)
      case .int32: decodes(Box<Int32>.self)
      case .string: decodes(Box<String>.self)
      case .bool: decodes(Box<Bool>.self)
      case .double: decodes(Box<Double>.self)
      case .status: decodes(Box<Status>.self)
      case .date: decodes(Box<Date>.self)
      case .range: decodes(Box<ClosedRange<Date>>.self)
      case .optionalInt: decodes(OptionalBox<Int>.self)
      case .optionalString: decodes(OptionalBox<String>.self)
      case .defaultedInt: decodes(Defaulted.self)
      }
    }
  }

  private static let rows: [(Property, String, Bool)] = [
    (.int, "{}", false), (.string, "{}", false), (.date, "{}", false), (.optionalInt, "{}", true),
    (.optionalString, "{}", true), (.defaultedInt, "{}", false), (.int, #"{"v":null}"#, false),
    (.string, #"{"v":null}"#, false), (.status, #"{"v":null}"#, false), (.date, #"{"v":null}"#, false),
    (.optionalInt, #"{"v":null}"#, true), (.int, #"{"v":1,"w":{"deep":[{"x":null}]}}"#, true),
    (.int, #"{"v":"1"}"#, false), (.int, #"{"v":102.0}"#, true), (.int, #"{"v":1.02e2}"#, true),
    (.int, #"{"v":102.5}"#, false), (.int, #"{"v":007}"#, false), (.int, #"{"v":-3}"#, true),
    (.int, #"{"v":1796440620000}"#, true), (.int32, #"{"v":1796440620000}"#, false),
    (.int32, #"{"v":2147483647}"#, true), (.int32, #"{"v":2147483648}"#, false), (.int32, #"{"v":102.0}"#, true),
    (.int, #"{"v":9223372036854775807}"#, true), (.int, #"{"v":9223372036854775808}"#, false),
    (.int, #"{"v":1e30}"#, false), (.int, #"{"v":true}"#, false), (.int, #"{"v":[1]}"#, false),
    (.string, #"{"v":4}"#, false), (.string, #"{"v":true}"#, false), (.string, #"{"v":""}"#, true),
    (.string, #"{"v":{}}"#, false), (.bool, #"{"v":1}"#, false), (.bool, #"{"v":"true"}"#, false),
    (.bool, #"{"v":true}"#, true), (.bool, #"{"v":false}"#, true), (.status, #"{"v":"Live"}"#, false),
    (.status, #"{"v":"final"}"#, false), (.status, #"{"v":"live"}"#, true), (.status, #"{"v":1}"#, false),
    (.double, #"{"v":3}"#, true), (.double, #"{"v":3.5}"#, true), (.double, #"{"v":"3"}"#, false),
    (.int, #"{"v":1,"v":"x"}"#, true), (.int, #"{"v":"x","v":1}"#, false), (.date, #"{"v":1796432400}"#, true),
    (.date, #"{"v":818125200}"#, true), (.date, #"{"v":"2026-12-05T01:00:00Z"}"#, false),
    (.range, #"{"v":[818125200,818125800]}"#, true), (.range, #"{"v":[5,5]}"#, true),
    (.range, #"{"v":{"lowerBound":818125200,"upperBound":818125800}}"#, false),
    (.range, #"{"v":[818125800,818125200]}"#, false), (.range, #"{"v":[818125200]}"#, false),
    (.range, #"{"v":[]}"#, false),
    (.range, #"{"v":["a","b"]}"#, false), (.int, "[]", false), (.int, "5", false), (.int, "", false),
  ]

  @Test("B126: our check and the stock decoder give one verdict, on every row of the facts' table and beside it")
  func sameVerdict() {
    for (property, json, decodes) in Self.rows {
      let ours = ContractCheck.failure(JSONText.parse(json), [property.field]) == nil
      #expect(ours == decodes, "our check: \(property) \(json)")
      #expect(property.stockDecodes(json) == decodes, "the stock decoder: \(property) \(json)")
    }
  }

  @Test("B126: the modelled phone of a rehearsal keeps or drops the whole push by the same verdict, on every row")
  func phoneVerdict() throws {
    let began = WallTime(milliseconds: 1_767_225_600_000)
    let state = String(decoding: Fixture.state(home: 1).json(), as: UTF8.self)
    for (property, json, decodes) in Self.rows {
      var contract = Contract.standard
      contract.state.append(property.field)
      var phone = Phone(contract: contract)
      phone.follow(channel: "YWJj", attributes: Fixture.attributes, state: Fixture.state(home: 0), at: began)
      let given = json.hasPrefix("{") ? (json == "{}" ? state : state.dropLast() + "," + json.dropFirst()) : json
      let apns = #"{"aps":{"timestamp":\#(began.seconds),"event":"update","content-state":\#(given)}}"#
      // What is not JSON at all reaches no decoder.
      let outcome = JSONText.parse(apns).map {
        phone.receiveBroadcast(channel: "YWJj", apns: $0, priority: "5", at: began)
      }
      #expect((outcome == .shown) == decodes, "\(property) \(json)")
      if !decodes, json.hasPrefix("{"), let outcome { #expect(outcome == .dropped("v"), "\(property) \(json)") }
      #expect(phone.views(at: began).first?.state.homeScore == (decodes ? 1 : 0))
    }
  }

  @Test("traps 1 and 2.4: a Unix time in a Date lands in 2057, which is why none is on the wire")
  func dates() throws {
    let date = try JSONDecoder().decode(Box<Date>.self, from: Data(#"{"v":1796432400}"#.utf8)).v
    #expect(Calendar(identifier: .gregorian).component(.year, from: date) == 2057)
    #expect(
      !(Contract.standard.state + Contract.standard.attributes).contains { $0.type == .date || $0.type == .dateRange })
  }

  @Test("a word that Swift keeps for itself is protected in the printed file")
  func swiftWords() {
    var contract = Contract.standard
    contract.extra = [Contract.Extra("protocol", .text("a")), Contract.Extra("league", .text("b"))]
    contract.state[2].allowed.append("break")
    let printed = contract.printed(as: .swift)
    for line in ["    var `protocol`: String", "    case `break`", "    var league: String"] {
      #expect(printed.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
  }

  @Test("of a key that comes twice both take the first")
  func duplicates() throws {
    let json = #"{"v":1,"v":2}"#
    #expect(try JSONDecoder().decode(Box<Int>.self, from: Data(json.utf8)).v == 1)
    #expect(ContractCheck.integer(JSONText.parse(json)?["v"]) == 1)
  }

  @Test("trap 3: a state with one wrong key fails on that key, for the stock decoder too")
  func states() throws {
    let whole = String(decoding: Fixture.state().json(), as: UTF8.self)
    let changes = [
      (#""homeScore":98"#, #""homeScore":"98""#, "homeScore"), (#""homeScore":98,"#, "", "homeScore"),
      (#""live""#, #""Live""#, "gameStatus"), (#""Q4""#, "4", "period"), (#""1:12""#, "null", "clock"),
      (#""seq":412"#, #""sequence":412"#, "seq"), (#""stop""#, #""paused""#, "clockDir"),
      (#""clockAnchorMs":0"#, #""clockAnchorMs":0.5"#, "clockAnchorMs"),
    ]
    for (old, new, key) in changes {
      let json = whole.replacingOccurrences(of: old, with: new)
      #expect(ContractCheck.failure(JSONText.parse(json), Contract.standard.state)?.key == key)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(GameAttributes.ContentState.self, from: Data(json.utf8))
      }
    }
    #expect(ContractCheck.failure(JSONText.parse(whole), Contract.standard.state) == nil)
  }
}

@Suite("Contract") struct ContractTests {
  @Test("the default contract and the reference app's both decode what we send")
  func defaults() {
    #expect(Contract.standard.issues.isEmpty && Contract.reference.issues.isEmpty)
  }

  @Test("B126: a contract that does not match is refused with the key to look at")
  func mismatches() {
    typealias Field = Contract.Field
    let rows: [(Field, String)] = [
      (Field("homePoints", .integer), "not sent"), (Field("homeScore", .text), "an integer is sent"),
      (Field("period", .integer), "a text is sent"), (Field("clock", .date), "a text is sent"),
      (Field("clockAnchorMs", .date), "2001"), (Field("clockAnchorMs", .integer32), "32 bits"),
      (Field("seq", .date), "2001"), (Field("seq", .truth), "an integer is sent"),
      (Field("gameStatus", .text, allowed: ["scheduled", "live", "finished"]), "halftime"),
      (Field("clockDir", .text, allowed: ["down", "up"]), "stop"),
      (Field("period", .text, allowed: ["Q1", "Q2"]), "free text"), (Field("homeTeam", .text), "not sent"),
      (Field("clock", .dateRange), "a text is sent"), (Field("homeScore", .dateRange), "an integer is sent"),
    ]
    for (field, reason) in rows {
      var contract = Contract.reference
      contract.state.removeAll { $0.name == field.name }
      contract.state.append(field)
      #expect(contract.issues.map(\.key) == [field.name], "\(field)")
      #expect(contract.issues.first?.reason.contains(reason) == true, "\(contract.issues)")
    }
  }

  @Test("what the app may do without, and wider types than ours, are no reason to refuse")
  func wider() {
    var contract = Contract.standard
    contract.state.append(Contract.Field("leaders", .text, isOptional: true))
    contract.state[0].type = .number
    contract.state[1].type = .integer32
    contract.state[2].allowed = []
    contract.state[3].isOptional = true
    contract.attributesType = "MatchAttributes"
    #expect(contract.issues.isEmpty)
  }

  @Test("the app's own keys with their fixed values are part of the contract")
  func extra() throws {
    var contract = Contract.standard
    contract.extra = [Contract.Extra("league", .text("U19")), Contract.Extra("round", .integer(3))]
    #expect(contract.issues.isEmpty)
    var payload = Fixture.update()
    #expect(contract.check(payload)?.key == "league")
    payload.extra = contract.extra
    #expect(contract.check(payload) == nil)
    for format in [ContractFormat.jsonSchema, .swift] {
      #expect(contract.printed(as: format).contains(#""league":"U19","round":3}"#))
    }
    #expect(contract.printed(as: .swift).contains("    var league: String\n"))
    contract.extra.append(Contract.Extra("clock", .text("x")))
    #expect(contract.issues == [ContractIssue(key: "clock", reason: "declared twice")])
  }

  @Test("a type that Swift could not have, and a key declared twice, are refused")
  func names() {
    for name in ["", "Game Attributes", "3x3", "Game.Attributes"] {
      var contract = Contract.standard
      contract.attributesType = name
      #expect(contract.issues.map(\.key) == ["attributesType"])
    }
    var odd = Contract.standard
    odd.state.append(Contract.Field("kick-off", .text, isOptional: true))
    #expect(odd.issues.map(\.key) == ["kick-off"])
    var twice = Contract.standard
    twice.attributes.append(Contract.Field("homeTeam", .text))
    #expect(twice.issues == [ContractIssue(key: "homeTeam", reason: "declared twice")])
  }

  @Test("a push is held against the contract it is for, before it is sent")
  func check() {
    #expect(Contract.standard.check(Fixture.start()) == nil && Contract.standard.check(Fixture.end()) == nil)
    var renamed = Contract.standard
    renamed.attributesType = "MatchAttributes"
    #expect(renamed.check(Fixture.start())?.key == "attributes-type")
    #expect(renamed.check(Fixture.update()) == nil)
    var more = Contract.standard
    more.attributes.append(Contract.Field("venue", .text))
    #expect(more.check(Fixture.start())?.key == "venue")
    var narrow = Contract.standard
    narrow.state[2].allowed = ["finished"]
    #expect(narrow.check(Fixture.update())?.key == "gameStatus")
  }

  @Test("every form of the printed contract names every key and shows a start, an update and an end")
  func printed() throws {
    for format in ContractFormat.allCases {
      let text = Contract.standard.printed(as: format)
      for field in Contract.standard.attributes + Contract.standard.state {
        #expect(text.contains(field.name), "\(format) \(field.name)")
      }
      for kind in [#""event":"start""#, #""event":"update""#, #""event":"end""#] { #expect(text.contains(kind)) }
      #expect(text.hasSuffix("\n"))
    }
  }

  @Test("the printed JSON schema is JSON, and says of each key what the check demands of it")
  func schema() throws {
    let node = try #require(JSONText.parse(Contract.standard.printed(as: .jsonSchema)))
    let state = try #require(node["$defs"]?["contentState"])
    #expect(state["properties"]?.keys == Contract.standard.state.map(\.name).sorted())
    #expect(state["required"]?.elements?.count == 9)
    #expect(
      state["properties"]?["gameStatus"]?.meaning
        == #"{"enum":["scheduled","live","halftime","finished"],"type":"string"}"#)
    #expect(state["properties"]?["clockAnchorMs"]?["type"]?.text == "integer")
    let android = try #require(node["$defs"]?["liveUpdate"])
    #expect(android["properties"]?.members?.allSatisfy { $0.value["type"]?.text == "string" } == true)
    let examples = try #require(node["examples"]?.elements)
    #expect(examples.map { $0["apns"]?["aps"]?["event"]?.text } == ["start", "update", "end"])
    for example in examples {
      #expect(ContractCheck.failure(example["apns"]?["aps"]?["content-state"], Contract.standard.state) == nil)
      let sent = example["liveUpdate"]?.keys ?? []
      #expect(Set(sent).isSubset(of: android["properties"]?.keys ?? []))
      let required = android["required"]?.elements?.compactMap(\.text) ?? []
      #expect(!required.isEmpty && required.allSatisfy(sent.contains))
    }
  }

  @Test("the printed Swift declares what the contract declares, odd names and all")
  func swift() {
    var contract = Contract.standard
    contract.attributesType = "MatchAttributes"
    contract.state += [
      Contract.Field("in", .truth, isOptional: true), Contract.Field("kick-off", .dateRange, isOptional: true),
      Contract.Field("rank", .integer32, isOptional: true),
      Contract.Field("side", .text, isOptional: true, allowed: ["left", "right-most"]),
    ]
    let text = contract.printed(as: .swift)
    for line in [
      "struct MatchAttributes: Codable, Hashable {", "extension MatchAttributes: ActivityAttributes {}",
      "  var homeTeam: String", "    var homeScore: Int",
      "    var gameStatus: GameStatus", "    var clockDir: ClockDirection", "    var `in`: Bool?",
      "    var kick_off: ClosedRange<Date>?", "    var rank: Int32?", "    var side: Side?", "    case halftime",
      #"    case right_most = "right-most""#, "  enum GameStatus: String, Codable, Hashable {",
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
  }

  @Test("D-01: the page for the app's makers names every key and every status word")
  func page() throws {
    let page = try AppCompilerTests.page()
    let standard = Contract.standard
    let android = Fixture.android(alert: Fixture.alert).data.map(\.key)
    for word in (standard.attributes + standard.state).flatMap({ [$0.name] + $0.allowed }) + android {
      #expect(page.contains("`\(word)`"), "\(word)")
    }
  }

  @Test("the page names each fault of an account as its answer does, and the daemon has words for every one of them")
  func accounts() throws {
    let page = try AppCompilerTests.page()
    for (code, message) in [
      (40000, "FeatureNotEnabled"), (40182, ""), (40000, "ChannelNotRegistered"), (40000, "BadDeviceToken"),
      (103006, ""), (40000, "not push-enabled channel"), (40160, ""),
    ] {
      #expect(page.contains(message.isEmpty ? "`\(code)`" : message), "\(code) \(message)")
      #expect(AblyErrors.advice(code: code, status: 400, message: message) != nil, "\(code) \(message)")
    }
  }

  @Test("the printed Kotlin reads every key of the map, numbers as numbers")
  func kotlin() {
    let text = Contract.standard.printed(as: .kotlin)
    for line in [
      "    val homeScore: Int,", "    val clockAnchorMs: Long,", "    val staleAtMs: Long?,",
      "    val alertBody: String?",
      #"                homeScore = data["homeScore"]?.toIntOrNull() ?: return null,"#,
      #"                staleAtMs = data["staleAtMs"]?.toLongOrNull(),"#,
      #"                event = data["event"]?.takeIf { it in setOf("start", "update", "end") } ?: return null,"#,
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
  }
}
