internal import Document
internal import GameCore

/// The members of one command while they are read. Each one that is asked for is ticked off; what is left is unknown.
struct CommandFields {
  let verb: MQTTCommand.Verb
  var id: String?
  var word: String?
  var members: [Node.Member] = []
  private var known: [String] = []

  init(verb: MQTTCommand.Verb) { self.verb = verb }

  mutating func identifier() throws(CommandRefusal) -> String? {
    guard let node = take("id") else { return nil }
    guard let text = node.text, !text.isEmpty, text.utf8.count <= 128,
      !text.unicodeScalars.contains(where: { $0.value < 32 })
    else { throw CommandRefusal("\"id\" must be a text of 1 to 128 bytes without control characters") }
    return text
  }

  mutating func time() throws(CommandRefusal) -> WallTime? {
    guard let node = take("time") else { return nil }
    if let milliseconds = node.integer { return WallTime(milliseconds: milliseconds) }
    guard let text = node.text, let time = WallTime(iso8601: text) else {
      throw refusal("\"time\" must be UTC such as \"2026-12-05T19:00:00.000Z\", or milliseconds since 1970")
    }
    return time
  }

  mutating func request() throws(CommandRefusal) -> MQTTCommand.Request {
    switch verb {
    case .score: .event(try score())
    case .set: .event(try set())
    case .clock: .event(try clock())
    case .period: .event(try period())
    case .undo: .event(try bare(.undone))
    case .redo: .event(try bare(.redone))
    case .correct: .event(try correction())
    case .timeout: .event(try timeout())
    case .foul: .event(try foul())
    case .possession: .event(try possession())
    case .game: try game()
    case .practice: .practice(try choice("action", ["on": true, "off": false]))
    case .activity: try activity()
    case .lastplay: .event(.lastPlaySet(try text("text", upTo: 240, orWord: true)))
    }
  }

  func refuseUnknown() throws(CommandRefusal) {
    guard let stranger = members.first(where: { !known.contains($0.key) }) else { return }
    throw refusal(
      "unknown member \"\(stranger.key)\"; \(verb.rawValue) takes: \(known.sorted().joined(separator: ", "))")
  }

  // MARK: - Reading

  private mutating func take(_ key: String) -> Node? {
    known.append(key)
    return members.first { $0.key == key }?.value
  }

  private func refusal(_ reason: String) -> CommandRefusal { CommandRefusal(id: id, reason) }

  private mutating func text(_ key: String, upTo bound: Int, orWord: Bool = false) throws(CommandRefusal) -> String {
    if let text = try optionalText(key, upTo: bound) { return text }
    if orWord, let word, word.utf8.count <= bound, !word.unicodeScalars.contains(where: { $0.value < 32 }) {
      return word
    }
    throw refusal("\"\(key)\" is missing: a text of up to \(bound) bytes (bare words: \(verb.bareWords))")
  }

  private mutating func optionalText(_ key: String, upTo bound: Int) throws(CommandRefusal) -> String? {
    guard let node = take(key) else { return nil }
    guard let text = node.text, text.utf8.count <= bound, !text.unicodeScalars.contains(where: { $0.value < 32 }) else {
      throw refusal("\"\(key)\" must be a text of up to \(bound) bytes without control characters")
    }
    return text
  }

