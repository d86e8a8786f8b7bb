import Foundation
package import GameCore
package import LiveContract

/// A fan's iPhone with the reference app: what ActivityKit does with a push, as far as facts and measurements go.
/// It decodes with the stock decoder, because that is what the real one does.
package struct IPhone: Sendable {
  /// One Live Activity on the lock screen.
  package struct Tile: Sendable {
    package var attributes: GameAttributes
    package var state: GameAttributes.ContentState
    /// Of the newest push that was applied, in Unix seconds.
    package var timestamp: Int64
    package var appleChannel: String
    package var startedAt: WallTime
    package var staleDate: Int64?
    package var endedAt: WallTime?
    package var dismissalDate: Int64?
    /// How many pushes changed it, the start included.
    package var applied = 1

    /// What the fan sees of it at this moment.
    package func look(at now: WallTime) -> Look {
      let limit = startedAt + IPhone.activeLife
      let ended = endedAt ?? (now >= limit ? limit : nil)
      if let ended, now >= ended {
        let latest = ended.seconds + 4 * 3_600
        return now.seconds >= min(dismissalDate ?? latest, latest) ? .gone : .final
      }
      return staleDate.map { now.seconds >= $0 } ?? false ? .stale : .live
    }
  }

  package enum Look: String, Sendable { case live, stale, final, gone }

  /// Why a push left nothing behind. The sender never hears of it.
  package enum Drop: Hashable, Sendable {
    case older(than: Int64)
    case tooFarAhead
    case undecodable(String)
    case foreignType(String)
    case startBudget, updateBudget
    case activityOver, unknownChannel
    case forceQuit
  }

  package struct Alert: Hashable, Sendable {
    package var title: String
    package var body: String
  }

  package static let activeLife = Duration.seconds(8 * 3_600)

  package let deviceID: String
  /// The Ably channels that the app subscribed this device to; a star at the end means all that begin so.
  package var channels: Set<String>
  package var isOnline = true
  /// The fan threw the app out of the app switcher. Its token stays good, and no push starts anything until the app is
  /// opened again; tiles that are there already go on.
  package var isForceQuit = false
  package private(set) var tiles: [Tile] = []
  package private(set) var drops: [Drop] = []
  package private(set) var alerts: [Alert] = []
  /// Each state that was on the screen, in order, over all tiles.
  package private(set) var shown: [GameAttributes.ContentState] = []
  private var starts: [WallTime] = []
  private var budget: Double
  private var budgetAt: WallTime?
  private let budgetCapacity: Double
  private let budgetPerHour: Double

  /// Apple publishes no figures for the budget; these are of the size that people report.
  package init(
    deviceID: String, channels: Set<String> = [], budgetCapacity: Double = 30, budgetPerHour: Double = 180
  ) {
    self.deviceID = deviceID
    self.channels = channels
    self.budgetCapacity = budgetCapacity
    self.budgetPerHour = budgetPerHour
    budget = budgetCapacity
  }

  /// The tiles that are not gone.
  package func visible(at now: WallTime) -> [Tile] { tiles.filter { $0.look(at: now) != .gone } }

  /// Whether the stock decoder takes this text for the app's state.
  package static func decodes(contentState: String) -> Bool {
    (try? JSONDecoder().decode(GameAttributes.ContentState.self, from: Data(contentState.utf8))) != nil
  }

  /// A push-to-start: always a new tile, whatever is there already.
  mutating func start(_ aps: JSON, channelExists: Bool, at now: WallTime) {
    guard !isForceQuit else { return drops.append(.forceQuit) }
    guard isInTime(aps, now) else { return }
    guard aps["attributes-type"]?.string == "GameAttributes" else {
      return drops.append(.foreignType(aps["attributes-type"]?.text ?? "none"))
    }
    guard channelExists, let channel = aps["input-push-channel"]?.string else { return drops.append(.unknownChannel) }
    guard let attributes = decode(GameAttributes.self, aps["attributes"]),
      let state = decode(GameAttributes.ContentState.self, aps["content-state"])
    else { return }
    starts.removeAll { now - $0 > .seconds(3_600) }
    guard starts.count < 10 else { return drops.append(.startBudget) }
    starts.append(now)
    tiles.append(
      Tile(
        attributes: attributes, state: state, timestamp: aps["timestamp"]?.integer ?? 0, appleChannel: channel,
        startedAt: now, staleDate: aps["stale-date"]?.integer))
    shown.append(state)
    ring(aps)
  }

  /// The app was opened by hand and began the activity itself; it joins the broadcast, no push was needed.
  package mutating func startLocally(
    _ attributes: GameAttributes, _ state: GameAttributes.ContentState, appleChannel: String, at now: WallTime
  ) {
    isForceQuit = false
    tiles.append(
      Tile(attributes: attributes, state: state, timestamp: 0, appleChannel: appleChannel, startedAt: now))
    shown.append(state)
  }

  /// A broadcast: every tile on the channel gets it.
  mutating func broadcast(_ appleChannel: String, _ aps: JSON, priority: String?, at now: WallTime) {
    for index in tiles.indices where tiles[index].appleChannel == appleChannel {
      apply(aps, to: index, priority: priority, at: now)
    }
  }

  private mutating func apply(_ aps: JSON, to index: Int, priority: String?, at now: WallTime) {
    let look = tiles[index].look(at: now)
    guard look == .live || look == .stale else { return drops.append(.activityOver) }
    guard isInTime(aps, now), let timestamp = aps["timestamp"]?.integer else { return }
    guard timestamp >= tiles[index].timestamp else { return drops.append(.older(than: tiles[index].timestamp)) }
    guard priority != "10" || aps["event"]?.string == "end" || spend(now) else { return drops.append(.updateBudget) }
    guard let state = decode(GameAttributes.ContentState.self, aps["content-state"]) else { return }
    tiles[index].state = state
    tiles[index].timestamp = timestamp
    tiles[index].staleDate = aps["stale-date"]?.integer
    tiles[index].applied += 1
    if aps["event"]?.string == "end" {
      tiles[index].endedAt = now
      tiles[index].dismissalDate = aps["dismissal-date"]?.integer
    }
    shown.append(state)
    ring(aps)
  }

  private mutating func isInTime(_ aps: JSON, _ now: WallTime) -> Bool {
    guard let timestamp = aps["timestamp"]?.integer, timestamp > now.seconds + 8 * 3_600 else { return true }
    drops.append(.tooFarAhead)
    return false
  }

  private mutating func decode<Value: Decodable>(_ type: Value.Type, _ json: JSON?) -> Value? {
    do {
      return try JSONDecoder().decode(type, from: Data((json?.text ?? "").utf8))
    } catch {
      drops.append(.undecodable("\(error)"))
      return nil
    }
  }

  private mutating func ring(_ aps: JSON) {
    guard let alert = aps["alert"], let title = alert["title"]?.string, let body = alert["body"]?.string else { return }
    alerts.append(Alert(title: title, body: body))
  }

  /// Takes one from the budget of pushes that light up the phone.
  private mutating func spend(_ now: WallTime) -> Bool {
    if let last = budgetAt {
      budget = min(budgetCapacity, budget + Double((now - last).milliseconds) * budgetPerHour / 3_600_000)
    }
    budgetAt = now
    guard budget >= 1 else { return false }
    budget -= 1
    return true
  }
}
