import Bridge
import GameCore
import Platform
import Simulation

/// The lines of a recording, run after run.
final class RecordingFile {
  struct Refusal: Error {
    var sentence: String
  }

  private let path: String
  private var file: ByteFile
  private var pending: [UInt8] = []
  /// Where the next line begins in it.
  private var place = 0
  private var reader = RecordingReader { line in try? JSONDocument.parse(line, bounds: .init(bytes: 64 << 20)) }
  private var number = 0
  private var header: RecordingHeader?
  private(set) var skipped = 0

  init(_ path: String) throws(PlatformError) {
    self.path = path
    file = try ByteFile(path)
  }

  /// The next run's header; nil at the end of the file. What is left of the run before is passed over.
  func nextRun() throws -> RecordingHeader? {
    while header == nil, nextInput() != nil {}
    defer { header = nil }
    if header == nil, number == skipped { throw Refusal(sentence: "\(path) is no recording") }
    return header
  }

  /// The run's next input; nil at its end.
  func nextInput() -> (Stimulus, at: Moment)? {
    while header == nil, let line = nextLine() {
      number += 1
      switch reader.read(line) {
      case .header(let next): header = next
      case .input(let stimulus, let moment): return (stimulus, moment)
      case .reload: tell("line \(number): the config was read anew here; this replay goes on with the one it has")
      case nil:
        skipped += 1
        tell("line \(number) is torn or no line of a recording, and is skipped")
      }
    }
    return nil
  }

  private func tell(_ sentence: String) { StandardStreams.error("\(path): \(sentence)\n") }

  /// A line without its end is a line all the same: it may be torn, or only lack the end.
  private func nextLine() -> [UInt8]? {
    var searched = place
    while true {
      if let end = pending[searched...].firstIndex(of: 0x0A) {
        defer { place = end + 1 }
        return Array(pending[place..<end])
      }
      pending.removeFirst(place)
      place = 0
      searched = pending.count
      guard let more = try? file.next() else {
        defer { pending = [] }
        return pending.isEmpty ? nil : pending
      }
      pending += more
    }
  }
}
