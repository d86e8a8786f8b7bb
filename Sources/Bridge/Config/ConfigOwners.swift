import Document

/// What may have one owner in the whole file: a serial port, a line, a TCP port, a key of the terminal, a slug, a name,
/// a channel. Works on the document and not on the values, so that each finding has its place even when other parts of
/// the file could not be read.
struct ConfigOwners {
  let venue: VenueConfig
  /// Who has what: a description that is the same for two claims of one thing, and the path of the first claim.
  private var owners: [String: String] = [:]

  init(venue: VenueConfig) { self.venue = venue }

  /// One claim on something.
  private struct Claim {
    /// What is claimed, in the words of the message: "the serial port /dev/ttyUSB0".
    var thing: String
    var key: String
    var position: Position
    var remedy: String
  }

  func check(_ document: Node, _ decoding: inout Decoding) {
    var walk = self
    walk.checkServer(document, &decoding)
    decoding.inside(key: "courts") { decoding in
      for (index, court) in (document["courts"]?.elements ?? []).enumerated() {
        decoding.inside(index: index) { walk.check(court: court, &$0) }
      }
    }
  }

  private mutating func checkServer(_ document: Node, _ decoding: inout Decoding) {
    guard let http = document["http"], http.members != nil else { return }
    let port = http["port"]?.text ?? String(HTTPConfig().port)
    decoding.inside(key: "http") { decoding in
      claim(Claim(thing: "the TCP port \(port)", key: "port", position: http.position, remedy: ""), &decoding)
    }
  }

  private mutating func check(court: Node, _ decoding: inout Decoding) {
    checkNames(of: court, &decoding)
    decoding.inside(key: "keys") { decoding in
      for member in court["keys"]?.members ?? [] {
        claim(
          Claim(
            thing: "the terminal's key \(member.key)", key: member.key, position: member.keyPosition,
            remedy: "One key can score for one court only; choose another"), &decoding)
      }
    }
    each("consoles", of: court, &decoding) { walk, console, decoding in
      for claim in Self.transports(of: console) { walk.claim(claim, &decoding) }
    }
    for list in ["buttons", "lamps"] {
      each(list, of: court, &decoding) { walk, button, decoding in
        walk.claimLine(of: button, &decoding)
      }
    }
    checkLabels(of: court, &decoding)
    checkChannels(of: court, &decoding)
  }

  private mutating func each(
    _ list: String, of court: Node, _ decoding: inout Decoding,
    _ body: (inout ConfigOwners, Node, inout Decoding) -> Void
  ) {
    var walk = self
    decoding.inside(key: list) { decoding in
      for (index, element) in (court[list]?.elements ?? []).enumerated() {
        decoding.inside(index: index) { body(&walk, element, &$0) }
      }
    }
    self = walk
  }

  private mutating func claim(_ claim: Claim, _ decoding: inout Decoding) {
    decoding.inside(key: claim.key) { decoding in
      guard let owner = owners[claim.thing] else {
        owners[claim.thing] = decoding.path
        return
      }
      decoding.problem("\(claim.thing) belongs to \(owner) already", at: claim.position, remedy: claim.remedy)
    }
  }

  private static func transports(of console: Node) -> [Claim] {
    ["device", "listen", "connect", "udp"].compactMap { key in
      guard let node = console[key], let text = node.text else { return nil }
      let thing: String
      switch key {
      case "device": thing = "the serial port \(text)"
      case "listen":
        guard let address = HostPort(text) else { return nil }
        thing = "the TCP port \(address.port)"
      case "connect": thing = "the connection to \(text)"
      default: thing = "the UDP address \(text)"
      }
      return Claim(thing: thing, key: key, position: node.position, remedy: "One input feeds one court; use another")
    }
  }

  /// A name without a chip is the line of that name on whatever chip has it.
  private mutating func claimLine(of button: Node, _ decoding: inout Decoding) {
    guard var claim = Self.line(of: button) else { return }
    if let name = button["line"]?.text {
      let (anywhere, onChip) = ("the line \(name)", "the line \(name) of a chip")
      if button["chip"] == nil {
        owners[anywhere] = owners[anywhere] ?? owners[onChip]
      } else {
        if owners[anywhere] != nil { claim.thing = anywhere }
        decoding.inside(key: claim.key) { owners[onChip] = owners[onChip] ?? $0.path }
      }
    }
    self.claim(claim, &decoding)
  }

  private static func line(of button: Node) -> Claim? {
    let chip = button["chip"]?.text.map { "\($0) " } ?? ""
    if let line = button["line"], let name = line.text {
      return Claim(
        thing: "the line \(chip)\(name)", key: "line", position: line.position,
        remedy: "One line has one owner; use another")
    }
    guard let offset = button["offset"], let number = offset.text else { return nil }
    return Claim(
      thing: "the line \(chip)offset \(number)", key: "offset", position: offset.position,
      remedy: "One line has one owner; use another")
  }

  private mutating func checkNames(of court: Node, _ decoding: inout Decoding) {
    guard let name = court["name"], let text = name.text else { return }
    let slug = court["slug"]?.text ?? Slug(from: text)?.text
    if owners["the court's name \(text)"] != nil {
      claim(
        Claim(
          thing: "the court's name \(text)", key: "name", position: name.position, remedy: "Give each court its own"),
        &decoding)
      return
    }
    decoding.inside(key: "name") { owners["the court's name \(text)"] = $0.path }
    guard let slug else { return }
    claim(
      Claim(
        thing: "the slug \(slug), and with it every topic of that court,", key: "slug",
        position: court["slug"]?.position ?? name.position, remedy: "Give this court a slug of its own"), &decoding)
  }

  /// Names of consoles, buttons and lamps tell them apart in logs and status, so they must differ within a court.
  private func checkLabels(of court: Node, _ decoding: inout Decoding) {
    for list in ["consoles", "buttons", "lamps"] {
      var seen = ConfigOwners(venue: venue)
      seen.each(list, of: court, &decoding) { walk, element, decoding in
        guard let name = element["name"], let text = name.text else { return }
        walk.claim(
          Claim(
            thing: "the name \(text)", key: "name", position: name.position, remedy: "Give each its own name"),
          &decoding)
      }
    }
  }

  private mutating func checkChannels(of court: Node, _ decoding: inout Decoding) {
    guard let channel = court["phones"]?["court_channel"], let text = channel.text else { return }
    decoding.inside(key: "phones") { decoding in
      claim(
        Claim(
          thing: "the channel \(text)", key: "court_channel", position: channel.position,
          remedy: "Two games on one channel would overwrite each other; use another"), &decoding)
    }
  }
}
