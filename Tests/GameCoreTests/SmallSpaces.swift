import GameCore
import Testing

/// Where the space is small it is enumerated, not sampled.
@Suite("Small spaces") struct SmallSpaces {
  /// Every way in which points can fall, up to a depth, as bits: 0 is home's, 1 away's.
  private func sequences(_ depth: Int) -> [[Side]] {
    (0..<(1 << depth)).map { bits in (0..<depth).map { bits >> $0 & 1 == 0 ? .home : .away } }
  }

  @Test("all 1,024 courses of ten points: a tennis game is won at four with two clear, else it is deuce or advantage")
  func tennisGames() {
    var wrong: [String] = []
    for course in sequences(10) {
      var log = NumberedLog(.tennis)
      var own = Pair(home: 0, away: 0)
      var won = Pair(home: 0, away: 0)
      for side in course {
        log.append(plus(side, 1))
        own[side] += 1
        if own[side] >= 4, own[side] - own[side.other] >= 2 {
          won[side] += 1
          own = Pair(home: 0, away: 0)
        }
        guard case .tennis(let play) = log.state.play else { return }
        if play.games != won || play.points != own { wrong.append("\(course)") }
        let spoken = (play.spoken(.home), play.spoken(.away))
        let isDeuce = own.home >= 3 && own.away >= 3
        if isDeuce != ["40-40", "A-40", "40-A"].contains("\(spoken.0)-\(spoken.1)"), own != Pair(home: 3, away: 3) {
          wrong.append("\(course) \(spoken)")
        }
      }
    }
    #expect(wrong.prefix(3) == [])
  }

  @Test("all 256 courses of eight points with a deciding point: the seventh always ends the game")
  func decidingPoint() {
    for course in sequences(8) {
      var log = NumberedLog(.tennis, [("variant", "padel")])
      for side in course.prefix(7) { log.append(plus(side, 1)) }
      guard case .tennis(let play) = log.state.play else { return }
      #expect(play.games.home + play.games.away >= 1)
    }
  }

  @Test("every score of a tie-break up to 12-12: it ends at seven with two clear and nowhere else, the set is 7-6")
  func tiebreaks() {
    for target in [7, 10] {
      for home in 0...12 {
        for away in 0...12 where abs(home - away) <= 1 || max(home, away) < target {
          for side in Side.allCases {
            var log = tiebreak(home: home, away: away, target: target)
            log.append(plus(side, 1))
            var points = Pair(home: home, away: away)
            points[side] += 1
            let ends = points[side] >= target && points[side] - points[side.other] >= 2
            guard case .tennis(let play) = log.state.play else { return }
            #expect(play.isTiebreak != ends, "\(home)-\(away) \(side)")
            #expect(log.state.teams[side].score == (ends ? 1 : 0))
            if ends { #expect(play.finished.first?[side] == 7 && play.finished.first?[side.other] == 6) }
          }
        }
      }
    }
  }

  private func tiebreak(home: Int, away: Int, target: Int) -> NumberedLog {
    var log = NumberedLog(.tennis, [("tiebreak_points", "\(target)")])
    log.append(.playStarted)
    log.append(.possessionSet(.home))
    for side in Side.allCases { log.append(.totalSet(.games, side, side == .home ? 6 : 5)) }
    for _ in 0..<4 { log.append(plus(.away, 1)) }
    log.append(.totalSet(.points, .home, home))
    log.append(.totalSet(.points, .away, away))
    return log
  }

  @Test(
    "the serve in a tie-break changes after one point, then after every two; the next set begins with the other side")
  func tiebreakServe() {
    var log = tiebreak(home: 0, away: 0, target: 7)
    let first = log.state.possession
    var served: [Bool] = []
    for _ in 0..<7 {
      served.append(log.state.possession == first)
      log.append(plus(.home, 1))
    }
    #expect(served == [true, false, false, true, true, false, false])
    #expect(log.state.possession == first?.other)
  }

  @Test("every score of a volleyball set up to 30-30: it ends at the target with two clear and nowhere else")
  func setEnds() {
    for (settings, target) in [([], 25), ([(key: "variant", text: "beach")], 21)]
      as [([(key: String, text: String)], Int)]
    {
      for home in 0...30 {
        for away in 0...30 where abs(home - away) <= 1 || max(home, away) < target {
          for side in Side.allCases {
            var log = NumberedLog(.volleyball, settings)
            log.append(.playStarted)
            log.append(.totalSet(.points, .home, home))
            log.append(.totalSet(.points, .away, away))
            log.append(plus(side, 1), at: 9)
            var points = Pair(home: home, away: away)
            points[side] += 1
            let ends = points[side] >= target && points[side] - points[side.other] >= 2
            if log.state.teams[side].score != (ends ? 1 : 0) { Issue.record("\(home)-\(away) \(side)") }
          }
        }
      }
    }
  }

  @Test("every count of balls, strikes and outs, with every pitch: four balls, three strikes, three outs, and no more")
  func counts() {
    for balls in 0..<4 {
      for strikes in 0..<3 {
        for outs in 0..<3 {
          for pitch in Pitch.allCases { check(pitch, balls, strikes, outs) }
        }
      }
    }
  }

  private func check(_ pitch: Pitch, _ balls: Int, _ strikes: Int, _ outs: Int) {
    var log = NumberedLog(.baseball)
    log.append(.playStarted)
    for _ in 0..<outs { log.append(.pitched(.out)) }
    for _ in 0..<balls { log.append(.pitched(.ball)) }
    for _ in 0..<strikes { log.append(.pitched(.strike)) }
    log.append(.pitched(pitch))
    let out = pitch == .out || (pitch == .strike && strikes == 2)
    let isOver = out && outs == 2
    #expect(isOver == (log.state.lastPeriod == .regular(1) && log.state.phase != .live(.regular(1))))
    guard case .diamond(let diamond) = log.state.play else { return }
    let clears = out || pitch == .newBatter || (pitch == .ball && balls == 3)
    #expect(diamond.balls == (clears ? 0 : balls + (pitch == .ball ? 1 : 0)))
    let strike = pitch == .strike || (pitch == .foulBall && strikes < 2)
    #expect(diamond.strikes == (clears ? 0 : strikes + (strike ? 1 : 0)))
    #expect(diamond.outs == (isOver ? 0 : outs + (out ? 1 : 0)))
  }

  @Test("all eight occupations of the bases are kept, and a new half inning clears them")
  func bases() {
    for raw in 0..<8 as Range<UInt8> {
      var log = NumberedLog(.baseball)
      log.append(.playStarted)
      log.append(.basesSet(Bases(rawValue: raw)))
      guard case .diamond(let diamond) = log.state.play else { return }
      #expect(diamond.bases.rawValue == raw)
      for _ in 0..<3 { log.append(.pitched(.out)) }
      guard case .diamond(let next) = log.state.play else { return }
      #expect(next == Diamond())
    }
  }

  @Test("the game's life: all 60 questions are answered in the code as in game-life.md")
  func lifeTable() throws {
    let rows = try GameLifeDocument.rows()
    for life in GameLife.allCases {
      for verb in GameLife.Verb.allCases {
        let words: String
        switch life.answer(to: verb) {
        case .stays: words = "stays"
        case .becomes(let next): words = "→ \(next.rawValue)"
        case .becomesIfArmed(let next): words = "hold → \(next.rawValue)"
        case .refused: words = "refused"
        }
        #expect(rows[verb.rawValue]?[life.rawValue] == words, "\(verb) in \(life)")
      }
    }
  }
}
