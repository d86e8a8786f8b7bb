extension ScriptedGame {
  static let volleyball = [
    ScriptedGame(
      "volleyball",
      """
      wait                          => 0-0 scheduled Set 1 stop | First serve soon
      1 home serve                  => 0-0 scheduled Set 1 stop | First serve soon
      2 home +1                     => 0-0 live Set 1 1-0 stop | Point RIV
      3 away +1                     => 0-0 live Set 1 1-1 stop | Point HAR
      3 away -1                     => 0-0 live Set 1 1-0 stop | Score corrected
      2 undo                        => 0-0 live Set 1 1-1 stop | Score corrected
      3 away timeout                => 0-0 live Set 1 1-1 stop | Timeout Harbor City
      30 timeout end                => 0-0 live Set 1 1-1 stop |
      2 set points home 23          => 0-0 live Set 1 23-1 stop | Score corrected
      1 set points away 24          => 0-0 live Set 1 23-24 stop | Score corrected
      2 report points=23-30         => 0-0 live Set 1 23-24 stop | Score corrected ! held
      1 report points=23-24         => 0-0 live Set 1 23-24 stop | Score corrected ! nothing new
      3 home +1                     => 0-0 live Set 1 24-24 stop | Point RIV
      2 home +1                     => 0-0 live Set 1 25-24 stop | Point RIV
      2 home +1                     => 1-0 live Set break stop | Riverton wins the set
      1 home +1                     => 1-0 live Set break stop | Riverton wins the set ! Set 1 has just ended; undo its last point if that was wrong
      5 away +1                     => 1-0 live Set 2 0-1 stop | Point HAR
      2 undo                        => 1-0 live Set break stop | Score corrected
      2 period next                 => 1-0 live Set 2 0-0 stop |
      2 set points away 24          => 1-0 live Set 2 0-24 stop | Score corrected
      2 away +1                     => 1-1 live Set break stop | Harbor City wins the set
      10 report sets=1-1 points=0-0 => 1-1 live Set 3 0-0 stop | Harbor City wins the set
      2 report sets=1-1 points=1-0  => 1-1 live Set 3 1-0 stop | Point RIV
      3 set points home 24          => 1-1 live Set 3 24-0 stop | Score corrected
      3 home +1                     => 2-1 live Set break stop | Riverton wins the set
      20 period next                => 2-1 live Set 4 0-0 stop |
      1 set points away 24          => 2-1 live Set 4 0-24 stop | Score corrected
      4 away +1                     => 2-2 live Set break stop | Harbor City wins the set
      30 away +1                    => 2-2 live Set 5 0-1 stop | Point HAR
      2 set points home 14          => 2-2 live Set 5 14-1 stop | Score corrected
      2 set points away 14          => 2-2 live Set 5 14-14 stop | Score corrected
      2 home +1                     => 2-2 live Set 5 15-14 stop | Point RIV
      2 home +1                     => 3-2 live Set 5 16-14 stop | Riverton wins the set
      2 home +1                     => 3-2 live Set 5 16-14 stop | Riverton wins the set ! the match is decided; undo the last point or declare the final
      1 period next                 => 3-2 live Set 5 16-14 stop | Riverton wins the set ! the match is decided; declare its final
      4 hold game final             => 3-2 finished Final stop | Riverton wins
      """),
    ScriptedGame(
      "volleyball",
      """
      2 away +1            => 0-0 live Set 1 0-1 stop | Point HAR
      20 delay             => 0-0 live Delay stop | Play is delayed
      60 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
    ScriptedGame(
      "volleyball", settings: [("variant", "beach")],
      """
      2 set points home 20 => 0-0 scheduled Set 1 stop | Score corrected
      2 home +1            => 1-0 live Set break stop | Riverton wins the set
      10 home +1           => 1-0 live Set 2 1-0 stop | Point RIV
      2 set points home 20 => 1-0 live Set 2 20-0 stop | Score corrected
      2 home +1            => 2-0 live Set 2 21-0 stop | Riverton wins the set
      2 hold game final    => 2-0 finished Final stop | Riverton wins
      """),
  ]

  static let tennis = [
    ScriptedGame(
      "tennis",
      """
      wait                                    => 0-0 scheduled Set 1 stop | First serve soon
      1 home serve                            => 0-0 scheduled Set 1 stop | First serve soon
      2 home +1                               => 0-0 live Set 1 0-0 15-0 stop | Point RIV
      3 home +1                               => 0-0 live Set 1 0-0 30-0 stop | Point RIV
      3 away +1                               => 0-0 live Set 1 0-0 30-15 stop | Point HAR
      3 home +1                               => 0-0 live Set 1 0-0 40-15 stop | Point RIV
      3 away +1                               => 0-0 live Set 1 0-0 40-30 stop | Point HAR
      3 away +1                               => 0-0 live Set 1 0-0 40-40 stop | Point HAR
      3 away +1                               => 0-0 live Set 1 0-0 40-A stop | Point HAR
      1 home +1                               => 0-0 live Set 1 0-0 40-40 stop | Point RIV
      2 home +1                               => 0-0 live Set 1 0-0 A-40 stop | Point RIV
      2 home +1                               => 0-0 live Set 1 1-0 0-0 stop | Game Riverton
      5 away -1                               => 0-0 live Set 1 1-0 0-0 stop | Game Riverton ! the score cannot go below zero; undo instead
      5 set games home 5                      => 0-0 live Set 1 5-0 0-0 stop | Score corrected
      1 set games away 5                      => 0-0 live Set 1 5-5 0-0 stop | Score corrected
      4 home +1                               => 0-0 live Set 1 5-5 15-0 stop | Point RIV
      4 home +1                               => 0-0 live Set 1 5-5 30-0 stop | Point RIV
      4 home +1                               => 0-0 live Set 1 5-5 40-0 stop | Point RIV
      4 home +1                               => 0-0 live Set 1 6-5 0-0 stop | Game Riverton
      4 away +1                               => 0-0 live Set 1 6-5 0-15 stop | Point HAR
      4 away +1                               => 0-0 live Set 1 6-5 0-30 stop | Point HAR
      4 away +1                               => 0-0 live Set 1 6-5 0-40 stop | Point HAR
      4 away +1                               => 0-0 live Set 1 6-6 TB 0-0 stop | Game Harbor City
      3 home +1                               => 0-0 live Set 1 6-6 TB 1-0 stop | Point RIV
      3 away +1                               => 0-0 live Set 1 6-6 TB 1-1 stop | Point HAR
      3 set points home 6                     => 0-0 live Set 1 6-6 TB 6-1 stop | Score corrected
      3 set points away 5                     => 0-0 live Set 1 6-6 TB 6-5 stop | Score corrected
      3 home +1                               => 1-0 live Set 2 0-0 0-0 stop | Riverton wins the set
      9 report sets=1-0 games=0-0 points=0-0  => 1-0 live Set 2 0-0 0-0 stop | Riverton wins the set ! nothing new
      9 report sets=1-0 games=0-0 points=15-0 => 1-0 live Set 2 0-0 15-0 stop | Point RIV
      2 report sets=1-0 games=0-0 points=40-0 => 1-0 live Set 2 0-0 40-0 stop | Point RIV
      2 report sets=1-0 games=1-0 points=0-0  => 1-0 live Set 2 1-0 0-0 stop | Game Riverton
      2 report sets=1-0 games=5-0 points=0-0  => 1-0 live Set 2 1-0 0-0 stop | Game Riverton ! held
      1 report sets=1-0 games=1-0 points=0-0  => 1-0 live Set 2 1-0 0-0 stop | Game Riverton ! nothing new
      2 set games home 5                      => 1-0 live Set 2 5-0 0-0 stop | Score corrected
      2 home +1                               => 1-0 live Set 2 5-0 15-0 stop | Point RIV
      2 home +1                               => 1-0 live Set 2 5-0 30-0 stop | Point RIV
      2 home +1                               => 1-0 live Set 2 5-0 40-0 stop | Point RIV
      2 home +1                               => 2-0 live Set 2 6-0 stop | Riverton wins the set
      2 home +1                               => 2-0 live Set 2 6-0 stop | Riverton wins the set ! the match is decided; undo the last point or declare the final
      4 undo                                  => 1-0 live Set 2 5-0 40-0 stop | Score corrected
      1 redo                                  => 2-0 live Set 2 6-0 stop | Score corrected
      4 hold game final                       => 2-0 finished Final stop | Riverton wins
      """),
    ScriptedGame(
      "tennis", settings: [("variant", "padel"), ("match_tiebreak", "10")],
      """
      1 set games home 5  => 0-0 scheduled Set 1 stop | Score corrected
      2 set points home 3 => 0-0 scheduled Set 1 stop | Score corrected
      1 set points away 3 => 0-0 scheduled Set 1 stop | Score corrected
      2 home +1           => 1-0 live Set 2 0-0 0-0 stop | Riverton wins the set
      1 set games away 5  => 1-0 live Set 2 0-5 0-0 stop | Score corrected
      2 set points away 3 => 1-0 live Set 2 0-5 0-40 stop | Score corrected
      2 away +1           => 1-1 live Set 3 0-0 TB 0-0 stop | Harbor City wins the set
      2 set points home 9 => 1-1 live Set 3 0-0 TB 9-0 stop | Score corrected
      2 set points away 9 => 1-1 live Set 3 0-0 TB 9-9 stop | Score corrected
      2 home +1           => 1-1 live Set 3 0-0 TB 10-9 stop | Point RIV
      3 home +1           => 2-1 live Set 3 11-9 stop | Riverton wins the set
      3 hold game final   => 2-1 finished Final stop | Riverton wins
      """),
    ScriptedGame(
      "tennis",
      """
      2 home +1      => 0-0 live Set 1 0-0 15-0 stop | Point RIV
      60 retire away => 0-0 finished Final/Ret stop | Harbor City retires, Riverton wins
      """),
    ScriptedGame(
      "tennis",
      """
      2 away +1            => 0-0 live Set 1 0-0 0-15 stop | Point HAR
      60 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let console = [
    ScriptedGame(
      "console",
      """
      wait                                         => 0-0 scheduled  stop | Starting soon
      2 report home=0 away=0 clock=10:00 text=Bout => 0-0 scheduled Bout [10:00] stop | Starting soon
      2 report home=3 away=1 clock=9:50 run        => 3-1 live Bout [9:50] down |
      3 report home=5 away=1                       => 5-1 live Bout [9:47] down | RIV +2
      2 report home=4 away=1                       => 4-1 live Bout [9:45] down | Score corrected
      2 report home=0 away=0                       => 4-1 live Bout [9:43] down | Score corrected ! held
      1 report home=5 away=1 text=Round2           => 5-1 live Round2 [9:42] down | RIV +1
      2 report home=5 away=1 clocktext=P1          => 5-1 live Round2 [P1] stop | RIV +1
      5 hold game final                            => 5-1 finished Final stop | Riverton wins
      """),
    ScriptedGame(
      "console",
      """
      2 report home=3 away=1 => 3-1 live  stop |
      5 hold game abandon    => 3-1 finished ABD stop | Abandoned
      """),
  ]
}
