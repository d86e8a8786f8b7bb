/// SQLite's write-ahead log, as far as a flipped byte in it must be survived.
///
/// SQLite ends the log at the first frame whose checksum is wrong, which is right for a frame that was being written
/// when the power went, and loses every later commit when an old frame has rotted. The two can be told apart: with
/// synchronous FULL a commit is on the disk before the next one begins, so a bad frame that has a good frame of a later
/// commit behind it was good once. Then the checksums are computed anew over the log as it lies; what the flipped byte
/// itself did is found by the records' own checksums.
struct WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Mends the file at `path` where that applies; says so, or nothing when all is well.
  static func mend(_ path: String) -> [String] {
    guard let bytes = SmallFile.read(path), var log = WriteAheadLog(bytes), let last = log.lastFrameToKeep() else {
      return []
    }
    log.seal(through: last)
    do {
      try SmallFile.replace(path, with: log.bytes)
      return ["the store's log: a damaged page was mended"]
    } catch {
      return ["the store's log is damaged and could not be mended: \(error.reason)"]
    }
  }

  /// The running checksum of SQLite: two sums over pairs of words.
  private struct Sum: Hashable {
    var first: UInt32 = 0
    var second: UInt32 = 0
  }

  private var bytes: [UInt8]
  private let frameSize: Int
  private let frameCount: Int

  private init?(_ bytes: [UInt8]) {
    frameSize = Self.frameHeaderSize + StoreSchema.pageSize
    frameCount = (bytes.count - Self.headerSize) / frameSize
    guard bytes.count > Self.headerSize, frameCount > 0 else { return nil }
    self.bytes = bytes
  }

  /// The frame through which the log is to be mended; nil when SQLite reads all there is to read by itself.
  private func lastFrameToKeep() -> Int? {
    let headerIsGood = sum(of: 0..<24, from: Sum()) == storedSum(at: 24) && word(0) & 0xFFFF_FFFE == 0x377F_0682
    let good = judgeFrames()
    guard let lastGood = good.lastIndex(of: true) else { return nil }
    let commits = (0...lastGood).filter { word(offset(of: $0) + 4) != 0 }
    // Whatever lies before this commit was on the disk before the frame behind it was written.
    guard let settled = commits.last(where: { $0 < lastGood }) ?? (headerIsGood ? nil : commits.last) else {
      return nil
    }
    if headerIsGood, !good[...settled].contains(false) { return nil }
    return commits.last { $0 >= settled && !good[(settled + 1)..<($0 + 1)].contains(false) }
  }

  /// Writes header and checksums so that the log is whole up to a frame, and ends there.
  private mutating func seal(through last: Int) {
    let salts = salts
    bytes.removeSubrange((offset(of: last) + frameSize)...)
    if word(0) & 0xFFFF_FFFE != 0x377F_0682 { set(0, 0x377F_0682) }
    set(4, 3_007_000)
    set(8, UInt32(StoreSchema.pageSize))
    set(16, salts.0)
    set(20, salts.1)
    var running = sum(of: 0..<24, from: Sum())
    store(running, at: 24)
    for frame in 0...last {
      let start = offset(of: frame)
      set(start + 8, salts.0)
      set(start + 12, salts.1)
      if isFirstPage(at: start + Self.frameHeaderSize) { set(start, 1) }
      running = sum(of: frame, from: running)
      store(running, at: start + 16)
    }
  }

  /// The page that holds header and schema may be in the log only once, and then no later copy makes up for it.
  private func isFirstPage(at place: Int) -> Bool { bytes[place...].starts(with: "SQLite format 3\0".utf8) }

  /// Whether each frame is as it was written. Behind a bad one the chain goes on from the checksum stored in it or from
  /// the one computed over it, according to which of the two was hit.
  private func judgeFrames() -> [Bool] {
    let salts = salts
    var seeds = [storedSum(at: 24), sum(of: 0..<24, from: Sum())]
    var good: [Bool] = []
    for frame in 0..<frameCount {
      let start = offset(of: frame)
      let stored = storedSum(at: start + 16)
      let computed = seeds.map { sum(of: frame, from: $0) }
      let isOfThisLog = word(start + 8) == salts.0 && word(start + 12) == salts.1
      good.append(isOfThisLog && computed.contains(stored))
      seeds = good[frame] ? [stored] : [stored] + computed.prefix(2)
    }
    return good
  }

  /// Both salts of this log: those of the header where a frame agrees, else those of the first two frames that agree.
  private var salts: (UInt32, UInt32) {
    let places = [16] + (0..<min(frameCount, 2)).map { offset(of: $0) + 8 }
    let pairs = places.map { (word($0), word($0 + 4)) }
    for (index, pair) in pairs.enumerated() where pairs[(index + 1)...].contains(where: { $0 == pair }) { return pair }
    return pairs[0]
  }

  private func offset(of frame: Int) -> Int { Self.headerSize + frame * frameSize }

  /// A frame's sum covers the first eight bytes of its header and its page.
  private func sum(of frame: Int, from seed: Sum) -> Sum {
    let start = offset(of: frame)
    return sum(of: (start + Self.frameHeaderSize)..<(start + frameSize), from: sum(of: start..<(start + 8), from: seed))
  }

  private func sum(of range: Range<Int>, from seed: Sum) -> Sum {
    let isBigEndian = bytes[3] & 1 == 1
    var sum = seed
    bytes.withUnsafeBytes { raw in
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        let first = raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let second = raw.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        sum.first &+= (isBigEndian ? UInt32(bigEndian: first) : UInt32(littleEndian: first)) &+ sum.second
        sum.second &+= (isBigEndian ? UInt32(bigEndian: second) : UInt32(littleEndian: second)) &+ sum.first
      }
    }
    return sum
  }

  private func storedSum(at place: Int) -> Sum { Sum(first: word(place), second: word(place + 4)) }

  private mutating func store(_ sum: Sum, at place: Int) {
    set(place, sum.first)
    set(place + 4, sum.second)
  }

  /// The file's own numbers are big-endian.
  private func word(_ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
  }

  private mutating func set(_ place: Int, _ value: UInt32) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(index))) }
  }
}
