/// Where one sport's fields stand in the line, beyond the items that all sports with a clock share.
struct RTDTable: Sendable {
  var items: [RTDItem]
  var rows: [RTDRow]
  var penalties: RTDPenalties?
  /// The items of the two marks that name the team with the ball, and the field's name.
  var holder: (name: String, home: Int, away: Int)?

  /// The items come in groups, as adding up so many lists is more than a compiler can think through.
  init(
    items: [RTDItem]..., rows: [RTDRow] = [], penalties: RTDPenalties? = nil,
    holder: (name: String, home: Int, away: Int)? = nil
  ) {
    self.items = items.flatMap { $0 }
    self.rows = rows
    self.penalties = penalties
    self.holder = holder
  }

  /// The table for a sport; nil where the maker has none and only the common items can be read (handball runs under a
  /// soccer or hockey code in many venues, with meanings of its own).
  static func of(_ sport: ConsoleSport?) -> RTDTable? {
    switch sport {
    case .basketball, .threeByThree: basketball
    case .americanFootball: americanFootball
    case .hockey, .lacrosse, .floorball, .rinkHockey: hockey
    case .soccer, .futsal, .rugby: soccer
    case .volleyball: volleyball
    case .baseball, .softball: baseball
    case .waterPolo: waterPolo
    case .wrestling: wrestling
    case .tennis: tennis
    case .cricket: cricket
    case .judo: judo
    case .taekwondo: taekwondo
    case .track: track
    case .autoRacing: autoRacing
    case .handball, .netball, .boxing, .swimming, .tableTennis, .badminton, .fencing, nil: nil
    }
  }

  /// The sport a code at item 184 stands for; nil for a code that is blank or not known.
  static func sport(ofCode code: String) -> ConsoleSport? {
    switch code {
    case "1101", "1102", "1103", "1104", "1105", "1301", "1401", "1402": .basketball
    case "6601", "6604", "6611", "6612", "6103", "6104", "6105", "6402", "6501": .americanFootball
    case "7701", "7711", "7611", "7601", "7501", "7604": .soccer
    case "4000", "4401", "4402", "4102", "4103", "4104", "4105", "4601", "4602", "4701", "4702": .hockey
    case "2101": .volleyball
    case "5501": .baseball
    default: nil
    }
  }
}

/// Penalties or exclusions by slot: a player's number and the time left, and in water polo how many the player has.
struct RTDPenalties: Sendable {
  let name: String
  let home: Int
  let away: Int
  let slots: Int
  let stride: Int
  /// How far behind the number the count stands.
  let countOffset: Int?
}

extension RTDTable {
  private static func byPeriod(home: Int, away: Int, homeNow: Int, awayNow: Int) -> (rows: [RTDRow], items: [RTDItem]) {
    (
      RTDRow.pair("score_by_period", home, away, 2, count: 9),
      RTDItem.pair("score_current_period", homeNow, awayNow, 2)
    )
  }

  static let basketball: RTDTable = {
    let periods = byPeriod(home: 264, away: 284, homeNow: 282, awayNow: 302)
    return RTDTable(
      items: periods.items, RTDItem.pair("fouls", 236, 238, 2),
      RTDItem.pair("player_foul_points", 240, 248, 8, .text),
      [RTDItem("player_foul", 256, 3, .text), RTDItem("player_foul_points", 259, 5, .text)],
      [RTDItem("shot_clock_2_digit", 196, 2, .text), RTDItem("shot_clock_3_digit", 198, 3, .text)],
      rows: periods.rows,
      holder: ("possession", 210, 216))
  }()

