/// Everything that chooses a decoder: the protocol, the sport, and the protocol's own settings as text.
package struct DecoderSettings {
  package var console: ConsoleProtocol
  package var sport: ConsoleSport?
  /// In the order given; `pattern` may come several times.
  package var options: [(name: String, value: String)]
  /// Compiles the patterns of the generic line.
  package var compile: LinePatternCompiler?

  package init(
    console: ConsoleProtocol, sport: ConsoleSport? = nil, options: [(name: String, value: String)] = [],
    compile: LinePatternCompiler? = nil
  ) {
    self.console = console
    self.sport = sport
    self.options = options
    self.compile = compile
  }

  /// The options a protocol knows, with what each may be.
  package static func options(of console: ConsoleProtocol) -> [(name: String, values: String)] {
    switch console {
    case .daktronicsRTD: [("console", "allsport or omnisport"), ("columns", "trimmed or strict")]
    case .ctsGen6:
      ["clock_channel", "shot_clock_channel", "score_channel", "period_channel"].map {
        ($0, "0 to 31, or 0x00 to 0x1F")
      }
    case .swissTimingOSM6: [("lane_ten", "yes or no")]
    case .genericLine:
      [
        ("pattern", "a regular expression with named groups"), ("line_end", "newline, cr, lf, crlf or 0xNN"),
        ("start", "0xNN"), ("longest", "1 to 65536"), ("length", "1 to 65536"),
        ("check", "\"sum 0-17 at 18\" or \"xor 0-17 at 18 hex\""),
      ]
    case .bodetScorepad, .stramatelTV, .stramatelAmericanFootball, .faveroFA05, .daktronicsAllSportCG, .fairPlayMP70:
      []
    }
  }

  /// A fresh decoder, or every reason why these settings give none.
  package func makeDecoder() -> Result<any FrameDecoder, DecoderRefusal> {
    let known = DecoderSettings.options(of: console)
    var reasons = options.filter { option in !known.contains { $0.name == option.name } }
      .map { option in
        let names = known.map(\.name).joined(separator: ", ")
        return known.isEmpty
          ? "\(console.rawValue) has no setting \(option.name), nor any other"
          : "\(console.rawValue) has no setting \(option.name); it has \(names)"
      }
    let decoder: (any FrameDecoder)?
    switch console {
    case .daktronicsRTD: decoder = makeDaktronics(&reasons)
    case .bodetScorepad: decoder = BodetScorepad(sport: sport)
    case .stramatelTV: decoder = StramatelTV(sport: sport)
    case .stramatelAmericanFootball: decoder = StramatelTV(sport: sport, isAmericanFootball: true)
    case .ctsGen6: decoder = makeColorado(&reasons)
    case .faveroFA05: decoder = FaveroFA05()
    case .swissTimingOSM6:
      decoder = SwissTimingOSM6(readsLaneTen: choice("lane_ten", ["no": false, "yes": true], &reasons) ?? false)
    case .daktronicsAllSportCG: decoder = DaktronicsAllSportCG(sport: sport)
    case .fairPlayMP70: decoder = FairPlayMP70()
    case .genericLine: decoder = makeGenericLine(&reasons)
    }
    guard let decoder, reasons.isEmpty else { return .failure(DecoderRefusal(reasons: reasons)) }
    return .success(decoder)
  }

  private func makeDaktronics(_ reasons: inout [String]) -> DaktronicsRTD {
    DaktronicsRTD(
      DaktronicsRTD.Settings(
        sport: sport, isOmnisport: choice("console", ["allsport": false, "omnisport": true], &reasons),
        strictColumns: choice("columns", ["trimmed": false, "strict": true], &reasons) ?? false))
  }

  private func makeColorado(_ reasons: inout [String]) -> CTSGen6 {
    var channels = CTSGen6.Channels()
    if let channel = number("clock_channel", 0...31, &reasons) { channels.clock = channel }
    if let channel = number("shot_clock_channel", 0...31, &reasons) { channels.shotClock = channel }
    if let channel = number("score_channel", 0...31, &reasons) { channels.score = channel }
    if let channel = number("period_channel", 0...31, &reasons) { channels.period = channel }
    return CTSGen6(sport: sport, channels: channels)
  }

  private func makeGenericLine(_ reasons: inout [String]) -> GenericLine? {
    var settings = GenericLine.Settings()
    if let end = value("line_end") {
      switch end.lowercased() {
      case "newline", "any": settings.lineEnd = .newline
      case "cr": settings.lineEnd = .byte(0x0D)
      case "lf": settings.lineEnd = .byte(0x0A)
      case "crlf": settings.lineEnd = .carriageReturnLineFeed
      case _:
        if let byte = number("line_end", 0...255, &reasons) { settings.lineEnd = .byte(UInt8(byte)) }
      }
    }
    settings.startByte = number("start", 0...255, &reasons).map { UInt8($0) }
    settings.longestLine = number("longest", 1...65536, &reasons) ?? settings.longestLine
    settings.length = number("length", 1...65536, &reasons)
    if let text = value("check") {
      settings.check = LineCheck(text)
      if settings.check == nil { reasons.append("check must read like \"sum 0-17 at 18\" or \"xor 0-17 at 18 hex\"") }
    }
    let patterns = compilePatterns(&reasons)
    return reasons.isEmpty ? GenericLine(settings, patterns: patterns) : nil
  }

  private func compilePatterns(_ reasons: inout [String]) -> [LinePattern] {
    let texts = options.filter { $0.name == "pattern" }.map(\.value)
    guard !texts.isEmpty else {
      reasons.append("generic-line needs a pattern: --set pattern='…(?P<home_score>\\d+)…'")
      return []
    }
    guard let compile else {
      reasons.append("this build has no pattern library")
      return []
    }
    var patterns: [LinePattern] = []
    for text in texts {
      switch compile(text) {
      case .success(let pattern):
        for group in pattern.groups where !GenericLine.knows(group) {
          let names = GenericLine.groups.joined(separator: ", ")
          reasons.append("the pattern's group \(group) is no field; the fields are \(names)")
        }
        patterns.append(pattern)
      case .failure(let fault):
        reasons.append("the pattern fails at character \(fault.offset): \(fault.message)")
      }
    }
    return patterns
  }

  private func value(_ name: String) -> String? { options.last { $0.name == name }?.value }

  private func choice<Value>(_ name: String, _ values: [String: Value], _ reasons: inout [String]) -> Value? {
    guard let text = value(name) else { return nil }
    if let value = values[text.lowercased()] { return value }
    reasons.append("\(name) is \(values.keys.sorted().joined(separator: " or ")), not \(text)")
    return nil
  }

  private func number(_ name: String, _ range: ClosedRange<Int>, _ reasons: inout [String]) -> Int? {
    guard let text = value(name) else { return nil }
    let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    if let number, range.contains(number) { return number }
    reasons.append("\(name) is a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
    return nil
  }
}

/// Why no decoder can be made, in sentences for whoever wrote the settings.
package struct DecoderRefusal: Error, Hashable, Sendable {
  package var reasons: [String]

  package init(reasons: [String]) { self.reasons = reasons }
}
