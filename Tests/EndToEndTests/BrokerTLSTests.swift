import Foundation
import StandIn
import Testing

/// The built daemon's config of TLS, from the file to a real broker that asks for a client's certificate.
@Suite(
  "The built daemon and a broker behind TLS", .enabled(if: Needs.daemon), .enabled(if: Needs.broker),
  .enabled(if: Child.find("openssl") != nil), .serialized)
struct BrokerTLSTests {
  enum Case: String, CaseIterable {
    case good
    case wrongName = "wrong name"
    case expired
    case unknownAuthority = "unknown authority"
    case noClientCertificate = "no client certificate"
  }

  @Test(
    "I-08: only a broker whose certificate is good for its name gets our login, and the status says what is wrong",
    arguments: Case.allCases)
  func certificates(_ kind: Case) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString.prefix(8))")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["ca", "stranger"] {
      try openssl(folder, "req -x509 \(Self.newKey) -subj /CN=\(name) -days 2 -keyout \(name).key -out \(name).pem")
    }
    let name = kind == .wrongName ? "other.example" : "localhost"
    try sign(folder, "broker", name, days: kind == .expired ? -1 : 2)
    try sign(folder, "client", "bridge", days: 2)
    let broker = try Broker(
      folder: folder,
      lines: [
        "user root", "cafile \(folder)/ca.pem", "certfile \(folder)/broker.pem", "keyfile \(folder)/broker.key",
        "require_certificate true",
      ])
    defer { broker.stop() }
    let port = try Broker.freePort()
    let ca = kind == .unknownAuthority ? "stranger" : "ca"
    let ours =
      kind == .noClientCertificate ? "" : ", certificate_file: \(folder)/client.pem, key_file: \(folder)/client.key"
    var options = MQTTTests.options
    options.hasBroker = false
    options.configLines = [
      "mqtt: {brokers: [{host: localhost, port: \(broker.port), tls: {ca_file: \(folder)/\(ca).pem\(ours)}}]}",
      "http: {listen: 127.0.0.1, port: \(port)}",
    ]
    try withRig(options) { rig throws in
      try rig.start()
      if kind == .good {
        #expect(rig.daemon?.line { $0.contains("listening for commands") } != nil)
        return
      }
      let expected = kind == .noClientCertificate ? "broker" : "certificate verify failed"
      var last = ""
      for _ in 0..<40 where !last.contains(expected) {
        Thread.sleep(forTimeInterval: 0.25)
        last = "\(try rig.command(["status", "--http", "http://127.0.0.1:\(port)"]))"
      }
      #expect(last.contains(expected) && last.contains("DEGRADED"), "\(last)")
      #expect(!rig.log.contains("broker connected"))
    }
  }

  private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"

  private func sign(_ folder: String, _ file: String, _ name: String, days: Int) throws {
    try "subjectAltName=DNS:\(name)\n".write(toFile: "\(folder)/\(file).ext", atomically: true, encoding: .utf8)
    try openssl(folder, "req \(Self.newKey) -subj /CN=\(file) -keyout \(file).key -out \(file).csr")
    // Newer versions sign nothing that ends before it begins, and can be told when it began instead.
    let isNew = try Child.run(try #require(Child.find("openssl")), ["x509", "-help"]).error.contains("-not_before")
    let time = days < 0 && isNew ? "-not_before 20200101000000Z -not_after 20200102000000Z" : "-days \(days)"
    try openssl(
      folder,
      "x509 -req -in \(file).csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile \(file).ext \(time) "
        + "-out \(file).pem")
  }

  /// Names of files are of the folder.
  private func openssl(_ folder: String, _ words: String) throws {
    let arguments = words.split(separator: " ").map { word in
      word.contains(".") && !word.hasPrefix("/") && !word.contains("=") ? "\(folder)/\(word)" : String(word)
    }
    try #require(Child.run(try #require(Child.find("openssl")), arguments).code == 0, "\(words)")
  }
}