  static let americanFootball: RTDTable = {
    let periods = byPeriod(home: 227, away: 247, homeNow: 245, awayNow: 265)
    return RTDTable(
      items: periods.items,
      [
        RTDItem("play_clock", 201, 8, .clock), RTDItem("play_clock_horn", 209, 1, .mark),
        RTDItem("ball_on", 220, 2), RTDItem("down", 222, 3, .text), RTDItem("to_go", 225, 2),
        RTDItem("quarter", 142, 2, .text), RTDItem("flag", 311, 4, .mark), RTDItem("flag_text", 311, 4, .text),
      ],
      RTDItem.pair("rushing_yards", 267, 279, 4), RTDItem.pair("passing_yards", 271, 283, 4),
      RTDItem.pair("total_yards", 275, 287, 4), RTDItem.pair("first_downs", 291, 293, 2),
      rows: periods.rows,
      holder: ("possession", 210, 215))
  }()

  static let hockey: RTDTable = {
    let periods = byPeriod(home: 362, away: 382, homeNow: 380, awayNow: 400)
    return RTDTable(
      items: periods.items,
      RTDItem.pair("penalty", 346, 354, 1, .mark), RTDItem.pair("penalty_text", 347, 355, 7, .text),
      RTDItem.pair("shots", 422, 468, 3), RTDItem.pair("shots_current_period", 420, 466, 2),
      RTDItem.pair("saves", 445, 491, 3), RTDItem.pair("saves_current_period", 443, 489, 2),
      rows: periods.rows + RTDRow.pair("shots_by_period", 402, 448, 2, count: 9)
        + RTDRow.pair("saves_by_period", 425, 471, 2, count: 9),
      penalties: RTDPenalties(name: "penalties", home: 226, away: 286, slots: 6, stride: 10, countOffset: nil))
  }()

  static let soccer: RTDTable = {
    let periods = byPeriod(home: 211, away: 231, homeNow: 229, awayNow: 249)
    return RTDTable(
      items: periods.items, [RTDItem("half", 142, 2, .text)],
      RTDItem.pair("shots", 259, 303, 3), RTDItem.pair("saves", 270, 314, 3),
      RTDItem.pair("corners", 281, 325, 3), RTDItem.pair("penalties", 292, 336, 3),
      RTDItem.pair("fouls", 369, 380, 3),
      rows: periods.rows,
      holder: ("possession", 201, 206))
  }()

  static let volleyball = RTDTable(
    items: RTDItem.pair("sets", 215, 217, 2), RTDItem.pair("score_current_set", 240, 260, 2),
    [RTDItem("set", 142, 2, .text), RTDItem("match", 219, 3)],
    RTDItem.pair("aces", 409, 576, 4), RTDItem.pair("kills", 413, 580, 4),
    RTDItem.pair("blocks", 417, 584, 4), RTDItem.pair("digs", 421, 588, 4),
    rows: RTDRow.pair("set_scores", 222, 242, 2, count: 9),
    holder: ("serve", 201, 208))

  static let baseball = RTDTable(
    items: RTDItem.pair("hits", 203, 209, 2), RTDItem.pair("errors", 205, 211, 2),
    RTDItem.pair("left_on_base", 207, 213, 2),
    [
      RTDItem("batter", 215, 2), RTDItem("batter_average", 217, 5, .text), RTDItem("inning", 142, 2, .text),
      RTDItem("balls", 222, 1), RTDItem("strikes", 223, 1), RTDItem("outs", 224, 1),
      RTDItem("hit", 225, 1, .mark), RTDItem("error", 226, 1, .mark), RTDItem("hit_error_text", 227, 5, .text),
      RTDItem("error_position", 232, 2, .text),
    ],
    RTDItem.pair("pitcher", 306, 323, 2), RTDItem.pair("pitches_balls", 308, 325, 3),
    RTDItem.pair("pitches_strikes", 311, 328, 3), RTDItem.pair("pitches_fouls", 314, 331, 3),
    RTDItem.pair("pitches_in_play", 317, 334, 3), RTDItem.pair("pitches", 320, 337, 3),
    rows: RTDRow.pair("innings", 258, 282, 2, count: 12),
    holder: ("at_bat", 201, 202))

  static let waterPolo = RTDTable(
    penalties: RTDPenalties(name: "exclusions", home: 226, away: 262, slots: 3, stride: 12, countOffset: 10))
}
