import GameCore
import Glibc
import Platform
import PlatformTestSupport
import Testing

@Suite struct TCPListenerTests {
  private let loop: EventLoop
  private let heard = Heard()
  private let listener: TCPListener

  init() throws {
    loop = try EventLoop()
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
    listener = TCPListener(at: address, on: loop, heard.handler)
    listener.start()
  }

  @Test("a console that connects is heard; when it leaves, that is told once, and it may come back")
  func comesAndGoes() throws {
    let port = try #require(listener.boundPort)
    #expect(heard.events.isEmpty)
    let console = LoopbackSocket.connected(to: port)
    console.send("one")
    #expect(try loop.turn { heard.text == "one" })
    #expect(listener.state == .open(peer: "127.0.0.1:\(console.port)"))
    console.close()
    #expect(try loop.turn { heard.downs.count == 1 })
    let again = LoopbackSocket.connected(to: port)
    again.send("two")
    #expect(try loop.turn { heard.text == "onetwo" })
    #expect(heard.ups.count == 2)
    listener.stop()
  }

  @Test("the newest connection wins: a console that lost power is heard again though its old connection still stands")
  func newestWins() throws {
    let port = try #require(listener.boundPort)
    let old = LoopbackSocket.connected(to: port)
    #expect(try loop.turn { heard.ups.count == 1 })
    let new = LoopbackSocket.connected(to: port)
    #expect(try loop.turn { heard.ups.count == 2 })
    old.send("stale")
    new.send("fresh")
    #expect(try loop.turn { heard.text.contains("fresh") })
    #expect(heard.text == "fresh")
    #expect(heard.downs.isEmpty)
    #expect(old.otherSideHasClosed)
    listener.stop()
    #expect(new.otherSideHasClosed)
  }

  @Test("a port that is taken is told once, and listened at as soon as it is free")
  func taken() throws {
    let other = LoopbackSocket.listening()
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: other.port))
    let heard = Heard()
    let listener = TCPListener(at: address, on: loop, heard.handler)
    listener.start()
    let attempts = loop.wakeUps + 2
    #expect(try loop.turn { loop.wakeUps >= attempts })
    #expect(heard.downs.count == 1)
    #expect(heard.downs.first?.hint.contains("another program") == true)
    other.close()
    #expect(try loop.turn { listener.boundPort != nil })
    listener.stop()
  }
}

@Suite struct TCPDialerTests {
  private let loop: EventLoop
  private let heard = Heard()

  init() throws { loop = try EventLoop() }

  @Test(
    "a box is dialled by number and by name, and dialled again when it drops us", arguments: ["127.0.0.1", "localhost"])
  func redials(host: String) throws {
    let box = LoopbackSocket.listening()
    let dialer = TCPDialer(host: host, port: box.port, on: loop, heard.handler)
    dialer.start()
    var line: LoopbackSocket?
    for (round, text) in ["one", "two"].enumerated() {
      #expect(try loop.turn { heard.ups.count == round + 1 })
      line = box.accepted()
      line?.send(text)
      #expect(try loop.turn { heard.text.hasSuffix(text) })
      line?.close()
      #expect(try loop.turn { heard.downs.count == round + 1 })
    }
    #expect(heard.text == "onetwo")
    dialer.stop()
    #expect(dialer.state == .closed)
  }

  @Test("a box that is not there is told once, and found when it comes")
  func absent() throws {
    let reserved = LoopbackSocket.listening()
    let port = reserved.port
    reserved.close()
    let dialer = TCPDialer(host: "127.0.0.1", port: port, on: loop, heard.handler)
    dialer.start()
    #expect(try loop.turn { !heard.downs.isEmpty })
    let attempts = loop.wakeUps + 4
    #expect(try loop.turn { loop.wakeUps >= attempts })
    #expect(heard.events.count == 1)
    let box = LoopbackSocket.listening(port: port)
    #expect(try loop.turn { heard.ups.count == 1 })
    dialer.stop()
    box.close()
  }

