internal import GameCore
package import Publishing

/// A push that a rehearsal did not send, and what a fan would have had of it.
package struct RehearsedPush: Hashable, Sendable {
  /// As it would have left, cut to size and with the app's own keys.
  package var call: AblyCall
  /// Nil where no phone hears of it.
  package var outcome: PhoneOutcome?
  /// What is on the phone afterwards.
  package var views: [FanView] = []
}

/// In the service's place when there is none: everything happens but the wire. Each lane has one modelled phone, which
/// decodes by the app's contract, so that a push that a phone would drop is seen to be dropped.
struct Rehearsal: Sendable {
  private var settings: AblySettings
  private let json: JSONParse
  private var broadcasts = 0
  private var iPhones: [LaneID: Phone] = [:]
  private var androids: [LaneID: AndroidPhone] = [:]

  init(_ settings: AblySettings, json: @escaping JSONParse) {
    self.settings = settings
    self.json = json
  }

  /// Other settings for the same phones.
  mutating func adopt(_ other: Rehearsal) { settings = other.settings }

  /// Answers at once. A call that the service's client would refuse is refused here, and reaches no phone.
  mutating func ask(
    _ call: AblyCall, from lane: LaneID, identity: CallIdentity, at now: WallTime
  ) -> (push: RehearsedPush?, verdict: Verdict) {
    let call = call.prepared(for: settings.contract)
    do throws(LocalRefusal) {
      _ = try AblyRequest(call, settings: settings, identity: identity)
    } catch {
      return (nil, .refused(error.refusal))
    }
    var push = RehearsedPush(call: call, outcome: nil)
    let newPhone = Phone(contract: settings.contract)
    switch call {
    case .create(let policy):
      broadcasts += 1
      let name = "rehearsal-\(broadcasts)"
      let broadcast = Broadcast(id: name, apnsChannelID: Base64.standard.encode(name.utf8), policy: policy)
      return (push, .accepted(.created(broadcast)))
    case .start(_, _, let payload):
      guard let apns = json(payload.apnsJSON()) else { break }
      push.outcome = iPhones[lane, default: newPhone].receiveStart(apns: apns, at: now)
      push.views = iPhones[lane]?.views(at: now) ?? []
    case .update(let broadcast, let payload), .end(let broadcast, let payload):
      guard let apns = json(payload.apnsJSON()) else { break }
      push.outcome = iPhones[lane, default: newPhone].receiveBroadcast(
        channel: broadcast.apnsChannelID, apns: apns, priority: payload.headers?.priority.rawValue, at: now)
      push.views = iPhones[lane]?.views(at: now) ?? []
    case .publish(_, let messages):
      for message in messages { if let object = message.push { hand(object, to: lane, &push, at: now) } }
    case .publishToDevice(_, let payload), .publishToDevices(_, let payload):
      hand(payload.push, to: lane, &push, at: now)
    case .time, .pushLog, .requestToken: break
    }
    return (push, .accepted(.plain))
  }

  /// The phone's owner has no use for a lane that is gone.
  mutating func forget(_ lane: LaneID) {
    iPhones[lane] = nil
    androids[lane] = nil
  }

  private mutating func hand(_ object: PushObject, to lane: LaneID, _ push: inout RehearsedPush, at now: WallTime) {
    var data: [String: String] = [:]
    for datum in object.data { data[datum.key] = datum.value.text }
    push.outcome = androids[lane, default: AndroidPhone()].receive(data: data, at: now)
    push.views = androids[lane]?.view(at: now).map { [$0] } ?? []
  }
}

extension RehearsedPush {
  /// What the fan makes of it, in one line; nil where no phone hears of it.
  package var seen: String? {
    guard let outcome else { return nil }
    let screen = views.isEmpty ? "nothing on the screen" : views.map(\.line).joined(separator: " + ")
    switch outcome {
    case .shown: return screen
    case .alerted: return "\(screen) · rings"
    case .throttled: return "held back: too many urgent pushes within the hour; still \(screen)"
    case .dropped(let reason): return "dropped by the phone: \(reason); still \(screen)"
    }
  }
}
