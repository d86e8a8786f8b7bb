import Bridge
import GameCore
import Platform
import Simulation

/// Writes down everything that comes to one daemon from outside. A recording that fails is given up, and never the game.
final class InputRecording {
  private var file: RecordFile?
  private var recorder: Recorder
  private let log: Log

  init(_ path: String, _ header: RecordingHeader, log: Log) throws(PlatformError) {
    let file = try RecordFile(path)
    try file.add(Recorder.line(header))
    self.file = file
    self.log = log
    recorder = Recorder(header)
    log.notice("recording", ["file": path])
  }

  func note(_ stimulus: Stimulus, at moment: Moment) {
    guard let file, let line = recorder.line(stimulus, at: moment) else { return }
    do throws(PlatformError) {
      try file.add(line)
    } catch {
      self.file = nil
      log.error("the recording has ended early", ["reason": error.description])
    }
  }
}
