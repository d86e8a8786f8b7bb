package import Bridge
package import Document
package import Platform
package import Publishing

/// A config file with all that was found out about it, for `check`, for the start and for a reload.
package struct ConfigFile {
  package static let usualPath = "/etc/scoreboard-bridge/config.yaml"

  package var path: String
  /// Nil when the file cannot be used.
  package var config: Config?
  /// Everything wrong with the file, in its order. Warnings alone leave a config.
  package var issues: [DocumentIssue] = []
  /// What stands in the way of a named secret; the daemon starts all the same and says `down`.
  package var secretIssues: [DocumentIssue] = []
  package var ablyKey: AblyKey?
  package var mqttPassword: String?

  /// Reads the file, its secrets and what else this machine must have for it.
  package init(path: String, secrets: Secrets = Secrets(), checks: ConfigChecks = .rooms) {
    self.path = path
    let document: Node
    do {
      let file = try FileContents.read(path, atMost: 1_048_576)
      document = try YAMLDocument.parse(file.bytes)
    } catch let error as PlatformError {
      issues = [
        DocumentIssue(
          "cannot \(error.operation) the file: \(error.reason)", at: Position(line: 1, column: 1),
          remedy: error.hint.isEmpty ? "Name another with --config FILE" : error.hint)
      ]
      return
    } catch let error as DocumentIssue {
      issues = [error]
      return
    } catch {
      preconditionFailure("Reading a file throws these two errors only.")
    }
    (config, issues) = Config.decode(document, checks: checks)
    guard let config else { return }
    lookAround(config, document)
    readSecrets(config, document, secrets)
  }

  /// What this machine must have: the zone's data, the certificates.
  private mutating func lookAround(_ config: Config, _ document: Node) {
    if !VenueTimeZone.isKnown(config.venue.timeZone) {
      report(
        "this machine does not know the time zone “\(config.venue.timeZone)”", "venue.time_zone", document,
        remedy: "See timedatectl list-timezones; is the package tzdata installed?")
    }
    var files: [(path: String, name: String?)] = [("ably.ca_file", config.ably?.caFile)]
    for (index, broker) in (config.mqtt?.brokers ?? []).enumerated() {
      let place = "mqtt.brokers[\(index)].tls"
      files.append(("\(place).ca_file", broker.tls?.caFile))
      files.append(("\(place).certificate_file", broker.tls?.certificateFile))
      files.append(("\(place).key_file", broker.tls?.keyFile))
    }
    for case (let place, let name?) in files where !FileContents.isReadable(name) {
      report("the file \(name) cannot be read", place, document, remedy: "Put it there, readable by the service's user")
    }
    if issues.contains(where: { $0.severity == .problem }) { self.config = nil }
  }

  private mutating func readSecrets(_ config: Config, _ document: Node, _ secrets: Secrets) {
    if let source = config.ably?.key {
      if let text = read(source, "ably key", "ably.key", document, secrets) { takeAblyKey(text, document) }
    }
    if let source = config.mqtt?.password {
      mqttPassword = read(source, "mqtt password", "mqtt.password", document, secrets)
    }
  }

  private mutating func takeAblyKey(_ text: String, _ document: Node) {
    do {
      ablyKey = try AblyKey(text)
    } catch {
      secretIssues.append(
        DocumentIssue(
          "the ably key cannot be one: \(error.message)", at: document.nearest(to: "ably.key"), path: "ably.key",
          remedy: "Copy the whole key from the service's dashboard"))
    }
  }

  private mutating func read(
    _ source: SecretSource, _ name: String, _ place: String, _ document: Node, _ secrets: Secrets
  ) -> String? {
    let position = document.nearest(to: place)
    switch secrets.read(source) {
    case .found(let secret, let warning):
      if let warning {
        issues.append(DocumentIssue(warning, at: position, path: place, severity: .warning))
      }
      return secret
    case .absent(let reason, let remedy, let isOnlyHere):
      secretIssues.append(
        DocumentIssue(
          "\(name) missing: \(reason)", at: position, path: place, remedy: remedy,
          severity: isOnlyHere ? .warning : .problem))
      return nil
    }
  }

  private mutating func report(_ text: String, _ place: String, _ document: Node, remedy: String) {
    issues.append(DocumentIssue(text, at: document.nearest(to: place), path: place, remedy: remedy))
  }
}
