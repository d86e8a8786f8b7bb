// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A room of the house: its name and the rooms it may import (`Tests/LayoutTests` holds the same table).
func room(_ name: String, _ imports: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: imports, exclude: exclude, swiftSettings: strict)
}

/// A C library of Debian's: a module map and a header, nothing compiled here.
func library(_ name: String, _ pkgConfig: String?, _ package: String?) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig,
    providers: package.map { [.apt([$0])] })
}

func tests(_ name: String, _ imports: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: imports, exclude: exclude, swiftSettings: strict)
}

let package = Package(
  name: "scoreboard-bridge",
  platforms: [.iOS(.v16)],
  products: [
    .library(name: "LiveContract", targets: ["LiveContract"]),
    .executable(name: "scoreboard-bridge", targets: ["scoreboard-bridge"]),
  ],
  targets: [
    room("Document"),
    room("LiveContract"),
    room("GameCore", exclude: ["game-life.md"]),
    room("Input", ["GameCore", "Document"]),
    room("Outbox", ["GameCore"]),
    room("Publishing", ["GameCore", "LiveContract", "Outbox", "Document"]),
    room("Bridge", ["Document", "GameCore", "Input", "Outbox", "Publishing"]),
    room("Simulation", ["Document", "LiveContract", "GameCore", "Input", "Outbox", "Publishing", "Bridge"]),
    room(
      "Platform",
      [
        "Document", "GameCore", "Input", "Outbox", "Publishing",
        "CCurl", "CMosquitto", "CSQLite", "CMicroHTTPD", "CYAML", "CJansson", "CPCRE2", "CCrypto",
        "CGPIO", "CLinux",
      ]),
    .executableTarget(
      name: "scoreboard-bridge",
      dependencies: [
        "Document", "GameCore", "Input", "Outbox", "Publishing", "Bridge", "Simulation", "Platform",
      ],
      swiftSettings: strict),

    library("CCurl", "libcurl", "libcurl4-openssl-dev"),
    library("CMosquitto", "libmosquitto", "libmosquitto-dev"),
    library("CSQLite", "sqlite3", "libsqlite3-dev"),
    library("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
    library("CYAML", "yaml-0.1", "libyaml-dev"),
    library("CJansson", "jansson", "libjansson-dev"),
    library("CPCRE2", "libpcre2-8", "libpcre2-dev"),
    library("CCrypto", "libcrypto", "libssl-dev"),
    library("CGPIO", "libgpiod", "libgpiod-dev"),
    library("CLinux", nil, nil),

    tests("DocumentTests", ["Document"]),
    tests("GameCoreTests", ["GameCore", "Document", "Bridge", "Simulation"]),
    tests("SimulationTests", ["GameCore", "Simulation", "LiveContract", "Publishing"]),
    tests("ProjectionTests", ["GameCore", "Input", "LiveContract", "Publishing"]),
  ],
  swiftLanguageModes: [.v6]
)
