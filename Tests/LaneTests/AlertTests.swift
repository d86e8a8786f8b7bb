import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

@Suite("Alerts and the budget")
struct AlertTests {
  @Test("a goal is told at once without sound, and rings when it has stood four seconds")
  func settle() {
    var story = Story.playing()
    let before = story.sent.count
    story.change(.goal, state(home: 1, status: .live), alert: goal("g1", home: 1))
    #expect(story.calls(from: before) == ["update"])
    #expect(story.facts(before).alert == nil)
    story.pass(.milliseconds(3999))
    #expect(story.sent.count == before + 1)
    story.pass(.milliseconds(1))
    #expect(story.sent.count == before + 2)
    #expect(story.facts(before + 1).alert?.body == "1")
    #expect(story.facts(before + 1).state?.homeScore == 1)
    story.pass(.seconds(100))
    #expect(story.sent.count == before + 2)
  }

  @Test("two goals in a row ring twice, in order, each on its own message")
  func twoGoals() {
    var story = Story.playing()
    let before = story.sent.count
    story.change(.goal, state(home: 1, status: .live), alert: goal("g1", home: 1))
    story.pass(.seconds(1))
    story.change(.goal, state(home: 2, status: .live), alert: goal("g2", home: 2))
    story.pass(.seconds(20))
    #expect(story.sent.dropFirst(before).compactMap(\.facts.alert?.body) == ["1", "2"])
    #expect(story.notices.filter { if case .alertSent = $0 { true } else { false } }.count == 2)
  }

  @Test("a goal taken back within its settle time never rings, and the reason is kept")
  func takenBack() {
    var story = Story.playing()
    let before = story.sent.count
    story.change(.goal, state(home: 1, status: .live), alert: goal("g1", home: 1))
    story.pass(.seconds(2))
    story.change(.correction, state(home: 0, status: .live))
    story.pass(.seconds(30))
    #expect(story.sent.dropFirst(before).allSatisfy { $0.facts.alert == nil })
    #expect(story.notices.contains(.alertDropped(id: "g1", reason: "no longer true")))
    #expect(story.sent.last?.facts.state?.homeScore == 0)
  }

  @Test("an alert without an answer is never repeated: the state goes again, in silence", arguments: Sink.allCases)
  func ambiguousAlert(_ sink: Sink) {
    var story = Story.playing(sink)
    story.change(.goal, state(home: 1, status: .live), alert: goal("g1", home: 1))
    story.pass(.seconds(2))
    story.answers = [noAnswer]
    story.pass(.seconds(2))
    let ringing = story.sent.count - 1
    #expect(story.facts(ringing).alert != nil)
    story.pass(.seconds(5))
    story.tell(.providerReachable)
    #expect(story.sent.count == ringing + 2)
    #expect(story.facts(ringing + 1).alert == nil)
    #expect(story.facts(ringing + 1).state?.homeScore == 1)
    #expect((story.facts(ringing + 1).stamp ?? 0) > (story.facts(ringing).stamp ?? 0))
  }

  @Test("what is told after an outage does not ring", arguments: [notSent, throttled, unavailable])
  func catchUp(_ failure: Verdict) {
    var story = Story.playing()
    story.answers = [failure]
    story.change(.basket, state(home: 1, status: .live))
    let before = story.sent.count
    story.change(.goal, state(home: 2, status: .live), alert: goal("g1", home: 2))
    story.pass(.milliseconds(500))
    story.tell(.providerReachable)
    story.pass(.seconds(90))
    #expect(story.sent.count > before)
    #expect(story.sent.dropFirst(before).allSatisfy { $0.facts.alert == nil })
    #expect(story.notices.contains { if case .alertDropped(id: "g1", _) = $0 { true } else { false } })
  }

  @Test("an event that is told twice rings once")
  func toldTwice() {
    var story = Story.playing()
    let before = story.sent.count
    for _ in 1...3 {
      story.change(.goal, state(home: 1, status: .live), alert: goal("g1", home: 1))
      story.pass(.seconds(10))
    }
    #expect(story.sent.dropFirst(before).filter { $0.facts.alert != nil }.count == 1)
  }

  @Test("no alert goes with a correction; overtime and the final ring at once")
  func whichRing() {
    var story = Story.playing()
    let before = story.sent.count
    let overtime = AlertCandidate(id: "ot", alert: Alert(title: "Overtime", body: "2-2"), claim: .always)
    story.change(.overtimeStarted, state(home: 2, away: 2, status: .live, period: "OT"), alert: overtime)
    #expect(story.facts(before).alert?.title == "Overtime")
    story.pass(.seconds(10))
    story.change(
      .correction, state(home: 3, away: 2, status: .live),
      alert: AlertCandidate(id: "c", alert: Alert(title: "No", body: "no"), claim: .always))
    story.pass(.seconds(10))
    let final = AlertCandidate(id: "f", alert: Alert(title: "Final", body: "3-2"), claim: .status(.finished))
    story.change(.final, state(home: 3, away: 2, status: .finished), alert: final)
    #expect(story.sent.dropFirst(before).compactMap(\.facts.alert?.title) == ["Overtime", "Final"])
  }

