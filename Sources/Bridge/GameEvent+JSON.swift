package import Document
package import GameCore

/// A game's event as the store and the recordings keep it: one flat object, the kind under its own name, and only what
/// the kind carries. What is not understood is nil: a newer version's event is set aside, not guessed at.
extension GameEvent {
  package var json: [UInt8] {
    var writer = JSONWriter(reservingCapacity: 160)
    write(to: &writer)
    return writer.bytes
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("from", source.sort.rawValue)
      if !source.name.isEmpty { json.member("name", source.name) }
      json.member("at", moment.instant.nanoseconds)
      json.member("wall", moment.wall.milliseconds)
      kind.write(to: &json)
    }
  }

  package init?(json node: Node) {
    guard let id = node["id"]?.text, let sort = node["from"]?.text.flatMap({ Source.Sort(rawValue: $0) }),
      let instant = node["at"]?.integer, let wall = node["wall"]?.integer, let kind = Kind(json: node)
    else { return nil }
    self.init(
      id: id, source: Source(sort, node["name"]?.text ?? ""),
      moment: Moment(instant: Instant(nanoseconds: instant), wall: WallTime(milliseconds: wall)), kind: kind)
  }
}

extension GameEvent.Kind {
  /// The kind's members, written into an object that is open.
  package func write(to json: inout JSONWriter) {
    json.member("kind", word)
    switch self {
    case .scored(let side, let points, let player, let play):
      json.member("side", side.rawValue)
      json.member("points", points)
      if let player { json.member("player", player) }
      if let play { json.member("play", play) }
    case .fouled(let side, let by, let player):
      json.member("side", side.rawValue)
      json.member("by", by)
      if let player { json.member("player", player) }
    case .shotTaken(let side, let by):
      json.member("side", side.rawValue)
      json.member("by", by)
    case .penaltyGiven(let side, let length, let player):
      json.member("side", side.rawValue)
      json.member("ns", length.nanoseconds)
      if let player { json.member("player", player) }
    case .penaltyOver(let side, let slot):
      json.member("side", side.rawValue)
      json.member("slot", slot)
    case .shootoutAttempted(let side, let scored):
      json.member("side", side.rawValue)
      json.member("scored", scored)
    case .pitched(let pitch): json.member("pitch", pitch.rawValue)
    case .clockSet(let reading), .clockAdjusted(let reading): json.member("ns", reading.nanoseconds)
    case .shotClockReset(let reading): if let reading { json.member("ns", reading.nanoseconds) }
    case .periodSet(let period): period.write(to: &json)
    case .timeoutCalled(let side), .possessionSet(let side): if let side { json.member("side", side.rawValue) }
    case .basesSet(let bases): json.member("bases", bases.rawValue)
    case .downSet(let downs): downs.write(to: &json)
    case .totalSet(let total, let side, let value):
      json.member("total", total.rawValue)
      json.member("side", side.rawValue)
      json.member("value", value)
    case .lastPlaySet(let text): json.member("text", text)
    case .teamsNamed(let home, let away):
      home?.write("home", to: &json)
      away?.write("away", to: &json)
    case .finalDeclared(let armed), .gameEnded(let armed), .gameReset(let armed): json.member("armed", armed)
    case .retired(let side, let armed):
      json.member("side", side.rawValue)
      json.member("armed", armed)
    case .calledOff(let cancellation, let armed):
      json.member("as", cancellation.rawValue)
      json.member("armed", armed)
    case .corrected(let id, let kind):
      json.member("of", id)
      if let kind {
        json.key("to")
        json.object { kind.write(to: &$0) }
      }
    case .rebooted(let last, let away):
      json.member("last", last.nanoseconds)
      if let away { json.member("ns", away.nanoseconds) }
    case .reported(let report):
      json.key("report")
      report.write(to: &json)
    case .jamStarted, .jamEnded, .clockStarted, .clockStopped, .clockToggled, .clockExpired, .shotClockStopped,
      .shotClockExpired, .periodAdvanced, .periodClosed, .timeoutOver, .possessionSwitched, .reviewStarted, .reviewOver,
      .delayed, .resumed, .hornSounded, .opened, .namesFrozen, .playStarted, .nextGameOpened, .settled, .undone,
      .redone,
      .heldConfirmed, .heldRejected:
      break
    }
  }

