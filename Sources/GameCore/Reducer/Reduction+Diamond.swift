extension Reduction {
  /// The count: what a ball, a strike, a foul ball or an out adds, and the half inning that the third out ends.
  mutating func countPitch(_ pitch: Pitch) -> Ignored? {
    guard case .innings(let innings) = rules.scoring else { return Ignored("\(rules.sport.rawValue) has no count") }
    if let ignored = beginIfNeeded() { return ignored }
    beginHalfInningIfNeeded()
    guard case .live(let period) = state.phase, case .diamond(var diamond) = state.play else {
      return Ignored("no half inning is on")
    }
    switch pitch {
    case .ball:
      diamond.balls += 1
      if diamond.balls >= innings.balls { diamond.clearCount() }
    case .strike:
      diamond.strikes += 1
      if diamond.strikes >= innings.strikes { diamond.putOut() }
    case .foulBall:
      guard diamond.strikes < innings.strikes - 1 else { return Ignored("a foul ball is no third strike") }
      diamond.strikes += 1
    case .out: diamond.putOut()
    case .newBatter: diamond.clearCount()
    }
    state.lastPlay = .count(diamond)
    facts.append(.detailChanged)
    if diamond.outs >= innings.outs {
      state.play = .diamond(Diamond())
      endPeriod(period)
    } else {
      state.play = .diamond(diamond)
    }
    return nil
  }

  /// A pitch or a run between two half innings begins the next one: nobody at a ball field presses "period next".
  mutating func beginHalfInningIfNeeded() {
    switch state.phase {
    case .intermission(let rest), .halftime(let rest): _ = startPeriod(after: rest.after)
    case .scheduled, .live, .review, .delayed, .finished, .cancelled: break
    }
  }

  mutating func setBases(_ bases: Bases) -> Ignored? {
    guard case .diamond(var diamond) = state.play else { return Ignored("\(rules.sport.rawValue) has no bases") }
    guard diamond.bases != bases else { return Ignored("it is so already") }
    diamond.bases = bases
    state.play = .diamond(diamond)
    facts.append(.detailChanged)
    return nil
  }
}

extension Diamond {
  mutating func clearCount() {
    balls = 0
    strikes = 0
  }

  mutating func putOut() {
    outs += 1
    clearCount()
  }
}

extension Rules {
  /// Who bats in a half inning: the visitors in its top.
  package func battingSide(in period: Period) -> Side? {
    switch period {
    case .regular(let number): number % 2 == 1 ? .away : .home
    case .overtime(let number): (periods.count + number) % 2 == 1 ? .away : .home
    case .shootout: nil
    }
  }
}
