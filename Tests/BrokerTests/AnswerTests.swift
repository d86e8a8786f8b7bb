import Document
import GameCore
import Input
import Platform
import Testing

@testable import Bridge

@Suite struct AnswerTests {
  @Test("a command is done when its commit has come back, and not before")
  func done() throws {
    var venue = try Venue()
    venue.diskAnswers = false
    #expect(venue.command("score", #"{"id":"a","team":"home","points":2}"#).result == nil)
    venue.diskAnswers = true
    venue.take(.deadline)
    let reply = Venue.Reply(venue.newest("\(Venue.main)/reply"))
    #expect(reply.id == "a" && reply.result == "done" && reply.note == nil)
    #expect(venue.score == [2, 0])
  }

  @Test("B72: a repeat under the same id is answered again and not applied again, also after a restart")
  func repeats() throws {
    var venue = try Venue()
    let command = #"{"id":"desk-7","team":"home","points":3}"#
    #expect(venue.command("score", command).result == "done")
    #expect(venue.command("score", command).result == "done")
    #expect(venue.score == [3, 0])
    try venue.restart()
    #expect(venue.command("score", command).result == "done")
    #expect(venue.score == [3, 0])
    // The game that follows is another log; the command is still known.
    venue.pass(.seconds(60))
    #expect(venue.command("game", "abandon").result == "done")
    #expect(venue.command("game", #"{"id":"desk-8","action":"new"}"#).result == "done")
    #expect(venue.command("score", command).result == "done")
    try venue.restart()
    #expect(venue.command("score", command).result == "done")
    #expect(venue.command("game", #"{"id":"desk-8","action":"new"}"#).result == "done")
    #expect(venue.score == [0, 0])
  }

  @Test("without an id each delivery counts once, and the answer says so")
  func unprotected() throws {
    var venue = try Venue()
    let reply = venue.command("score", "home")
    #expect(reply.result == "done" && reply.id == nil && reply.note?.hasPrefix("unprotected") == true)
    _ = venue.command("score", "home")
    #expect(venue.score == [2, 0])
  }

