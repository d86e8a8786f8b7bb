/// The game on the board: it decides how a console's fields are read where the bytes do not say so themselves.
package enum ConsoleSport: String, CaseIterable, Hashable, Sendable {
  case basketball
  case threeByThree = "basketball-3x3"
  case americanFootball = "american-football"
  case hockey
  case lacrosse
  case floorball
  case rinkHockey = "rink-hockey"
  case soccer
  case futsal
  case rugby
  case handball
  case volleyball
  case netball
  case boxing
  case waterPolo = "water-polo"
  case swimming
  case baseball
  case softball
  case tennis
  case tableTennis = "table-tennis"
  case badminton
  case wrestling
  case cricket
  case judo
  case taekwondo
  case track
  case autoRacing = "auto-racing"
  case fencing

  /// Reads a sport's name in any of the spellings people and captures use. What "football" means is the console's
  /// home: American on American consoles, soccer on European ones.
  package init?(_ name: String, on console: ConsoleProtocol) {
    let plain = String(name.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
    switch plain {
    case "football": self = console.isAmerican ? .americanFootball : .soccer
    case "gridiron": self = .americanFootball
    case "ice-hockey", "hockey-family", "hockey-lacrosse", "roller-hockey": self = .hockey
    case "3x3": self = .threeByThree
    case "waterpolo": self = .waterPolo
    case "swim", "diving": self = .swimming
    case "rugby-union", "rugby-league": self = .rugby
    case "beach-volleyball": self = .volleyball
    case "padel": self = .tennis
    default:
      guard let sport = ConsoleSport(rawValue: plain) else { return nil }
      self = sport
    }
  }
}