  package init?(json node: Node) {
    guard let word = node["kind"]?.text else { return nil }
    if let plain = Self.plain[word] {
      self = plain
      return
    }
    guard let kind = Self.withSide(word, node) ?? Self.withoutSide(word, node) else { return nil }
    self = kind
  }

  private static func withSide(_ word: String, _ node: Node) -> Self? {
    let side = node["side"]?.text.flatMap { Side(rawValue: $0) }
    switch word {
    case "timeoutCalled": return .timeoutCalled(side)
    case "possessionSet": return .possessionSet(side)
    default: break
    }
    guard let side else { return nil }
    let player = node["player"]?.text
    switch word {
    case "scored":
      return node.count("points").map { .scored(side, points: $0, player: player, play: node["play"]?.text) }
    case "fouled": return node.count("by").map { .fouled(side, by: $0, player: player) }
    case "shotTaken": return node.count("by").map { .shotTaken(side, by: $0) }
    case "penaltyGiven": return node.span("ns").map { .penaltyGiven(side, length: $0, player: player) }
    case "penaltyOver": return node.count("slot").map { .penaltyOver(side, slot: $0) }
    case "shootoutAttempted": return node.truth("scored").map { .shootoutAttempted(side, scored: $0) }
    case "retired": return node.truth("armed").map { .retired(side, armed: $0) }
    case "totalSet":
      guard let total = node["total"]?.text.flatMap({ GameEvent.Total(rawValue: $0) }), let value = node.count("value")
      else { return nil }
      return .totalSet(total, side, value)
    default: return nil
    }
  }

  private static func withoutSide(_ word: String, _ node: Node) -> Self? {
    switch word {
    case "pitched": return node["pitch"]?.text.flatMap { Pitch(rawValue: $0) }.map { .pitched($0) }
    case "clockSet": return node.span("ns").map { .clockSet($0) }
    case "clockAdjusted": return node.span("ns").map { .clockAdjusted($0) }
    case "shotClockReset": return .shotClockReset(node.span("ns"))
    case "periodSet": return Period(json: node).map { .periodSet($0) }
    case "basesSet": return node.count("bases").flatMap { UInt8(exactly: $0) }.map { .basesSet(Bases(rawValue: $0)) }
    case "downSet":
      return .downSet(Downs(down: node.count("down"), distance: node.count("distance"), ballOn: node.count("ballOn")))
    case "lastPlaySet": return node["text"]?.text.map { .lastPlaySet($0) }
    case "teamsNamed":
      return .teamsNamed(home: node["home"].flatMap { Team(json: $0) }, away: node["away"].flatMap { Team(json: $0) })
    case "finalDeclared": return node.truth("armed").map { .finalDeclared(armed: $0) }
    case "gameEnded": return node.truth("armed").map { .gameEnded(armed: $0) }
    case "gameReset": return node.truth("armed").map { .gameReset(armed: $0) }
    case "calledOff":
      guard let how = node["as"]?.text.flatMap({ Cancellation(rawValue: $0) }), let armed = node.truth("armed")
      else { return nil }
      return .calledOff(how, armed: armed)
    case "corrected":
      guard let id = node["of"]?.text else { return nil }
      guard let to = node["to"] else { return .corrected(id: id, to: nil) }
      return Self(json: to).map { .corrected(id: id, to: $0) }
    case "rebooted":
      return node["last"]?.integer.map { .rebooted(last: Instant(nanoseconds: $0), away: node.span("ns")) }
    case "reported": return node["report"].map { .reported(Report(json: $0)) }
    default: return nil
    }
  }

  /// The kinds that carry nothing.
  private static let plain: [String: Self] = {
    let kinds: [Self] = [
      .jamStarted, .jamEnded, .clockStarted, .clockStopped, .clockToggled, .clockExpired, .shotClockStopped,
      .shotClockExpired, .periodAdvanced, .periodClosed, .timeoutOver, .possessionSwitched, .reviewStarted, .reviewOver,
      .delayed, .resumed, .hornSounded, .opened, .namesFrozen, .playStarted, .nextGameOpened, .settled, .undone,
      .redone,
      .heldConfirmed, .heldRejected,
    ]
    return Dictionary(uniqueKeysWithValues: kinds.map { ($0.word, $0) })
  }()
}

