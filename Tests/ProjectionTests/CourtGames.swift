extension ScriptedGame {
  static let basketball = [
    ScriptedGame(
      "basketball",
      """
      wait                   => 0-0 scheduled Q1 [10:00] stop | Tip-off soon
      1 home +3              => 3-0 live Q1 [10:00] stop | RIV three-pointer
      5 undo                 => 0-0 scheduled Q1 [10:00] stop | Tip-off soon
      1 game start           => 0-0 live Q1 [10:00] stop |
      0.3 game start         => 0-0 live Q1 [10:00] stop | ! the game has begun already
      0.5 hold game end      => 0-0 live Q1 [10:00] stop | ! refused just after a start; hold again
      3 clock start/stop     => 0-0 live Q1 [10:00] down |
      12.5 score home 3 11   => 3-0 live Q1 [9:48] down | RIV #11 three-pointer
      20 score away 2 7      => 3-2 live Q1 [9:28] down | HAR #7 two points
      5 home +1              => 4-2 live Q1 [9:23] down | RIV free throw
      3 home +2              => 6-2 live Q1 [9:20] down | RIV two points
      2 home -1              => 5-2 live Q1 [9:18] down | Score corrected
      4 undo                 => 6-2 live Q1 [9:14] down | Score corrected
      1 undo                 => 4-2 live Q1 [9:13] down | Score corrected
      1 redo                 => 6-2 live Q1 [9:12] down | Score corrected
      2 home foul            => 6-2 live Q1 [9:10] down | RIV two points
      2 clock start/stop     => 6-2 live Q1 [9:08] stop | RIV two points
      10 home timeout        => 6-2 live Q1 [9:08] stop | Timeout Riverton
      30 clock start         => 6-2 live Q1 [9:08] down |
      1 set score home 5     => 5-2 live Q1 [9:07] down | Score corrected
      1 report home=9 away=2 => 5-2 live Q1 [9:06] down | Score corrected ! held
      1 report home=5 away=2 => 5-2 live Q1 [9:05] down | Score corrected ! nothing new
      600 wait               => 5-2 live End Q1 stop | End of Q1
      0.8 away +2            => 5-4 live End Q1 stop | HAR two points
      3 wait                 => 5-4 live End Q1 stop | HAR two points
      1 home -1              => 4-4 live End Q1 stop | Score corrected
      5 period next          => 4-4 live Q2 [10:00] stop |
      1 clock start          => 4-4 live Q2 [10:00] down |
      600 wait               => 4-4 live Q2 [0:00] stop |
      3.1 wait               => 4-4 halftime Half stop | End of Q2
      3 period next          => 4-4 live Q3 [10:00] stop |
      1 clock start          => 4-4 live Q3 [10:00] down |
      601 wait               => 4-4 live Q3 [0:00] stop |
      3 wait                 => 4-4 live End Q3 stop | End of Q3
      2 period next          => 4-4 live Q4 [10:00] stop |
      1 clock start          => 4-4 live Q4 [10:00] down |
      599.2 away +3          => 4-7 live Q4 [0:01] stop | HAR three-pointer
      1 wait                 => 4-7 live Q4 [0:00] stop | HAR three-pointer
      1 set score away 4     => 4-4 live Q4 [0:00] stop | Score corrected
      4 wait                 => 4-4 live End Q4 stop | End of Q4
      1 hold game final      => 4-4 finished Final stop | A draw
      1 undo                 => 4-4 live End Q4 stop | End of Q4
      1 period next          => 4-4 live OT [5:00] stop |
      2 clock start          => 4-4 live OT [5:00] down |
      300 wait               => 4-4 live OT [0:00] stop |
      3 wait                 => 4-4 live End OT stop | End of OT
      3 period next          => 4-4 live 2OT [5:00] stop |
      1 clock start          => 4-4 live 2OT [5:00] down |
      20 away +2             => 4-6 live 2OT [4:40] down | HAR two points
      3 hold game final      => 4-6 finished Final/2OT stop | Harbor City wins in overtime
      1 set score away 5     => 4-5 finished Final/2OT stop | Harbor City wins in overtime
      1 set score home 9     => 9-5 finished Final/2OT stop | Riverton wins in overtime
      60 hold game end       => 9-5 finished Final/2OT stop | Riverton wins in overtime
      1 home +2              => 9-5 finished Final/2OT stop | Riverton wins in overtime ! the game has ended; open the next one
      1 undo                 => 9-5 finished Final/2OT stop | Riverton wins in overtime ! the game has ended; open the next one
      """),
    ScriptedGame(
      "basketball", settings: [("format", "halves")],
      """
      wait                => 0-0 scheduled 1H [20:00] stop | Tip-off soon
      1 clock start       => 0-0 live 1H [20:00] down |
      1200 wait           => 0-0 live 1H [0:00] stop |
      4 period next       => 0-0 halftime Half stop | End of 1H ! 1H has just ended; press again to start what follows
      2 period next       => 0-0 live 2H [20:00] stop |
      1 hold game abandon => 0-0 live 2H [20:00] stop | ! refused just after a start; hold again
      1 game new          => 0-0 live 2H [20:00] stop | ! the game is being played; declare its final first
      """),
    ScriptedGame(
      "basketball",
      """
      1 clock start                      => 0-0 live Q1 [10:00] down |
      20 home +2                         => 2-0 live Q1 [9:40] down | RIV two points
      3 hold game reset                  => 0-0 scheduled Q1 [10:00] stop | Tip-off soon
      5 report home=0 away=0 clock=10:00 => 0-0 scheduled Q1 [10:00] stop | Tip-off soon ! nothing new
      5 clock start                      => 0-0 live Q1 [10:00] down |
      30 hold game abandon               => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let basketball3x3 = [
    ScriptedGame(
      "basketball-3x3",
      """
      wait              => 0-0 scheduled Reg [10:00] stop | Tip-off soon
      1 clock start     => 0-0 live Reg [10:00] down |
      3 home +1         => 1-0 live Reg [9:57] down | RIV one point
      3 away +2         => 1-2 live Reg [9:54] down | HAR two points
      2 home +1         => 2-2 live Reg [9:52] down | RIV one point
      1 home -1         => 1-2 live Reg [9:51] down | Score corrected
      1 undo            => 2-2 live Reg [9:50] down | Score corrected
      620 wait          => 2-2 live End Reg stop | End of Reg
      4 period next     => 2-2 live OT stop |
      2 clock start     => 2-2 live OT stop | ! no game clock runs here
      3 away +2         => 2-4 live OT stop | HAR two points
      2 hold game final => 2-4 finished Final/OT stop | Harbor City wins in overtime
      """),
    ScriptedGame(
      "basketball-3x3",
      """
      1 clock start          => 0-0 live Reg [10:00] down |
      2 report home=9 away=0 => 0-0 live Reg [9:58] down | ! held
      1 report home=0 away=0 => 0-0 live Reg [9:57] down | ! nothing new
      3 hold game reset      => 0-0 scheduled Reg [10:00] stop | Tip-off soon
      9 clock start          => 0-0 live Reg [10:00] down |
      9 hold game abandon    => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let handball = [
    ScriptedGame(
      "handball",
      """
      wait                   => 0-0 scheduled 1H [30:00] stop | Throw-off soon
      1 clock start          => 0-0 live 1H [0:00] up |
      61 home +1             => 1-0 live 1H [1:01] up | RIV goal
      0.2 home +1            => 2-0 live 1H [1:01] up | RIV goal
      10 away +1             => 2-1 live 1H [1:11] up | HAR goal
      5 away -1              => 2-0 live 1H [1:16] up | Score corrected
      2 penalty away 2:00 7  => 2-0 live 1H [1:18] up | HAR #7 penalty
      120 clock stop         => 2-0 live 1H [3:18] stop | HAR #7 penalty
      3 clock start          => 2-0 live 1H [3:18] up | HAR #7 penalty
      1720 wait              => 2-0 halftime Half stop | End of 1H
      900 period next        => 2-0 live 2H [30:00] stop |
      1 clock start          => 2-0 live 2H [30:00] up |
      100 set score away 2   => 2-2 live 2H [31:40] up | Score corrected
      1700 wait              => 2-2 live 2H [60:00] stop | Score corrected
      4 report home=7 away=2 => 2-2 live End 2H stop | End of 2H ! held
      2 report home=2 away=2 => 2-2 live End 2H stop | End of 2H ! nothing new
      60 period next         => 2-2 live ET1 [60:00] stop |
      1 clock start          => 2-2 live ET1 [60:00] up |
      300 wait               => 2-2 live ET1 [65:00] stop |
      4 period next          => 2-2 live End ET1 stop | End of ET1 ! ET1 has just ended; press again to start what follows
      3 period next          => 2-2 live ET2 [65:00] stop |
      1 clock start          => 2-2 live ET2 [65:00] up |
      304 wait               => 2-2 live End ET2 stop | End of ET2
      60 period next         => 2-2 live ET3 [70:00] stop |
      1 clock start          => 2-2 live ET3 [70:00] up |
      302 period next        => 2-2 live End ET3 stop | End of ET3
      4 period next          => 2-2 live ET4 [75:00] stop |
      1 clock start          => 2-2 live ET4 [75:00] up |
      303 wait               => 2-2 live End ET4 stop | End of ET4
      60 period next         => 2-2 live 7m stop |
      4 away shootout goal   => 2-2 live 7m stop | HAR scores, 0-1
      4 hold game final      => 2-2 finished Final/7m stop | Harbor City wins the shoot-out 1-0
      """),
    ScriptedGame(
      "handball",
      """
      1 clock start        => 0-0 live 1H [0:00] up |
      1000 delay           => 0-0 live Delay stop | Play is delayed
      60 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]

  static let futsal = [
    ScriptedGame(
      "futsal",
      """
      wait                   => 0-0 scheduled 1H [20:00] stop | Kick-off soon
      1 clock start          => 0-0 live 1H [20:00] down |
      30 home +1             => 1-0 live 1H [19:30] down | RIV goal
      1 home -1              => 0-0 live 1H [19:29] down | Score corrected
      1 away +1              => 0-1 live 1H [19:28] down | HAR goal
      2 home foul            => 0-1 live 1H [19:26] down | HAR goal
      1 away timeout         => 0-1 live 1H [19:25] stop | Timeout Harbor City
      5 clock start          => 0-1 live 1H [19:25] down |
      1300 wait              => 0-1 halftime Half stop | End of 1H
      60 period next         => 0-1 live 2H [20:00] stop |
      1 clock start          => 0-1 live 2H [20:00] down |
      60 set score home 1    => 1-1 live 2H [19:00] down | Score corrected
      3 report home=4 away=1 => 1-1 live 2H [18:57] down | Score corrected ! held
      3 report home=1 away=1 => 1-1 live 2H [18:54] down | Score corrected ! nothing new
      1300 wait              => 1-1 live End 2H stop | End of 2H
      5 period next          => 1-1 live ET1 [5:00] stop |
      1 clock start          => 1-1 live ET1 [5:00] down |
      310 wait               => 1-1 live End ET1 stop | End of ET1
      5 period next          => 1-1 live ET2 [5:00] stop |
      1 clock start          => 1-1 live ET2 [5:00] down |
      310 wait               => 1-1 live End ET2 stop | End of ET2
      5 period next          => 1-1 live Pens stop |
      3 away shootout goal   => 1-1 live Pens stop | HAR scores, 0-1
      3 home shootout miss   => 1-1 live Pens stop | RIV misses, 0-1
      3 hold game final      => 1-1 finished Final/Pens stop | Harbor City wins 1-0 on penalties
      """),
    ScriptedGame(
      "futsal",
      """
      1 clock start       => 0-0 live 1H [20:00] down |
      30 clock stop       => 0-0 live 1H [19:30] stop |
      1 hold game abandon => 0-0 finished ABD stop | Abandoned
      """),
  ]
}
