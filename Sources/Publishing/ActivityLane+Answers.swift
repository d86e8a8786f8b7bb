import Document
import GameCore
import LiveContract
import Outbox

// What an answer means: for the lane, for the activity, and for the entry that was sent.
extension ActivityLane {
  mutating func answered(
    _ token: AttemptToken, _ verdict: Verdict, unsureAttempts: Int, at moment: Moment, random: UInt64
  ) {
    guard let request = inFlight, request.token == token, outbox.awaits(token) else {
      return ignore("an answer nobody waits for")
    }
    inFlight = nil
    holdReason = verdict.reason
    let outcome: OutboxState.Outcome = stopsBroadcast(verdict, of: request) ? .stopped : outcome(of: verdict)
    outbox.answered(outcome, at: moment.instant, random: random)
    if case .ambiguous = verdict { outbox.becameUnknown() }
    switch request.kind {
    case .create: createAnswered(verdict, unsureAttempts: unsureAttempts, at: moment)
    case .start: startAnswered(verdict, request, at: moment)
    case .update(let entry, let reasons, let alert):
      updateAnswered(verdict, request, entry: entry, reasons: reasons, alert: alert, at: moment)
    case .end: endAnswered(verdict)
    }
    if case .update = request.kind, case .accepted = verdict, finish == nil {
      store.recordChanged(patientlySince: moment.instant)
    } else {
      store.recordChanged()
    }
  }

  /// What the lane does next, whatever was asked.
  private func outcome(of verdict: Verdict) -> OutboxState.Outcome {
    switch verdict {
    case .accepted: .accepted
    case .notSent: .unreachable
    case .ambiguous(.unanswered): .unreachable
    // An answer that names its time is obeyed like a refusal.
    case .ambiguous(.answered(let answer)):
      answer.retryAfter == nil ? .unreachable : .refused(asked: answer.retryAfter, least: answer.leastWait)
    case .refused(let refusal):
      switch refusal.sense {
      case .later: .refused(asked: refusal.retryAfter, least: refusal.leastWait)
      case .locked: .locked
      case .stopped: .stopped
      case .gone, .never: .parked
      }
    }
  }

  // MARK: Create and start

  private mutating func createAnswered(_ verdict: Verdict, unsureAttempts: Int, at moment: Moment) {
    // Also a call that succeeded in the end may have left a channel at a host that did not answer.
    noteLeaks(unsureAttempts)
    switch verdict {
    case .accepted(.created(let broadcast)):
      lifecycle.created(broadcast, at: moment)
      store.recordChanged()
      store.holdUpdatesUntilDurable()
    case .refused(let refusal) where refusal.sense == .gone || refusal.sense == .never:
      lifecycle.createFailed()
      die(refusal.saysFull ? .channelLimit : .createRefused, refusal.text)
    // What a later host says tells nothing of an earlier one's silence.
    case .notSent where unsureAttempts == 0, .refused where unsureAttempts == 0: lifecycle.createFailed()
    // An answer without both names is no answer.
    case .accepted, .ambiguous, .notSent, .refused:
      if unsureAttempts == 0 { noteLeaks(1) }
      lifecycle.createUnanswered()
      if let reason = lifecycle.deadReason { die(reason, verdict.reason ?? "no answer") }
    }
  }

  private mutating func noteLeaks(_ count: Int) {
    guard count > 0 else { return }
    lifecycle.channelsMayHaveLeaked(count)
    notices.append(.channelMayHaveLeaked(total: lifecycle.leakedChannels))
  }

  private mutating func startAnswered(_ verdict: Verdict, _ request: InFlight, at moment: Moment) {
    switch verdict {
    case .accepted:
      lifecycle.startAccepted(at: moment)
      accepted = request.state
      holdFirstUpdate(at: moment.instant)
    case .ambiguous:
      lifecycle.startUnanswered(at: moment)
      accepted = nil
      holdFirstUpdate(at: moment.instant)
      // On Android any update makes the card, so the newest state is told under a number of its own.
      if sink == .ablyAndroid { tellAgain(at: moment) }
    case .notSent: lifecycle.startNotSent()
    case .refused(let refusal):
      switch refusal.sense {
      case .later:
        lifecycle.startPostponed(reason: "start refused twice: \(refusal.text)")
        if case .skipped(let reason) = lifecycle.start { skipStart(reason) }
      case .locked: lifecycle.startNotSent()
      case .gone where sink == .ablyIOS: die(.gone, refusal.text)
      case .gone, .stopped, .never: skipStart("start refused: \(refusal.text)")
      }
    }
  }

  /// A broadcast that overtakes the start finds no tile.
  private mutating func holdFirstUpdate(at now: Instant) {
    if sink == .ablyIOS { updatesFrom = now + .seconds(2) }
  }

