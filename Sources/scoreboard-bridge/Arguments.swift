import Document

/// One option of a command.
package struct Option {
  /// With its dashes: `--config`.
  package var name: String
  /// What its value is called in the usage text; nil for an option that is only there or not.
  package var value: String?
  package var about: String

  package init(_ name: String, _ value: String? = nil, _ about: String) {
    self.name = name
    self.value = value
    self.about = about
  }
}

/// What a command takes, as one value: the parser and the usage text are made from it.
package struct Usage {
  /// `check`, as it is typed.
  package var command: String
  /// One sentence.
  package var about: String
  package var options: [Option]
  /// Names of the words that are not options, such as `FILE`; empty when there are none.
  package var operands: [String] = []
  /// Lines below the options: examples, exit codes.
  package var notes = ""

  package init(command: String, about: String, options: [Option], operands: [String] = [], notes: String = "") {
    self.command = command
    self.about = about
    self.options = options
    self.operands = operands
    self.notes = notes
  }

  /// What `--help` shows.
  package var text: String {
    var words = ["Usage: scoreboard-bridge \(command)"]
    words += options.map { option in "[\(option.name)\(option.value.map { " \($0)" } ?? "")]" } + operands
    let names = options.map { "  \($0.name)\($0.value.map { " \($0)" } ?? "")" } + ["  --help"]
    let abouts = options.map(\.about) + ["Shows this."]
    let width = (names.map(\.count).max() ?? 0) + 2
    let lines = zip(names, abouts).map { name, about in
      name + String(repeating: " ", count: width - name.count) + about
    }
    return words.joined(separator: " ") + "\n\n\(about)\n\n" + lines.joined(separator: "\n") + "\n"
      + (notes.isEmpty ? "" : "\n\(notes)\n")
  }
}

/// Words of the command line, sorted by what they mean.
package struct Arguments {
  /// A word that does not fit; the sentence says which, and what would.
  package struct Fault: Error, Equatable {
    package var sentence: String
  }

  private var values: [String: [String]] = [:]
  package private(set) var operands: [String] = []
  /// The person asked for help; nothing else counts then.
  package private(set) var wantsHelp = false

  /// Reads `--name value`, `--name=value` and, after `--`, only operands.
  package init(_ words: [String], for usage: Usage) throws(Fault) {
    var rest = words[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || word == "-" || !word.hasPrefix("-") {
        operands.append(word)
        continue
      }
      switch word {
      case "--": onlyOperands = true
      case "--help", "-h": wantsHelp = true
      default: try take(word, &rest, usage)
      }
    }
    if !wantsHelp, operands.count > usage.operands.count, !usage.takesManyOperands {
      throw Fault(sentence: "“\(operands[usage.operands.count])” is one word too many")
    }
  }

  /// Whether an option without a value was given.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The value given last; nil when the option is absent.
  package subscript(_ name: String) -> String? { values[name]?.last }

  /// Every value of an option that may be given several times, in order.
  package func all(_ name: String) -> [String] { values[name] ?? [] }

  private mutating func take(
    _ word: String, _ rest: inout ArraySlice<String>, _ usage: Usage
  ) throws(Fault) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = usage.options.first(where: { $0.name == parts[0] }) else {
      let nearest = NearestName.to(parts[0], among: usage.options.map(\.name) + ["--help"])
      throw Fault(sentence: "\(parts[0]) is not an option here" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
    guard let value = option.value else {
      if parts.count > 1 { throw Fault(sentence: "\(option.name) takes no value") }
      values[option.name, default: []].append("")
      return
    }
    if parts.count > 1 {
      values[option.name, default: []].append(parts[1])
    } else if let next = rest.popFirst() {
      values[option.name, default: []].append(next)
    } else {
      throw Fault(sentence: "\(option.name) needs a value: \(option.name) \(value)")
    }
  }
}

extension Usage {
  /// The last operand may be repeated when its name ends in an ellipsis.
  package var takesManyOperands: Bool { operands.last?.hasSuffix("…") ?? false }
}
