import Document
import Foundation
import GameCore
import Platform
import Testing

@Suite struct SecretsTests {
  private func outcome(_ source: SecretSource, _ environment: [String: String] = [:]) -> Secrets.Outcome {
    Secrets(environment: { environment[$0] }).read(source)
  }

  private func secret(_ outcome: Secrets.Outcome) -> String? {
    if case .found(let secret, _) = outcome { secret } else { nil }
  }

  private func reason(_ outcome: Secrets.Outcome) -> String? {
    if case .absent(let reason, _, _) = outcome { reason } else { nil }
  }

  @Test("a secret comes from the environment, a file or a credential, without the line break at its end")
  func places() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("from a file\n".utf8), "key")
    try folder.write(Array("from systemd\r\n".utf8), "ably-key")
    #expect(secret(outcome(.environment("KEY"), ["KEY": "from the environment"])) == "from the environment")
    #expect(secret(outcome(.file(path))) == "from a file")
    #expect(secret(outcome(.credential("ably-key"), ["CREDENTIALS_DIRECTORY": folder.path])) == "from systemd")
    let two = try folder.write(Array("x\n\n".utf8), "two")
    #expect(secret(outcome(.file(two))) == "x\n")
  }

  @Test("a secret that is not there is a value that says why")
  func absent() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.write([10], "empty")
    let binary = try folder.write([0xFF, 0xFE], "binary")
    #expect(reason(outcome(.environment("KEY")))?.contains("KEY is not set") == true)
    #expect(reason(outcome(.environment("KEY"), ["KEY": ""]))?.contains("is empty") == true)
    #expect(reason(outcome(.file(empty)))?.contains("is empty") == true)
    #expect(reason(outcome(.file(binary)))?.contains("not hold text") == true)
    #expect(reason(outcome(.file("\(folder.path)/none")))?.contains("No such file") == true)
    #expect(reason(outcome(.file(folder.path)))?.contains("not a regular file") == true)
    #expect(reason(outcome(.credential("x")))?.contains("only the service") == true)
  }

  @Test("a secret that every user may read is warned about")
  func open() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("x".utf8), "key", mode: 0o644)
    guard case .found("x", let warning?) = outcome(.file(path)) else {
      Issue.record("no warning")
      return
    }
    #expect(warning.contains("chmod 600"))
  }

  @Test("B36: a start at the venue is an instant of the venue's own day")
  func venueTime() throws {
    guard VenueTimeZone.isKnown("America/Los_Angeles"), VenueTimeZone.isKnown("Europe/Berlin") else {
      print("skipped: this machine has no time zone data")
      return
    }
    // 2026-12-05T19:00 as if it were UTC.
    let evening: Int64 = 1_796_497_200
    VenueTimeZone.adopt("America/Los_Angeles")
    #expect(VenueTimeZone.wallTime(ofLocal: evening) == WallTime(milliseconds: (evening + 8 * 3600) * 1000))
    VenueTimeZone.adopt("Europe/Berlin")
    #expect(VenueTimeZone.wallTime(ofLocal: evening) == WallTime(milliseconds: (evening - 3600) * 1000))
    // 2026-03-29T02:30 is skipped there, 2026-07-01T12:00 is summer time.
    #expect(VenueTimeZone.wallTime(ofLocal: 1_774_751_400) == nil)
    #expect(VenueTimeZone.wallTime(ofLocal: 1_782_907_200) == WallTime(milliseconds: 1_782_900_000_000))
    VenueTimeZone.adopt("UTC")
    #expect(VenueTimeZone.wallTime(ofLocal: evening) == WallTime(milliseconds: evening * 1000))
    #expect(!VenueTimeZone.isKnown("Europe/Riverton") && !VenueTimeZone.isKnown("../../etc/passwd"))
  }
}
