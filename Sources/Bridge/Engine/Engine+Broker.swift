internal import GameCore
package import Input
internal import Publishing

// The arena's side: commands in, state and events out.
extension Engine {
  /// What the broker says in our name when we vanish.
  package var will: MQTTPublication {
    MQTTPublication(topic: availabilityTopic, payload: Array(Availability.lost.rawValue.utf8), isRetained: true)
  }

  /// What we say last when we end on purpose.
  package var farewell: MQTTPublication {
    MQTTPublication(topic: availabilityTopic, payload: Array(Availability.offline.rawValue.utf8), isRetained: true)
  }

  enum Availability: String {
    case online, offline, lost
  }

  /// A broker that was restarted while we were away has lost our will, and would say "online" for ever: that word is
  /// said again at each heartbeat, and forgotten when it is not.
  mutating func retainAvailability(_ availability: Availability) {
    let expiry = availability == .online ? StatusDesk.heartbeat * 2 + .seconds(30) : nil
    desk.retain(availabilityTopic, Array(availability.rawValue.utf8), expiry: expiry)
  }

  mutating func brokerMoved(to state: BrokerState, at now: Moment) {
    guard state != broker else { return }
    broker = state
    switch state {
    case .connected(let name, let maximumPacketSize):
      if phase != .draining { retainAvailability(.online) }
      desk.connected(maximumPacketSize: maximumPacketSize)
      log(.notice, "broker connected", ["broker": name])
    case .connecting: break
    case .loginRefused, .clientIDTaken, .lost:
      desk.disconnected()
      log(.warning, "broker \(state.summary)")
    }
  }

  mutating func brokerSaid(_ news: BrokerNews) {
    desk.heard(news)
    switch news {
    case .notPublished(let topic, let reason): log(.warning, "not published", ["topic": topic, "reason": reason])
    case .tooLarge(let topic, let limit):
      log(.warning, "too large for the broker", ["topic": topic, "limit": "\(limit)"])
    case .tooSlow(let topic): log(.warning, "the broker is too slow", ["topic": topic])
    case .subscribed(let refused):
      if refused.isEmpty { return log(.notice, "listening for commands") }
      log(.error, "the broker refuses subscriptions", ["topics": refused.joined(separator: " ")])
    }
  }

  /// What the broker refuses of our own topics. A requester's own response topic is his affair.
  var brokerComplaints: [Complaint] {
    guard !desk.refused.isEmpty || !desk.unheard.isEmpty || !desk.oversized.isEmpty else { return [] }
    let ours = desk.refused.filter { $0.key.hasPrefix(config.topicPrefix + "/") || discovery?.owns($0.key) == true }
    var result = ours.sorted { $0.key < $1.key }.map { topic, reason in
      Complaint(
        health: .degraded, code: "not-published", subject: topic,
        text: "the broker refuses \(topic): \(reason); its access list must let this account write there")
    }
    result += desk.unheard.map { filter in
      Complaint(
        health: .degraded, code: "not-subscribed", subject: filter,
        text: "the broker refuses the subscription \(filter): nothing is heard there; see its access list")
    }
    for topic in desk.oversized {
      result.append(
        Complaint(
          health: .degraded, code: "message-too-large", subject: topic,
          text: "the broker takes no message of the size of \(topic); raise its limit"))
    }
    return result
  }

  // MARK: - Commands

  mutating func received(_ message: MQTTMessage, at now: Moment) {
    // Who may command is the broker's to say; without one in the config, nobody may.
    guard phase == .ready, config.mqtt != nil else { return }
    guard let place = courts.firstIndex(where: { $0.topics.verb(of: message.topic) != nil }),
      let word = courts[place].topics.verb(of: message.topic)
    else { return heard(message, at: now) }
    var ticket = ReplyTicket(
      court: place, id: nil, topic: answerTopic(for: message, on: place), correlation: message.correlation)
    let verb = MQTTCommand.Verb(rawValue: String(word))
    let parsed = verb.map { MQTTCommand.parse(verb: $0, payload: message.payload, json: ports.json) }
    ticket.id = parsed?.id
    // A stored command says what somebody wanted once; it is never what somebody presses now.
    guard !message.isRetained else {
      status.retainedCommands += 1
      return reply(ticket, .refused("a retained command is never carried out; send it without the retain flag"))
    }
    guard let verb, let parsed else {
      let verbs = MQTTCommand.Verb.allCases.map(\.rawValue).joined(separator: ", ")
      return reply(ticket, .refused("no verb \"\(word)\"; there are \(verbs)"))
    }
    switch parsed {
    case .failure(let refusal): reply(ticket, .refused(refusal.reason))
    case .success(let command): obey(command, verb: verb, ticket: ticket, on: place, at: now)
    }
  }

