internal import Document
internal import GameCore
internal import Publishing

// What leaves for the service beside the lanes: where apps find the game, and the question what became of pushes.
extension Engine {
  /// At the end of a turn, behind whatever the lanes send. While a lane meets silence, only its probe goes out.
  mutating func tellApps(at now: Moment) {
    guard provider.reachesApps else { return }
    let isSilent = lanes.values.contains { $0.lane.waitsForProbe }
    for place in courts.indices {
      guard !isSilent, let call = courts[place].notice.next(at: now.instant) else { continue }
      perform(provider.tellApps(call, of: place, at: now, random: &random), at: now)
    }
  }

  mutating func courtAnswered(_ place: Int, _ outcome: CallOutcome, at now: Moment) {
    let given = courts[place].notice.answered(outcome.verdict, at: now.instant, random: random.next())
    let fields: KeyValuePairs = [
      "court": courts[place].config.slug, "request": outcome.requestID, "answer": outcome.verdict.summary,
    ]
    if given != nil {
      log(.error, "apps cannot be told of the game: may the key publish on the court's channel?", fields)
    } else {
      log(.debug, "told apps", fields)
    }
  }

  // MARK: - Push log

  mutating func readPushLog(at now: Moment) {
    guard provider.reachesApps else { return }
    pushLog.gameChanged(
      isOn: lanes.values.contains { $0.lane.isOnPhones }, serverTime: now.wall + (provider.clockAheadOfUs ?? .zero),
      at: now.instant)
    guard let call = pushLog.deadlineReached(at: now.instant) else { return }
    perform(provider.readPushLog(call, at: now, random: &random), at: now)
  }

  mutating func pushLogAnswered(_ outcome: CallOutcome, at now: Moment) {
    for notice in pushLog.answered(outcome.verdict, at: now.instant) {
      switch notice {
      case .newReason(let code, let message, let advice):
        log(
          .warning, "an accepted push failed later",
          [
            "code": code.map(String.init) ?? "none", "reason": message, "remedy": advice ?? "none",
            "request": outcome.requestID,
          ])
      case .notPermitted(let message):
        log(
          .warning, "the push log may not be read, so nobody learns why a push failed later",
          [
            "remedy": "give the key history on [meta]log:push, and reload", "answer": message,
            "request": outcome.requestID,
          ])
      }
    }
  }

  func writePushLog(into json: inout JSONWriter) {
    json.key("pushLog")
    json.object { json in
      json.member("state", provider.reachesApps ? pushLog.word : "none")
      json.key("failures")
      json.array { list in
        for reason in pushLog.reasons {
          list.object { json in
            json.member("code", reason.code)
            json.member("reason", reason.message)
            json.member("remedy", reason.advice)
            json.member("count", reason.count)
          }
        }
      }
    }
  }
}
