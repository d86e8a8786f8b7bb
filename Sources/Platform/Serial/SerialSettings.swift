/// How a console's port talks.
package struct SerialSettings: Hashable, Sendable {
  package enum Parity: Hashable, Sendable, CaseIterable {
    case none, even, odd
    /// The parity bit is always 1.
    case mark
    /// The parity bit is always 0.
    case space
  }

  package enum DataBits: Int, Hashable, Sendable, CaseIterable {
    case five = 5
    case six = 6
    case seven = 7
    case eight = 8
  }

  package enum StopBits: Int, Hashable, Sendable, CaseIterable {
    case one = 1
    case two = 2
  }

  /// Any speed, odd ones too; the adaptor decides whether it can.
  package var baudRate: UInt32
  package var dataBits: DataBits
  package var parity: Parity
  package var stopBits: StopBits

  package init(
    baudRate: UInt32 = 9600, dataBits: DataBits = .eight, parity: Parity = .none, stopBits: StopBits = .one
  ) {
    self.baudRate = baudRate
    self.dataBits = dataBits
    self.parity = parity
    self.stopBits = stopBits
  }

  /// As people write it: "9600 8N1".
  package var summary: String {
    let letter =
      switch parity {
      case .none: "N"
      case .even: "E"
      case .odd: "O"
      case .mark: "M"
      case .space: "S"
      }
    return "\(baudRate) \(dataBits.rawValue)\(letter)\(stopBits.rawValue)"
  }
}