  /// Where the asker wants the answer, unless that is a topic on which we alone tell what is so.
  private func answerTopic(for message: MQTTMessage, on place: Int) -> String {
    let usual = courts[place].topics.reply
    guard let wanted = message.responseTopic, !wanted.hasPrefix("$") else { return usual }
    let isOurs = wanted == config.topicPrefix || wanted.hasPrefix(config.topicPrefix + "/")
    return isOurs && !wanted.hasPrefix(usual + "/") ? usual : wanted
  }

  private mutating func obey(
    _ command: MQTTCommand, verb: MQTTCommand.Verb, ticket: ReplyTicket, on place: Int, at now: Moment
  ) {
    if let id = command.id, let answer = courts[place].answers[id] {
      switch answer {
      case .pending:
        // While the disk refuses, nobody can say what will become of it; "done" follows when it is known.
        if store.trouble != nil { reply(ticket, .pending) }
        store.expect(.reply(ticket))
      case .done, .refused: reply(ticket, answer)
      }
      return
    }
    if let time = command.time, timeTrust.trust != .untrusted,
      now.wall - time > config.mqtt?.commandAge ?? .seconds(30)
    {
      let age = (now.wall - time).components.seconds
      let most = (config.mqtt?.commandAge ?? .seconds(30)).components.seconds
      // Not noted under its id: the same command with a fresh time is welcome.
      return reply(
        ticket,
        .refused("the command is \(age) s old, and \(most) s is the most; send it again with the time it has now"))
    }
    if case .activity = verb { return obeyActivity(command, ticket: ticket, on: place, at: now) }
    let id = command.id.map { "mqtt-\($0)" } ?? "\(runID)-\(courts[place].events + 1)"
    if command.id != nil, courts[place].game.log.contains(id) || earlierCommands.contains(id) {
      return reply(ticket, .done)
    }
    let kind: GameEvent.Kind
    switch command.request {
    case .event(let wanted): kind = wanted
    case .newGame(let home, let away, let start):
      let wanted = Court.NextGame(home: home, away: away, start: start)
      kind = .nextGameOpened
      if courts[place].realGame == nil, courts[place].game.state.life == .announced, wanted != Court.NextGame() {
        announce(wanted, on: place, at: now)
        // It opens when its time comes.
        if start != nil { return expect(ticket) }
      } else {
        courts[place].nextGame = wanted
      }
    case .practice(let wanted):
      if let refusal = setPractice(wanted, of: place, at: now) { return refuse(ticket, refusal) }
      if let id = command.id { courts[place].answers.note(id, .done) }
      return reply(ticket, .done)
    case .startActivity, .endActivity, .adoptActivity: return
    }
    if let field = kind.arbitratedField,
      let reason = courts[place].arbiter.refusal(of: field, by: .mqtt, at: now.instant)
    {
      return refuse(ticket, reason)
    }
    let event = GameEvent(id: id, source: Source(.mqtt, verb.rawValue), moment: now, kind: kind)
    switch apply(event, word: verb.rawValue, to: place, at: now) {
    case .counted, .held: expect(ticket)
    case .ignored(let ignored):
      courts[place].nextGame = nil
      refuse(ticket, ignored.reason)
    }
  }

  private mutating func obeyActivity(_ command: MQTTCommand, ticket: ReplyTicket, on place: Int, at now: Moment) {
    switch command.request {
    case .endActivity:
      guard courts[place].realGame == nil else { return refuse(ticket, Self.practiceIsOn) }
      guard courts[place].isToldToPhones else { return refuse(ticket, "no activity is running on this court") }
      for id in courts[place].lanes { tell(id, .gameEnded, at: now) }
    case .adoptActivity(let broadcast, let channel, let storesNewest):
      let adopted = Broadcast(id: broadcast, apnsChannelID: channel, policy: storesNewest ? .newest : .nothing)
      if let obstacle = adopt(adopted, on: place, at: now) { return refuse(ticket, obstacle) }
    case .startActivity:
      guard !courts[place].isToldToPhones else { return refuse(ticket, "this court's activity has been started") }
      if let obstacle = open(place, at: now) { return refuse(ticket, obstacle) }
    case .event, .newGame, .practice: return
    }
    expect(ticket)
  }

  private static var practiceIsOn: String { "practice is on; switch it off first" }

  /// Answered once it is on the disk.
  private mutating func expect(_ ticket: ReplyTicket) {
    if let id = ticket.id { courts[ticket.court].answers.note(id, .pending) }
    store.expect(.reply(ticket))
  }

