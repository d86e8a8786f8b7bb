internal import CGPIO
internal import Glibc

// Chip numbers change with kernels and boots, so a chip is known by its label, and a line by its name. Both are looked
// for among whatever chips there are now.

/// The machine's GPIO chips, and where a wanted line is.
package struct GPIOChips {
  package struct Chip: Hashable, Sendable {
    package var path: String
    package var label: String
    package var lineNames: [String]

    package init(path: String, label: String, lineNames: [String]) {
      self.path = path
      self.label = label
      self.lineNames = lineNames
    }
  }

  /// A line that was found.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    package var path: String
    package var label: String
    package var offset: Int
    /// What the config's author should know.
    package var warning: String?

    package var description: String { "\(label) \(offset) on \(path)" }
  }

  package var chips: [Chip]
  /// Chips that are there and could not be opened.
  private var refused: [PlatformError] = []

  static let noAccess =
    "root may, and the group gpio: run it with sudo, or give chips and user that group; the udev rule in deploy tells how"

  package init(chips: [Chip]) { self.chips = chips }

  /// Looks at every chip of `/dev`, each once even if a link gives it a second name. The C functions are `readdir`,
  /// `stat` and `gpiod_chip_open`.
  package static func present() -> GPIOChips {
    var found = GPIOChips(chips: [])
    var seen: Set<UInt> = []
    for path in paths() {
      var status = stat()
      guard stat(path, &status) == 0, seen.insert(UInt(status.st_rdev)).inserted else { continue }
      guard let chip = gpiod_chip_open(path) else {
        found.refused.append(
          PlatformError(
            operation: "open", subject: path, code: errno,
            hint: errno == EACCES ? noAccess : nil))
        continue
      }
      defer { gpiod_chip_close(chip) }
      // Such a chip opens, and then refuses everything: even its lines' names.
      if kernelIsTooNew(for: path) {
        found.refused.append(tooNew(path))
        continue
      }
      var label = [CChar](repeating: 0, count: 32)
      let lines = Int(cgpio_chip_info(chip, &label))
      guard lines >= 0 else { continue }
      let names = (0..<lines).map { offset in
        info(of: offset, chip).map { text($0.name) } ?? ""
      }
      found.chips.append(
        Chip(
          path: path, label: String(decoding: label.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
          lineNames: names))
    }
    return found
  }

  /// Who holds a line; nil when nobody says. The C function is `gpiod_chip_get_line` or `gpiod_chip_get_line_info`.
  static func holder(of place: Place) -> String? {
    guard let chip = gpiod_chip_open(place.path) else { return nil }
    defer { gpiod_chip_close(chip) }
    guard let info = info(of: place.offset, chip), info.is_used != 0 else { return nil }
    let consumer = text(info.consumer)
    return consumer.isEmpty ? "the kernel" : consumer
  }

  /// Whether the kernel speaks only the second ABI, which a library of version 1 does not.
  static func kernelIsTooNew(for path: String) -> Bool {
    guard cgpio_is_version_1() == 1, let chip = gpiod_chip_open(path) else { return false }
    defer { gpiod_chip_close(chip) }
    var info = cgpio_line_info()
    return cgpio_read_line_info(chip, 0, &info) == -1 && errno == EINVAL
  }

  static func tooNew(_ subject: String) -> PlatformError {
    PlatformError(
      operation: "use", subject: subject, reason: "this kernel has only GPIO ABI v2, and libgpiod 1.x cannot speak it",
      hint: "use the build for Debian 13, which has libgpiod 2, or an older kernel")
  }

  // MARK: - Finding

  package func place(of settings: GPIOLineSettings) throws(PlatformError) -> Place {
    let (candidates, warning) = try candidates(settings)
    switch settings.line {
    case .offset(let offset):
      guard candidates.count <= 1 else {
        let paths = candidates.map(\.path).joined(separator: ", ")
        throw missing(
          settings, "several chips have that label: \(paths)", hint: "give the line's name, or chip: as a path")
      }
      guard let chip = candidates.first, offset < chip.lineNames.count else {
        let count = candidates.first?.lineNames.count ?? 0
        throw missing(
          settings, "the chip has only \(count) lines", hint: "offsets go from 0 to \(count - 1); gpioinfo shows them")
      }
      return Place(path: chip.path, label: chip.label, offset: offset, warning: warning)
    case .name(let name):
      let places = candidates.flatMap { chip in
        chip.lineNames.indices.filter { chip.lineNames[$0] == name }
          .map { Place(path: chip.path, label: chip.label, offset: $0, warning: warning) }
      }
      guard let place = places.first else {
        throw missing(settings, "no chip has a line \(name)", hint: "there are \(summary(candidates))")
      }
      guard places.count == 1 else {
        let labels = places.map { "\($0.label) \($0.offset)" }.joined(separator: ", ")
        throw missing(
          settings, "several lines have that name: \(labels)", hint: "give chip: as well, or chip: and offset:")
      }
      return place
    }
  }

  /// The chips that may be meant: by path, else by label, else, with a warning, by number.
  private func candidates(_ settings: GPIOLineSettings) throws(PlatformError) -> ([Chip], warning: String?) {
    if chips.isEmpty, let error = refused.first { throw error }
    guard let wanted = settings.chip else { return (chips, nil) }
    if wanted.hasPrefix("/") {
      guard let chip = chips.first(where: { $0.path == wanted || Self.isSame($0.path, wanted) }) else {
        throw missing(settings, "there is no \(wanted)", hint: "there are \(summary(chips))")
      }
      return ([chip], nil)
    }
    let labelled = chips.filter { $0.label == wanted }
    if !labelled.isEmpty { return (labelled, nil) }
    let number = wanted.hasPrefix("gpiochip") ? String(wanted.dropFirst(8)) : wanted
    if !number.isEmpty, number.allSatisfy(\.isNumber),
      let chip = chips.first(where: { $0.path == "/dev/gpiochip\(number)" })
    {
      return (
        [chip], "chip \(number) is the one called \(chip.label) now; numbers change with kernels, so write the label"
      )
    }
    throw missing(settings, "no chip is called \(wanted)", hint: "there are \(summary(chips))")
  }

  private func missing(_ settings: GPIOLineSettings, _ reason: String, hint: String) -> PlatformError {
    PlatformError(operation: "find line", subject: settings.name, reason: reason, hint: hint)
  }

  /// The chips by label, each with a few of its names.
  private func summary(_ chips: [Chip]) -> String {
    guard !chips.isEmpty else { return "no chips at all" }
    return chips.map { chip in
      let names = chip.lineNames.filter { !$0.isEmpty }
      let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      return "\(chip.label) with \(chip.lineNames.count) lines\(names.isEmpty ? " without names" : " (\(shown))")"
    }.joined(separator: "; ")
  }

  // MARK: - Parts

  private static func isSame(_ path: String, _ other: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(path, &first) == 0 && stat(other, &second) == 0 && first.st_rdev == second.st_rdev
  }

  private static func paths() -> [String] {
    guard let folder = opendir("/dev") else { return [] }
    defer { closedir(folder) }
    var paths: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("gpiochip") { paths.append("/dev/\(name)") }
    }
    return paths.sorted { ($0.count, $0) < ($1.count, $1) }
  }

  private static func info(of offset: Int, _ chip: OpaquePointer) -> cgpio_line_info? {
    var info = cgpio_line_info()
    return cgpio_read_line_info(chip, UInt32(offset), &info) == 0 ? info : nil
  }

  /// A fixed C array of characters, which Swift sees as a tuple.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
