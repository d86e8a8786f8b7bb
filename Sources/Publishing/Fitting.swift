import LiveContract

/// A text that may be cut, and what a cut of it is measured by.
private struct Cut<Payload> {
  /// How many bytes too many there are in whatever this text is part of.
  var excess: (Payload) -> Int
  var text: WritableKeyPath<Payload, String>
  /// Names must not become blank: a phone drops a push without them.
  var keepsSomething = false
}

extension Cut {
  func apply(to payload: inout Payload, cost: (Character) -> Int) {
    let excess = excess(payload)
    guard excess > 0 else { return }
    let text = payload[keyPath: text]
    let shorter = shortened(text, by: excess, cost: cost)
    payload[keyPath: self.text] = shorter.isEmpty && keepsSomething ? initial(text) : shorter
  }

  private func initial(_ text: String) -> String {
    guard let first = text.first else { return text }
    return first.utf8.count <= 32 ? String(first) : String(first.unicodeScalars.prefix(1))
  }
}

/// The beginning of a text with an ellipsis, at least `excess` bytes shorter, cut between two characters.
func shortened(_ text: String, by excess: Int, cost: (Character) -> Int) -> String {
  let ellipsis = "…"
  let room = text.reduce(0) { $0 + cost($1) } - excess - ellipsis.utf8.count
  var used = 0
  var end = text.startIndex
  while end < text.endIndex {
    used += cost(text[end])
    guard used <= room else { break }
    end = text.index(after: end)
  }
  return end == text.startIndex ? "" : text[..<end] + ellipsis
}

/// The bytes of a character inside a JSON text.
func costInJSON(_ character: Character) -> Int {
  character.utf8.reduce(0) { sum, byte in
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: sum + 2
    case 0..<0x20: sum + 6
    default: sum + 1
    }
  }
}

extension LiveActivityPayload {
  /// The same push with its free texts cut until it fits: the last play first, then the alert's body, then the names.
  /// Numbers, period and clock are never touched; what is still too large is refused when it is asked to be sent.
  package func fitted(to limits: SizeLimits = .ours) -> LiveActivityPayload {
    func payload(_ it: LiveActivityPayload) -> Int {
      it.apnsJSON().count - (it.attributes == nil ? limits.broadcastPayload : limits.startPayload)
    }
    func shown(_ it: LiveActivityPayload) -> Int {
      it.stateJSON().count + (it.attributes?.json().count ?? 0) - limits.attributesAndState
    }
    func state(_ it: LiveActivityPayload) -> Int { it.stateJSON().count - limits.state }

    var cuts = [Cut<LiveActivityPayload>(excess: { max(payload($0), shown($0), state($0)) }, text: \.state.lastPlay)]
    if alert != nil { cuts.append(Cut(excess: payload, text: \.alertBody)) }
    if let attributes {
      let names: [WritableKeyPath<LiveActivityPayload, String>] =
        attributes.homeTeam.utf8.count >= attributes.awayTeam.utf8.count
        ? [\.homeTeam, \.awayTeam] : [\.awayTeam, \.homeTeam]
      cuts += names.map { Cut(excess: { max(payload($0), shown($0)) }, text: $0, keepsSomething: true) }
    }
    if alert != nil { cuts.append(Cut(excess: payload, text: \.alertTitle, keepsSomething: true)) }

    var fitted = self
    for cut in cuts { cut.apply(to: &fitted, cost: costInJSON) }
    return fitted
  }

  private var alertTitle: String {
    get { alert?.title ?? "" }
    set { change(alert: { $0.title = newValue }) }
  }

  private var alertBody: String {
    get { alert?.body ?? "" }
    set { change(alert: { $0.body = newValue }) }
  }

  private var homeTeam: String {
    get { attributes?.homeTeam ?? "" }
    set { change(attributes: { $0.homeTeam = newValue }) }
  }

  private var awayTeam: String {
    get { attributes?.awayTeam ?? "" }
    set { change(attributes: { $0.awayTeam = newValue }) }
  }

  private mutating func change(
    attributes changeAttributes: (inout GameAttributes) -> Void = { _ in },
    alert changeAlert: (inout Alert) -> Void = { _ in }
  ) {
    switch event {
    case .start(let type, var attributes, let channel, let stale, var alert):
      changeAttributes(&attributes)
      changeAlert(&alert)
      event = .start(
        attributesType: type, attributes: attributes, inputPushChannel: channel, staleSeconds: stale, alert: alert)
    case .update(let stale, let alert):
      guard var alert else { return }
      changeAlert(&alert)
      event = .update(staleSeconds: stale, alert: alert)
    case .end: break
    }
  }
}

extension AblyCall {
  /// The call as it leaves: with the keys that only this app has, and every text cut until it fits.
  package func prepared(for contract: Contract) -> AblyCall { adding(contract.extra).fitted }

  private var fitted: AblyCall {
    switch self {
    case .start(let broadcast, let audience, let payload): .start(broadcast, audience: audience, payload.fitted())
    case .update(let broadcast, let payload): .update(broadcast, payload.fitted())
    case .end(let broadcast, let payload): .end(broadcast, payload.fitted())
    case .publishToDevice(let id, let payload): .publishToDevice(id: id, payload.fitted())
    case .publishToDevices(let ids, let payload): .publishToDevices(ids: ids, payload.fitted())
    case .create, .publish, .time, .pushLog, .requestToken: self
    }
  }

  private func adding(_ extra: [Contract.Extra]) -> AblyCall {
    func added(_ payload: LiveActivityPayload) -> LiveActivityPayload {
      var payload = payload
      payload.extra = extra
      return payload
    }
    return switch self {
    case .start(let broadcast, let audience, let payload): .start(broadcast, audience: audience, added(payload))
    case .update(let broadcast, let payload): .update(broadcast, added(payload))
    case .end(let broadcast, let payload): .end(broadcast, added(payload))
    case .publishToDevice, .publishToDevices, .create, .publish, .time, .pushLog, .requestToken: self
    }
  }
}

extension LiveUpdatePayload {
  /// The same message with its free texts cut until its data fits, in the order in which the iOS push is cut.
  package func fitted(to limit: Int = SizeLimits.ourFCMData) -> LiveUpdatePayload {
    func excess(_ it: LiveUpdatePayload) -> Int { it.push.dataBytes - limit }
    var cuts = [Cut<LiveUpdatePayload>(excess: excess, text: \.state.lastPlay)]
    if alert != nil { cuts.append(Cut(excess: excess, text: \.alertBody)) }
    let names: [WritableKeyPath<LiveUpdatePayload, String>] =
      attributes.homeTeam.utf8.count >= attributes.awayTeam.utf8.count
      ? [\.attributes.homeTeam, \.attributes.awayTeam] : [\.attributes.awayTeam, \.attributes.homeTeam]
    cuts += names.map { Cut(excess: excess, text: $0, keepsSomething: true) }
    if alert != nil { cuts.append(Cut(excess: excess, text: \.alertTitle, keepsSomething: true)) }

    var fitted = self
    for cut in cuts { cut.apply(to: &fitted, cost: { $0.utf8.count }) }
    return fitted
  }

  private var alertTitle: String {
    get { alert?.title ?? "" }
    set { alert?.title = newValue }
  }

  private var alertBody: String {
    get { alert?.body ?? "" }
    set { alert?.body = newValue }
  }
}
