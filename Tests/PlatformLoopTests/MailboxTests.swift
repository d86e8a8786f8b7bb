import GameCore
import Platform
import PlatformTestSupport
import Testing

@Suite struct MailboxTests {
  @Test("what many threads post arrives whole, each thread's in its order")
  func manyThreads() throws {
    let loop = try EventLoop()
    let senders = 4
    let each = 2_000
    let mailbox = try Mailbox<(sender: Int, number: Int)>(capacity: senders * each)
    var next = [Int](repeating: 0, count: senders)
    var outOfOrder = false
    var deliveries = 0
    try mailbox.deliver(on: loop) { delivery in
      deliveries += 1
      for message in delivery.messages {
        outOfOrder = outOfOrder || next[message.sender] != message.number
        next[message.sender] += 1
      }
    }
    for sender in 0..<senders {
      try WorkerThread(named: "sender \(sender)") {
        for number in 0..<each { mailbox.post((sender, number)) }
      }.detach()
    }
    #expect(try loop.turn { next.reduce(0, +) == senders * each })
    #expect(!outOfOrder)
    #expect(deliveries <= loop.wakeUps)
    mailbox.endDelivery(on: loop)
  }

  @Test("posts between two turns wake the loop once and come as one batch")
  func coalesced() throws {
    let loop = try EventLoop()
    let mailbox = try Mailbox<Int>(capacity: 8)
    var batches: [[Int]] = []
    try mailbox.deliver(on: loop) { batches.append($0.messages) }
    for number in 1...5 { mailbox.post(number) }
    try loop.turnOnce()
    try loop.turn(until: SystemClock.now().instant)
    #expect(batches == [[1, 2, 3, 4, 5]])
    mailbox.post(6)
    try loop.turnOnce()
    #expect(batches.last == [6])
    mailbox.endDelivery(on: loop)
  }

  @Test("what is not urgent wakes nobody until many wait, and comes before the next that is")
  func quiet() throws {
    let loop = try EventLoop()
    let mailbox = try Mailbox<Int>(capacity: 8)
    var batches: [[Int]] = []
    try mailbox.deliver(on: loop) { batches.append($0.messages) }
    mailbox.post(1, isUrgent: false)
    try loop.turn(until: SystemClock.now().instant)
    #expect(batches.isEmpty)
    mailbox.post(2)
    try loop.turnOnce()
    #expect(batches == [[1, 2]])
    for number in 3...5 { mailbox.post(number, isUrgent: false) }
    try loop.turnOnce()
    #expect(batches.last == [3, 4, 5])
    mailbox.endDelivery(on: loop)
  }

  @Test("a full mailbox refuses the newest and says how many it refused")
  func bounded() throws {
    let mailbox = try Mailbox<Int>(capacity: 2)
    #expect((1...5).map { mailbox.post($0) } == [true, true, false, false, false])
    let first = mailbox.collect()
    #expect(first.messages == [1, 2])
    #expect(first.refused == 3)
    #expect(mailbox.post(6))
    let second = mailbox.collect()
    #expect(second.messages == [6])
    #expect(second.refused == 0)
  }

  @Test("a thread without a loop sleeps until there is work, and ends when the box is closed")
  func worker() throws {
    let loop = try EventLoop()
    let work = try Mailbox<Int>(capacity: 16)
    let results = try Mailbox<Int>(capacity: 16)
    let thread = try WorkerThread(named: "doubler") {
      while true {
        let delivery = work.wait()
        for number in delivery.messages { results.post(number * 2) }
        if delivery.isClosed { return }
      }
    }
    var answers: [Int] = []
    try results.deliver(on: loop) { answers += $0.messages }
    for number in 1...3 {
      work.post(number)
      #expect(try loop.turn { answers.count == number })
    }
    work.close()
    thread.join()
    #expect(answers == [2, 4, 6])
    #expect(!work.post(9))
    results.endDelivery(on: loop)
  }
}
