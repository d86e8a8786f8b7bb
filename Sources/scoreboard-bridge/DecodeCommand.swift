import Document
import Input
import Platform

/// `scoreboard-bridge decode`: what a console's recorded bytes say, as one JSON object per line.
enum DecodeCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "decode", about: "Says what a console's recorded bytes show, one JSON object per change.",
        options: [
          Option("--protocol", "NAME", "What the console speaks (required)."),
          Option("--sport", "SPORT", "The game on the board, where the bytes do not say."),
          Option("--set", "KEY=VALUE", "A setting of the protocol; may be given several times."),
          Option("--at", "N,N,…", "Shows the state after exactly so many bytes, and nothing else."),
          Option("--frames", nil, "Ends with the counts of good, bad and other frames."),
        ],
        operands: ["FILE"],
        notes: notes),
      run: run)
  }

  private static var notes: String {
    let settings = ConsoleProtocol.allCases.flatMap { console in
      DecoderSettings.options(of: console).map { "  \(console.rawValue): \($0.name) is \($0.values)" }
    }
    return """
      FILE is - for standard input. A field that is unknown or blank is null, never 0.
      Protocols: \(ConsoleProtocol.allCases.map(\.rawValue).joined(separator: ", "))
      Sports: \(ConsoleSport.allCases.map(\.rawValue).joined(separator: ", "))
      Settings:
      \(settings.joined(separator: "\n"))
      Example: scoreboard-bridge decode --protocol daktronics-rtd --sport basketball --frames game.bin
      """
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    do {
      guard let path = arguments.operands.first else { throw Refusal("name the FILE, or - for standard input") }
      var output = DecodeOutput(try decoder(arguments), places: try places(arguments["--at"]))
      var file = try ByteFile(path)
      while let bytes = try file.next() { StandardStreams.out(output.take(bytes)) }
      StandardStreams.out(output.end(withCounts: arguments.has("--frames")))
      guard let missed = output.missedPlace else { return .fine }
      StandardStreams.error("scoreboard-bridge decode: there are only \(output.count) bytes, not \(missed)\n")
      return .problem
    } catch let refusal as Refusal {
      StandardStreams.error(
        "scoreboard-bridge decode: \(refusal.sentence)\nSee scoreboard-bridge decode --help\n")
      return .usage
    } catch {
      StandardStreams.error("scoreboard-bridge decode: \(error)\n")
      return .problem
    }
  }

  /// Words that make no decoder.
  private struct Refusal: Error {
    var sentence: String

    init(_ sentence: String) { self.sentence = sentence }
  }

  private static func decoder(_ arguments: Arguments) throws -> any FrameDecoder {
    let protocols = ConsoleProtocol.allCases.map(\.rawValue)
    guard let name = arguments["--protocol"] else {
      throw Refusal("--protocol is missing; it is one of \(protocols.joined(separator: ", "))")
    }
    guard let console = ConsoleProtocol(rawValue: name) else {
      let hint = NearestName.to(name, among: protocols).map { "did you mean \($0)?" }
      throw Refusal("there is no protocol \(name); \(hint ?? "there are \(protocols.joined(separator: ", "))")")
    }
    var sport: ConsoleSport?
    if let name = arguments["--sport"] {
      sport = ConsoleSport(name, on: console)
      if sport == nil {
        let sports = ConsoleSport.allCases.map(\.rawValue)
        let hint = NearestName.to(name, among: sports).map { "did you mean \($0)?" }
        throw Refusal("no console plays \(name); \(hint ?? "they play \(sports.joined(separator: ", "))")")
      }
    }
    let options = try arguments.all("--set").map { setting in
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw Refusal("--set needs KEY=VALUE, not \(setting)") }
      return (name: parts[0], value: parts[1])
    }
    let settings = DecoderSettings(console: console, sport: sport, options: options, compile: Pattern.compile)
    switch settings.makeDecoder() {
    case .success(let decoder): return decoder
    case .failure(let refusal): throw Refusal(refusal.reasons.joined(separator: "; "))
    }
  }

  private static func places(_ text: String?) throws -> [Int]? {
    try text.map { text in
      try text.split(separator: ",").map { word in
        guard let place = Int(word), place >= 0 else { throw Refusal("--at needs counts of bytes, not \(word)") }
        return place
      }
    }
  }
}

/// Lines for what a decoder shows: at some places of the stream, or at each change.
struct DecodeOutput {
  private var decoder: any FrameDecoder
  private var shown = ConsoleImage()
  /// Nil: every change is told.
  private let places: [Int]?
  private var linesByPlace: [Int: String] = [:]
  private(set) var count = 0

  init(_ decoder: any FrameDecoder, places: [Int]? = nil) {
    self.decoder = decoder
    self.places = places
    if let places, places.contains(0) { linesByPlace[0] = line() }
  }

  /// The first place asked for that the stream did not reach.
  var missedPlace: Int? { places?.first { linesByPlace[$0] == nil } }

  /// The lines that these bytes bring.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> String {
    let wanted = Set(places ?? [])
    var lines = ""
    for byte in bytes {
      count += 1
      let mayDiffer = decoder.take(byte)
      if wanted.contains(count) {
        linesByPlace[count] = line()
      } else if places == nil, mayDiffer, case let image = decoder.image(), image != shown {
        shown = image
        lines += line()
      }
    }
    return lines
  }

  /// What is told when the bytes are over: the places in the order in which they were asked for, and the counts.
  func end(withCounts: Bool) -> String {
    let lines = (places ?? []).compactMap { linesByPlace[$0] }.joined()
    guard withCounts else { return lines }
    var json = JSONWriter()
    let counts = decoder.counts
    json.object { json in
      json.key("frames")
      json.object { json in
        json.member("good", counts.good)
        json.member("bad", counts.bad)
        json.member("other", counts.other)
      }
    }
    return lines + String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private func line() -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("after_bytes", count)
      json.key("state")
      FieldNames.addingOthers(to: decoder.image()).write(to: &json)
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
