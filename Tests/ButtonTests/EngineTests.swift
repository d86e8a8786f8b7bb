import Bridge
import GameCore
import Input
import Testing

@Suite("Buttons, lamps and practice, through the engine") struct ButtonEngineTests {
  @Test("a bouncing press is one event of the game, counted when the disk has it")
  func onePress() throws {
    var rig = try EngineRig()
    rig.press(0)
    #expect(rig.writtenEvents == 1)
    #expect(rig.shows("home +1 counted · Home 1 – 0 Away"))
  }

  @Test("B48: where the config switches remote control off, buttons count and commands do not, also after a restart")
  func remoteOff() throws {
    for _ in ["before", "after a restart"] {
      var rig = try EngineRig()
      rig.take(
        .message(MQTTMessage(topic: "scoreboard/riverside/court/main/cmd/score", payload: Array("home +3".utf8))))
      #expect(rig.writtenEvents == 0)
      rig.press(0)
      #expect(rig.shows("Home 1 – 0 Away"))
    }
  }

  @Test("S-01, B04: ten presses at 8 per second are ten; S-13: two boxes 1 ms apart both count")
  func tenPresses() throws {
    var rig = try EngineRig()
    for _ in 0..<10 { rig.press(0, for: .milliseconds(64)) }
    #expect(rig.shows("Home 10 – 0 Away"))
    rig.change(0, to: .active)
    rig.pass(.milliseconds(1))
    rig.change(1, to: .active)
    rig.pass(.milliseconds(200))
    #expect(rig.shows("Home 12 – 0 Away"))
  }

  @Test(
    "B05: five presses that a stalled loop learns of 2 s late count five, each at the wall time at which it was made")
  func stalledLoop() throws {
    var rig = try EngineRig()
    let start = rig.now
    var level = LineLevel.inactive
    let edges = [100, 180, 300, 380, 500, 580, 700, 780, 900, 980].map { time in
      level = level.other
      return LineEdge(level, at: start.instant + .milliseconds(time))
    }
    rig.stall(.seconds(2))
    rig.take(.line(LinePlace(court: 0, part: .button(0)), .edges(edges, queueWasFull: false)))
    rig.pass(.milliseconds(100))
    #expect(rig.shows("Home 5 – 0 Away"))
    #expect(rig.wallTimes == [100, 300, 500, 700, 900].map { start.wall.milliseconds + $0 })
  }

  @Test("B14: a button that is down at the start is named, counts nothing, and counts after its release")
  func heldAtBoot() throws {
    var rig = try EngineRig(lamps: [EngineRig.lamp(.heldAtBoot)])
    rig.open(.button(0), level: .active)
    #expect(rig.status.contains("held at boot: home+1"))
    #expect(rig.lamps[0] == true)
    rig.pass(.seconds(7))
    rig.change(0, to: .inactive)
    rig.pass(.milliseconds(100))
    #expect(rig.writtenEvents == 0)
    // A complaint is taken back once it has been over for a while.
    rig.pass(.seconds(15))
    #expect(!rig.status.contains("held at boot"))
    rig.press(0)
    #expect(rig.shows("Home 1 – 0 Away"))
  }

  @Test("B13: of six lines one is busy: five count, status names it with its holder, and it counts when it is free")
  func busyLine() throws {
    let words = ["home +1", "home +2", "home +3", "away +1", "away +2", "away +3"]
    var rig = try EngineRig(buttons: words.map { word in EngineRig.button(word) { $0.press = word } })
    rig.take(.line(LinePlace(court: 0, part: .button(3)), .down(reason: "line busy: held by gpio-keys")))
    for button in words.indices where button != 3 { rig.press(button) }
    #expect(rig.shows("Home 6 – 5 Away"))
    #expect(rig.status.contains("away +1: line busy: held by gpio-keys"))
    rig.open(.button(3))
    rig.press(3)
    #expect(rig.shows("Home 6 – 6 Away"))
    rig.pass(.seconds(15))
    #expect(!rig.status.contains("line busy"))
  }

  @Test("B23: a wall clock that steps back an hour between two presses, or on inside a bounce, changes neither")
  func wallClockSteps() throws {
    var rig = try EngineRig()
    rig.press(0)
    rig.stepWallClock(.seconds(-3600))
    rig.pass(.seconds(1))
    rig.press(0)
    #expect(rig.shows("Home 2 – 0 Away"))
    rig.change(0, to: .active)
    rig.pass(.milliseconds(2))
    rig.stepWallClock(.seconds(5))
    rig.change(0, to: .active)
    rig.pass(.milliseconds(80))
    rig.change(0, to: .inactive)
    rig.pass(.seconds(1))
    #expect(rig.shows("Home 3 – 0 Away"))
    #expect(rig.writtenEvents == 3)
  }

  @Test("B10: a line that was found by its chip's number is used, with a warning")
  func byNumber() throws {
    var rig = try EngineRig()
    rig.take(
      .line(
        LinePlace(court: 0, part: .button(0)), .opened(.inactive, place: "rp1 17", warning: "numbers change")))
    #expect(rig.logs("line by number"))
    #expect(rig.logs("numbers change"))
  }

  @Test("B20: every gesture has an id of its own, and the same id counts once")
  func ownIDs() throws {
    var rig = try EngineRig()
    rig.press(0)
    rig.press(0)
    let ids = rig.logged.filter { $0.hasPrefix("counted") }.map { $0.split(separator: " ").last }
    #expect(Set(ids).count == 2)
    #expect(rig.writtenEvents == 2)
  }

