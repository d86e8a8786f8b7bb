extension Rules {
  /// Any board without rules of its own: swimming, fencing, badminton. Reports only, texts as shown.
  package static let console = Rules(
    sport: .console, code: "sb", scoring: .reports, periods: Periods(.asShown, count: 1), clock: ClockRules(.down))
}
