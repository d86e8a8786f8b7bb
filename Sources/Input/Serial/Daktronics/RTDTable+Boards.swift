/// The sports that no rule file of ours plays: their boards are read all the same, and run under the `console` sport.
extension RTDTable {
  static let wrestling = RTDTable(
    items: RTDItem.pair("match_score", 279, 281, 2),
    [RTDItem("match", 283, 3), RTDItem("advantage_time", 201, 8, .clock)],
    RTDItem.pair("advantage_time", 209, 217, 8, .clock),
    RTDItem.pair("blood_time", 225, 241, 8, .clock), RTDItem.pair("injury_time", 233, 249, 8, .clock),
    RTDItem.pair("bonus_mark", 294, 295, 1, .mark),
    rows: [
      RTDRow(name: "home_points_by_class", item: 296, length: 1, stride: 5, count: 12),
      RTDRow(name: "away_points_by_class", item: 297, length: 1, stride: 5, count: 12),
      RTDRow(name: "weight_classes", item: 298, length: 3, stride: 5, count: 12),
    ],
    holder: ("advantage", 257, 268))

  /// The maker's top team is home, its bottom team away.
  static let tennis = RTDTable(
    items: RTDItem.pair("points", 108, 112, 4, .text), RTDItem.pair("sets", 232, 246, 2),
    RTDItem.pair("matches", 228, 230, 2), RTDItem.pair("games", 244, 258, 2),
    RTDItem.pair("second_player", 88, 98, 10, .text),
    [
      RTDItem("match", 215, 4), RTDItem("set", 142, 2, .text), RTDItem("tie_break", 219, 9, .mark),
      RTDItem("home_second_player_serves", 202, 1, .mark), RTDItem("away_second_player_serves", 209, 1, .mark),
    ],
    rows: RTDRow.pair("set_scores", 234, 248, 2, count: 5),
    holder: ("serve", 201, 208))

  static let cricket = RTDTable(
    items: RTDItem.pair("total", 205, 209, 4),
    [
      RTDItem("inning", 201, 2, .text), RTDItem("extras", 246, 2), RTDItem("inning_score", 248, 4),
      RTDItem("overs_left", 252, 2), RTDItem("wickets", 254, 2), RTDItem("left_batter", 256, 2),
      RTDItem("left_batter_score", 258, 3), RTDItem("right_batter", 261, 2), RTDItem("right_batter_score", 263, 3),
    ],
    RTDItem.pair("first_inning_score", 301, 395, 4), RTDItem.pair("first_inning_wickets", 307, 401, 2),
    RTDItem.pair("second_inning_score", 348, 442, 4), RTDItem.pair("second_inning_wickets", 354, 448, 2),
    rows: [RTDRow(name: "batter_scores", item: 213, length: 3, stride: 3, count: 11)],
    holder: ("at_bat", 203, 204))

  /// Blue is home, white away.
  static let judo = RTDTable(
    items: [RTDItem("osaekomi_time", 201, 8, .clock)],
    RTDItem.pair("osaekomi_time", 209, 214, 5, .clock), RTDItem.pair("waza_ari", 221, 224, 1),
    RTDItem.pair("yuko", 222, 225, 1), RTDItem.pair("koka", 223, 226, 1),
    RTDItem.pair("ippon", 227, 232, 1, .mark), RTDItem.pair("win", 228, 233, 1, .mark),
    RTDItem.pair("keikoku", 241, 251, 1, .mark), RTDItem.pair("chui", 242, 252, 1, .mark),
    RTDItem.pair("shido", 243, 253, 1, .mark), RTDItem.pair("penalty_text", 244, 254, 7, .text),
    holder: ("osaekomi", 219, 220))

  /// Red is home, white away.
  static let taekwondo = RTDTable(
    items: [RTDItem("weight_class", 201, 2, .text)],
    RTDItem.pair("d", 203, 206, 1), RTDItem.pair("g", 204, 207, 1), RTDItem.pair("k", 205, 208, 1),
    RTDItem.pair("check", 209, 211, 1, .mark), RTDItem.pair("win", 210, 212, 1, .mark))

  static let autoRacing = RTDTable(
    items: [
      RTDItem("driver", 201, 12, .text), RTDItem("lap", 213, 5), RTDItem("car", 218, 3), RTDItem("position", 221, 2),
      RTDItem("speed", 223, 7, .text), RTDItem("lap_time", 230, 12, .clock), RTDItem("black_flag", 256, 1, .mark),
      RTDItem("black_flag_car", 257, 3), RTDItem("red", 260, 1, .mark), RTDItem("yellow", 261, 1, .mark),
      RTDItem("green", 262, 1, .mark), RTDItem("running_time", 263, 12, .clock),
      RTDItem("best_lap_time", 275, 12, .clock),
    ],
    rows: [
      RTDRow(name: "cars_by_position", item: 287, length: 3, stride: 3, count: 45),
      RTDRow(name: "laps_by_position", item: 469, length: 5, stride: 38, count: 12),
    ])

  /// Track has no clock of the common kind; its own part of the view reads clock and lines.
  static let track = RTDTable(
    items: [
      RTDItem("event", 118, 3, .text), RTDItem("heat", 122, 2, .text), RTDItem("round", 144, 1, .text),
      RTDItem("home_score", 965, 3), RTDItem("away_score", 968, 3), RTDItem("splits_completed", 147, 2),
    ])
}
