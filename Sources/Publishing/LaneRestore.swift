package import Document
package import GameCore
package import Outbox

/// The lanes as the store kept them, and the counter that Android lanes share.
package struct RestoredLanes: Sendable {
  package var lanes: [ActivityLane]
  package var androidStamps: StampFloor
  /// Records that could not be understood, for the alarm. Their lanes are dead: for a game that may have an activity
  /// nothing is ever created in its place.
  package var unreadable: [String]

  /// Every lane with a record, finished ones too. `parse` reads JSON. Each lane wants to be told `restored`.
  package init(
    _ contents: StoreContents, at moment: Moment, settings: (String, Sink) -> LaneSettings, parse: ([UInt8]) -> Node?
  ) {
    lanes = []
    unreadable = []
    androidStamps = LaneFloors.androidStamps(marks: contents.marks)
    var lastEntry: [String: Int64] = [:]
    for entry in contents.entries { lastEntry[entry.lane] = max(lastEntry[entry.lane] ?? 0, entry.sequence) }
    for key in contents.marks.keys.sorted() where key.hasPrefix(LaneRecord.keyPrefix) {
      guard let bytes = contents.marks[key], let (game, sink) = Self.lane(named: key) else {
        unreadable.append(key)
        continue
      }
      let next = (lastEntry["\(game)/\(sink.rawValue)"] ?? 0) + 1
      let floors = LaneFloors(marks: contents.marks, game: game, sink: sink)
      var record = parse(bytes).flatMap(LaneRecord.init(_:))
      if record == nil {
        unreadable.append(key)
        record = LaneRecord(
          game: game, sink: sink, attributes: .init(homeTeam: "", awayTeam: ""), scheduled: WallTime(milliseconds: 0))
        record?.state = "dead"
        record?.dead = .recordUnreadable
      }
      guard let record else { continue }
      lanes.append(
        ActivityLane(
          restoring: record, floors: floors, nextEntry: next, settings: settings(game, sink), at: moment))
    }
  }

  private static func lane(named key: String) -> (game: String, sink: Sink)? {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let sink = Sink(rawValue: String(parts[2])) else { return nil }
    return (String(parts[1]), sink)
  }
}
