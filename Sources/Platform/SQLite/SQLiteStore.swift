import GameCore
package import Outbox

// The loop hands over whatever batches wait as one group and goes on; the writer's thread commits the group and answers.
// One group is in flight at a time, and what comes meanwhile becomes the next: that is the whole group commit, and it
// makes the order plain. When a group fails, what waited behind it fails with it, so that nothing is on the disk that
// was decided after something that is not.

/// The durable store on disk: SQLite on a thread of its own, since a card may take a tenth of a second to sync.
package final class SQLiteStore {
  private enum Order: Sendable {
    case commit([StoreBatch])
    case close
  }

  private enum Report: Sendable {
    case done([StoreBatch], failure: String?)
    case closed
  }

  private let path: String
  private let loop: EventLoop
  private let told: (StoreOutcome) -> Void
  private let orders: Mailbox<Order>
  private let reports: Mailbox<Report>
  private var waiting: [StoreBatch] = []
  private var isInFlight = false
  private var closed: (() -> Void)?

  /// The file is made when it is missing; its folder is not. Answers come on the loop, through `told`.
  package init(path: String, loop: EventLoop, told: @escaping (StoreOutcome) -> Void) throws(PlatformError) {
    self.path = path
    self.loop = loop
    self.told = told
    orders = try Mailbox(capacity: 4)
    reports = try Mailbox(capacity: 4)
  }

  deinit {
    orders.close()
    reports.endDelivery(on: loop)
  }

  /// All that can be read, with what could not be; never refuses. To be called once, before `start`.
  package func load() -> StoreContents { StoreFile(path: path).load() }

  /// Starts the writer's thread.
  package func start() throws(PlatformError) {
    try reports.deliver(on: loop) { [unowned self] delivery in
      for report in delivery.messages { handle(report) }
    }
    let (path, orders, reports) = (path, orders, reports)
    try WorkerThread(named: "store") {
      let writer = StoreWriter(path: path)
      while true {
        let delivery = orders.wait()
        for order in delivery.messages {
          switch order {
          case .commit(let batches):
            let failure = writer.commit(batches.flatMap(\.operations))
            reports.post(.done(batches, failure: failure))
          case .close:
            writer.close()
            reports.post(.closed)
          }
        }
        if delivery.isClosed { return }
      }
    }.detach()
  }

  /// Takes a batch over; `told` hears of it later. Never waits.
  package func submit(_ batch: StoreBatch) {
    waiting.append(batch)
    handOver()
  }

  /// Commits what waits, folds the log into the file and closes it; `closed` is called on the loop when that is done.
  /// A disk that hangs never calls it: the caller bounds the wait.
  package func close(_ closed: @escaping () -> Void) {
    self.closed = closed
    handOver()
  }

  private func handOver() {
    guard !isInFlight else { return }
    if !waiting.isEmpty {
      isInFlight = true
      orders.post(.commit(waiting))
      waiting = []
    } else if closed != nil {
      isInFlight = true
      orders.post(.close)
    }
  }

  private func handle(_ report: Report) {
    switch report {
    case .done(let batches, failure: nil):
      isInFlight = false
      handOver()
      told(.persisted(through: batches[batches.count - 1].number))
    case .done(let batches, let failure?):
      isInFlight = false
      let lost = batches + waiting
      waiting = []
      told(.failed(from: lost[0].number, through: lost[lost.count - 1].number, reason: failure))
      handOver()
    case .closed:
      let closed = closed
      self.closed = nil
      orders.close()
      closed?()
    }
  }
}
