import LiveContract

/// One push of each kind, built by the code that builds the real ones, so that an example cannot tell anything else.
struct ContractExample {
  var name: String
  var activity: LiveActivityPayload
  var update: LiveUpdatePayload

  static func all(of contract: Contract) -> [ContractExample] {
    [start(contract.attributesType), update(), end()].map { example in
      var example = example
      example.activity.extra = contract.extra
      return example
    }
  }

  private static let attributes = GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City")
  private static let gameID = "bb-20261205-riv-har"
  private static let rules = EventRules()

  private static func start(_ attributesType: String) -> ContractExample {
    let state = GameAttributes.ContentState(
      homeScore: 0, awayScore: 0, gameStatus: .scheduled, period: "Q1", clock: "12:00", lastPlay: "Tip-off soon",
      clockDir: .stop, clockAnchorMs: 0, seq: 1)
    let alert = Alert(title: "Harbor City at Riverton", body: "Tip-off in 10 minutes")
    let event = LiveActivityPayload.Event.start(
      attributesType: attributesType, attributes: attributes, inputPushChannel: "bGlzdGVuLWJiLTAx",
      staleSeconds: 1_796_433_300, alert: alert)
    return ContractExample(
      name: "start",
      activity: LiveActivityPayload(stampSeconds: 1_796_431_800, event: event, state: state, headers: nil),
      update: LiveUpdatePayload(
        event: .start, gameID: gameID, attributes: attributes, state: state, stampMilliseconds: 1_796_431_800_250,
        staleAtMilliseconds: 1_796_433_300_000, alert: alert, fcm: rules.start.fcm))
  }

  private static func update() -> ContractExample {
    let state = GameAttributes.ContentState(
      homeScore: 98, awayScore: 99, gameStatus: .live, period: "Q4", clock: "1:12",
      lastPlay: "HAR #11 three-pointer", clockDir: .down, clockAnchorMs: 1_796_440_620_000, seq: 412)
    return ContractExample(
      name: "update",
      activity: LiveActivityPayload(
        stampSeconds: 1_796_440_548, event: .update(staleSeconds: 1_796_440_968, alert: nil), state: state,
        headers: nil),
      update: LiveUpdatePayload(
        event: .update, gameID: gameID, attributes: attributes, state: state, stampMilliseconds: 1_796_440_548_250,
        staleAtMilliseconds: 1_796_440_968_000, alert: nil, fcm: rules[.basket].fcm))
  }

  private static func end() -> ContractExample {
    let state = GameAttributes.ContentState(
      homeScore: 104, awayScore: 101, gameStatus: .finished, period: "Final", clock: "", lastPlay: "Riverton wins",
      clockDir: .stop, clockAnchorMs: 0, seq: 447)
    return ContractExample(
      name: "end",
      activity: LiveActivityPayload(
        stampSeconds: 1_796_441_040, event: .end(dismissalSeconds: 1_796_442_840), state: state, headers: nil),
      update: LiveUpdatePayload(
        event: .end, gameID: gameID, attributes: attributes, state: state, stampMilliseconds: 1_796_441_040_250,
        staleAtMilliseconds: 1_796_442_840_000, alert: nil, fcm: rules.end.fcm))
  }
}
