import GameCore
import Input

/// A panel with a prompt loop around it, for a hand that plays on its buttons.
struct Hand {
  struct Made: Equatable, CustomStringConvertible {
    var gesture: Gesture
    var button: Int
    var at: Double

    init(_ gesture: Gesture, _ at: Double, button: Int = 0) {
      self.gesture = gesture
      self.button = button
      self.at = at
    }

    var description: String { "\(gesture.word) of \(button) at \(at)" }
  }

  var panel: ButtonPanel
  var made: [Made] = []
  var stuck: [Int] = []
  var freed: [Int] = []
  private var levels: [LineLevel]
  /// What the kernel has and nobody has read.
  private var queued: [Int: [LineEdge]] = [:]
  private var now = Instant(nanoseconds: 0)

  init(_ panel: ButtonPanel, buttons: Int = 1) {
    self.panel = panel
    levels = (0..<buttons).map { panel.level(of: $0) ?? .inactive }
  }

  init(_ rules: GestureRules...) { self.init(rules: rules) }

  init(rules: [GestureRules], chords: [ChordRules] = []) {
    var panel = ButtonPanel(rules.map { (.usual, $0) }, chords: chords)
    for button in rules.indices { panel.opened(button, level: .inactive, at: Instant(nanoseconds: 0)) }
    self.init(panel, buttons: rules.count)
  }

  mutating func play(_ edges: [LineEdge], until end: Double? = nil) {
    play(edges.map { (button: 0, edge: $0) }, until: end)
  }

  /// Plays the edges, in the order of their stamps, and goes on for a while.
  mutating func play(_ edges: [(button: Int, edge: LineEdge)], until end: Double? = nil) {
    for (button, edge) in edges.sorted(by: { $0.edge.at < $1.edge.at }) {
      pass(to: edge.at - .nanoseconds(1))
      now = max(now, edge.at)
      levels[button] = edge.level
      perform(panel.edge(button, edge))
    }
    pass(to: end.map { .at($0) } ?? now + .milliseconds(400))
  }

  /// The queues of lines that were not read for a while, one after the other.
  mutating func late(_ queues: [(button: Int, edges: [LineEdge])]) {
    for (button, edges) in queues { queued[button] = edges }
    for (button, _) in queues { drain(button) }
    pass(to: now + .milliseconds(400))
  }

  private mutating func drain(_ button: Int) {
    for edge in queued.removeValue(forKey: button) ?? [] {
      levels[button] = edge.level
      perform(panel.edge(button, edge))
    }
  }

  mutating func pass(to end: Instant) {
    for _ in 0..<2000 {
      guard let due = panel.nextDeadline, due <= end else { break }
      now = max(now, due)
      perform(panel.deadlineReached(at: now))
    }
    now = max(now, end)
  }

  private mutating func perform(_ actions: [ButtonPanel.Action]) {
    for action in actions {
      switch action {
      case .made(let gesture, let button, let at):
        made.append(Made(gesture, Double(at.nanoseconds) / 1_000_000, button: button))
      case .readLine(let button):
        drain(button)
        perform(panel.read(button, levels[button], at: now))
      case .stuck(let button, _): stuck.append(button)
      case .freed(let button): freed.append(button)
      case .mayHaveMissed: break
      }
    }
  }
}
