import Document

/// Who plays and when; all of it may be told later, by a command.
package struct GameConfig: Hashable, Sendable {
  package struct Team: Hashable, Sendable {
    package var name = ""
    /// The short form; nil means none was given.
    package var code: String?

    package init() {}
  }

  package var home: Team?
  package var away: Team?
  package var start: LocalTime?

  package init() {}

  static func schema() -> Schema<GameConfig> {
    .record(
      GameConfig(),
      [
        .optional(
          "home", \.home, teamSchema(), "The home team.", example: "{name: Riverton, code: riv}",
          otherwise: "named later"),
        .optional(
          "away", \.away, teamSchema(), "The away team.", example: "{name: Harbor City, code: har}",
          otherwise: "named later"),
        .optional(
          "start", \.start, .localTime, "When play is to begin, in the venue's time zone.", example: "2026-12-05T19:00",
          otherwise: "not known"),
      ])
  }

  private static func teamSchema() -> Schema<Team> {
    .record(
      Team(),
      [
        .required("name", \.name, .text(atMost: 60), "The team's name as fans read it.", example: "Riverton"),
        .optional(
          "code", \.code, .name("code", allowed: "1 to 8 letters or digits", pattern: "^[A-Za-z0-9]{1,8}$", isCode),
          "The short form.", example: "riv", otherwise: "none"),
      ])
  }

  private static func isCode(_ text: String) -> Bool {
    (1...8).contains(text.count) && text.allSatisfy { $0.isLetter || $0.isNumber }
  }
}