  @Test("a period's end rings when its rule says so, and only then")
  func configuredAlert() {
    let alert = Alert(title: "End of Q1", body: "Riverton 2, Harbor City 0 (Q1)")
    func rung(_ rule: EventRule.AlertRule) -> [String] {
      var rules = EventRules()
      rules[.periodEnded].alert = rule
      var story = Story.playing(settings: LaneSettings(spacing: .seconds(5), rules: rules))
      story.change(
        .periodEnded, state(home: 2, status: .live, period: "End Q1"),
        alert: AlertCandidate(id: "q1", alert: alert, claim: .always))
      story.pass(.seconds(10))
      return story.sent.compactMap(\.facts.alert?.title).filter { $0 == alert.title }
    }
    #expect(rung(.atOnce) == [alert.title] && rung(.none).isEmpty)
  }

  @Test("the bucket holds six, gets one back in half a minute, and starts empty after a restart")
  func bucket() {
    var start = Instant(nanoseconds: 0)
    var budget = Budget(capacity: 6, refill: .seconds(30), isFull: true, at: start)
    for _ in 0..<6 { #expect(budget.take(at: start) == true) }
    #expect(budget.take(at: start + .milliseconds(29_999)) == false)
    #expect(budget.take(at: start + .seconds(30)) == true)
    start = start + .seconds(36_000)
    for _ in 0..<6 { #expect(budget.take(at: start) == true) }
    #expect(budget.take(at: start) == false)
    var after = Budget(capacity: 6, refill: .seconds(30), isFull: false, at: start)
    #expect(after.take(at: start + .seconds(29)) == false)
  }

  @Test("an empty bucket makes a push less urgent and never holds it back; the final does not ask it")
  func emptyBucket() {
    var story = Story.playing()
    let before = story.sent.count
    for period in 1...9 {
      story.change(.periodStarted, state(home: period, status: .live))
      story.pass(.seconds(2))
    }
    let priorities = story.sent.dropFirst(before).compactMap(\.facts.priority)
    #expect(priorities.count == 9)
    #expect(priorities.filter { $0 == "10" }.count <= 6)
    #expect(priorities.last == "5")
    story.change(.final, state(home: 9, status: .finished))
    #expect(story.sent.last?.facts.priority == "10")
  }

  @Test("a basket is urgent when the last urgent push lies a minute back, or in the last two minutes")
  func baskets() {
    var story = Story.playing()
    story.pass(.seconds(61))
    story.change(.basket, state(home: 2, status: .live))
    #expect(story.sent.last?.facts.priority == "10")
    story.pass(.seconds(30))
    story.change(.basket, state(home: 4, status: .live))
    #expect(story.sent.last?.facts.priority == "5")
    story.pass(.seconds(20))
    story.change(.basket, state(home: 6, status: .live), lastMinutes: true)
    #expect(story.sent.last?.facts.priority == "10")
  }

  @Test(
    "B113, trap 25: two hours of basketball with 180 baskets and a clock that stops and starts stay under the budget")
  func basketball() {
    var story = Story.playing(hasFeed: true)
    let began = story.now.instant
    let before = story.sent.count
    var random = SeededGenerator(seed: 113)
    var home = 0
    var away = 0
    var told: [Int] = []
    while story.now.instant - began < .seconds(7200) {
      story.pass(.seconds(Int64(random.next() % 25) + 8))
      story.tell(.frameArrived)
      let anchor = Int(story.now.wall.milliseconds) + 300_000
      switch random.next() % 4 {
      case 0: story.change(.clockStopped, state(home: home, away: away, status: .live, clock: "5:00"))
      case 1: story.change(.clockStarted, state(home: home, away: away, status: .live, anchor: anchor))
      default:
        if random.next() % 2 == 0 { home += 2 } else { away += 2 }
        told.append(home + away)
        let late = story.now.instant - began > .seconds(7080)
        story.change(.basket, state(home: home, away: away, status: .live), lastMinutes: late)
      }
    }
    story.pass(.seconds(10))
    #expect(told.count > 120)
    let urgent = story.sent.dropFirst(before).filter { $0.facts.priority == "10" }
    #expect(urgent.count <= 6 + 7200 / 30)
    #expect(urgent.count <= 2 * 60 + 10, "about one a minute")
    let shown = Set(story.sent.dropFirst(before).compactMap { $0.facts.state.map { $0.homeScore + $0.awayScore } })
    #expect(shown.isSuperset(of: told), "every score was sent")
  }

  @Test(
    "the last line is cut on a character's border before it can make a payload too large",
    arguments: [
      ("👨‍👩‍👧‍👦", 500, 40), ("é\u{301}", 100_000, 256), ("e" + String(repeating: "\u{301}", count: 300), 3, 1),
      ("e" + String(repeating: "\u{301}", count: 100_000), 1, 0),
    ])
  func longText(_ character: String, _ count: Int, _ kept: Int) throws {
    var story = Story.playing()
    story.change(.clockSet, state(home: 1, status: .live, lastPlay: String(repeating: character, count: count)))
    #expect(story.sent.last?.facts.state?.lastPlay == String(repeating: character, count: kept))
  }
}
