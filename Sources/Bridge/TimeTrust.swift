internal import GameCore
package import Publishing

/// What may be believed of the wall clock: draft until the lanes' own.
package struct TimeTrust: Hashable, Sendable {
  private var isSynchronised: Bool?
  private var ahead: Duration?

  package init() {}

  package mutating func kernelSaid(_ isSynchronised: Bool?) { self.isSynchronised = isSynchronised }
  package mutating func serverIsAhead(by offset: Duration?) { ahead = offset }

  package var lanes: ClockTrust {
    if let ahead {
      let size = ahead < .zero ? .zero - ahead : ahead
      if size < .milliseconds(500) { return .trusted }
      return size < .seconds(60) ? .rough : .untrusted
    }
    return isSynchronised == true ? .trusted : .rough
  }
  package var isTrusted: Bool { lanes != .untrusted }
  package var allowsAnchors: Bool { lanes == .trusted }
}
