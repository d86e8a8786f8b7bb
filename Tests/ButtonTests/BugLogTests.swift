import GameCore
import Input
import Testing

@Suite("Part A of the bug log, at the line") struct BugLogOfLines {
  @Test("B01: one closure with bounce at both ends is one press")
  func oneClosure() {
    let outcome = LineModel(edges(0, 3, 5, 120, 124, 126)).run()
    #expect(outcome.presses == [0])
    #expect(outcome.changes.map(\.level) == [.active, .inactive])
  }

  @Test("B02: six edges within 12 ms at the release of a long press are one press")
  func releaseBounce() {
    let outcome = LineModel(edges(0, 800, 802, 805, 807, 809, 811, 812)).run()
    #expect(outcome.presses == [0])
    #expect(outcome.level == .inactive)
  }

  @Test("B04: ten presses of 60 ms, 60 ms apart, are ten")
  func quickPresses() {
    let times = (0..<10).flatMap { [Double($0) * 120, Double($0) * 120 + 60] }
    var level = LineLevel.inactive
    let outcome = LineModel(
      times.map {
        level = level.other
        return LineEdge(level, at: .at($0))
      }
    ).run()
    #expect(outcome.presses == (0..<10).map { $0 * 120_000_000 })
  }

  @Test("B05: a loop that stands still for 2 s during five presses counts five, with their own times")
  func stalledLoop() {
    var model = LineModel(edges(100, 180, 300, 380, 500, 580, 700, 780, 900, 980))
    let prompt = model.run()
    model.stalls = [50_000_000...2_050_000_000]
    #expect(prompt.presses == [100, 300, 500, 700, 900].map { $0 * 1_000_000 })
    #expect(model.run().changes == prompt.changes)
  }

  @Test("B07: two falling edges in a row are one press, and the missing edge is told")
  func sameDirectionTwice() {
    let told = [LineEdge(.active, at: .at(0)), LineEdge(.active, at: .at(4)), LineEdge(.inactive, at: .at(150))]
    let outcome = LineModel(told).run()
    #expect(outcome.presses == [0])
    #expect(outcome.suspicions == [.repeatedDirection])
  }

  @Test("a jump of the kernel's numbers tells of lost edges even where the directions alternate")
  func sequenceGap() {
    let told = [
      LineEdge(.active, at: .at(0), sequence: 1), LineEdge(.inactive, at: .at(100), sequence: 2),
      LineEdge(.active, at: .at(400), sequence: 5), LineEdge(.inactive, at: .at(500), sequence: 6),
    ]
    let outcome = LineModel(told).run()
    #expect(outcome.presses == [0, 400_000_000])
    #expect(outcome.suspicions == [.sequenceGap])
  }

  @Test("B08: forty edges in 2 ms that end where they began are no press, and are counted as noise")
  func burst() {
    var level = LineLevel.inactive
    let burst = (0..<40).map { place in
      level = level.other
      return LineEdge(level, at: .at(Double(place) * 0.05))
    }
    let outcome = LineModel(burst).run()
    #expect(outcome.presses == [])
    #expect(outcome.counts.noise >= 20)
    #expect(outcome.level == .inactive)
  }

  @Test("B14: a button that is down at the start is the baseline; the first press after its release counts")
  func heldAtBoot() {
    var panel = ButtonPanel([(.usual, GestureRules())])
    panel.opened(0, level: .active, at: .at(0))
    #expect(panel.isHeldAtStart(0))
    var hand = Hand(panel)
    hand.play(edges(2000, from: .inactive))
    #expect(hand.made == [])
    #expect(!hand.panel.isHeldAtStart(0))
    hand.play(edges(2500, 2600))
    #expect(hand.made.map(\.gesture) == [.press])
  }

  @Test("B16: a single press and a long one 200 ms later are both recognised")
  func noCoolDown() {
    var rules = GestureRules()
    rules.hasHold = true
    var hand = Hand(rules)
    hand.play(edges(0, 80, 280, 2000))
    #expect(hand.made == [.init(.press, 0), .init(.hold, 1780)])
  }

  @Test("B17: a button without a bound double answers as soon as its press is settled")
  func actsAtOnce() {
    var hand = Hand(GestureRules())
    hand.play(edges(0), until: 20)
    #expect(hand.made == [.init(.press, 0)])
  }

  @Test("B18: a hold of 1.2 s on a button with press and hold is a hold only")
  func holdOnly() {
    var rules = GestureRules()
    rules.hasHold = true
    rules.holdAfter = .milliseconds(1000)
    var hand = Hand(rules)
    hand.play(edges(0, 1200))
    #expect(hand.made == [.init(.hold, 1000)])
  }

  @Test("B21: 300 spikes of 0.4 ms in 10 s are no press and much noise")
  func spikes() {
    var spikes: [LineEdge] = []
    for place in 0..<300 {
      let at = Double(place) * 33
      spikes += edges(at, at + 0.4)
    }
    let outcome = LineModel(spikes).run()
    #expect(outcome.presses == [])
    #expect(outcome.counts.glitches == 300)
    #expect(outcome.suspicions == [])
  }
}
