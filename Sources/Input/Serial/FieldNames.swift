/// The names under which other readers of these consoles know our fields. `decode` prints them beside our own, so that
/// a script written for another reader's output finds what it looks for; nothing inside the daemon uses them.
package enum FieldNames {
  /// Ours, then the others; a name that begins with `_` stands for both teams.
  private static let table: [(name: String, others: [String])] = [
    ("_sets", ["_sets_won", "_games_won"]),
    ("_set_scores", ["_finished_sets", "_score_by_set", "_by_set"]),
    ("_score_by_period", ["_by_period", "_period_scores"]),
    ("_innings", ["_score_by_inning", "_by_inning", "_runs_by_inning"]),
    ("_shots", ["_shots_total", "_shots_on_goal"]),
    ("_saves", ["_saves_total"]),
    ("_corners", ["_corner_kicks", "_corners_total"]),
    ("_fouls", ["_team_fouls"]),
    ("_exclusions", ["_penalties"]),
    ("_left_on_base", ["_lob"]),
    ("_matches", ["_matches_won"]),
    ("_timeouts_left_short", ["_timeouts_short"]),
    ("balls", ["ball"]),
    ("strikes", ["strike"]),
    ("outs", ["out"]),
    ("batter", ["batter_number"]),
    ("inning_half", ["half_inning"]),
    ("match", ["match_number"]),
    ("running_clock", ["running_clock_text"]),
    ("running_clock_text", ["running_clock"]),
    ("shot_tenths", ["shot_clock_tenths"]),
    ("shot_clock_tenths", ["shot_tenths"]),
    ("set", ["set_number", "game"]),
    ("serve", ["possession"]),
  ]

  /// The image with every field under all its names; a name that the console uses itself stays as it is.
  package static func addingOthers(to image: ConsoleImage) -> ConsoleImage {
    var all = image
    for (name, others) in table {
      for team in name.hasPrefix("_") ? ["home", "away"] : [""] {
        guard let field = image.fields[team + name] else { continue }
        for other in others where image.fields[team + other] == nil { all[team + other] = field }
      }
    }
    return all
  }
}
