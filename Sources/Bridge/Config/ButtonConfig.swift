import Document

/// A GPIO line by name, or by chip and offset where lines have no names.
package struct LineAddress: Hashable, Sendable, CustomStringConvertible {
  /// A chip's label or path; nil means any chip that has a line of this name.
  package var chip: String?
  package var line: Line

  package enum Line: Hashable, Sendable {
    case name(String)
    case offset(UInt16)
  }

  package init(chip: String?, line: Line) {
    self.chip = chip
    self.line = line
  }

  package var description: String {
    let end =
      switch line {
      case .name(let name): name
      case .offset(let offset): "offset \(offset)"
      }
    return chip.map { "\($0) \(end)" } ?? end
  }
}

/// One button: its line, how it bounces, and what it does.
package struct ButtonConfig: Hashable, Sendable {
  package enum Bias: String, CaseIterable, Hashable, Sendable {
    case asIs = "as-is"
    case pullUp = "pull-up"
    case pullDown = "pull-down"
    case disabled
  }

  package var name = ""
  package var address = LineAddress(chip: nil, line: .name(""))
  package var isActiveLow = true
  package var bias = Bias.pullUp
  package var glitch = Duration.milliseconds(1)
  package var lockout = Duration.milliseconds(25)
  /// Given, a change counts once the level has stood for so long; for noisy cables, instead of glitch and lockout.
  package var settle: Duration?
  package var press: String?
  package var release: String?
  package var hold: String?
  package var double: String?
  /// Again and again while the button is held.
  package var repeated: String?
  package var holdAfter = Duration.milliseconds(1500)
  package var doubleWithin = Duration.milliseconds(300)
  package var repeatEvery = Duration.milliseconds(500)

  package init() {}

  /// What it does, by the key that says so.
  package var actions: [(key: String, action: String)] {
    [("press", press), ("release", release), ("hold", hold), ("double", double), ("repeat", repeated)]
      .compactMap { key, action in action.map { (key, $0) } }
  }
}

/// Two buttons held together.
package struct ChordConfig: Hashable, Sendable {
  package var buttons: [String] = []
  package var press = ""
  package var within = Duration.milliseconds(100)

  package init() {}

  static func schema() -> Schema<ChordConfig> {
    .record(
      ChordConfig(),
      [
        .required(
          "buttons", \.buttons, .list(of: .label, count: 2...2), "The two buttons' names.", example: "[end, undo]"),
        .required("press", \.press, .action, "What both together do.", example: "game end"),
        .setting(
          "within", \.within, .duration(.milliseconds(20)...(.seconds(1))), "How far apart the presses may be.",
          example: "100ms"),
      ])
  }
}

extension ButtonConfig {
  private struct Draft {
    var button = ButtonConfig()
    var place = LineDraft()
  }

  static func schema() -> Schema<ButtonConfig> {
    Schema.record(
      Draft(),
      [.required("name", \.button.name, .label, "What operators call it.", example: "home+1")]
        + LineDraft.fields(\.place) + electric() + gestures()
    ).converted { draft, node, decoding in
      var button = draft.button
      button.address = draft.place.address(node, &decoding)
      if button.actions.isEmpty {
        decoding.problem(
          "the button does nothing", at: node.position, remedy: "Give press: and what it does, such as: home +1")
      }
      if node["settle"] != nil, node["glitch"] != nil || node["lockout"] != nil {
        decoding.problem(
          "settle stands beside glitch or lockout", at: node["settle"]?.position ?? node.position,
          remedy: "Use settle alone, for noisy cables, or glitch and lockout")
      }
      warnOfPull(button, node, &decoding)
      if button.repeated != nil, button.hold != nil {
        decoding.problem(
          "hold and repeat cannot both be bound", at: node["repeat"]?.position ?? node.position, remedy: "Keep one")
      }
      return button
    }
  }

  private static func warnOfPull(_ button: ButtonConfig, _ node: Node, _ decoding: inout Decoding) {
    guard button.bias == (button.isActiveLow ? .pullDown : .pullUp) else { return }
    let key = node["bias"] == nil ? "active_low" : "bias"
    decoding.inside(key: key) { decoding in
      decoding.warning(
        "the \(button.bias.rawValue) holds the line where it counts as pressed",
        at: node[key]?.position ?? node.position,
        remedy: "Give bias: \(button.isActiveLow ? "pull-up" : "pull-down"), or as-is with a resistor of the board")
    }
  }

  private static func electric() -> [Field<Draft>] {
    [
      .setting(
        "active_low", \.button.isActiveLow, .truth, "Whether pressing pulls the line to ground, as usual.",
        example: "true"),
      .setting("bias", \.button.bias, .words("bias"), "The pull resistor of the chip.", example: "pull-up"),
      .setting(
        "glitch", \.button.glitch, .duration(.zero...(.milliseconds(50))), "A change shorter than this is noise.",
        example: "1ms"),
      .setting(
        "lockout", \.button.lockout, .duration(.milliseconds(1)...(.milliseconds(500))),
        "After a change, this long is bounce.", example: "25ms"),
      .optional(
        "settle", \.button.settle, .duration(.milliseconds(1)...(.milliseconds(500))),
        "For noisy cables: a change counts once it has stood this long.", example: "20ms",
        otherwise: "glitch and lockout decide"),
    ]
  }

  private static func gestures() -> [Field<Draft>] {
    [
      .optional(
        "press", \.button.press, .action, "What a press does; at once, unless hold or double is bound too.",
        example: "home +1", otherwise: "nothing"),
      .optional("release", \.button.release, .action, "What letting go does.", example: "horn", otherwise: "nothing"),
      .optional(
        "hold", \.button.hold, .action, "What a long press does.", example: "undo", otherwise: "nothing"),
      .optional(
        "double", \.button.double, .action, "What two quick presses do.", example: "period next",
        otherwise: "nothing"),
      .optional(
        "repeat", \.button.repeated, .action, "What is done again and again while it is held.",
        example: "clock -1s", otherwise: "nothing"),
      .setting(
        "hold_after", \.button.holdAfter, .duration(.milliseconds(200)...(.seconds(10))), "How long a hold is.",
        example: "1500ms"),
      .setting(
        "double_within", \.button.doubleWithin, .duration(.milliseconds(100)...(.seconds(2))),
        "How soon the second press of two must come.", example: "300ms"),
      .setting(
        "repeat_every", \.button.repeatEvery, .duration(.milliseconds(100)...(.seconds(5))),
        "How often a held button repeats.", example: "500ms"),
    ]
  }
}
