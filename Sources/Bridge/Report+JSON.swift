package import Document
package import GameCore

/// A report keeps only what was seen: a key that is missing was not.
extension Report {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      home.write("home", to: &json)
      away.write("away", to: &json)
      clock?.write("clock", to: &json)
      shotClock?.write("shotClock", to: &json)
      restClock?.write("restClock", to: &json)
      json.seen("isRest", isRest)
      json.seen("periodNumber", periodNumber)
      if let periodText { json.member("periodText", periodText) }
      if let clockText { json.member("clockText", clockText) }
      if let possession { json.member("possession", possession.rawValue) }
      json.seen("isTimeout", isTimeout)
      json.seen("balls", balls)
      json.seen("strikes", strikes)
      json.seen("outs", outs)
      json.seen("bases", bases.map { Int($0.rawValue) })
      json.seen("inning", inning)
      json.seen("isTop", isTopOfInning)
      json.seen("down", down)
      json.seen("distance", distance)
      json.seen("ballOn", ballOn)
    }
  }

  package init(json node: Node) {
    self.init()
    if let side = node["home"] { home = Side(json: side) }
    if let side = node["away"] { away = Side(json: side) }
    clock = node["clock"].flatMap { Clock(json: $0) }
    shotClock = node["shotClock"].flatMap { Clock(json: $0) }
    restClock = node["restClock"].flatMap { Clock(json: $0) }
    isRest = node.truth("isRest")
    periodNumber = node.count("periodNumber")
    periodText = node["periodText"]?.text
    clockText = node["clockText"]?.text
    possession = node["possession"]?.text.flatMap { Possession(rawValue: $0) }
    isTimeout = node.truth("isTimeout")
    balls = node.count("balls")
    strikes = node.count("strikes")
    outs = node.count("outs")
    bases = node.count("bases").flatMap { UInt8(exactly: $0) }.map { Bases(rawValue: $0) }
    inning = node.count("inning")
    isTopOfInning = node.truth("isTop")
    down = node.count("down")
    distance = node.count("distance")
    ballOn = node.count("ballOn")
  }
}

extension Report.Side {
  func write(_ key: String, to json: inout JSONWriter) {
    guard self != Report.Side() else { return }
    json.key(key)
    json.object { json in
      json.seen("score", score)
      json.seen("fouls", fouls)
      json.seen("timeoutsLeft", timeoutsLeft)
      json.seen("timeoutsTaken", timeoutsTaken)
      json.seen("shots", shots)
      json.seen("sets", sets)
      json.seen("games", games)
      switch points {
      case .number(let number)?: json.member("points", number)
      case .advantage?: json.member("points", "A")
      case nil: break
      }
      if let penalties {
        json.key("penalties")
        json.array { json in
          for penalty in penalties {
            json.object {
              if let player = penalty.player { $0.member("player", player) }
              $0.member("ns", penalty.remaining.nanoseconds)
            }
          }
        }
      }
      json.seen("bonus", bonus)
      json.seen("shootoutGoals", shootoutGoals)
    }
  }

  init(json node: Node) {
    self.init()
    score = node.count("score")
    fouls = node.count("fouls")
    timeoutsLeft = node.count("timeoutsLeft")
    timeoutsTaken = node.count("timeoutsTaken")
    shots = node.count("shots")
    sets = node.count("sets")
    games = node.count("games")
    points = node.count("points").map { .number($0) } ?? (node["points"]?.text == "A" ? .advantage : nil)
    penalties = node["penalties"]?.elements?.compactMap { item in
      item.span("ns").map { Report.ReportedPenalty(player: item["player"]?.text, remaining: $0) }
    }
    bonus = node.truth("bonus")
    shootoutGoals = node.count("shootoutGoals")
  }
}

extension Report.Clock {
  func write(_ key: String, to json: inout JSONWriter) {
    json.key(key)
    json.object { json in
      json.member("ns", reading.nanoseconds)
      json.seen("running", running)
    }
  }

  init?(json node: Node) {
    guard let reading = node.span("ns") else { return nil }
    self.init(reading: reading, running: node.truth("running"))
  }
}

extension JSONWriter {
  /// A member that is there only when it was seen.
  mutating func seen(_ key: String, _ value: Int?) {
    if let value { member(key, value) }
  }

  mutating func seen(_ key: String, _ value: Bool?) {
    if let value { member(key, value) }
  }
}
