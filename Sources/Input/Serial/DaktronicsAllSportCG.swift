/// The text port of Daktronics' character generator: one message of fixed length per sport, SOH to EOT, no check sum.
/// Cut by both ends and the length together: a reader that only counts bytes is lost for good after one lost byte.
package struct DaktronicsAllSportCG: FrameDecoder {
  private var scanner: FrameScanner<Grammar>
  private let layout: Layout
  private var message: [UInt8] = []

  /// Which message the console is set to.
  enum Layout: Int, Sendable {
    case basketball = 38
    case football = 45
    case soccer = 50
    case volleyball = 39
    case baseball = 169

    init(_ sport: ConsoleSport?) {
      switch sport {
      case .americanFootball: self = .football
      case .soccer, .futsal, .rugby: self = .soccer
      case .volleyball: self = .volleyball
      case .baseball, .softball: self = .baseball
      case .basketball, .threeByThree, .hockey, .lacrosse, .floorball, .rinkHockey, .handball, .netball, .boxing,
        .waterPolo, .swimming, .tennis, .tableTennis, .badminton, .wrestling, .cricket, .judo, .taekwondo, .track,
        .autoRacing, .fencing, nil:
        self = .basketball
      }
    }
  }

  package init(sport: ConsoleSport? = nil) {
    layout = Layout(sport)
    scanner = FrameScanner(Grammar(length: layout.rawValue))
  }

  package var counts: FrameCounts { scanner.counts }

  package mutating func dropPartialFrame() { scanner.dropPartialFrame() }

  package mutating func take(_ byte: UInt8) -> Bool {
    scanner.take(byte) { frame in message = frame }
  }

  struct Grammar: FrameGrammar {
    let length: Int
    var longest: Int { length }

    func starts(_ byte: UInt8) -> Bool { byte == 0x01 }

    func step(_ frame: [UInt8], _ index: Int) -> FrameStep {
      if index == 0 { return .more }
      if index == length - 1 { return frame[index] == 0x04 ? .good : .bad }
      return isPrintable(frame[index]) ? .more : .bad
    }
  }

  package func image() -> ConsoleImage {
    var image = ConsoleImage()
    guard !message.isEmpty else { return image }
    switch layout {
    case .basketball: readBasketball(into: &image)
    case .football, .soccer: readField(into: &image)
    case .volleyball: readVolleyball(into: &image)
    case .baseball: readBaseball(into: &image)
    }
    return image
  }

  private func number(_ range: ClosedRange<Int>) -> ConsoleField { .shown(decimal(message[range])) }

  private func number(_ index: Int) -> ConsoleField { number(index...index) }

  private func text(_ range: ClosedRange<Int>) -> ConsoleField { .shown(trimmedText(message[range])) }

  private func clock(_ range: ClosedRange<Int>) -> ShownClock? {
    trimmedText(message[range]).flatMap(ShownClock.init(reading:))
  }

  private func readBasketball(into image: inout ConsoleImage) {
    image.show(clock: clock(1...7), as: "clock")
    image["home_score"] = number(14...15)
    image["away_score"] = number(17...18)
    image["away_fouls"] = number(19...20)
    image["home_fouls"] = number(21...22)
    image["period"] = text(29...29)
    image.show(clock: clock(30...34), as: "timeout_clock")
  }

  private func readField(into image: inout ConsoleImage) {
    image.show(clock: clock(1...5), as: "clock")
    image["home_score"] = number(26...27)
    image["away_score"] = number(28...29)
    image["period"] = text(30...30)
    guard layout == .football else { return }
    image["quarter"] = image["period"]
    image["ball_on"] = number(31...32)
    image["down"] = number(33)
    image["to_go"] = number(34...35)
    let home = message[36] == UInt8(ascii: "*")
    let away = message[37] == UInt8(ascii: "*")
    image["possession"] = home == away ? .blank : .text(home ? "home" : "away")
  }

  private func readVolleyball(into image: inout ConsoleImage) {
    image["home_score"] = number(9...10)
    image["away_score"] = number(11...12)
    image["home_sets"] = number(17)
    image["away_sets"] = number(18)
    image["set"] = text(19...19)
    image["period"] = image["set"]
    image["home_set_scores"] = .list((0..<4).map { number(20 + 2 * $0...21 + 2 * $0) })
    image["away_set_scores"] = .list((0..<4).map { number(28 + 2 * $0...29 + 2 * $0) })
  }

  private func readBaseball(into image: inout ConsoleImage) {
    image["home_score"] = number(3...4)
    image["away_score"] = number(7...8)
    image["inning"] = text(9...10)
    image["period"] = image["inning"]
    image["home_hits"] = number(29...30)
    image["away_hits"] = number(35...36)
    image["home_errors"] = number(32)
    image["away_errors"] = number(38)
    image["balls"] = number(48)
    image["strikes"] = number(49)
    image["outs"] = number(50)
    image["home_innings"] = .list((0..<12).map { number(85 + 2 * $0...86 + 2 * $0) })
    image["away_innings"] = .list((0..<12).map { number(109 + 2 * $0...110 + 2 * $0) })
    // Only the generator's own manual mode writes the half.
    switch trimmedText(message[15...17]) {
    case "TOP": image["inning_half"] = .text("top")
    case "BOT": image["inning_half"] = .text("bottom")
    case nil, _?: image["inning_half"] = .blank
    }
  }
}
