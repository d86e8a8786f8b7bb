extension ScriptedGame {
  static let soccer = [
    ScriptedGame(
      "soccer",
      """
      wait                    => 0-0 scheduled 1H [45:00] stop | Kick-off soon
      1 game start            => 0-0 live 1H [0:00] up |
      300 score home 1 9      => 1-0 live 1H [5:00] up | RIV #9 goal
      60 home -1              => 0-0 live 1H [6:00] up | Score corrected
      5 undo                  => 1-0 live 1H [6:05] up | Score corrected
      2395 wait               => 1-0 live 1H [45+2] up | Score corrected
      30 wait                 => 1-0 live 1H [45+2] up | Score corrected
      60 away +1              => 1-1 live 1H [45+3] up | HAR goal
      1 review                => 1-1 live 1H stop | Under review
      40 away -1              => 1-0 live 1H stop | Score corrected
      5 review end            => 1-0 live 1H [45+3] stop | Score corrected
      1 clock start           => 1-0 live 1H [45+3] up | Score corrected
      20 period next          => 1-0 halftime Half stop | End of 1H
      900 period next         => 1-0 live 2H [45:00] up |
      60 report home=5 away=0 => 1-0 live 2H [46:00] up | ! held
      1 report home=1 away=0  => 1-0 live 2H [46:01] up | ! nothing new
      2000 away +1            => 1-1 live 2H [79:21] up | HAR goal
      700 wait                => 1-1 live 2H [90+2] up | HAR goal
      100 period next         => 1-1 live End 2H stop | End of 2H
      120 period next         => 1-1 live ET1 [90:00] up |
      920 period next         => 1-1 live End ET1 stop | End of ET1
      60 period next          => 1-1 live ET2 [105:00] up |
      900 period next         => 1-1 live End ET2 stop | End of ET2
      60 period next          => 1-1 live Pens stop |
      5 home shootout goal    => 1-1 live Pens stop | RIV scores, 1-0
      5 away shootout miss    => 1-1 live Pens stop | HAR misses, 1-0
      5 home shootout goal    => 1-1 live Pens stop | RIV scores, 2-0
      5 home +1               => 1-1 live Pens stop | RIV scores, 3-0
      5 hold game final       => 1-1 finished Final/Pens stop | Riverton wins 3-0 on penalties
      """),
    ScriptedGame(
      "soccer",
      """
      1 game start        => 0-0 live 1H [0:00] up |
      600 delay           => 0-0 live Delay stop | Play is delayed
      900 resume          => 0-0 live 1H [10:00] stop | Play resumes
      5 delay             => 0-0 live Delay stop | Play is delayed
      5 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let americanFootball = [
    ScriptedGame(
      "american-football",
      """
      wait                     => 0-0 scheduled Q1 [15:00] stop | Kick-off soon
      1 clock start            => 0-0 live Q1 [15:00] down |
      60 score home 6 12       => 6-0 live Q1 [14:00] down | RIV #12 touchdown
      3 home +1                => 7-0 live Q1 [13:57] down | RIV extra point
      20 away +3               => 7-3 live Q1 [13:37] down | HAR field goal
      20 home +2               => 9-3 live Q1 [13:17] down | RIV two points
      5 home -2                => 7-3 live Q1 [13:12] down | Score corrected
      2 home timeout           => 7-3 live Q1 [13:10] stop | Timeout Riverton
      5 clock start            => 7-3 live Q1 [13:10] down |
      60 report home=15 away=3 => 7-3 live Q1 [12:10] down | ! held
      2 report home=7 away=3   => 7-3 live Q1 [12:08] down | ! nothing new
      900 wait                 => 7-3 live End Q1 stop | End of Q1
      30 period next           => 7-3 live Q2 [15:00] stop |
      1 clock start            => 7-3 live Q2 [15:00] down |
      903 wait                 => 7-3 halftime Half stop | End of Q2
      30 period next           => 7-3 live Q3 [15:00] stop |
      1 clock start            => 7-3 live Q3 [15:00] down |
      903 wait                 => 7-3 live End Q3 stop | End of Q3
      30 period next           => 7-3 live Q4 [15:00] stop |
      1 clock start            => 7-3 live Q4 [15:00] down |
      60 set score away 7      => 7-7 live Q4 [14:00] down | Score corrected
      844 wait                 => 7-7 live End Q4 stop | End of Q4
      30 period next           => 7-7 live OT [10:00] stop |
      1 clock start            => 7-7 live OT [10:00] down |
      20 home +3               => 10-7 live OT [9:40] down | RIV field goal
      3 hold game final        => 10-7 finished Final/OT stop | Riverton wins in overtime
      """),
    ScriptedGame(
      "american-football",
      """
      1 clock start        => 0-0 live Q1 [15:00] down |
      30 delay             => 0-0 live Delay stop | Play is delayed
      30 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let rugbyUnion = [
    ScriptedGame(
      "rugby-union",
      """
      wait                    => 0-0 scheduled 1H [40:00] stop | Kick-off soon
      1 game start            => 0-0 live 1H [0:00] up |
      240 score home 5 14     => 5-0 live 1H [4:00] up | RIV #14 try
      60 home +2              => 7-0 live 1H [5:00] up | RIV conversion
      60 away +3              => 7-3 live 1H [6:00] up | HAR penalty goal
      30 review               => 7-3 live 1H stop | Under review
      30 home -2              => 5-3 live 1H stop | Score corrected
      4 review end            => 5-3 live 1H [6:30] stop | Score corrected
      2 clock start           => 5-3 live 1H [6:30] up | Score corrected
      20 penalty away 10:00 7 => 5-3 live 1H [6:50] up | HAR #7 penalty
      5 report home=0 away=0  => 5-3 live 1H [6:55] up | HAR #7 penalty ! held
      2 report home=5 away=3  => 5-3 live 1H [6:57] up | HAR #7 penalty ! nothing new
      2100 wait               => 5-3 live 1H [41:57] up | HAR #7 penalty
      30 period next          => 5-3 halftime Half stop | End of 1H
      600 period next         => 5-3 live 2H [40:00] up |
      60 set score away 5     => 5-5 live 2H [41:00] up | Score corrected
      2500 period next        => 5-5 live End 2H stop | End of 2H
      60 period next          => 5-5 live ET1 [80:00] up |
      700 period next         => 5-5 live End ET1 stop | End of ET1
      60 period next          => 5-5 live ET2 [90:00] up |
      300 away +3             => 5-8 live ET2 [95:00] up | HAR penalty goal
      300 period next         => 5-8 live End ET2 stop | End of ET2
      30 hold game final      => 5-8 finished Final/ET stop | Harbor City wins in extra time
      """),
    ScriptedGame(
      "rugby-union",
      """
      1 game start         => 0-0 live 1H [0:00] up |
      30 delay             => 0-0 live Delay stop | Play is delayed
      30 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let baseball = [
    ScriptedGame(
      "baseball",
      """
      wait                    => 0-0 scheduled Top 1 stop | First pitch soon
      1 game start            => 0-0 live Top 1 stop |
      3 ball                  => 0-0 live Top 1 stop | 1-0, 0 out
      3 strike                => 0-0 live Top 1 stop | 1-1, 0 out
      3 foul ball             => 0-0 live Top 1 stop | 1-2, 0 out
      3 foul ball             => 0-0 live Top 1 stop | 1-2, 0 out ! a foul ball is no third strike
      3 strike                => 0-0 live Top 1 stop | 0-0, 1 out
      3 away +1               => 0-1 live Top 1 stop | HAR scores 1
      3 away +4               => 0-5 live Top 1 stop | HAR scores 4
      2 away -1               => 0-4 live Top 1 stop | Score corrected
      2 undo                  => 0-5 live Top 1 stop | Score corrected
      3 out                   => 0-5 live Top 1 stop | 0-0, 2 out
      3 ball                  => 0-5 live Top 1 stop | 1-0, 2 out
      2 ball                  => 0-5 live Top 1 stop | 2-0, 2 out
      2 ball                  => 0-5 live Top 1 stop | 3-0, 2 out
      2 ball                  => 0-5 live Top 1 stop | 0-0, 2 out
      3 out                   => 0-5 live Mid 1 stop | End of Top 1
      5 ball                  => 0-5 live Bot 1 stop | 1-0, 0 out
      3 home +1               => 1-5 live Bot 1 stop | RIV scores 1
      4 strike                => 1-5 live Bot 1 stop | 1-1, 0 out
      1 undo                  => 1-5 live Bot 1 stop | RIV scores 1
      1 period next           => 1-5 live End 1 stop | End of Bot 1
      5 period Bot 9          => 1-5 live Bot 9 stop |
      2 set score home 5      => 5-5 live Bot 9 stop | Score corrected
      3 report home=12 away=5 => 5-5 live Bot 9 stop | Score corrected ! held
      1 report home=5 away=5  => 5-5 live Bot 9 stop | Score corrected ! nothing new
      1 period next           => 5-5 live End 9 stop | End of Bot 9
      60 away +1              => 5-6 live Top 10 stop | HAR scores 1
      3 period next           => 5-6 live Mid 10 stop | End of Top 10
      30 home +3              => 8-6 live Bot 10 stop | RIV scores 3
      5 hold game final       => 8-6 finished Final/10 stop | Riverton wins
      """),
    ScriptedGame(
      "baseball", settings: [("variant", "softball")],
      """
      1 game start        => 0-0 live Top 1 stop |
      2 period Bot 5      => 0-0 live Bot 5 stop |
      2 set score home 10 => 10-0 live Bot 5 stop | Score corrected
      2 hold game final   => 10-0 finished Final/5 stop | Riverton wins
      """),
    ScriptedGame(
      "baseball",
      """
      1 game start       => 0-0 live Top 1 stop |
      2 period Top 9     => 0-0 live Top 9 stop |
      2 set score home 1 => 1-0 live Top 9 stop | Score corrected
      2 out              => 1-0 live Top 9 stop | 0-0, 1 out
      2 out              => 1-0 live Top 9 stop | 0-0, 2 out
      2 out              => 1-0 live Mid 9 stop | End of Top 9
      2 hold game final  => 1-0 finished Final stop | Riverton wins
      2 set score home 0 => 0-0 finished Final stop | A draw
      600 wait           => 0-0 finished Final stop | A draw
      1 home +1          => 0-0 finished Final stop | A draw ! the game has ended; open the next one
      """),
    ScriptedGame(
      "baseball",
      """
      1 game start           => 0-0 live Top 1 stop |
      2 delay                => 0-0 live Delay stop | Play is delayed
      1000 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]
}