  @Test("a box that hangs with the connection open is dialled anew")
  func silent() throws {
    let box = LoopbackSocket.listening()
    let dialer = TCPDialer(
      host: "127.0.0.1", port: box.port, silenceLimit: .milliseconds(30), on: loop, heard.handler)
    dialer.start()
    #expect(try loop.turn { heard.ups.count == 2 })
    #expect(heard.downs.count == 1)
    #expect(heard.downs.first?.reason.contains("silent") == true)
    let first = box.accepted()
    #expect(first?.otherSideHasClosed == true)
    dialer.stop()
  }

  @Test("a name that nobody knows is told, with the name, and does not hold the loop up")
  func unknownName() throws {
    let dialer = TCPDialer(host: "no such box", port: 4001, on: loop, heard.handler)
    var ticks = 0
    var timer: LoopTimer?
    timer = loop.timer {
      ticks += 1
      timer?.set(after: .milliseconds(1))
    }
    timer?.set(after: .zero)
    dialer.start()
    #expect(heard.events.isEmpty)
    #expect(try loop.turn { !heard.downs.isEmpty && ticks > 0 })
    #expect(heard.downs.first?.subject == "no such box")
    timer?.cancel()
    timer = nil
    dialer.stop()
  }

  @Test("a dialer that is stopped while a name is looked up says nothing")
  func stoppedEarly() throws {
    let dialer = TCPDialer(host: "localhost", port: 9, on: loop, heard.handler)
    dialer.start()
    dialer.stop()
    try loop.turn(until: SystemClock.now().instant + .milliseconds(20))
    #expect(heard.events.isEmpty)
  }
}

@Suite struct UDPReceiverTests {
  private let loop: EventLoop
  private let heard = Heard()

  init() throws { loop = try EventLoop() }

  @Test("each datagram is one batch of bytes, an empty one is none")
  func datagrams() throws {
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
    let receiver = UDPReceiver(at: address, on: loop, heard.handler)
    receiver.start()
    let port = try #require(receiver.boundPort)
    let console = LoopbackSocket.datagrams()
    for text in ["one", "", "two"] { console.send(text, to: port) }
    #expect(try loop.turn { heard.text == "onetwo" })
    #expect(heard.events.count == 3)
    receiver.stop()
  }

  @Test("a group's datagrams are heard on the interface that was named, by two receivers at once")
  func multicast() throws {
    let address = try #require(SocketAddress(numeric: "239.255.77.77", port: 0))
    #expect(address.isMulticast)
    let receiver = UDPReceiver(at: address, interface: "lo", on: loop, heard.handler)
    receiver.start()
    let port = try #require(receiver.boundPort)
    let other = Heard()
    let samePort = try #require(SocketAddress(numeric: "239.255.77.77", port: port))
    let second = UDPReceiver(at: samePort, interface: "lo", on: loop, other.handler)
    second.start()
    let console = LoopbackSocket.datagrams()
    console.keepToLoopback()
    console.send("goal", to: port, group: "239.255.77.77")
    #expect(try loop.turn { heard.text == "goal" && other.text == "goal" })
    receiver.stop()
    second.stop()
  }

  @Test("an interface that is not there is told once")
  func noInterface() throws {
    let address = try #require(SocketAddress(numeric: "239.255.77.77", port: 0))
    let receiver = UDPReceiver(at: address, interface: "absent0", on: loop, heard.handler)
    receiver.start()
    let attempts = loop.wakeUps + 2
    #expect(try loop.turn { loop.wakeUps >= attempts })
    #expect(heard.events.count == 1)
    #expect(heard.downs.first?.hint.contains("ip link") == true)
    receiver.stop()
  }
}

@Suite struct SocketAddressTests {
  @Test(
    "numbers become addresses without a look-up, names do not",
    arguments: [
      ("127.0.0.1", "127.0.0.1:4001", false), ("::1", "[::1]:4001", false), ("239.1.2.3", "239.1.2.3:4001", true),
      ("ff02::1", "[ff02::1]:4001", true), ("localhost", nil, false), ("", nil, false), ("1.2.3.400", nil, false),
    ] as [(String, String?, Bool)])
  func parsing(host: String, description: String?, isMulticast: Bool) {
    let address = SocketAddress(numeric: host, port: 4001)
    #expect(address?.description == description)
    #expect(address.map(\.isMulticast) ?? false == isMulticast)
    #expect(address.map(\.port) ?? 4001 == 4001)
  }
}
