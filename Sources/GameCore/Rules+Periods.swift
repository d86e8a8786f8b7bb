extension Rules {
  /// The period with which play begins.
  package var firstPeriod: Period { .regular(1) }

  /// The reading with which a period begins.
  package func openingReading(of period: Period) -> Duration {
    guard let clock else { return .zero }
    switch clock.direction {
    case .down: return length(of: period) ?? .zero
    case .up: return clock.isCumulative ? elapsed(before: period) : .zero
    }
  }

  /// The game clock with which a period begins; nil where it is played without one.
  package func openingClock(of period: Period) -> GameClock? {
    guard let clock, length(of: period) != nil else { return nil }
    return GameClock(clock.direction, showing: openingReading(of: period))
  }

  /// The reading at which a period is over: zero of a countdown, the full length of a count-up; nil without a length.
  package func closingReading(of period: Period) -> Duration? {
    guard let clock, let length = length(of: period) else { return nil }
    switch clock.direction {
    case .down: return .zero
    case .up: return openingReading(of: period) + length
    }
  }

  package func length(of period: Period) -> Duration? {
    switch period {
    case .regular: periods.length
    case .overtime: periods.overtime?.length
    case .shootout: nil
    }
  }

  /// The playing time of everything that comes before a period.
  private func elapsed(before period: Period) -> Duration {
    let regular = periods.length ?? .zero
    switch period {
    case .regular(let number): return regular * (number - 1)
    case .overtime(let number):
      return regular * periods.count + (periods.overtime?.length ?? .zero) * (number - 1)
    case .shootout: return .zero
    }
  }

  package func isLastRegular(_ period: Period) -> Bool { period == .regular(periods.count) }

  /// Regular play is over, or this is its last period: from here the game may be decided.
  package func isDeciding(_ period: Period) -> Bool {
    switch period {
    case .regular(let number): number >= periods.count
    case .overtime, .shootout: true
    }
  }

  package func isHalftime(after period: Period) -> Bool {
    guard let halftimeAfter = periods.halftimeAfter else { return false }
    return period == .regular(halftimeAfter)
  }

  /// What is played after a period: nil when nothing is, as the score stands.
  package func period(after period: Period, isTied: Bool) -> Period? {
    switch period {
    case .regular(let number):
      if number < periods.count { return .regular(number + 1) }
      return isTied ? firstOvertime : nil
    case .overtime(let number):
      guard let overtime = periods.overtime else { return nil }
      if number % overtime.block != 0 { return .overtime(number + 1) }
      guard isTied else { return nil }
      if number < overtime.most ?? .max { return .overtime(number + 1) }
      return periods.shootout == nil ? nil : .shootout
    case .shootout: return nil
    }
  }

  private var firstOvertime: Period? {
    if let overtime = periods.overtime, overtime.most != 0 { return .overtime(1) }
    return periods.shootout == nil ? nil : .shootout
  }

  /// Whether a person may go to that period at all.
  package func exists(_ period: Period) -> Bool {
    switch period {
    case .regular(let number): number >= 1 && number <= periods.count
    case .overtime(let number):
      periods.overtime.map { number >= 1 && number <= $0.most ?? 99 } ?? false
    case .shootout: periods.shootout != nil
    }
  }

  /// The period a console means by its number: those past the last regular one are overtimes.
  package func period(numbered number: Int) -> Period? {
    guard number >= 1 else { return nil }
    if case .innings = periods.naming {
      let half = Period.regular(2 * number - 1)
      return number * 2 <= periods.count ? half : .overtime(2 * number - 1 - periods.count)
    }
    if number <= periods.count { return .regular(number) }
    let overtime = Period.overtime(number - periods.count)
    if exists(overtime) { return overtime }
    return periods.shootout == nil ? nil : .shootout
  }

  /// The period with that name, as boards and people write it; nil when the sport has none.
  package func period(named name: String) -> Period? {
    let wanted = name.lowercased()
    if let shootout = periods.shootout, shootout.name.lowercased() == wanted { return .shootout }
    for number in 1...max(periods.count, 1) where self.name(of: .regular(number)).lowercased() == wanted {
      return .regular(number)
    }
    for number in 1...12 where exists(.overtime(number)) {
      if self.name(of: .overtime(number)).lowercased() == wanted { return .overtime(number) }
    }
    return nil
  }

  /// `Q1`, `2OT`, `SO`: while that period is played.
  package func name(of period: Period) -> String {
    switch period {
    case .regular(let number): return regularName(number)
    case .overtime(let number):
      if case .innings = periods.naming { return regularName(periods.count + number) }
      switch periods.overtime?.naming ?? .overtime {
      case .overtime: return number == 1 ? "OT" : "\(number)OT"
      case .extraTime: return "ET\(number)"
      }
    case .shootout: return periods.shootout?.name ?? ""
    }
  }

  private func regularName(_ number: Int) -> String {
    switch periods.naming {
    case .quarters: "Q\(number)"
    case .halves: "\(number)H"
    case .intermissions, .thirds: Self.ordinal(number)
    case .numbered: "P\(number)"
    case .single: "Reg"
    case .sets: "Set \(number)"
    case .innings: (number % 2 == 1 ? "Top " : "Bot ") + String((number + 1) / 2)
    case .asShown: ""
    }
  }

  /// `End Q1`, `1st INT`, `Half`: in the break after that period.
  package func breakName(after period: Period) -> String {
    if isHalftime(after: period) { return "Half" }
    switch periods.naming {
    case .intermissions:
      if case .regular(let number) = period, number < periods.count { return Self.ordinal(number) + " INT" }
    case .innings:
      let number: Int
      switch period {
      case .regular(let half): number = half
      case .overtime(let half): number = periods.count + half
      case .shootout: number = 0
      }
      return (number % 2 == 1 ? "Mid " : "End ") + String((number + 1) / 2)
    case .sets: return "Set break"
    case .quarters, .halves, .thirds, .numbered, .single, .asShown: break
    }
    return "End " + name(of: period)
  }

  /// `Final`, `Final/OT`, `Final/SO`: by the period in which play stopped.
  package func finalName(last: Period?) -> String {
    guard let last else { return "Final" }
    if case .innings = periods.naming { return finalInnings(last) }
    switch last {
    case .regular: return "Final"
    case .overtime:
      switch periods.overtime?.naming ?? .overtime {
      case .overtime: return "Final/" + name(of: last)
      case .extraTime: return "Final/ET"
      }
    case .shootout: return "Final/" + name(of: last)
    }
  }

  private func finalInnings(_ last: Period) -> String {
    let half: Int
    switch last {
    case .regular(let number): half = number
    case .overtime(let number): half = periods.count + number
    case .shootout: return "Final"
    }
    let inning = (half + 1) / 2
    return inning * 2 == periods.count ? "Final" : "Final/\(inning)"
  }

  private static func ordinal(_ number: Int) -> String {
    switch number {
    case 1: "1st"
    case 2: "2nd"
    case 3: "3rd"
    default: "\(number)th"
    }
  }
}