  @Test("B21: 300 spikes of 0.4 ms in 10 s count nothing; the line is told of as noisy once, and shown so in status")
  func noisy() throws {
    var rig = try EngineRig()
    for _ in 0..<300 {
      let place = LinePlace(court: 0, part: .button(0))
      let spike = [
        LineEdge(.active, at: rig.now.instant), LineEdge(.inactive, at: rig.now.instant + .microseconds(400)),
      ]
      rig.take(.line(place, .edges(spike, queueWasFull: false)))
      rig.pass(.milliseconds(33))
    }
    #expect(rig.writtenEvents == 0)
    #expect(rig.logged.filter { $0.hasPrefix("noisy line") }.count == 1)
    #expect(rig.status.contains("\"state\":\"noisy\""))
  }

  @Test("S-05: what ends a game wants the hold; a press on that button does the other thing")
  func holdEnds() throws {
    var rig = try EngineRig()
    rig.press(4)
    rig.pass(.seconds(3))
    rig.press(2)
    #expect(rig.shows("horn counted"))
    rig.press(2, for: .milliseconds(1700))
    #expect(rig.shows("game end"))
  }

  @Test("S-07: a stuck button is told in status, one press at most, and the others go on")
  func stuck() throws {
    var rig = try EngineRig()
    rig.change(0, to: .active)
    rig.pass(.seconds(40))
    #expect(rig.writtenEvents == 1)
    #expect(rig.status.contains("stuck: home+1"))
    rig.press(1)
    #expect(rig.writtenEvents == 2)
  }

  // MARK: - Practice

  @Test("S-08: practice counts and shows, reaches neither phones nor disk, and the real game comes back untouched")
  func practice() throws {
    var rig = try EngineRig(lamps: [EngineRig.lamp(.practice)])
    rig.press(3)
    #expect(rig.status.contains("practice mode is on"))
    #expect(rig.logs("practice on"))
    rig.press(4)
    for _ in 0..<5 { rig.press(0) }
    #expect(rig.shows("Home 5 – 0 Away"))
    #expect(rig.writtenEvents == 0)
    #expect(rig.pushes == 0)
    rig.press(3)
    rig.pass(.seconds(15))
    #expect(!rig.status.contains("practice mode is on"))
    rig.press(0)
    #expect(rig.shows("Home 1 – 0 Away"))
    #expect(rig.writtenEvents == 1)
  }

  @Test("S-08: practice is refused while a game is live, with the reason")
  func practiceWhileLive() throws {
    var rig = try EngineRig()
    rig.press(4)
    rig.press(3)
    #expect(rig.shows("practice: not counted, a game is live"))
    rig.pass(.seconds(15))
    #expect(!rig.status.contains("practice mode is on"))
  }

  // MARK: - Lamps

  @Test("counted is lit in the turn in which the commit comes back, and not before")
  func countedLamp() throws {
    var rig = try EngineRig(lamps: [EngineRig.lamp(.counted)])
    rig.diskDelay = .milliseconds(30)
    rig.change(0, to: .active)
    rig.pass(.milliseconds(25))
    #expect(rig.lamps[0] == false)
    rig.pass(.milliseconds(20))
    #expect(rig.lamps[0] == true)
  }

  @Test("a commit that is late is told as storing, never as counted")
  func storingLamp() throws {
    var rig = try EngineRig(lamps: [EngineRig.lamp(.counted), EngineRig.lamp(.storing)])
    rig.diskDelay = nil
    rig.change(0, to: .active)
    rig.pass(.milliseconds(50))
    #expect(rig.lamps[1] == false)
    rig.pass(.milliseconds(2))
    #expect(rig.lamps[0] == false)
    #expect(rig.lamps[1] == true)
  }

  @Test("a disk that refuses is told as trouble, never as counted")
  func troubleLamp() throws {
    var rig = try EngineRig(lamps: [EngineRig.lamp(.counted), EngineRig.lamp(.trouble), EngineRig.lamp(.ready)])
    #expect(rig.lamps[2] == true)
    rig.diskDelay = nil
    rig.change(0, to: .active)
    rig.pass(.milliseconds(10))
    let batch = try #require(rig.written.last)
    rig.take(.stored(.failed(from: batch.number, through: batch.number, reason: "no space left")))
    #expect(rig.lamps == [0: false, 1: true, 2: false])
  }

  @Test("ready means every line, a lamp's too")
  func lampWithoutLine() throws {
    var rig = try EngineRig(lamps: [EngineRig.lamp(.ready), EngineRig.lamp(.counted)])
    #expect(rig.lamps[0] == true)
    rig.take(.line(LinePlace(court: 0, part: .lamp(1)), .down(reason: "line busy: held by leds-gpio")))
    #expect(rig.lamps[0] == false)
    rig.open(.lamp(1))
    #expect(rig.lamps[0] == true)
  }

  @Test("S-08: what phones are told of the game before is not told as sent of a press in practice")
  func sentInPractice() throws {
    let final = EngineRig.button("final") { $0.hold = "game final" }
    var rig = try EngineRig(buttons: EngineRig.standardButtons + [final], lamps: [EngineRig.lamp(.sent)])
    rig.press(4)
    rig.pass(.seconds(3))
    rig.press(5, for: .milliseconds(1700))
    rig.pass(.seconds(10))
    rig.press(3)
    let told = rig.pushes
    rig.press(0)
    #expect(rig.shows("practice"))
    var wasLit = false
    for _ in 0..<15_000 {
      rig.pass(.milliseconds(20))
      wasLit = wasLit || rig.lamps[0] == true
    }
    #expect(rig.pushes > told)
    #expect(!wasLit)
  }
}
