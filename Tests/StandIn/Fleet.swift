package import GameCore

/// The phones of all fans, and what Apple and Google keep for those that are offline.
package struct Fleet: Sendable {
  private struct AppleChannel: Sendable {
    var policy: Int
    /// The newest broadcast, kept for phones that are offline when the channel has storage policy 1.
    var stored: (body: JSON, until: Int64)?
    var deleted = false
  }

  package private(set) var iPhones: [IPhone] = []
  package private(set) var androids: [AndroidPhone] = []
  private var channels: [String: AppleChannel] = [:]

  package mutating func add(_ phone: IPhone) { iPhones.append(phone) }
  package mutating func add(_ phone: AndroidPhone) { androids.append(phone) }

  package subscript(iPhone deviceID: String) -> IPhone? { iPhones.first { $0.deviceID == deviceID } }
  package subscript(android deviceID: String) -> AndroidPhone? { androids.first { $0.deviceID == deviceID } }

  /// Lets a test touch one phone, as its owner would.
  package mutating func change(iPhone deviceID: String, _ body: (inout IPhone) -> Void) {
    for index in iPhones.indices where iPhones[index].deviceID == deviceID { body(&iPhones[index]) }
  }

  package mutating func change(android deviceID: String, _ body: (inout AndroidPhone) -> Void) {
    for index in androids.indices where androids[index].deviceID == deviceID { body(&androids[index]) }
  }

  package mutating func goOffline(_ deviceID: String) { setOnline(deviceID, false) }

  /// Back in the net: Apple hands over what it stored, Google what has not expired.
  package mutating func comeOnline(_ deviceID: String, at now: WallTime) {
    setOnline(deviceID, true)
    for index in iPhones.indices where iPhones[index].deviceID == deviceID {
      for (name, channel) in channels {
        guard let stored = channel.stored, now.seconds < stored.until else { continue }
        deliver(stored.body, on: name, to: index, at: now)
      }
    }
    for index in androids.indices where androids[index].deviceID == deviceID {
      let held = androids[index].held
      androids[index].held = []
      for message in held where now < message.until {
        androids[index].receive(message.data, isUrgent: message.isUrgent, at: now)
      }
    }
  }

  private mutating func setOnline(_ deviceID: String, _ online: Bool) {
    for index in iPhones.indices where iPhones[index].deviceID == deviceID { iPhones[index].isOnline = online }
    for index in androids.indices where androids[index].deviceID == deviceID { androids[index].isOnline = online }
  }

  // MARK: - What the service hands over

  mutating func open(_ appleChannel: String, policy: Int) { channels[appleChannel] = AppleChannel(policy: policy) }

  mutating func close(_ appleChannel: String) { channels[appleChannel]?.deleted = true }

  mutating func start(_ body: JSON, at now: WallTime) {
    guard let aps = body["apns"]?["aps"] else { return }
    let named = Set((body["channels"]?.elements ?? []).compactMap(\.string))
    let device = body["deviceId"]?.string
    let exists = aps["input-push-channel"]?.string.map { channels[$0]?.deleted == false } ?? false
    for index in iPhones.indices where iPhones[index].isOnline {
      guard device == iPhones[index].deviceID || named.contains(where: { follows(iPhones[index].channels, $0) }) else {
        continue
      }
      iPhones[index].start(aps, channelExists: exists, at: now)
    }
  }

  mutating func broadcast(_ appleChannel: String, _ body: JSON, at now: WallTime) {
    for index in iPhones.indices where iPhones[index].isOnline {
      deliver(body, on: appleChannel, to: index, at: now)
    }
    guard channels[appleChannel]?.policy == 1, let text = body["headers"]?["apns-expiration"]?.string,
      let expiration = Int64(text)
    else { return }
    channels[appleChannel]?.stored = (body, min(expiration, now.seconds + 8 * 3_600))
  }

  private mutating func deliver(_ body: JSON, on appleChannel: String, to index: Int, at now: WallTime) {
    guard let aps = body["apns"]?["aps"] else { return }
    iPhones[index].broadcast(appleChannel, aps, priority: body["headers"]?["apns-priority"]?.string, at: now)
  }

  mutating func message(on channel: String, _ push: JSON, at now: WallTime) {
    for index in androids.indices where follows(androids[index].channels, channel) { hand(push, to: index, at: now) }
  }

  mutating func message(to deviceID: String, _ push: JSON, at now: WallTime) {
    for index in androids.indices where androids[index].deviceID == deviceID { hand(push, to: index, at: now) }
  }

  /// Data to a phone, or into FCM's store until its time to live is over.
  private mutating func hand(_ push: JSON, to index: Int, at now: WallTime) {
    guard let data = push["data"] else { return }
    let isUrgent = push["fcm"]?["priority"]?.string == "HIGH"
    guard !androids[index].isOnline else { return androids[index].receive(data, isUrgent: isUrgent, at: now) }
    let life = push["fcm"]?["ttl"]?.string.flatMap { Int64($0.dropLast()) } ?? 28 * 86_400
    androids[index].held.append((data, isUrgent, now + .seconds(life)))
  }
}

/// Whether one of these subscriptions means this channel. One that ends in a star means all that begin so: a fan who
/// subscribes to every game there is.
private func follows(_ subscriptions: Set<String>, _ channel: String) -> Bool {
  subscriptions.contains(channel)
    || subscriptions.contains { $0.last == "*" && channel.hasPrefix($0.dropLast()) }
}
