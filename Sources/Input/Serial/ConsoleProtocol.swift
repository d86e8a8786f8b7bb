/// The protocols we read, under the names that config, command line and captures use.
package enum ConsoleProtocol: String, CaseIterable, Hashable, Sendable {
  case daktronicsRTD = "daktronics-rtd"
  case bodetScorepad = "bodet-scorepad"
  case stramatelTV = "stramatel-tv"
  /// Stramatel's 24-byte American football frame, which begins like a handball frame.
  case stramatelAmericanFootball = "stramatel-tv-af"
  case ctsGen6 = "cts-gen6"
  case faveroFA05 = "favero-fa05"
  case swissTimingOSM6 = "swisstiming-osm6"
  case daktronicsAllSportCG = "daktronics-allsport-cg"
  /// Experimental: from one public reader, and no real bytes were seen.
  case fairPlayMP70 = "fairplay-mp70"
  case genericLine = "generic-line"

  /// Whether "football" on this console means the American game.
  var isAmerican: Bool {
    switch self {
    case .daktronicsRTD, .stramatelAmericanFootball, .daktronicsAllSportCG, .fairPlayMP70, .ctsGen6: true
    case .bodetScorepad, .stramatelTV, .faveroFA05, .swissTimingOSM6, .genericLine: false
    }
  }
}
