/// The known name that was probably meant.
package enum NearestName {
  /// Nil when none is near enough to be worth suggesting: more than a third of the letters would have to change.
  package static func to(_ name: String, among known: [String]) -> String? {
    let letters = folded(name)
    guard letters.count <= 64 else { return nil }
    // `timeout home` is `home timeout`.
    let words = Self.words(letters)
    if let same = known.first(where: { Self.words(folded($0)) == words }) { return same }
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = self.distance(letters, folded(candidate))
      if distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    if let best, best.distance <= max(1, max(letters.count, best.name.utf8.count) / 3) { return best.name }
    // `hockey` is not near `ice-hockey` letter by letter, and yet nothing else can be meant.
    let holding = known.filter { letters.count >= 4 && Self.folded($0).holds(letters) }
    return holding.count == 1 ? holding[0] : nil
  }

  /// Lower case, with `_` for `-` and blank, so that only the letters decide.
  private static func folded(_ name: String) -> [UInt8] {
    name.lowercased().utf8.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
  }

  private static func words(_ letters: [UInt8]) -> [String] {
    letters.split(separator: UInt8(ascii: "_")).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// How many letters must be changed, left out, put in or swapped with their neighbour.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        var cost = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
