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
      guard let bytes = contents.marks[key], let (game, sink, round) = Self.lane(named: key) else {
        unreadable.append(key)
        continue
      }
      let next = (lastEntry["\(game)/\(sink.place(round: round))"] ?? 0) + 1
      let floors = LaneFloors(marks: contents.marks, game: game, sink: sink, round: round)
      let record = parse(bytes).flatMap(LaneRecord.init(_:))
      if record == nil { unreadable.append(key) }
      lanes.append(
        ActivityLane(
          restoring: record ?? .unreadable(game: game, sink: sink, round: round), floors: floors, nextEntry: next,
          settings: settings(game, sink), at: moment))
    }
    if !contents.setAside.isEmpty { addLostLanes(of: contents, settings: settings, at: moment) }
  }

  /// Something was lost, and floors in their second place tell of an activity of which there is no record: it may have a
  /// tile, so a person decides.
  private mutating func addLostLanes(
    of contents: StoreContents, settings: (String, Sink) -> LaneSettings, at moment: Moment
  ) {
    for floor in contents.marks.keys.sorted() {
      let parts = floor.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, parts[0] == "floor", parts[3] == "seq", let place = Sink.at(place: parts[2]) else {
        continue
      }
      let (game, sink, round) = (parts[1], place.sink, place.round)
      let key = LaneRecord.key(game: game, sink: sink, round: round)
      guard contents.marks[key] == nil else { continue }
      unreadable.append(key)
      lanes.append(
        ActivityLane(
          restoring: .unreadable(game: game, sink: sink, round: round),
          floors: LaneFloors(marks: contents.marks, game: game, sink: sink, round: round), nextEntry: 1,
          settings: settings(game, sink), at: moment))
    }
  }

  private static func lane(named key: String) -> (game: String, sink: Sink, round: Int)? {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let place = Sink.at(place: String(parts[2])) else { return nil }
    return (String(parts[1]), place.sink, place.round)
  }
}
