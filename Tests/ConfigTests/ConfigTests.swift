import Bridge
import Document
import Foundation
import Input
import Platform
import Publishing
import Testing
import scoreboard_bridge

@Suite struct ConfigTests {
  @Test("a config of three lines has every default")
  func defaults() throws {
    let config = try config()
    let court = try #require(config.courts.first)
    #expect(config.isRehearsal && config.ably == nil && config.mqtt == nil && config.http == nil)
    #expect(config.venue == VenueConfig(name: "Riverside Arena", slug: "riverside-arena", timeZone: "UTC"))
    #expect(config.topicPrefix == "scoreboard/riverside-arena")
    #expect(court.slug == "main-court" && court.sport == .basketball && court.keys == nil)
    #expect(court.phones.ios.storagePolicy == .newest && court.phones.ios.spacing == .seconds(5))
    #expect(court.phones.android.spacing == .seconds(1))
    #expect(config.courtChannel(of: court) == "scoreboard:riverside-arena:main-court")
    #expect(config.contract.state.map(\.name).contains("clockAnchorMs"))
  }

  @Test("a provider ends the rehearsal, unless the config asks for one")
  func rehearsal() throws {
    #expect(try config("ably: {key: {env: K}}").isRehearsal == false)
    #expect(try config("ably: {key: {env: K}}\nrehearsal: true").isRehearsal)
    #expect(try config("rehearsal: true").isRehearsal)
    #expect(try issues("rehearsal: false").map(\.path) == ["rehearsal"])
  }

