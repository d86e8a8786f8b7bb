internal import Document
package import Input

/// A scoreboard that speaks on the broker: which topic and which member is which field.
package struct MQTTBoardConfig: Hashable, Sendable {
  package var name = ""
  package var places: [MQTTBoard.Place] = []
  /// After this silence phones are told that the feed is lost.
  package var lostAfter = Duration.seconds(120)

  package init() {}
}

/// A button that speaks on the broker, and what its maker's words do.
package struct MQTTButtonConfig: Hashable, Sendable {
  package struct Action: Hashable, Sendable {
    package var word: String
    package var action: String
  }

  package var name = ""
  package var maker = MQTTButton.Maker.zigbee2MQTT
  package var topic = ""
  package var input: UInt8?
  package var actions: [Action] = []

  package init() {}
}

extension Schema where Value == String {
  /// A topic of somebody else's: blanks and `$` are theirs to use.
  static var foreignTopic: Schema {
    .name("topic", allowed: "one topic, without # and +", pattern: "^[^#+]{1,256}$") { text in
      !text.isEmpty && text.utf8.count <= 256 && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != 35 && $0 != 43 }
    }
  }
}

extension MQTTBoardConfig {
  private struct Draft {
    var name = ""
    var fields: [(key: String, value: PlaceDraft)] = []
    var lostAfter = MQTTBoardConfig().lostAfter
  }

  private struct PlaceDraft {
    var topic = ""
    var path: String?
  }

  static func schema() -> Schema<MQTTBoardConfig> {
    let names = MQTTBoard.Field.allCases.map(\.rawValue)
    let field = Schema<String>.name(
      "field", allowed: "one of: \(names.joined(separator: ", "))", pattern: "^(\(names.joined(separator: "|")))$",
      names.contains)
    return Schema.record(
      Draft(),
      [
        .required("name", \.name, .label, "What operators call it.", example: "hall board"),
        .required(
          "fields", \.fields, .map(field, placeSchema(), atMost: names.count), "Where each field of the board stands.",
          example: "{home_score: {topic: hall/board, path: home.score}}"),
        .setting(
          "lost_after", \.lostAfter, .duration(.seconds(3)...(.seconds(3600))),
          "After this silence fans are told that the feed is lost; longer than the board is ever silent.",
          example: "2m"),
      ]
    ).converted { draft, node, decoding in
      var board = MQTTBoardConfig()
      board.name = draft.name
      board.lostAfter = draft.lostAfter
      board.places = draft.fields.compactMap { entry in
        MQTTBoard.Field(rawValue: entry.key).map {
          MQTTBoard.Place(
            $0, topic: entry.value.topic, path: entry.value.path?.split(separator: ".").map(String.init) ?? [])
        }
      }
      if board.places.isEmpty {
        decoding.problem(
          "the board has no field", at: node.position, remedy: "Possible are: \(names.joined(separator: ", "))")
      }
      return board
    }
  }

  private static func placeSchema() -> Schema<PlaceDraft> {
    .record(
      PlaceDraft(),
      [
        .required("topic", \.topic, .foreignTopic, "The topic that carries it.", example: "hall/board"),
        .optional(
          "path", \.path, .text(atMost: 200),
          "The members that lead to it in a JSON message, with dots; a digit is a place in a list.",
          example: "teams.0.score", otherwise: "the whole message, as plain text"),
      ])
  }
}

extension MQTTButtonConfig {
  private struct Draft {
    var button = MQTTButtonConfig()
    var actions: [(key: String, value: String)] = []
  }

  static func schema() -> Schema<MQTTButtonConfig> {
    let word = Schema<String>.name(
      "word", allowed: "a word of the maker's, such as single", pattern: "^[!-~]{1,64}$"
    ) { text in
      !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }
    return Schema.record(
      Draft(),
      [
        .required("name", \.button.name, .label, "What operators call it.", example: "home remote"),
        .required("maker", \.button.maker, .words("maker"), "Whose messages these are.", example: "zigbee2mqtt"),
        .required(
          "topic", \.button.topic, .foreignTopic, "The topic on which it says that it was pressed.",
          example: "zigbee2mqtt/home remote"),
        .optional(
          "input", \.button.input, .integer(0...63), "Which of the device's inputs or buttons, as its maker counts.",
          example: "0", otherwise: "1 for Tasmota, 0 for Shelly; the others have one topic each"),
        .required(
          "actions", \.actions, .map(word, .action, atMost: 32),
          "What the maker's words do: single, SS, long_push, HOLD, on. A long press may do what a short one must not.",
          example: "{single: home +1, hold: undo}"),
      ]
    ).converted { draft, node, decoding in
      var button = draft.button
      button.actions = draft.actions.map { Action(word: $0.key, action: $0.value) }
      if button.actions.isEmpty {
        decoding.problem(
          "the button does nothing", at: node.position, remedy: "Give a word and what it does, such as: single: home +1"
        )
      }
      return button
    }
  }
}

extension Arbiter.Settings {
  static func schema() -> Schema<Arbiter.Settings> {
    .record(
      Arbiter.Settings(),
      [
        .setting(
          "score", \.score, .words("source"),
          "Who has the score, fouls and the like. `anyone`: the first feed to speak, and people always.",
          example: "console"),
        .setting("clock", \.clock, .words("source"), "Who has the clocks.", example: "console"),
        .setting("period", \.period, .words("source"), "Who has the period.", example: "anyone"),
        .setting(
          "take_over_after", \.takeOverAfter, .duration(.seconds(2)...(.seconds(600))),
          "After this silence of a feed another takes its place. Buttons are never replaced.", example: "20s"),
      ])
  }
}
