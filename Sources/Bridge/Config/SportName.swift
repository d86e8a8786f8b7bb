/// The sports with a rule file, by the names that config and commands use.
package enum SportName: String, CaseIterable, Hashable, Sendable {
  case basketball
  case basketball3x3 = "basketball-3x3"
  case iceHockey = "ice-hockey"
  case soccer
  case futsal
  case handball
  case floorball
  case waterPolo = "water-polo"
  case volleyball
  case tennis
  case baseball
  case americanFootball = "american-football"
  case rugbyUnion = "rugby-union"
  case rollerDerby = "roller-derby"
  /// Takes what a console reports, whatever the sport.
  case console
}
