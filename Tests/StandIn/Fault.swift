/// Something that goes wrong on purpose with the next requests.
package struct Fault: Sendable {
  package enum Effect: Sendable {
    /// This answer instead of the right one.
    case answer(Answer)
    /// Accepted, never answered.
    case stall
    /// The connection is closed instead of an answer.
    case close
    /// The answer breaks off in its middle.
    case cut
    /// The right answer, this much later.
    case delay(Duration)
    /// The right answer, a byte at a time, spread over this long.
    case slow(Duration)
    /// The connection stays open, and nothing is read from it or written to it any more.
    case freeze
  }

  package var effect: Effect
  /// Only these calls; empty means every call.
  package var calls: Set<Call>
  /// Only targets that contain this text.
  package var targetContains: String
  /// How many requests meet it; nil means all until it is cleared.
  package var times: Int?
  /// Whether the request takes effect although its sender cannot know.
  package var processed: Bool

  package init(
    _ effect: Effect, on calls: Set<Call> = [], targetContains: String = "", times: Int? = nil, processed: Bool = false
  ) {
    self.effect = effect
    self.calls = calls
    self.targetContains = targetContains
    self.times = times
    self.processed = processed
  }

  package static func status(
    _ status: Int, on calls: Set<Call> = [], times: Int? = nil, processed: Bool = false
  ) -> Fault {
    Fault(.answer(.status(status)), on: calls, times: times, processed: processed)
  }

  func meets(_ call: Call, _ target: String) -> Bool {
    (calls.isEmpty || calls.contains(call)) && (targetContains.isEmpty || target.contains(targetContains))
      && times != 0
  }
}

extension [Fault] {
  /// The first fault that this request meets; its count goes down by one.
  mutating func take(_ call: Call, _ target: String) -> Fault? {
    guard let index = firstIndex(where: { $0.meets(call, target) }) else { return nil }
    let fault = self[index]
    if let times = fault.times { self[index].times = times - 1 }
    return fault
  }
}
