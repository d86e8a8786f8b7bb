package import Document
package import Publishing

/// All that a person decides about one daemon. Made from a document by `decode`, which checks everything that can be
/// known without touching the world; secrets and the zone's data are looked up by whoever loads the file.
package struct Config: Hashable, Sendable {
  package var venue = VenueConfig()
  /// Nothing leaves for phones; each push is shown instead. Also true when no provider is named.
  package var isRehearsal = true
  /// Nil means `$STATE_DIRECTORY`, else `/var/lib/scoreboard-bridge`.
  package var stateDirectory: String?
  package var ably: AblyConfig?
  package var mqtt: MQTTConfig?
  package var http: HTTPConfig?
  package var contract = Contract.standard
  package var texts: [TextTemplate] = []
  package var courts: [CourtConfig] = []

  package init() {}

  /// What every topic begins with.
  package var topicPrefix: String { mqtt?.topicPrefix ?? "scoreboard/\(venue.slug)" }

  /// The fixed channel where apps find a court's game.
  package func courtChannel(of court: CourtConfig) -> String {
    court.phones.courtChannel ?? "scoreboard:\(venue.slug):\(court.slug)"
  }

  /// The config when nothing is wrong with it, and every problem and warning in the order of the file.
  package static func decode(
    _ document: Node, checks: ConfigChecks = ConfigChecks()
  ) -> (config: Config?, issues: [DocumentIssue]) {
    let decoded = schema(checks).decode(document)
    return (decoded.value, decoded.issues)
  }

  /// The reference page, from the same description as the decoder.
  package static func reference() -> String {
    SchemaReference.markdown(
      for: schema(ConfigChecks()).shape, title: "Every setting",
      introduction: """
        Made by `scoreboard-bridge check --reference`; do not edit.

        The file is YAML with maps, lists and texts: no tags, no merge keys, one document. Every value is text until its
        key says otherwise, so `no`, `012` and `22:30` are what they look like. Durations carry their unit: `25ms`, `3s`,
        `10m`, `2h`, `7h30m`. Truth is `true` or `false`. Secrets are never in the file; it says where they are kept.
        """)
  }

  /// The JSON schema for editors, from the same description as the decoder.
  package static func editorSchema() -> [UInt8] {
    JSONIndentation.indented(
      EditorSchema.json(for: schema(ConfigChecks()).shape, title: "scoreboard-bridge config"))
  }
}

extension Config {
  private struct Draft {
    var config = Config()
    var rehearsal = false
  }

  static func schema(_ checks: ConfigChecks) -> Schema<Config> {
    Schema.record(Draft(), whoWeAre() + whereItGoes(checks) + [courts(checks)]).converted { draft, node, decoding in
      var config = draft.config
      config.isRehearsal = draft.rehearsal || config.ably == nil
      if node["rehearsal"]?.text == "false", node["ably"] == nil {
        decoding.inside(key: "rehearsal") { decoding in
          decoding.problem(
            "this is not a rehearsal, but no provider is named", at: node["rehearsal"]?.position ?? node.position,
            remedy: "Add ably: with its key, or remove rehearsal: false")
        }
      }
      ConfigOwners(venue: config.venue).check(node, &decoding)
      return config
    }
  }

  private static func whoWeAre() -> [Field<Draft>] {
    [
      .required(
        "venue", \.config.venue, VenueConfig.schema(), "The house.", example: "{name: Riverside Arena}"),
      .setting(
        "rehearsal", \.rehearsal, .truth, "Shows each push instead of sending it, even when a provider is named.",
        example: "true", otherwise: "`false`; without a provider it is always a rehearsal"),
      .optional(
        "state_directory", \.config.stateDirectory, .path,
        "Where games and unsent pushes are kept; relative to the directory that the daemon starts in.",
        example: "/var/lib/scoreboard-bridge", otherwise: "`$STATE_DIRECTORY`, else `/var/lib/scoreboard-bridge`"),
    ]
  }

  private static func whereItGoes(_ checks: ConfigChecks) -> [Field<Draft>] {
    [
      .optional(
        "ably", \.config.ably, AblyConfig.schema(), "The push service.", example: "{key: {credential: ably-key}}",
        otherwise: "a rehearsal: nothing is sent"),
      .optional(
        "mqtt", \.config.mqtt, MQTTConfig.schema(), "Commands in, state and status out.",
        example: "{brokers: [{host: 127.0.0.1}]}", otherwise: "no MQTT"),
      .optional(
        "http", \.config.http, HTTPConfig.schema(), "The local server where apps find the game.",
        example: "{port: 8080}",
        otherwise: "no server"),
      .setting(
        "contract", \.config.contract, ContractConfig.schema(), "What the fan's app decodes.",
        example: "{attributes_type: GameAttributes}", otherwise: "the contract of LiveContract"),
      .setting(
        "texts", \.config.texts, TextTemplate.schema(checks), "Sentences for fans: language, key, sentence.",
        example: "{en: {goalTitle: 'GOAL {name}!'}}", otherwise: "the built-in ones"),
    ]
  }

  private static func courts(_ checks: ConfigChecks) -> Field<Draft> {
    .required(
      "courts", \.config.courts, .list(of: CourtConfig.schema(checks), count: 1...32),
      "The courts, each with its game.",
      example: "[{name: Main court, sport: basketball}]")
  }
}
