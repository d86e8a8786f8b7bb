/// One line of the push log: a push that failed after its request had been accepted.
package struct PushLogEntry: Hashable, Sendable {
  package var id: String?
  package var timestampMilliseconds: Int64?
  /// The reason's number, the one thing to count by.
  package var code: Int?
  package var message: String

  package init(id: String?, timestampMilliseconds: Int64?, code: Int?, message: String) {
    self.id = id
    self.timestampMilliseconds = timestampMilliseconds
    self.code = code
    self.message = message
  }
}
