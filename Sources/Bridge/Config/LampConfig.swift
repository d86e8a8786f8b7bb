import Document

/// A lamp or a buzzer: an output that tells the table what became of a press.
package struct LampConfig: Hashable, Sendable {
  package enum Receipt: String, CaseIterable, Hashable, Sendable {
    case counted, storing, trouble, sent, stored, ready, practice
    case heldAtBoot = "held-at-boot"
  }

  package var name = ""
  package var address = LineAddress(chip: nil, line: .name(""))
  package var isActiveLow = false
  package var shows: [Receipt] = []

  package init() {}

  private struct Draft {
    var lamp = LampConfig()
    var place = LineDraft()
  }

  static func schema() -> Schema<LampConfig> {
    Schema.record(
      Draft(),
      [.required("name", \.lamp.name, .label, "What operators call it.", example: "counted")]
        + LineDraft.fields(\.place) + [
          .setting(
            "active_low", \.lamp.isActiveLow, .truth, "Whether the lamp is lit when the line is at ground.",
            example: "false"),
          .required(
            "shows", \.lamp.shows, .list(of: .words("receipt"), count: 1...8), "The receipts it shows.",
            example: "[counted, trouble]"),
        ]
    ).converted { draft, node, decoding in
      var lamp = draft.lamp
      lamp.address = draft.place.address(node, &decoding)
      return lamp
    }
  }
}

/// The keys that say which line is meant; buttons and lamps have the same.
struct LineDraft {
  var chip: String?
  var line: String?
  var offset: UInt16?

  static func fields<Root>(_ path: WritableKeyPath<Root, LineDraft>) -> [Field<Root>] {
    [
      .optional(
        "line", path.appending(path: \.line),
        .name("line", allowed: "a line's name of at most 31 characters", pattern: "^[!-~]{1,31}$") { text in
          (1...31).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        }, "The line's name, as gpioinfo shows it.", example: "GPIO17", otherwise: "offset says which"),
      .optional(
        "chip", path.appending(path: \.chip), .label, "The chip's label or path.", example: "pinctrl-rp1",
        otherwise: "the chip that has a line of this name"),
      .optional(
        "offset", path.appending(path: \.offset), .integer(0...1023),
        "The line's number on its chip, where lines have no names; it may change with a kernel.", example: "17",
        otherwise: "line says which"),
    ]
  }

  func address(_ node: Node, _ decoding: inout Decoding) -> LineAddress {
    let given = ["line", "offset"].filter { node[$0] != nil }
    if given.count != 1 {
      decoding.problem(
        given.isEmpty ? "nothing says which line is meant" : "both line and offset are given", at: node.position,
        remedy: "Give line: and its name, or chip: and offset: where lines have no names")
    }
    if let offset {
      if chip == nil {
        decoding.problem(
          "an offset without its chip", at: node["offset"]?.position ?? node.position,
          remedy: "Give chip: and its label, as gpiodetect shows it")
      } else {
        decoding.warning(
          "the line is given by its number", at: node["offset"]?.position ?? node.position,
          remedy: "Where the line has a name, line: survives kernel updates")
      }
      return LineAddress(chip: chip, line: .offset(offset))
    }
    return LineAddress(chip: chip, line: .name(line ?? ""))
  }
}