  /// The game is told to phones from now on; else why not.
  private mutating func open(_ place: Int, at now: Moment) -> String? {
    let event = newEvent(.opened, from: Source(.mqtt, "activity"), of: place, at: now)
    guard case .ignored(let ignored) = apply(event, word: "activity", to: place, at: now) else { return nil }
    return ignored.reason
  }

  /// The game goes on over a broadcast that another board made; else why not. One that is not open yet is opened with
  /// it, so that none of its own is made.
  private mutating func adopt(_ broadcast: Broadcast, on place: Int, at now: Moment) -> String? {
    guard courts[place].realGame == nil else { return Self.practiceIsOn }
    guard courts[place].config.phones.ios.isEnabled else { return "this court tells no iPhones (phones.ios)" }
    guard courts[place].isToldToPhones else {
      courts[place].adopts = broadcast
      let obstacle = open(place, at: now)
      if obstacle != nil { courts[place].adopts = nil }
      return obstacle
    }
    guard let id = courts[place].lanes.last(where: { lanes[$0]?.lane.sink == .ablyIOS }), let slot = lanes[id] else {
      return "this game's activity is over; announce one with a later start (game new), and adopt before that"
    }
    let obstacle = slot.lane.obstacle(toAdopting: broadcast)
    if obstacle == nil { tell(id, .adopted(broadcast, startedAt: nil), at: now) }
    return obstacle
  }

  private mutating func refuse(_ ticket: ReplyTicket, _ reason: String) {
    if let id = ticket.id { courts[ticket.court].answers.note(id, .refused(reason)) }
    reply(ticket, .refused(reason))
  }

  /// The commit has come back: the command was done.
  mutating func confirm(_ ticket: ReplyTicket) {
    if let id = ticket.id { courts[ticket.court].answers.note(id, .done) }
    reply(ticket, .done)
  }

  private mutating func reply(_ ticket: ReplyTicket, _ answer: CommandAnswers.Answer) {
    let payload = Told.reply(ticket, answer, sequence: courts[ticket.court].game.log.sequence)
    desk.say(
      MQTTPublication(topic: ticket.topic, payload: payload, isRetained: false, correlation: ticket.correlation))
    switch answer {
    case .done: status.commandsDone += 1
    case .pending: break
    case .refused(let reason):
      status.commandsRefused += 1
      log(.notice, "command refused", ["court": courts[ticket.court].config.slug, "reason": reason])
    }
  }

  // MARK: - State and events

  mutating func sayEvent(_ entry: Game.Accepted, of place: Int) {
    turn.news.append(
      EventNews(
        topic: courts[place].topics.event, game: courts[place].game.id, score: courts[place].game.state.score,
        isPractice: courts[place].realGame != nil, entry: entry))
  }

  /// Most changes are told at once; a clock that was merely read again, once a second.
  mutating func noteChange(_ change: GameChange, of place: Int) {
    if change.facts.isEmpty { courts[place].owesReading = true } else { courts[place].owesState = true }
  }

  private mutating func retainState(of place: Int, at now: Moment) {
    courts[place].toldAt = now.instant
    courts[place].owesReading = false
    courts[place].owesState = false
    let court = courts[place]
    desk.retain(court.topics.state, Told.state(court, projected: contentState(of: place, at: now), at: now))
  }

  /// What the broker is to know at the end of a turn.
  mutating func tellBroker(at now: Moment) {
    for place in courts.indices {
      let isReadingDue = courts[place].readingDue.map { $0 <= now.instant } ?? false
      if courts[place].owesState || isReadingDue { retainState(of: place, at: now) }
      let activity = activity(of: place)
      guard activity != courts[place].activity else { continue }
      courts[place].activity = activity
      let json = Told.activity(activity)
      desk.retain(courts[place].topics.activity, json)
      courts[place].notice.wants(json)
    }
    for news in turn.news {
      desk.say(MQTTPublication(topic: news.topic, payload: Told.event(news), isRetained: false))
    }
    tellStatus(at: now)
  }

  func activity(of place: Int) -> ActivityNews {
    var news = ActivityNews(game: courts[place].record.id, names: courts[place].names)
    for id in courts[place].lanes {
      guard let slot = lanes[id] else { continue }
      switch slot.lane.sink {
      case .ablyIOS:
        news.apnsChannel = slot.lane.broadcast?.apnsChannelID
        news.state = slot.lane.word
      case .ablyAndroid:
        news.hasAndroid = true
        if news.state == nil { news.state = slot.lane.word }
      }
    }
    return news
  }
}
