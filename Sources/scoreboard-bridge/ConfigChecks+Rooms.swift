package import Bridge
import Platform

extension ConfigChecks {
  /// The rooms that know more than the config does, asked by every command that reads a config.
  package static var rooms: ConfigChecks { ConfigChecks(compilePattern: Pattern.compile) }
}
