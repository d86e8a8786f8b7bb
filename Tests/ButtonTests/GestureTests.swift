import GameCore
import Input
import Testing

private func rules(_ change: (inout GestureRules) -> Void) -> GestureRules {
  var rules = GestureRules()
  change(&rules)
  return rules
}

@Suite struct GestureTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var claim: String
    var rules: GestureRules
    var edges: [LineEdge]
    var made: [Hand.Made]
    var testDescription: String { claim }
  }

  static let rows: [Row] = [
    Row(claim: "a press", rules: rules { _ in }, edges: edges(0, 100), made: [.init(.press, 0)]),
    Row(
      claim: "a press and its release", rules: rules { $0.hasRelease = true }, edges: edges(0, 100),
      made: [.init(.press, 0), .init(.release, 100)]),
    Row(
      claim: "a short press where a hold is bound", rules: rules { $0.hasHold = true }, edges: edges(0, 1499),
      made: [.init(.press, 0)]),
    Row(
      claim: "a hold to the instant", rules: rules { $0.hasHold = true }, edges: edges(0, 1500),
      made: [.init(.hold, 1500)]),
    Row(
      claim: "a hold has no release",
      rules: rules {
        $0.hasHold = true
        $0.hasRelease = true
      }, edges: edges(0, 1700), made: [.init(.hold, 1500)]),
    Row(
      claim: "a double press", rules: rules { $0.hasDouble = true }, edges: edges(0, 80, 200, 280),
      made: [.init(.double, 200)]),
    Row(
      claim: "a second press in the last instant", rules: rules { $0.hasDouble = true }, edges: edges(0, 80, 300, 380),
      made: [.init(.double, 300)]),
    Row(
      claim: "a second press too late", rules: rules { $0.hasDouble = true }, edges: edges(0, 80, 301, 381),
      made: [.init(.press, 0), .init(.press, 301)]),
    Row(
      claim: "a long press where only a double is bound", rules: rules { $0.hasDouble = true }, edges: edges(0, 700),
      made: [.init(.press, 0)]),
    Row(
      claim: "press, double and release",
      rules: rules {
        $0.hasDouble = true
        $0.hasRelease = true
      }, edges: edges(0, 80), made: [.init(.press, 0), .init(.release, 80)]),
    Row(
      claim: "repeats while it is down", rules: rules { $0.repeats = true }, edges: edges(0, 1200),
      made: [.init(.press, 0), .init(.repeated, 500), .init(.repeated, 1000)]),
  ]

  @Test("each way of pressing has exactly one meaning", arguments: rows)
  func oneMeaning(row: Row) {
    var hand = Hand(row.rules)
    hand.play(row.edges)
    #expect(hand.made == row.made)
  }

  @Test("two buttons within their time are a chord and nothing else; apart, or let go, they are two presses")
  func chords() {
    let chord = [ChordRules(first: 0, second: 1)]
    func played(_ first: [LineEdge], _ second: [LineEdge]) -> [Hand.Made] {
      var hand = Hand(rules: [GestureRules(), GestureRules(), GestureRules()], chords: chord)
      hand.play(first.map { (0, $0) } + second.map { (1, $0) })
      return hand.made
    }
    #expect(played(edges(0, 400), edges(60, 420)) == [.init(.chord(0), 60, button: 1)])
    #expect(played(edges(100, 400), edges(0, 420)) == [.init(.chord(0), 100)])
    #expect(played(edges(0, 400), edges(100, 420)) == [.init(.chord(0), 100, button: 1)])
    #expect(played(edges(0, 400), edges(101, 420)) == [.init(.press, 0), .init(.press, 101, button: 1)])
    #expect(played(edges(0, 40), edges(60, 420)) == [.init(.press, 0), .init(.press, 60, button: 1)])
    #expect(played(edges(0, 40), []) == [.init(.press, 0)])
  }

  @Test(
    "B05: a chord that a stalled loop learns of 2 s late is a chord, whichever line is read first",
    arguments: [[0, 1], [1, 0]])
  func lateChord(order: [Int]) {
    var hand = Hand(rules: [GestureRules(), GestureRules()], chords: [ChordRules(first: 0, second: 1)])
    hand.pass(to: .at(2000))
    hand.late(order.map { ($0, $0 == 0 ? edges(0, 90) : edges(60, 420)) })
    #expect(hand.made == [.init(.chord(0), 60, button: 1)])
  }

  @Test("B05: whatever two hands do on two buttons of a chord, a loop that was stalled tells what a prompt one tells")
  func stalledLikePrompt() {
    for seed in 0..<2000 {
      var random = SeededGenerator(seed: UInt64(seed))
      let both = (0..<2).map { _ in
        rules {
          $0.hasHold = Bool.random(using: &random)
          $0.hasDouble = Bool.random(using: &random)
          $0.hasRelease = Bool.random(using: &random)
        }
      }
      let queues = (0..<2).map { button -> (button: Int, edges: [LineEdge]) in
        // Never two edges of one instant: which of them was first, nobody knows.
        var time = Double.random(in: 0...200, using: &random).rounded() + Double(button) / 2
        var level = LineLevel.inactive
        let edges = (0..<(2 * Int.random(in: 1...3, using: &random))).map { _ -> LineEdge in
          level = level.other
          defer { time += [30, 60, 99, 100, 101, 250, 300, 1500].randomElement(using: &random)! }
          return LineEdge(level, at: .at(time))
        }
        return (button, edges)
      }
      func told(_ play: (inout Hand) -> Void) -> [String] {
        var hand = Hand(rules: both, chords: [ChordRules(first: 0, second: 1)])
        play(&hand)
        hand.pass(to: .at(20_000))
        return hand.made.map(\.description).sorted()
      }
      let prompt = told { hand in hand.play(queues.flatMap { queue in queue.edges.map { (queue.button, $0) } }) }
      let late = told { hand in
        hand.pass(to: .at(15_000))
        hand.late(seed.isMultiple(of: 2) ? queues : queues.reversed())
      }
      #expect(prompt == late, "seed \(seed)")
    }
  }

  @Test("a partner on a noisy cable, whose press is believed late, still makes the chord")
  func slowPartner() {
    var panel = ButtonPanel(
      [(.usual, GestureRules()), (.settle(.milliseconds(60)), GestureRules())],
      chords: [ChordRules(first: 0, second: 1)])
    for button in 0...1 { panel.opened(button, level: .inactive, at: Instant(nanoseconds: 0)) }
    var hand = Hand(panel, buttons: 2)
    hand.play(edges(100, 150).map { (0, $0) } + edges(120, 400).map { (1, $0) })
    #expect(hand.made == [.init(.chord(0), 120, button: 1)])
  }

  @Test("S-13: two presses 1 ms apart on two boxes both count, in their order")
  func twoBoxes() {
    var hand = Hand(GestureRules(), GestureRules())
    hand.play(edges(0, 90).map { (0, $0) } + edges(1, 95).map { (1, $0) })
    #expect(hand.made == [.init(.press, 0), .init(.press, 1, button: 1)])
  }

  @Test("S-07: a button that is down for 40 s is one press and one warning, repeats end, and the others go on")
  func stuck() {
    var hand = Hand(rules { $0.repeats = true }, GestureRules())
    hand.play([(0, LineEdge(.active, at: .at(0)))] + edges(20_000, 20_100).map { (1, $0) }, until: 40_000)
    #expect(hand.stuck == [0])
    #expect(hand.made.filter { $0.button == 0 }.count == 10)
    #expect(hand.made.last == .init(.press, 20_000, button: 1))
    hand.play([(0, LineEdge(.inactive, at: .at(41_000)))])
    #expect(hand.freed == [0])
    hand.play(edges(42_000, 42_100))
    #expect(hand.made.last == .init(.press, 42_000))
  }

  /// Every choice of down and up times of two presses around the waits, against one sentence per outcome.
  @Test("every pair of presses around the waits of hold and double has as many meanings as presses, or one for both")
  func enumerated() {
    let both = rules {
      $0.hasHold = true
      $0.hasDouble = true
    }
    let steps: [Double] = [30, 299, 300, 301, 1499, 1500, 1501]
    for first in steps {
      for gap in steps {
        for second in steps {
          var hand = Hand(both)
          hand.play(edges(0, first, first + gap, first + gap + second))
          let isDouble = first < 300 && first + gap <= 300
          let start = first + gap
          let wanted: [Hand.Made] =
            isDouble
            ? [.init(.double, start)]
            : [
              first >= 1500 ? .init(.hold, 1500) : .init(.press, 0),
              second >= 1500 ? .init(.hold, start + 1500) : .init(.press, start),
            ]
          #expect(hand.made == wanted, "down \(first), up \(gap), down \(second)")
        }
      }
    }
  }

  @Test("a line that goes away while its button is down makes nothing of it, and its counts go on")
  func lineGone() {
    var hand = Hand(rules { $0.hasHold = true })
    hand.play(edges(0), until: 600)
    hand.panel.closed(0, at: .at(600))
    hand.pass(to: .at(3000))
    hand.panel.opened(0, level: .inactive, at: .at(3000))
    hand.play([LineEdge(.active, at: .at(3100)), LineEdge(.inactive, at: .at(3200))])
    #expect(hand.made == [.init(.press, 3100)])
    #expect(hand.panel.counts(of: 0).presses == 2)
  }
}