  @Test("every section reaches its value")
  func whole() throws {
    let config = try config(
      """
      state_directory: state
      ably: {key: {file: /k}, endpoint: main, fallback_hosts: [], port: 8443, ca_file: /ca, open_timeout: 1s}
      mqtt:
        brokers: [{host: a, tls: {alpn: mqtt}}, {host: "::1", port: 1884}]
        username: u
        password: {credential: p}
        topic_prefix: x/y
        keep_alive: 20s
        discovery: {}
      http: {listen: 0.0.0.0, port: 8081, host_names: [scores.example]}
      contract: {attributes_type: Board, state: {homeScore: {type: int}, league: {type: string, optional: true}}, extra: {cup: {type: int, value: 7}}}
      texts: {en: {goalTitle: "GOAL {name}!", score.basketball.3: Three}}
      """,
      court: """
        rules: {period_length: 8m}
        language: de
        game: {home: {name: Riverton, code: riv}, start: 2026-12-05T19:00}
        phones:
          ios: {enabled: false, storage_policy: 0}
          android: {spacing: 0s}
          events:
            period_ended: {alert: at-once, priority: convenient, stale_after: 9m}
            goal: {wait: 3s}
            start: {priority: now, expiration: 5m, stale_after: 20m, time_to_live: 4m}
            end: {priority: convenient, time_to_live: 1h}
        keys: {h: home +1, space: clock start/stop, '#': undo}
        consoles:
          - {name: a, protocol: generic-line, device: /dev/ttyS0, speed: 4800, parity: even, pattern: x, settings: {line_end: "0x03"}}
          - {name: b, protocol: bodet-scorepad, listen: "[::]:4001"}
          - {name: c, protocol: daktronics-rtd, udp: 224.51.105.104:21000, lost_after: 30s}
          - {name: d, protocol: fairplay-mp70, experimental: true, connect: "box:4002"}
          - {name: e, protocol: bodet-scorepad}
        buttons:
          - {name: h, line: GPIO17, press: home +1, lockout: 40ms}
          - {name: e, chip: rp1, offset: 4, hold: game end, active_low: false, bias: pull-down, settle: 20ms}
        chords: [{buttons: [h, e], press: undo}]
        lamps: [{name: l, line: GPIO2, active_low: true, shows: [counted, held-at-boot]}]
        """)
    let court = config.courts[0]
    #expect(config.ably?.fallbackHosts == [] && config.ably?.port == 8443 && config.ably?.key == .file("/k"))
    #expect(config.mqtt?.brokers.map(\.port) == [8883, 1884] && config.mqtt?.discovery?.prefix == "homeassistant")
    #expect(config.topicPrefix == "x/y" && config.mqtt?.password == .credential("p"))
    #expect(config.http?.hostNames == ["scores.example"] && config.http?.port == 8081)
    #expect(
      config.contract.attributesType == "Board" && config.contract.state.map(\.name) == ["homeScore", "league"]
        && config.contract.extra == [Contract.Extra("cup", .integer(7))])
    #expect(config.texts.map(\.key) == ["goalTitle", "score.basketball.3"])
    #expect(court.rules.map(\.key) == ["period_length"] && court.language == "de")
    #expect(court.game.start?.description == "2026-12-05T19:00" && court.game.home?.code == "riv")
    #expect(!court.phones.ios.isEnabled && court.phones.android.spacing == .zero)
    #expect(court.keys?.map(\.key) == ["h", "space", "#"])
    #expect(court.consoles[0].options.map(\.value) == ["x", "0x03"])
    #expect(court.consoles[0].transport == .device("/dev/ttyS0", ConsoleLine(4800, parity: .even)))
    let rules = court.phones.eventRules
    #expect(rules[.periodEnded].alert == .atOnce && rules[.periodEnded].urgency == .convenient)
    #expect(rules[.periodEnded].fcmPriority == .normal)
    #expect(rules[.periodEnded].staleness == .afterFrameAndBreak(.seconds(540)))
    #expect(rules.start.expiration == .seconds(300) && rules.start.staleness == .afterScheduledStart(.seconds(1200)))
    #expect(rules.start.fcm == FCMOptions(priority: .high, timeToLive: .seconds(240)))
    #expect(rules.start.alert == .atOnce && rules.end.staleness == .never)
    #expect(rules.end.fcm == FCMOptions(priority: .normal, timeToLive: .seconds(3600)))
    #expect(rules[.goal].wait == .atMost(.seconds(3)) && rules[.goal].alert == EventRules()[.goal].alert)
    #expect(rules[.basket] == EventRules()[.basket])
    #expect(court.consoles[1].transport == .listen(HostPort(host: "::", port: 4001)))
    #expect(court.consoles[2].transport == .udp(HostPort(host: "224.51.105.104", port: 21_000)))
    #expect(court.consoles[3].transport == .connect(HostPort(host: "box", port: 4002)))
    #expect(court.consoles[4].transport == .listen(HostPort(host: "0.0.0.0", port: 4001)))
    #expect(court.buttons[1].address == LineAddress(chip: "rp1", line: .offset(4)))
    #expect(court.buttons[0].lockout == .milliseconds(40) && court.buttons[1].bias == .pullDown)
    #expect(court.chords[0].buttons == ["h", "e"] && court.lamps[0].shows == [.counted, .heldAtBoot])
  }

  @Test("B74: a name with signs of MQTT keeps its look and gets a slug without them")
  func names() throws {
    let config = try config(venue: "{name: 'Hall #1 + Annex/B'}")
    #expect(config.venue.name == "Hall #1 + Annex/B" && config.venue.slug == "hall-1-annex-b")
    #expect(config.topicPrefix == "scoreboard/hall-1-annex-b")
  }

  @Test(
    "a slug is made of letters, digits and single hyphens",
    arguments: [
      ("Riverside Arena", "riverside-arena"), ("  Köln -- Süd  ", "koln-sud"),
      ("Stade de l'Étoile", "stade-de-l-etoile"),
      ("Straße 7", "strasse-7"), ("Łódź Ørsted Æ", "lodz-orsted-ae"), ("e\u{301}clair", "eclair"), ("$SYS/#", "sys"),
      ("体育館", nil), ("", nil), ("+", nil), ("Hall 体 2", "hall-2"),
    ])
  func slugs(_ name: String, _ slug: String?) { #expect(Slug(from: name)?.text == slug) }

  @Test("B126: an app that wants a key which is never sent is refused at the check, not at kick-off")
  func contract() throws {
    let renamed = try issues("contract: {state: {homeScores: {type: int}}}")
    #expect(renamed.map(\.path) == ["contract.state.homeScores"])
    #expect(renamed[0].remedy.contains("homeScore?"))
    let attributes = try issues("contract: {attributes: {homeTeam: {type: string}, venue: {type: string}}}")
    #expect(attributes.map(\.path) == ["contract.attributes.venue"])
    #expect(try issues("contract: {state: {homeScore: {type: int}, seq: {type: double}}}").isEmpty)
    let dated = try issues("contract: {state: {clockAnchorMs: {type: date}}}")
    #expect(dated[0].text.contains("seconds since 2001"))
  }

  @Test("trap 7: a warning says that an update kept shortly pushes out one kept long")
  func expirations() throws {
    func found(_ events: String) throws -> [DocumentIssue] { try issues(court: "phones: {events: {\(events)}}") }
    let one = try found("goal: {expiration: 1h}")
    #expect(one.map(\.severity) == [.warning] && one[0].path == "courts[0].phones.events")
    #expect(try found("final: {expiration: 1h}, start: {expiration: 5m}, end: {expiration: 1h}").isEmpty)
    #expect(try found("goal: {expiration: 30m}").isEmpty)
  }

  @Test("keys of the app's own that leave the game no room are refused at the check, not at kick-off")
  func extraRoom() throws {
    func found(_ keys: Int) throws -> [String] {
      let members = (1...keys).map { "key\($0): {type: string, value: \(String(repeating: "é", count: 100))}" }
      return try issues("contract: {extra: {\(members.joined(separator: ", "))}}").map(\.path)
    }
    #expect(try found(2) == [])
    #expect(try found(4) == ["contract.extra"])
    #expect(try found(16) == ["contract.extra"])
  }

  @Test("rooms that know more are asked, and their answers carry the place")
  func checks() throws {
    var checks = ConfigChecks()
    checks.faultOfAction = { sport, action in
      action == "dunk" ? .init("\(sport.rawValue) has no dunk", remedy: "Shoot") : nil
    }
    checks.faultsOfRules = { _, members, decoding in
      for member in members {
        decoding.inside(key: member.key) { $0.problem("no such rule", at: member.keyPosition) }
      }
    }
    checks.compilePattern = Pattern.compile
    let found = try issues(
      court: """
        rules: {gravity: low}
        keys: {d: dunk}
        buttons: [{name: b, line: L, press: dunk}]
        consoles: [{name: c, protocol: generic-line, device: /dev/ttyS0, pattern: '('}]
        """, checks: checks)
    #expect(
      found.map(\.path) == [
        "courts[0].rules.gravity", "courts[0].keys.d", "courts[0].buttons[0].press", "courts[0].consoles[0].pattern",
      ])
  }

  @Test(
    "a scoring button that must wait for a hold, a second press or a chord's partner is warned about, and works",
    arguments: [
      ("hold", "buttons: [{name: b, line: L, press: home +1, hold: undo}]"),
      ("double", "buttons: [{name: b, line: L, press: home +1, double: undo}]"),
      (
        "chord",
        "buttons: [{name: b, line: L, press: home +1}, {name: c, line: M, press: horn}]\n"
          + "chords: [{buttons: [c, b], press: undo}]"
      ),
    ])
  func waiting(gesture: String, court: String) throws {
    let found = try issues(court: court)
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.text.contains("each press waits until it is clear that it is no \(gesture)") == true)
    #expect(try config(court: court).courts[0].buttons.first?.press == "home +1")
    let harmless = court.replacingOccurrences(of: "home +1", with: "timeout")
    #expect(try issues(court: harmless).isEmpty)
  }

  @Test("one court's buttons and keys may not be another's, wherever in the file they stand")
  func owners() throws {
    let second = "  - {name: Side court, sport: soccer, buttons: [{name: b, line: L, press: home +1}]}\n"
    let first =
      "venue: {name: X}\ncourts:\n  - {name: Main court, sport: soccer, lamps: [{name: l, line: L, shows: [sent]}]}\n"
    let decoded = Config.decode(try yaml(first + second))
    #expect(decoded.issues.map(\.path) == ["courts[1].buttons[0].line"])
  }

  @Test(
    "a line by name is one line, with its chip beside the name or without",
    arguments: [("", "chip: rp1, "), ("chip: rp1, ", ""), ("chip: rp1, ", "chip: rp1, ")])
  func sameLine(_ first: String, _ second: String) throws {
    let found = try issues(
      court: "buttons: [{name: a, \(first)line: L, press: horn}, {name: b, \(second)line: L, press: undo}]")
    #expect(found.map(\.path) == ["courts[0].buttons[1].line"])
  }

  @Test("lines of one name on two chips are two lines")
  func twoChips() throws {
    let found = try issues(
      court: "buttons: [{name: a, chip: x, line: L, press: horn}, {name: b, chip: y, line: L, press: undo}]")
    #expect(found.isEmpty)
  }

  @Test("a chord of one button with itself is refused, and two chords of the same buttons are")
  func chordsOfOne() throws {
    let buttons = "buttons: [{name: a, line: L, press: horn}, {name: b, line: M, press: undo}]\n"
    #expect(
      try issues(court: buttons + "chords: [{buttons: [a, a], press: redo}]").map(\.path)
        == ["courts[0].chords[0].buttons[1]"])
    #expect(
      try issues(court: buttons + "chords: [{buttons: [a, b], press: redo}, {buttons: [b, a], press: delay}]")
        .map(\.path) == ["courts[0].chords[1].buttons"])
  }

  @Test(
    "what only a hold, a chord or a capital key may do is warned about where it is bound to less",
    arguments: [
      ("buttons: [{name: a, line: L, press: game end}]", "courts[0].buttons[0].press"),
      ("buttons: [{name: a, line: L, press: horn, double: game final}]", "courts[0].buttons[0].double"),
      ("keys: {e: game end}", "courts[0].keys.e"),
      (
        "mqtt_buttons: [{name: r, maker: zigbee2mqtt, topic: z/r, actions: {single: game end, hold: game end}}]",
        "courts[0].mqtt_buttons[0].actions.single"
      ),
    ])
  func needsHold(court: String, path: String) throws {
    let found = try issues(court: court, checks: .rooms)
    #expect(found.map(\.path) == [path])
    #expect(found.map(\.severity) == [.warning])
    #expect(
      try issues(
        court: "buttons: [{name: a, line: L, press: horn, hold: game end}]\nkeys: {E: game end}", checks: .rooms
      ).isEmpty)
  }

  @Test("a pull that holds the line where it counts as pressed is warned about")
  func pullAgainstPress() throws {
    func found(_ wiring: String) throws -> [String] {
      try issues(court: "buttons: [{name: a, line: L, \(wiring)press: horn}]").map(\.path)
    }
    #expect(try found("") == [])
    #expect(try found("active_low: false, bias: pull-down, ") == [])
    #expect(try found("active_low: false, bias: as-is, ") == [])
    #expect(try found("active_low: false, ") == ["courts[0].buttons[0].active_low"])
    #expect(try found("bias: pull-down, ") == ["courts[0].buttons[0].bias"])
  }

  @Test(
    "what the daemon would not start with is refused by the check",
    arguments: [
      ("", "language: fr", "courts[0].language"), ("http: {listen: arena-board}", "", "http.listen"),
      (
        "", "consoles: [{name: c, protocol: bodet-scorepad, listen: 'arena-board:4001'}]",
        "courts[0].consoles[0].listen"
      ),
      ("", "consoles: [{name: c, protocol: bodet-scorepad, udp: 'arena-board:4001'}]", "courts[0].consoles[0].udp"),
    ])
  func refusedAtStart(top: String, court: String, path: String) throws {
    #expect(try issues(top, court: court).map(\.path) == [path])
  }

  @Test("a non-production cluster of the service can be named, as the service writes it")
  func nonProduction() throws {
    #expect(try config("ably: {key: {env: K}, endpoint: 'nonprod:sandbox'}").ably?.endpoint == "nonprod:sandbox")
    #expect(try issues("ably: {key: {env: K}, endpoint: 'prod:sandbox'}").map(\.path) == ["ably.endpoint"])
  }
}