  private mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(CommandRefusal) -> Int? {
    guard let node = take(key) else { return nil }
    guard let value = node.integer, let number = Int(exactly: value), range.contains(number) else {
      throw refusal("\"\(key)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private mutating func duration(_ key: String) throws(CommandRefusal) -> Duration? {
    guard let text = try optionalText(key, upTo: 16) else { return nil }
    guard let reading = clockReading(text) else {
      throw refusal("\"\(key)\" must be a clock reading such as \"5:00\", \"59.4\" or \"-0:10\"")
    }
    return reading
  }

  /// One of some words, as the member of that name or as the bare word.
  private mutating func choice<Value>(_ key: String, _ words: [String: Value]) throws(CommandRefusal) -> Value {
    guard let text = try optionalText(key, upTo: 32) ?? word else {
      throw refusal("\"\(key)\" is missing; one of \(words.keys.sorted().joined(separator: ", "))")
    }
    guard let value = words[text.lowercased()] else {
      throw refusal("\"\(text)\" is not known here; one of \(words.keys.sorted().joined(separator: ", "))")
    }
    return value
  }

  private mutating func side() throws(CommandRefusal) -> Side {
    try choice("team", ["home": Side.home, "away": .away])
  }

  private func bare(_ kind: GameEvent.Kind) throws(CommandRefusal) -> GameEvent.Kind {
    if let word { throw refusal("\"\(word)\" is not known here; \(verb.rawValue) takes \(verb.bareWords)") }
    return kind
  }

  // MARK: - Verbs

  private mutating func score() throws(CommandRefusal) -> GameEvent.Kind {
    // `home +2`: the team, and the points where they are not one.
    if let word {
      let parts = word.split(separator: " ")
      guard let first = parts.first, let side = Side(rawValue: first.lowercased()), parts.count <= 2,
        let points = parts.count == 2 ? Int(parts[1]) : 1, (-99...99).contains(points), points != 0
      else { throw refusal("\"\(word)\" is not known here; \(verb.bareWords)") }
      return .scored(side, points: points, player: nil, play: nil)
    }
    let side = try side()
    let points = try integer("points", in: -99...99) ?? 1
    guard points != 0 else { throw refusal("\"points\" must not be 0") }
    return .scored(
      side, points: points, player: try optionalText("player", upTo: 8), play: try optionalText("kind", upTo: 40))
  }

  private mutating func set() throws(CommandRefusal) -> GameEvent.Kind {
    let totals = Dictionary(uniqueKeysWithValues: GameEvent.Total.allCases.map { ($0.rawValue.lowercased(), $0) })
    let total = try choice("what", totals)
    let side = try side()
    guard let value = try integer("value", in: 0...9999) else {
      throw refusal("\"value\" is missing: a whole number from 0 to 9999")
    }
    return .totalSet(total, side, value)
  }

  private mutating func clock() throws(CommandRefusal) -> GameEvent.Kind {
    if let word, let reading = clockReading(word), word.first != "-" { return .clockSet(reading) }
    if let reading = try duration("set") {
      guard reading >= .zero else { throw refusal("\"set\" must not be negative") }
      return .clockSet(reading)
    }
    if let change = try duration("adjust") { return .clockAdjusted(change) }
    return try choice(
      "action",
      ["start": .clockStarted, "stop": .clockStopped, "toggle": .clockToggled, "reset-shot": .shotClockReset(nil)])
  }

  private mutating func period() throws(CommandRefusal) -> GameEvent.Kind {
    if let word, let number = Int(word), (1...99).contains(number) { return .periodSet(.regular(number)) }
    if let number = try integer("number", in: 1...99) { return .periodSet(.regular(number)) }
    if let number = try integer("overtime", in: 1...99) { return .periodSet(.overtime(number)) }
    return try choice("action", ["next": .periodAdvanced, "shoot-out": .periodSet(.shootout)])
  }

  private mutating func correction() throws(CommandRefusal) -> GameEvent.Kind {
    let event = try text("event", upTo: 128)
    if let node = take("remove") {
      guard case .scalar("true", .truth) = node.content else { throw refusal("\"remove\" must be true") }
      return .corrected(id: event, to: nil)
    }
    guard let points = try integer("points", in: -99...99), points != 0 else {
      throw refusal("say what event \(event) should have been: \"points\" (with \"team\"), or \"remove\":true")
    }
    return .corrected(
      id: event,
      to: .scored(
        try side(), points: points, player: try optionalText("player", upTo: 8),
        play: try optionalText("kind", upTo: 40)))
  }

  private mutating func timeout() throws(CommandRefusal) -> GameEvent.Kind {
    try choice(
      "team",
      [
        "home": .timeoutCalled(.home), "away": .timeoutCalled(.away), "official": .timeoutCalled(nil),
        "over": .timeoutOver,
      ])
  }

  private mutating func foul() throws(CommandRefusal) -> GameEvent.Kind {
    let side = try side()
    return .fouled(side, by: try integer("by", in: -9...9) ?? 1, player: try optionalText("player", upTo: 8))
  }

  private mutating func possession() throws(CommandRefusal) -> GameEvent.Kind {
    try choice(
      "team",
      [
        "home": .possessionSet(.home), "away": .possessionSet(.away), "none": .possessionSet(nil),
        "switch": .possessionSwitched,
      ])
  }

  private enum GameVerb {
    case new, teams, start, final, end, abandon, postpone, cancel, delay, resume, confirm, reject
  }

  private mutating func game() throws(CommandRefusal) -> MQTTCommand.Request {
    let verbs: [String: GameVerb] = [
      "new": .new, "teams": .teams, "start": .start, "final": .final, "end": .end, "abandon": .abandon,
      "postpone": .postpone, "cancel": .cancel, "delay": .delay, "resume": .resume, "confirm": .confirm,
      "reject": .reject,
    ]
    // A message with a name of its own cannot have come from a finger that slipped: it is as good as an armed hold.
    switch try choice("action", verbs) {
    case .new:
      let start = try optionalText("start", upTo: 40)
      let time = start.flatMap { WallTime(iso8601: $0) }
      if start != nil, time == nil { throw refusal("\"start\" must be UTC such as \"2026-12-05T19:00:00Z\"") }
      return .newGame(home: try team("home"), away: try team("away"), start: time)
    case .teams:
      let home = try team("home")
      let away = try team("away")
      guard home != nil || away != nil else {
        throw refusal("name a team: {\"action\":\"teams\",\"home\":{\"name\":\"Riverton\",\"code\":\"riv\"}}")
      }
      return .event(.teamsNamed(home: home, away: away))
    case .start: return .event(.playStarted)
    case .final: return .event(.finalDeclared(armed: true))
    case .end: return .event(.gameEnded(armed: true))
    case .abandon: return .event(.calledOff(.abandoned, armed: true))
    case .postpone: return .event(.calledOff(.postponed, armed: true))
    case .cancel: return .event(.calledOff(.cancelled, armed: true))
    case .delay: return .event(.delayed)
    case .resume: return .event(.resumed)
    case .confirm: return .event(.heldConfirmed)
    case .reject: return .event(.heldRejected)
    }
  }

  private mutating func team(_ key: String) throws(CommandRefusal) -> Team? {
    guard let node = take(key) else { return nil }
    let name = node["name"]?.text ?? ""
    let code = node["code"]?.text ?? ""
    guard let members = node.members, members.allSatisfy({ $0.key == "name" || $0.key == "code" }),
      !name.isEmpty, name.utf8.count <= 80, !code.isEmpty, code.utf8.count <= 8,
      code.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 | 32 >= 97 && $0 | 32 <= 122) })
    else {
      throw refusal("\"\(key)\" must be {\"name\": 1 to 80 bytes, \"code\": 1 to 8 letters or digits}")
    }
    return Team(name: name, code: code)
  }

  private mutating func activity() throws(CommandRefusal) -> MQTTCommand.Request {
    enum ActivityVerb { case start, end, adopt }
    switch try choice("action", ["start": ActivityVerb.start, "end": .end, "adopt": .adopt]) {
    case .start: return .startActivity
    case .end: return .endActivity
    case .adopt:
      let broadcast = try text("broadcast", upTo: 256)
      let channel = try text("apnsChannelId", upTo: 512)
      guard let policy = try integer("storagePolicy", in: 0...1) else {
        throw refusal("\"storagePolicy\" is missing: 0 or 1, as the broadcast was created")
      }
      return .adoptActivity(broadcast: broadcast, apnsChannel: channel, storesNewest: policy == 1)
    }
  }
}

