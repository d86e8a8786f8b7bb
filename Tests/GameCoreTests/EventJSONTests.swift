import Bridge
import Document
import GameCore
import Testing

@Suite("Events as JSON") struct EventJSONTests {
  static let kinds: [GameEvent.Kind] = [
    .scored(.home, points: 3, player: "11", play: "fast break \"x\""),
    .scored(.away, points: -1, player: nil, play: nil),
    .fouled(.away, by: 1, player: "7"), .shotTaken(.home, by: 2),
    .penaltyGiven(.home, length: .seconds(120), player: nil), .penaltyOver(.away, slot: 2),
    .shootoutAttempted(.home, scored: false), .pitched(.foulBall), .clockSet(.milliseconds(61_500)),
    .clockAdjusted(.milliseconds(-1_500)), .shotClockReset(nil), .shotClockReset(.seconds(14)),
    .periodSet(.regular(3)), .periodSet(.overtime(2)), .periodSet(.shootout), .timeoutCalled(nil),
    .timeoutCalled(.home), .possessionSet(.away), .possessionSet(nil), .basesSet([.first, .third]),
    .downSet(Downs(down: 3, distance: 7, ballOn: nil)), .totalSet(.timeoutsLeft, .home, 2), .lastPlaySet("Köln & \n🏒"),
    .teamsNamed(home: Team(name: "A", code: "b"), away: nil), .finalDeclared(armed: true), .retired(.home, armed: true),
    .gameEnded(armed: false), .gameReset(armed: true), .calledOff(.postponed, armed: true),
    .corrected(id: "e7", to: nil), .corrected(id: "e7", to: .scored(.home, points: 2, player: "4", play: nil)),
    .rebooted(last: Instant(nanoseconds: 5), away: nil), .rebooted(last: Instant(nanoseconds: 5), away: .seconds(9)),
    .jamStarted, .jamEnded, .clockStarted, .clockStopped, .clockToggled, .clockExpired, .shotClockStopped,
    .shotClockExpired, .periodAdvanced, .periodClosed, .timeoutOver, .possessionSwitched, .reviewStarted, .reviewOver,
    .delayed, .resumed, .hornSounded, .opened, .namesFrozen, .playStarted, .nextGameOpened, .settled, .undone, .redone,
    .heldConfirmed, .heldRejected, .reported(Report()), .reported(full),
  ]

  static var full: Report {
    var report = Report()
    report.home.score = 41
    report.home.fouls = 4
    report.home.timeoutsLeft = 2
    report.home.timeoutsTaken = 1
    report.home.shots = 9
    report.home.sets = 1
    report.home.games = 5
    report.home.points = .advantage
    report.home.bonus = true
    report.home.shootoutGoals = 3
    report.home.penalties = [
      Report.ReportedPenalty(player: "7", remaining: .seconds(99)), Report.ReportedPenalty(remaining: .seconds(3)),
    ]
    report.away.points = .number(40)
    report.away.penalties = []
    report.clock = Report.Clock(reading: .milliseconds(332_100), running: true)
    report.shotClock = Report.Clock(reading: .seconds(14))
    report.restClock = Report.Clock(reading: .seconds(60), running: false)
    report.isRest = false
    report.periodNumber = 2
    report.periodText = "Q2"
    report.clockText = "5:32"
    report.possession = Report.Possession.none
    report.isTimeout = true
    report.balls = 3
    report.strikes = 2
    report.outs = 1
    report.bases = [.second]
    report.inning = 7
    report.isTopOfInning = true
    report.down = 4
    report.distance = 1
    report.ballOn = 45
    return report
  }

  @Test("every kind of event comes back from the store as it went in", arguments: kinds)
  func roundTrip(_ kind: GameEvent.Kind) throws {
    let written = event(kind, id: "a-1", at: 12.5, .mqtt)
    let node = try #require(JSONText.node(written.json))
    #expect(GameEvent(json: node) == written)
  }

  @Test("all kinds are among those tried")
  func complete() {
    #expect(Set(Self.kinds.map(\.word)).count == 52)
  }

  @Test(
    "what is not understood is nil, not a guess",
    arguments: [
      #"{"id":"a","from":"button","at":1,"wall":2,"kind":"teleported"}"#,
      #"{"id":"a","from":"ghost","at":1,"wall":2,"kind":"undone"}"#,
      #"{"id":"a","from":"button","at":1,"wall":2,"kind":"scored","side":"guest","points":1}"#,
      #"{"id":"a","from":"button","at":1,"wall":2,"kind":"scored","side":"home"}"#,
      #"{"from":"button","at":1,"wall":2,"kind":"undone"}"#,
      #"{"id":"a","from":"button","at":"x","wall":2,"kind":"undone"}"#,
    ])
  func foreign(_ text: String) throws {
    let node = try #require(JSONText.node(Array(text.utf8)))
    #expect(GameEvent(json: node) == nil)
  }
}
