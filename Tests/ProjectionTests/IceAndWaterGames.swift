extension ScriptedGame {
  static let iceHockey = [
    ScriptedGame(
      "ice-hockey",
      """
      wait                          => 0-0 scheduled 1st [20:00] stop | Puck drop soon
      1 clock start                 => 0-0 live 1st [20:00] down |
      59 score home 1 19 power-play => 1-0 live 1st [19:01] down | RIV #19 power-play goal
      4 score away 1 4              => 1-1 live 1st [18:57] down | HAR #4 goal
      3 undo                        => 1-0 live 1st [18:54] down | Score corrected
      2 penalty away 2:00 27        => 1-0 live 1st [18:52] down | HAR #27 penalty
      120.5 wait                    => 1-0 live 1st [16:52] down | HAR #27 penalty
      1 review                      => 1-0 live 1st stop | Under review
      20 review end                 => 1-0 live 1st [16:51] stop |
      1 home -1                     => 0-0 live 1st [16:51] stop | Score corrected
      2 away +1                     => 0-1 live 1st [16:51] stop | HAR goal
      1 home +1                     => 1-1 live 1st [16:51] stop | RIV goal
      1060 wait                     => 1-1 live 1st [16:51] stop | RIV goal
      4 period next                 => 1-1 live 1st INT stop | End of 1st
      3 clock start                 => 1-1 live 2nd [20:00] down |
      1205 wait                     => 1-1 live 2nd INT stop | End of 2nd
      1 period next                 => 1-1 live 3rd [20:00] stop |
      1 clock start                 => 1-1 live 3rd [20:00] down |
      1205 wait                     => 1-1 live End 3rd stop | End of 3rd
      1 period next                 => 1-1 live OT [5:00] stop |
      1 clock start                 => 1-1 live OT [5:00] down |
      305 wait                      => 1-1 live End OT stop | End of OT
      1 period next                 => 1-1 live SO stop |
      1 home shootout goal          => 1-1 live SO stop | RIV scores, 1-0
      1 away shootout miss          => 1-1 live SO stop | HAR misses, 1-0
      1 home +1                     => 1-1 live SO stop | RIV scores, 2-0
      1 away shootout goal          => 1-1 live SO stop | HAR scores, 2-1
      1 away shootout goal          => 1-1 live SO stop | HAR scores, 2-2
      1 home shootout goal          => 1-1 live SO stop | RIV scores, 3-2
      1 home -1                     => 1-1 live SO stop | Score corrected
      1 home shootout goal          => 1-1 live SO stop | RIV scores, 3-2
      1 hold game final             => 2-1 finished Final/SO stop | Riverton wins the shoot-out 3-2
      """),
    ScriptedGame(
      "ice-hockey",
      """
      1 clock start          => 0-0 live 1st [20:00] down |
      2 report home=9 away=0 => 0-0 live 1st [19:58] down | ! held
      1 report home=0 away=0 => 0-0 live 1st [19:57] down | ! nothing new
      3 hold game reset      => 0-0 scheduled 1st [20:00] stop | Puck drop soon
      1 hold game postpone   => 0-0 finished PPD stop | Postponed
      """),
    ScriptedGame(
      "ice-hockey",
      """
      1 clock start       => 0-0 live 1st [20:00] down |
      5 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let floorball = [
    ScriptedGame(
      "floorball", settings: [("clock", "up")],
      """
      wait                   => 0-0 scheduled 1st [20:00] stop | Face-off soon
      1 clock start          => 0-0 live 1st [0:00] up |
      65 away +1             => 0-1 live 1st [1:05] up | HAR goal
      5 away -1              => 0-0 live 1st [1:10] up | Score corrected
      1 home +1              => 1-0 live 1st [1:11] up | RIV goal
      2 penalty home 2:00 5  => 1-0 live 1st [1:13] up | RIV #5 penalty
      121 wait               => 1-0 live 1st [3:14] up | RIV #5 penalty
      1100 wait              => 1-0 live End 1st stop | End of 1st
      60 period next         => 1-0 live 2nd [0:00] stop |
      1 clock start          => 1-0 live 2nd [0:00] up |
      1203 wait              => 1-0 live End 2nd stop | End of 2nd
      60 period next         => 1-0 live 3rd [0:00] stop |
      1 clock start          => 1-0 live 3rd [0:00] up |
      30 away +1             => 1-1 live 3rd [0:30] up | HAR goal
      1200 wait              => 1-1 live End 3rd stop | End of 3rd
      60 period next         => 1-1 live OT [0:00] stop |
      1 clock start          => 1-1 live OT [0:00] up |
      604 wait               => 1-1 live End OT stop | End of OT
      1 report home=1 away=5 => 1-1 live End OT stop | End of OT ! held
      1 report home=1 away=1 => 1-1 live End OT stop | End of OT ! nothing new
      1 period next          => 1-1 live PS stop |
      2 away shootout goal   => 1-1 live PS stop | HAR scores, 0-1
      2 hold game final      => 1-2 finished Final/PS stop | Harbor City wins the shoot-out 1-0
      1 undo                 => 1-1 live PS stop | HAR scores, 0-1
      2 hold game abandon    => 1-1 finished ABD stop | Abandoned
      """),
    ScriptedGame(
      "floorball",
      """
      1 clock start   => 0-0 live 1st [20:00] down |
      1.5 clock stop  => 0-0 live 1st [19:59] stop |
      2 home +1       => 1-0 live 1st [19:59] stop | RIV goal
      2 hold game end => 1-0 finished Final stop | Riverton wins
      """),
  ]

  static let waterPolo = [
    ScriptedGame(
      "water-polo",
      """
      wait                   => 0-0 scheduled Q1 [8:00] stop | Swim-off soon
      1 clock start          => 0-0 live Q1 [8:00] down |
      10 shot clock 20       => 0-0 live Q1 [7:50] down |
      5 home +1              => 1-0 live Q1 [7:45] down | RIV goal
      3 away +1              => 1-1 live Q1 [7:42] down | HAR goal
      2 away -1              => 1-0 live Q1 [7:40] down | Score corrected
      1 report home=4 away=0 => 1-0 live Q1 [7:39] down | Score corrected ! held
      1 report home=1 away=0 => 1-0 live Q1 [7:38] down | Score corrected ! nothing new
      484 wait               => 1-0 live End Q1 stop | End of Q1
      20 period next         => 1-0 live Q2 [8:00] stop |
      1 clock start          => 1-0 live Q2 [8:00] down |
      484 wait               => 1-0 halftime Half stop | End of Q2
      20 period next         => 1-0 live Q3 [8:00] stop |
      1 clock start          => 1-0 live Q3 [8:00] down |
      20 away +1             => 1-1 live Q3 [7:40] down | HAR goal
      484 wait               => 1-1 live End Q3 stop | End of Q3
      20 period next         => 1-1 live Q4 [8:00] stop |
      1 clock start          => 1-1 live Q4 [8:00] down |
      484 wait               => 1-1 live End Q4 stop | End of Q4
      20 period next         => 1-1 live SO stop |
      5 home shootout goal   => 1-1 live SO stop | RIV scores, 1-0
      5 away shootout goal   => 1-1 live SO stop | HAR scores, 1-1
      5 home shootout goal   => 1-1 live SO stop | RIV scores, 2-1
      5 hold game final      => 1-1 finished Final/SO stop | Riverton wins the shoot-out 2-1
      """),
    ScriptedGame(
      "water-polo",
      """
      1 clock start       => 0-0 live Q1 [8:00] down |
      100 clock stop      => 0-0 live Q1 [6:20] stop |
      1 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let rollerDerby = [
    ScriptedGame(
      "roller-derby",
      """
      wait                     => 0-0 scheduled P1 [30:00] stop | First jam soon
      1 jam start              => 0-0 live P1 [30:00] down |
      30 home +4               => 4-0 live P1 [29:30] down | RIV +4
      1 away +3                => 4-3 live P1 [29:29] down | HAR +3
      1 away -1                => 4-2 live P1 [29:28] down | Score corrected
      60 jam end               => 4-2 live P1 [28:28] down | Score corrected
      3 home +2                => 6-2 live P1 [28:25] down | RIV +2
      1 home +1                => 7-2 live P1 [28:24] down | RIV +1
      30 jam start             => 7-2 live P1 [27:54] down | RIV +1
      30 home timeout          => 7-2 live P1 [27:24] stop | Timeout Riverton
      60 jam start             => 7-2 live P1 [27:24] down |
      60 report home=30 away=2 => 7-2 live P1 [26:24] down | ! held
      3 report home=7 away=2   => 7-2 live P1 [26:21] down | ! nothing new
      1530 home +3             => 10-2 live P1 [0:51] down | RIV +3
      60 wait                  => 10-2 live P1 [0:00] stop | RIV +3
      30 jam end               => 10-2 live P1 [0:00] stop | RIV +3
      4 wait                   => 10-2 halftime Half stop | End of P1
      900 period next          => 10-2 live P2 [30:00] stop |
      1 jam start              => 10-2 live P2 [30:00] down |
      1900 set score away 10   => 10-10 live P2 [0:00] stop | Score corrected
      4 jam end                => 10-10 live P2 [0:00] stop | Score corrected
      4 wait                   => 10-10 live End P2 stop | End of P2
      2 period next            => 10-10 live OT stop |
      10 jam start             => 10-10 live OT stop |
      20 home +3               => 13-10 live OT stop | RIV +3
      100 jam end              => 13-10 live OT stop | RIV +3
      3 hold game final        => 13-10 finished Final/OT stop | Riverton wins in overtime
      """),
    ScriptedGame(
      "roller-derby",
      """
      1 jam start          => 0-0 live P1 [30:00] down |
      20 delay             => 0-0 live Delay stop | Play is delayed
      20 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]
}
