package import GameCore
package import LiveContract
package import Publishing

// What whoever drives the engine may look at: a simulation holds it against what phones show.
extension Engine {
  package func game(onCourt place: Int) -> Game { courts[place].game }

  /// What phones should show of that court's game now.
  package func shownState(onCourt place: Int, at now: Moment) -> GameAttributes.ContentState {
    contentState(of: place, at: now)
  }

  /// Whether anything that needs the time of day may go ahead.
  package var believesClock: Bool { timeTrust.trust != .untrusted }

  package struct LaneView: Hashable, Sendable {
    package var game: String
    package var sink: Sink
    package var isOver: Bool
    package var isDead: Bool
    package var report: LaneReport
  }

  /// Every lane that is kept, in the order in which they were made.
  package func laneViews(at now: Instant) -> [LaneView] {
    lanes.sorted { $0.key.number < $1.key.number }.map { _, slot in
      let report = slot.lane.report(at: now)
      return LaneView(
        game: slot.lane.game, sink: slot.lane.sink, isOver: slot.lane.isOver,
        isDead: slot.lane.record.dead != nil, report: report)
    }
  }
}
