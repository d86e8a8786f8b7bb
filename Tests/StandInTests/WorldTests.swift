import Foundation
import Testing

@testable import StandIn

@Suite("Children, terminals and brokers") struct WorldTests {
  @Test("a child's output comes line by line, with its exit code and only the environment it was given")
  func child() throws {
    let result = try Child.run("/usr/bin/env", [], environment: ["A": "1"])
    #expect(result.code == 0)
    #expect(result.out == "A=1")
    #expect(try Child.run("/bin/ls", ["/nowhere-at-all"]).code == 2)
    #expect(throws: Child.Failure.self) { try Child("/nowhere-at-all") }
  }

  @Test("a child ends by its own id; one that lingers is killed")
  func ending() throws {
    let sleeper = try Child("/bin/sleep", ["60"])
    #expect(sleeper.isRunning)
    #expect(sleeper.exitCode(within: .milliseconds(50)) == nil)
    #expect(sleeper.terminate() == 128 + SIGTERM)
    #expect(!sleeper.isRunning)
    #expect(sleeper.line(within: .seconds(1)) { _ in true } == nil)
  }

  @Test("what is typed at a pseudo-terminal arrives at a child's stdin and on the device")
  func terminal() throws {
    let keyboard = try PseudoTerminal(isWatched: true)
    let reader = try Child("/usr/bin/head", ["-n", "1"], terminal: keyboard)
    keyboard.send("12:34 home 5\n")
    #expect(keyboard.shows("12:34 home 5"))
    #expect(reader.exitCode() == 0)
    let terminal = try PseudoTerminal()
    let device = try Child("/usr/bin/head", ["-n", "1", terminal.path])
    terminal.send("HOME 1\n")
    #expect(device.line { _ in true } == "HOME 1")
  }

  @Test(
    "a broker hands messages on, keeps retained ones, and forgets them when it starts again",
    .enabled(if: Broker.program != nil, "mosquitto is not installed"))
  func broker() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let broker = try Broker(folder: folder)
    let early = try broker.subscribe("a/#")
    try broker.publish("a/b", #"{"x":1}"#, retained: true)
    #expect(early.message(on: "a/b")?.json?["x"]?.integer == 1)
    #expect(early.messages.map(\.retained) == [false])
    #expect(try broker.subscribe("a/b").message(on: "a/b")?.retained == true)
    broker.stop()
    try broker.start()
    let late = try broker.subscribe("a/b")
    try broker.publish("a/b", "new")
    #expect(late.message(on: "a/b")?.payload == "new")
  }
}
