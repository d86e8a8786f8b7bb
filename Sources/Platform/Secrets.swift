package import Document
internal import Glibc

/// Fetches what the config only names. A secret that is not there is told as a value: the daemon then runs without it
/// and says so, and `check` shows what to do.
package struct Secrets {
  package enum Outcome: Sendable {
    /// The secret, without the line break at its end, and what is unsafe about where it lies.
    case found(String, warning: String?)
    /// Why there is none, and what to do. `isOnlyHere`: only the service itself could know.
    case absent(reason: String, remedy: String, isOnlyHere: Bool)
  }

  private let environment: (String) -> String?

  /// `environment` answers for the variables of this process.
  package init(environment: @escaping (String) -> String? = Secrets.processEnvironment) {
    self.environment = environment
  }

  package func read(_ source: SecretSource) -> Outcome {
    switch source {
    case .environment(let name):
      guard let text = environment(name) else {
        return absent(
          "the environment variable \(name) is not set", "Set it for the service, or keep the secret in a file")
      }
      return checked(Array(text.utf8), "the environment variable \(name)", warning: nil)
    case .file(let path): return read(path)
    case .credential(let name):
      guard let directory = environment("CREDENTIALS_DIRECTORY") else {
        return .absent(
          reason: "the credential \(name) cannot be looked up here: only the service has its credentials",
          remedy: "The unit needs LoadCredential=\(name):PATH. To try it here,"
            + " set CREDENTIALS_DIRECTORY to a directory with a file \(name)",
          isOnlyHere: true)
      }
      return read("\(directory)/\(name)")
    }
  }

  /// The C function is `getenv`.
  package static func processEnvironment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private func read(_ path: String) -> Outcome {
    do {
      let file = try FileContents.read(path, atMost: 65_536)
      let warning = file.isWorldReadable ? "every user of this machine may read \(path); chmod 600 it" : nil
      return checked(file.bytes, path, warning: warning)
    } catch {
      return absent(
        "cannot read \(path): \(error.reason)", "Put the secret there, readable by the service's user and nobody else")
    }
  }

  private func checked(_ bytes: [UInt8], _ place: String, warning: String?) -> Outcome {
    var bytes = bytes[...]
    if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
    if bytes.isEmpty { return absent("\(place) is empty", "Put the secret there") }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      return absent("\(place) does not hold text", "Put the secret there as text")
    }
    return .found(text, warning: warning)
  }

  private func absent(_ reason: String, _ remedy: String) -> Outcome {
    .absent(reason: reason, remedy: remedy, isOnlyHere: false)
  }
}