  // MARK: Update

  private mutating func updateAnswered(
    _ verdict: Verdict, _ request: InFlight, entry: Int64?, reasons: [UpdateKind], alert: String?, at moment: Moment
  ) {
    switch verdict {
    case .accepted:
      accepted = request.state
      refused = nil
      isCatchingUp = false
      if waiting == nil { oldestUntold = nil }
      if let entry { store.set(entry, .accepted) }
      lifecycle.updateAccepted()
      if finish == .afterSettling, isSame(request.state, newest) { lifecycle.finalAccepted(at: moment.instant) }
      return
    case .ambiguous:
      accepted = nil
      sendAgain(request, entry: entry, reasons: reasons, mayRepeat: alert == nil, isUnknown: true)
    case .notSent:
      dropFailedAlert(alert)
      sendAgain(request, entry: entry, reasons: reasons, mayRepeat: alert == nil)
    case .refused(let refusal):
      dropFailedAlert(alert)
      switch refusal.sense {
      case .gone where sink == .ablyIOS: die(.gone, refusal.text)
      case .gone, .never:
        refused = request.state
        if let entry {
          store.set(entry, .parked(reason: refusal.text))
          notices.append(.parked(entry: entry, reason: refusal.text))
        }
      case .later, .locked, .stopped: sendAgain(request, entry: entry, reasons: reasons, mayRepeat: alert == nil)
      }
    }
    isCatchingUp = true
  }

  /// The attempt failed before anybody could hear it; by the next one it would be a retry, and retries never ring.
  private mutating func dropFailedAlert(_ id: String?) {
    if let id { drop([AlertQueue.Dropped(id: id, reason: "the attempt failed")]) }
  }

  /// The newest state is due again: the failed one if nothing newer waits, and then on Android as the same bytes.
  private mutating func sendAgain(
    _ request: InFlight, entry: Int64?, reasons: [UpdateKind], mayRepeat: Bool,
    isUnknown: Bool = false
  ) {
    if let newer = waiting?.entry {
      if let entry {
        store.set(entry, isUnknown ? .unknown(reason: holdReason ?? "no answer") : .superseded(by: newer))
      }
      return
    }
    waiting = WaitingState(again: newest ?? request.state, entry: entry ?? 0, reasons: reasons, wait: .zero)
    if sink == .ablyAndroid, mayRepeat, isSame(request.state, newest) { repeatable = request }
  }

  // MARK: End

  private mutating func endAnswered(_ verdict: Verdict) {
    switch verdict {
    case .accepted: lifecycle.ended()
    case .notSent, .ambiguous: break
    case .refused(let refusal):
      switch refusal.sense {
      case .gone: lifecycle.ended()
      case .later, .locked, .stopped: break
      case .never:
        // Phones have shown its state, so what can be wrong is the one thing that it adds.
        if lifecycle.endIntent?.dismissal != nil, lifecycle.broadcast != nil { return lifecycle.endsWithoutDismissal() }
        if lifecycle.broadcast != nil { noteLeaks(1) }
        die(.endRefused, refusal.text)
      }
    }
  }

  private mutating func die(_ reason: DeadReason, _ detail: String) {
    lifecycle.died(reason)
    clearForEnd(reason: reason.rawValue)
    notices.append(.died(reason, detail: detail))
  }
}

extension Refusal {
  /// What a refusal is good for.
  package enum Sense: Hashable, Sendable {
    case later
    /// The key is not accepted.
    case locked
    /// This channel is closed to us until somebody changes a setting at the provider.
    case stopped
    case gone
    case never
  }

  package var sense: Sense {
    if saysGone { return .gone }
    switch action {
    case .fallback, .retry: return .later
    case .reauthenticate, .stopAll: return .locked
    case .stopChannel, .stopPush: return .stopped
    case .stopStarts, .drop, .bug: return status == 429 ? .later : .never
    }
  }

  /// Apple's ten thousand channels are used up.
  var saysFull: Bool { message.holds("CannotCreateChannelConfig") }

  /// For the log and for status.
  package var text: String {
    let said = "\(code.map(String.init) ?? "no code"), status \(status): \(message)"
    return AblyErrors.advice(code: code, status: status, message: message).map { "\(said) (\($0))" } ?? said
  }
}

extension Verdict {
  /// Why it did not succeed; nil when it did.
  var reason: String? {
    switch self {
    case .accepted: nil
    case .notSent(let fault): "not sent: \(fault.reason.rawValue), \(fault.detail)"
    case .refused(let refusal): "refused: \(refusal.text)"
    case .ambiguous(.unanswered(let fault)): "no answer: \(fault.reason.rawValue), \(fault.detail)"
    case .ambiguous(.answered(let refusal)): "unclear answer: \(refusal.text)"
    }
  }
}
