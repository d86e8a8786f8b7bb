import Foundation
import Testing

@testable import Platform

/// A certificate authority of the test's own and certificates by it, made by the openssl program.
struct TestTLS {
  let folder: TemporaryFolder
  var caFile: String { folder.file("ca.pem") }

  static let isPresent = program("openssl") != nil

  init() throws {
    folder = try TemporaryFolder()
    try authority("ca")
  }

  /// Another authority, which signed nothing.
  func strangerFile() throws -> String {
    try authority("stranger")
    return folder.file("stranger.pem")
  }

  /// A certificate for names such as `DNS:localhost`; its file and its key's.
  func certificate(_ name: String, for names: String, days: Int = 2) throws -> (file: String, key: String) {
    let extensions = try folder.write("subjectAltName=\(names)\n", to: "\(name).ext")
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)", "-keyout",
      folder.file("\(name).key"), "-out", folder.file("\(name).csr"))
    let signing = [
      "x509", "-req", "-in", folder.file("\(name).csr"), "-CA", caFile, "-CAkey", folder.file("ca.key"),
      "-CAcreateserial", "-extfile", extensions, "-out", folder.file("\(name).pem"),
    ]
    // Newer versions sign nothing that ends before it begins, and can be told when it began instead.
    let isSigned = try run("openssl", signing + ["-days", "\(days)"]) == 0
    if !isSigned, days < 0 {
      let past = ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"]
      try #require(run("openssl", signing + past) == 0)
    } else {
      try #require(isSigned)
    }
    return (folder.file("\(name).pem"), folder.file("\(name).key"))
  }

  private func authority(_ name: String) throws {
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)",
      "-days", "2", "-keyout", folder.file("\(name).key"), "-out", folder.file("\(name).pem"))
  }

  private func openssl(_ arguments: String...) throws { try #require(run("openssl", arguments) == 0) }
}

/// `openssl s_server`, which prints whatever it is sent.
final class TLSServer {
  let port: Int
  private let process: ChildProcess
  private let folder: TemporaryFolder

  func write(_ text: String) { process.write(text) }
  /// From now on it hears nothing.
  func freeze() { process.signal(SIGSTOP) }

  /// What clients have sent, among its own words.
  var received: String { process.output }

  init(certificate: (file: String, key: String), arguments: [String] = ["-www"]) throws {
    port = try freePort()
    folder = try TemporaryFolder()
    process = try ChildProcess(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.file, "-key", certificate.key] + arguments,
      output: folder.file("output"))
    process.waitFor("ACCEPT")
  }
}
