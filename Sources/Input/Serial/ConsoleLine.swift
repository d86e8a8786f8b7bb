/// How a console's port talks.
package struct ConsoleLine: Hashable, Sendable {
  package enum Parity: String, Hashable, Sendable, CaseIterable {
    case none, even, odd

    fileprivate var letter: String {
      switch self {
      case .none: "N"
      case .even: "E"
      case .odd: "O"
      }
    }
  }

  package var baudRate: UInt32
  package var dataBits: UInt8
  package var parity: Parity
  package var stopBits: UInt8

  package init(_ baudRate: UInt32, dataBits: UInt8 = 8, parity: Parity = .none, stopBits: UInt8 = 1) {
    self.baudRate = baudRate
    self.dataBits = dataBits
    self.parity = parity
    self.stopBits = stopBits
  }

  /// As people write it: `9600 8N1`.
  package var summary: String { "\(baudRate) \(dataBits)\(parity.letter)\(stopBits)" }
}

extension ConsoleProtocol {
  /// The line settings a protocol is known to use, the usual one first.
  package var lines: [ConsoleLine] {
    switch self {
    case .daktronicsRTD, .stramatelTV, .stramatelAmericanFootball: [ConsoleLine(19200)]
    case .bodetScorepad, .daktronicsAllSportCG: [ConsoleLine(9600)]
    case .ctsGen6: [ConsoleLine(9600, parity: .even), ConsoleLine(9600), ConsoleLine(2400, parity: .even)]
    case .faveroFA05: [ConsoleLine(2400)]
    case .swissTimingOSM6:
      [ConsoleLine(9600), ConsoleLine(9600, dataBits: 7), ConsoleLine(9600, dataBits: 7, parity: .even)]
    case .fairPlayMP70: [ConsoleLine(9600), ConsoleLine(19200)]
    case .genericLine: [ConsoleLine(9600), ConsoleLine(19200), ConsoleLine(38400), ConsoleLine(115_200)]
    }
  }

  /// Whether frames carry a sum: then a few are proof, where others need more.
  package var hasCheck: Bool {
    switch self {
    case .daktronicsRTD, .bodetScorepad, .faveroFA05: true
    case .stramatelTV, .stramatelAmericanFootball, .ctsGen6, .swissTimingOSM6, .daktronicsAllSportCG, .fairPlayMP70,
      .genericLine:
      false
    }
  }

  /// How long this console may be silent in a game before what it shows is stale, with its clock running and standing.
  package var patience: (running: Duration, resting: Duration) {
    switch self {
    case .bodetScorepad: (.seconds(3), .seconds(10))
    case .daktronicsRTD, .stramatelTV, .stramatelAmericanFootball, .ctsGen6, .faveroFA05, .swissTimingOSM6,
      .daktronicsAllSportCG, .fairPlayMP70, .genericLine:
      (.seconds(3), .seconds(3))
    }
  }

  /// What to look at when bytes come and no frame passes.
  package var lineAdvice: String {
    let usual = lines.map(\.summary).joined(separator: " or ")
    let extra =
      switch self {
      case .stramatelTV, .stramatelAmericanFootball, .swissTimingOSM6: "swap A and B of the pair; "
      case .ctsGen6: "a Gen7 must be set to its legacy output; "
      case .faveroFA05: "the current loop's two wires may be swapped; "
      case .daktronicsRTD, .bodetScorepad, .daktronicsAllSportCG, .fairPlayMP70, .genericLine: ""
      }
    return "bytes but no frames: check speed and parity; \(extra)\(rawValue) usually talks \(usual)"
  }
}
