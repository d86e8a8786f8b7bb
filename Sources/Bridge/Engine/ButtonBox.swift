package import GameCore
package import Input

/// A line of the config: the court's place, and the button's or lamp's own, all from 0 in the order of the config.
package struct LinePlace: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case button(Int)
    case lamp(Int)
  }

  package var court: Int
  package var part: Part

  package init(court: Int, part: Part) {
    self.court = court
    self.part = part
  }
}

/// What a line tells.
package enum LineNews: Hashable, Sendable {
  /// It is ours, on that chip; its level now is the baseline. The warning is for whoever wrote the config.
  case opened(LineLevel, place: String, warning: String?)
  case edges([LineEdge], queueWasFull: Bool)
  /// The answer to `readLine`, everything before it having been told.
  case read(LineLevel)
  case down(reason: String)
}

/// What a court's buttons do, by gesture: the config's words, understood.
package struct ButtonBindings: Hashable, Sendable {
  package struct Bound: Hashable, Sendable {
    package var word: String
    package var binding: Binding
  }

  var buttons: [[Gesture: Bound]] = []
  var chords: [Bound] = []
  /// The buttons of each chord.
  var pairs: [ChordRules] = []

  package init() {}

  /// With what cannot be understood by this court's own rules; the check of the file knows the usual ones.
  package static func make(of court: CourtConfig, rules: Rules) -> (bindings: ButtonBindings, refusals: [String]) {
    var made = ButtonBindings()
    var refusals: [String] = []
    func bound(_ word: String) -> Bound? {
      switch Binding.parse(word, rules: rules) {
      case .binding(let binding): return Bound(word: word, binding: binding)
      case .refused(let reason):
        refusals.append(reason)
        return nil
      }
    }
    for button in court.buttons {
      let words: [(Gesture, String?)] = [
        (.press, button.press), (.release, button.release), (.hold, button.hold), (.double, button.double),
        (.repeated, button.repeated),
      ]
      var gestures: [Gesture: Bound] = [:]
      for (gesture, word) in words { gestures[gesture] = word.flatMap(bound) }
      made.buttons.append(gestures)
    }
    for chord in court.chords {
      let places = chord.buttons.compactMap { name in court.buttons.firstIndex { $0.name == name } }
      guard places.count == 2, let bound = bound(chord.press) else { continue }
      made.chords.append(bound)
      made.pairs.append(ChordRules(first: places[0], second: places[1], within: chord.within))
    }
    return (made, refusals)
  }

  subscript(gesture: Gesture, button: Int) -> Bound? {
    if case .chord(let place) = gesture { return chords[place] }
    return buttons.indices.contains(button) ? buttons[button][gesture] : nil
  }
}

/// A court's buttons: the panel that understands them, and how each line is.
struct ButtonBox {
  let names: [String]
  let bindings: ButtonBindings
  var panel: ButtonPanel
  /// Why a line cannot be had; nil while it can.
  var troubles: [String?]
  var noise: [NoiseWatch]

  init(_ court: CourtConfig, _ bindings: ButtonBindings) {
    names = court.buttons.map(\.name)
    self.bindings = bindings
    panel = ButtonPanel(
      court.buttons.map { (debounce: $0.debounce, gestures: $0.gestureRules) }, chords: bindings.pairs)
    troubles = names.map { _ in "not open yet" }
    noise = names.map { _ in NoiseWatch() }
  }

  /// Whether every line is there and none is held by something that is no hand.
  var isWell: Bool {
    names.indices.allSatisfy { troubles[$0] == nil && !panel.isStuck($0) && !panel.isHeldAtStart($0) }
  }

  /// One word or two for status.
  func word(of button: Int, at now: Instant) -> String {
    if let trouble = troubles[button] { return trouble }
    if panel.isHeldAtStart(button) { return "held at boot" }
    if panel.isStuck(button) { return "stuck" }
    return noise[button].isNoisy(at: now) ? "noisy" : "ok"
  }
}

extension ButtonPanel {
  /// The court's buttons as they bounce, each gesture by itself: for watching them without a game.
  package init(_ court: CourtConfig) {
    self.init(court.buttons.map { (debounce: $0.debounce, gestures: $0.gestureRules) })
  }
}

extension ButtonConfig {
  var debounce: DebounceSettings {
    settle.map(DebounceSettings.settle) ?? .lockout(glitch: glitch, lockout: lockout)
  }

  var gestureRules: GestureRules {
    var rules = GestureRules()
    rules.hasRelease = release != nil
    rules.hasHold = hold != nil
    rules.hasDouble = double != nil
    rules.repeats = repeated != nil
    rules.holdAfter = holdAfter
    rules.doubleWithin = doubleWithin
    rules.repeatEvery = repeatEvery
    return rules
  }
}