  @Test("a command older than 30 s is refused, and welcome under the same id with a fresh time")
  func age() throws {
    var venue = try Venue()
    func command(_ age: Duration) -> String {
      #"{"id":"t","time":\#((venue.now.wall + .zero).milliseconds - age.milliseconds),"team":"home"}"#
    }
    let late = venue.command("score", command(.seconds(31)))
    #expect(
      late.result == "refused" && late.reason?.contains("31 s old") == true && late.reason?.contains("30 s") == true)
    #expect(venue.command("score", command(.seconds(30))).result == "done")
    #expect(venue.score == [1, 0])
  }

  @Test("B64: a retained command is refused and counted, whatever it says")
  func retained() throws {
    var venue = try Venue()
    for (verb, payload) in [("score", "home"), ("score", #"{"id":"r","team":"home"}"#), ("jump", "x"), ("undo", "?")] {
      let reply = venue.command(verb, payload, retained: true)
      #expect(reply.result == "refused" && reply.reason?.contains("retain") == true)
    }
    #expect(venue.score == [0, 0])
    #expect(venue.status?["commands"]?["retainedRefused"]?.integer == 4)
    // The same id, sent as a command should be.
    #expect(venue.command("score", #"{"id":"r","team":"home"}"#).result == "done")
  }

  @Test("a verb that does not exist is answered with those that do")
  func verbs() throws {
    var venue = try Venue()
    #expect(venue.command("jump", "x").reason?.contains("score, set, clock") == true)
  }

  @Test("an answer goes where the asker wants it, with his correlation data, unless that would speak in our own name")
  func responseTopic() throws {
    var venue = try Venue()
    func answer(_ topic: String) -> MQTTPublication? {
      venue.take(
        .message(
          MQTTMessage(
            topic: "\(Venue.main)/cmd/score", payload: Array("home".utf8), responseTopic: topic,
            correlation: [0, 255, 7])))
      return venue.published.last { $0.correlation != nil }
    }
    for topic in ["desk/answers", "\(Venue.main)/reply/desk-1"] {
      #expect(answer(topic)?.topic == topic)
      #expect(answer(topic)?.correlation == [0, 255, 7])
    }
    for topic in ["\(Venue.prefix)/availability", "\(Venue.main)/state", "\(Venue.main)/cmd/score", "$SYS/x"] {
      #expect(answer(topic)?.topic == "\(Venue.main)/reply")
    }
    #expect(venue.published.allSatisfy { $0.topic != "\(Venue.main)/reply" || !$0.isRetained })
  }

  @Test("what the game refuses is refused again under the same id; practice is off already")
  func refusals() throws {
    var venue = try Venue()
    #expect(venue.command("redo", #"{"id":"n"}"#).result == "refused")
    #expect(venue.command("redo", #"{"id":"n"}"#).result == "refused")
    #expect(venue.command("practice", "off").result == "refused")
    #expect(venue.status?["commands"]?["refused"]?.integer == 3)
  }

  @Test("S-08: a game that is opened in practice names nothing of the real one that follows")
  func namesOfPractice() throws {
    var venue = try Venue()
    #expect(venue.command("practice", "on").result == "done")
    for action in ["start", "final"] {
      #expect(venue.command("game", action).result == "done")
      venue.pass(.seconds(5))
    }
    #expect(venue.command("game", #"{"action":"new","home":{"name":"Nobody","code":"nob"}}"#).result == "done")
    #expect(venue.command("practice", "off").result == "done")
    for action in ["start", "final", "new"] {
      #expect(venue.command("game", action).result == "done")
      venue.pass(.seconds(5))
    }
    #expect(venue.newest("\(Venue.main)/state")?["home"]?["name"]?.text == "Home")
  }

  @Test("S-08: in practice a command ends no activity on phones, and says what to do first")
  func activityInPractice() throws {
    var venue = try Venue()
    #expect(venue.command("activity", "start").result == "done")
    #expect(venue.command("practice", "on").result == "done")
    #expect(venue.command("activity", "end").reason == "practice is on; switch it off first")
    #expect(venue.command("practice", "off").result == "done")
    #expect(venue.command("activity", "end").result == "done")
  }

  @Test("while the disk refuses, a repeat is answered unknown; done follows when it is")
  func unknown() throws {
    var venue = try Venue()
    venue.diskAnswers = false
    let command = #"{"id":"d","team":"away"}"#
    #expect(venue.command("score", command).result == nil)
    venue.refuseCommits()
    #expect(venue.command("score", command).result == "unknown")
    venue.diskAnswers = true
    venue.pass(.seconds(2))
    #expect(Venue.Reply(venue.newest("\(Venue.main)/reply")).result == "done")
    #expect(venue.score == [0, 1])
  }

  @Test("B80: a long outage of the broker grows nothing")
  func flat() throws {
    var venue = try Venue(connected: false)
    for number in 0..<2000 {
      _ = venue.command("score", #"{"id":"\#(number)","team":"home"}"#)
    }
    #expect(venue.published.isEmpty && venue.engine.desk.dropped > 2000)
    venue.connect()
    let topics = venue.published.map(\.topic)
    #expect(Set(topics).count == topics.count && topics.count < 20)
    #expect(venue.newest("\(Venue.main)/state")?["home"]?["score"]?.integer == 2000)
  }

  @Test("B66, B75: fifty changes without a broker are one message of the newest after it; an older one never follows")
  func newestWins() throws {
    var venue = try Venue()
    venue.lose()
    for _ in 1...50 { _ = venue.command("score", "home") }
    let before = venue.published.count
    venue.connect()
    let states = venue.published[before...].filter { $0.topic == "\(Venue.main)/state" }
    #expect(states.count == 1)
    #expect(venue.newest("\(Venue.main)/state")?["home"]?["score"]?.integer == 50)
    #expect(venue.engine.desk.dropped >= 50)
  }

  @Test("B68: every connection is told everything that is retained")
  func everything() throws {
    var venue = try Venue()
    let first = Set(venue.published.filter(\.isRetained).map(\.topic))
    #expect(first == ["availability", "status", "court/main/state", "court/main/activity"].mapped(Venue.prefix))
    venue.lose()
    let before = venue.published.count
    venue.connect()
    #expect(Set(venue.published[before...].map(\.topic)) == first)
  }

  @Test("B73: a message above the broker's limit is set aside and named; the others leave")
  func tooLarge() throws {
    var venue = try Venue()
    venue.lose()
    let before = venue.published.count
    venue.connect(maximumPacketSize: 400)
    let topics = venue.published[before...].map(\.topic)
    #expect(topics.contains("\(Venue.prefix)/availability") && !topics.contains("\(Venue.prefix)/status"))
    venue.pass(.seconds(1))
    #expect(venue.reasons.contains("message-too-large"))
  }
}

extension [String] {
  fileprivate func mapped(_ prefix: String) -> Set<String> { Set(map { "\(prefix)/\($0)" }) }
}
