internal import Bridge
internal import GameCore
internal import Input
internal import Publishing

// The way from the board to the push service and back, and everything that can go wrong on it.
extension World {
  mutating func send(_ attempt: AblyAttempt) {
    tally.requests += 1
    let push = SeenPush(attempt.request, json: ports.json)
    ably.left(push, body: attempt.request.body, at: clock.elapsed, sinceBoot: lifeBegan)
    tally.note(Array(attempt.request.target.utf8))
    tally.note(attempt.request.body)
    let now = clock.elapsed
    let there = random.milliseconds(10...max(11, Int(faults.slowest.milliseconds / 2)))
    let back = random.milliseconds(10...max(11, Int(faults.slowest.milliseconds / 2)))
    var transfer = Transfer(call: attempt.call, push: push, arrivesAt: nil, answersAt: now + there + back)
    switch fate(of: attempt) {
    case .answered: transfer.arrivesAt = now + there
    case .notSent:
      transfer.answersAt = now + .milliseconds(15)
      transfer.result = .notSent(TransportFault(.notConnected, detail: "nobody listens"))
    case .lost: silence(&transfer, attempt)
    case .answerLost:
      transfer.arrivesAt = now + there
      silence(&transfer, attempt)
    case .late:
      transfer.arrivesAt = now + attempt.timeout + random.milliseconds(100...5_000)
      silence(&transfer, attempt)
    case .throttled:
      let wait = random.below(3) == 0 ? [HTTPHeader("Retry-After", "7")] : []
      transfer.result = .answered(
        ably.answer(429, #"{"error":{"code":42922,"statusCode":429,"message":"too many"}}"#, headers: wait))
    case .portal:
      transfer.result = .answered(
        HTTPResponse(
          status: 200, headers: [HTTPHeader("Content-Type", "text/html")], body: Array("<p>Please log in</p>".utf8)))
    case .garbled(let processed):
      if processed { transfer.arrivesAt = now + there }
      transfer.result = .answered(ably.answer(201, #"{"id":"#))
    case .unavailable(let processed):
      if processed { transfer.arrivesAt = now + there }
      transfer.result = .answered(
        ably.answer(503, #"{"error":{"code":50003,"statusCode":503,"message":"unavailable"}}"#))
    }
    transfers.append(transfer)
  }

  private mutating func silence(_ transfer: inout Transfer, _ attempt: AblyAttempt) {
    transfer.answersAt = clock.elapsed + attempt.timeout
    transfer.result = .ambiguous(TransportFault(.timedOut, detail: "no answer"))
  }

  private mutating func fate(of attempt: AblyAttempt) -> FaultPlan.Fate {
    if isCalm { return .answered }
    if weather.has(.uplinkGone) { return .notSent }
    if weather.has(.uplinkSilent) { return .lost }
    if weather.has(.hostDead), attempt.request.host == "main.realtime.ably.net" { return .notSent }
    return faults.fate(&random)
  }

  /// Requests reach the service, whether or not somebody still waits for the answer.
  mutating func arrive(by now: Duration, _ watch: (SeenPush, Duration) -> Void) {
    for index in transfers.indices {
      guard let at = transfers[index].arrivesAt, at <= now else { continue }
      transfers[index].arrivesAt = nil
      transfers[index].response = ably.arrived(transfers[index].push, at: now, trueWall: clock.trueWall)
      watch(transfers[index].push, now)
    }
    transfers.removeAll { $0.arrivesAt == nil && $0.answersAt == nil }
  }

  /// Answers reach the board.
  mutating func answer(by now: Duration) {
    while let index = transfers.firstIndex(where: { $0.answersAt.map { $0 <= now } ?? false }) {
      let transfer = transfers[index]
      transfers[index].answersAt = nil
      if transfer.arrivesAt == nil { transfers.remove(at: index) }
      let result =
        transfer.result ?? transfer.response.map(TransportResult.answered)
        ?? .ambiguous(TransportFault(.timedOut, detail: "no answer"))
      take(.answered(call: transfer.call, result))
      if engine == nil { return }
    }
  }

  // MARK: - What breaks

  mutating func breakSomething() {
    guard !isCalm, let every = faults.breakEvery else {
      breakAt = nil
      return
    }
    breakAt = clock.elapsed + random.milliseconds(1_000...Int(every.milliseconds * 2))
    tally.troubles += 1
    let kinds = Weather.Trouble.allCases
    let dice = random.below(kinds.count + 1)
    guard kinds.indices.contains(dice) else { return random.happens(percent: 50) ? stepClock() : endOnPurpose() }
    weather.began(kinds[dice], until: clock.elapsed + random.milliseconds(500...120_000))
    if kinds[dice] == .brokerGone { take(.broker(.lost(reason: "gone"))) }
  }

  mutating func recovered(from trouble: Weather.Trouble) {
    switch trouble {
    case .brokerGone: take(.broker(.connected(broker: "simulated", maximumPacketSize: nil)))
    case .uplinkGone: if random.happens(percent: 50) { take(.linkCameUp) }
    case .uplinkSilent, .hostDead, .diskFull, .diskSlow: break
    }
  }

  /// Somebody restarts the daemon, as an update of the program does.
  private mutating func endOnPurpose() {
    guard engine != nil else { return }
    isAskedToEnd = true
    take(.terminate)
  }

  private mutating func stepClock() {
    clockWasWrong = true
    if lifeOwesNumbers { ably.forgiveNumbers(stampsToo: true) }
    clock.wallError += .seconds(random.one(of: [-3600, -20, -2, 3, 40, 3600]))
    syncAt = clock.elapsed + random.milliseconds(1_000...90_000)
  }

  /// The kernel has the true time again.
  mutating func synchronise() {
    syncAt = nil
    clock.wallError = .zero
    take(.clockChecked(isSynchronised: true))
  }
}