extension GameEvent.Kind {
  /// The kind's name in the store, in recordings and on the event topic.
  package var word: String {
    switch self {
    case .scored: "scored"
    case .fouled: "fouled"
    case .shotTaken: "shotTaken"
    case .penaltyGiven: "penaltyGiven"
    case .penaltyOver: "penaltyOver"
    case .shootoutAttempted: "shootoutAttempted"
    case .pitched: "pitched"
    case .jamStarted: "jamStarted"
    case .jamEnded: "jamEnded"
    case .clockStarted: "clockStarted"
    case .clockStopped: "clockStopped"
    case .clockToggled: "clockToggled"
    case .clockSet: "clockSet"
    case .clockAdjusted: "clockAdjusted"
    case .clockExpired: "clockExpired"
    case .shotClockReset: "shotClockReset"
    case .shotClockStopped: "shotClockStopped"
    case .shotClockExpired: "shotClockExpired"
    case .periodAdvanced: "periodAdvanced"
    case .periodSet: "periodSet"
    case .periodClosed: "periodClosed"
    case .timeoutCalled: "timeoutCalled"
    case .timeoutOver: "timeoutOver"
    case .possessionSet: "possessionSet"
    case .possessionSwitched: "possessionSwitched"
    case .basesSet: "basesSet"
    case .downSet: "downSet"
    case .reviewStarted: "reviewStarted"
    case .reviewOver: "reviewOver"
    case .delayed: "delayed"
    case .resumed: "resumed"
    case .hornSounded: "hornSounded"
    case .totalSet: "totalSet"
    case .lastPlaySet: "lastPlaySet"
    case .opened: "opened"
    case .teamsNamed: "teamsNamed"
    case .namesFrozen: "namesFrozen"
    case .playStarted: "playStarted"
    case .finalDeclared: "finalDeclared"
    case .retired: "retired"
    case .gameEnded: "gameEnded"
    case .gameReset: "gameReset"
    case .calledOff: "calledOff"
    case .nextGameOpened: "nextGameOpened"
    case .settled: "settled"
    case .undone: "undone"
    case .redone: "redone"
    case .corrected: "corrected"
    case .heldConfirmed: "heldConfirmed"
    case .heldRejected: "heldRejected"
    case .rebooted: "rebooted"
    case .reported: "reported"
    }
  }
}

extension Node {
  func count(_ key: String) -> Int? { self[key]?.integer.flatMap { Int(exactly: $0) } }

  func span(_ key: String) -> Duration? { self[key]?.integer.map { .nanoseconds($0) } }

  func truth(_ key: String) -> Bool? {
    guard case .scalar(let text, .truth)? = self[key]?.content else { return nil }
    return text == "true"
  }
}

extension Period {
  func write(to json: inout JSONWriter) {
    switch self {
    case .regular(let number): json.member("regular", number)
    case .overtime(let number): json.member("overtime", number)
    case .shootout: json.member("shootout", true)
    }
  }

  init?(json node: Node) {
    if let number = node.count("regular") {
      self = .regular(number)
    } else if let number = node.count("overtime") {
      self = .overtime(number)
    } else if node.truth("shootout") == true {
      self = .shootout
    } else {
      return nil
    }
  }
}

extension Downs {
  func write(to json: inout JSONWriter) {
    if let down { json.member("down", down) }
    if let distance { json.member("distance", distance) }
    if let ballOn { json.member("ballOn", ballOn) }
  }
}

extension Team {
  func write(_ key: String, to json: inout JSONWriter) {
    json.key(key)
    json.object {
      $0.member("name", name)
      $0.member("code", code)
    }
  }

  init?(json node: Node) {
    guard let name = node["name"]?.text, let code = node["code"]?.text else { return nil }
    self.init(name: name, code: code)
  }
}