/// A clock reading as people write it: `5:00`, `59.4`, `:07`, with an optional minus.
func clockReading(_ text: String) -> Duration? {
  let isNegative = text.first == "-"
  let figures = isNegative ? text.dropFirst() : text[...]
  let parts = figures.split(separator: ":", omittingEmptySubsequences: false)
  guard (1...2).contains(parts.count), let last = parts.last, !last.isEmpty else { return nil }
  let seconds = last.split(separator: ".", omittingEmptySubsequences: false)
  guard (1...2).contains(seconds.count), let whole = number(seconds[0], upTo: 3) else { return nil }
  var tenths = 0
  if seconds.count == 2 {
    guard seconds[1].utf8.count == 1, let value = number(seconds[1], upTo: 1) else { return nil }
    tenths = value
  }
  var minutes = 0
  if parts.count == 2 {
    guard whole < 60 else { return nil }
    if !parts[0].isEmpty {
      guard let value = number(parts[0], upTo: 3) else { return nil }
      minutes = value
    }
  }
  let total = Duration.milliseconds((minutes * 60 + whole) * 1000 + tenths * 100)
  return isNegative ? .zero - total : total
}

private func number(_ text: Substring, upTo length: Int) -> Int? {
  guard (1...length).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
  return Int(text)
}

extension String {
  /// Without blanks, tabs and line ends at both sides.
  var trimmed: String {
    let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    var text = self[...]
    while let first = text.first, blanks(first) { text.removeFirst() }
    while let last = text.last, blanks(last) { text.removeLast() }
    return String(text)
  }
}
