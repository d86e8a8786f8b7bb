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
    room("Input", ["GameCore", "Document"], exclude: ["Serial/consoles.md", "buttons.md"]),
    room("Outbox", ["GameCore"]),
    room(
      "Publishing", ["GameCore", "LiveContract", "Outbox", "Document"], exclude: ["Ably/token-recipe.md", "fan-app.md"]),
    room(
      "Bridge", ["Document", "LiveContract", "GameCore", "Input", "Outbox", "Publishing"], exclude: ["topics.md"]),
    room(
      "Simulation", ["Document", "LiveContract", "GameCore", "Input", "Outbox", "Publishing", "Bridge"],
      exclude: ["recording.md"]),
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

    // Debian 13's answer about it names folders that the package manager warns of; its header and library need no answer.
    library("CCurl", nil, "libcurl4-openssl-dev"),
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
    tests(
      "ConfigTests", ["Document", "GameCore", "Input", "Publishing", "Bridge", "Platform", "scoreboard-bridge"],
      exclude: ["Broken"]),
    tests("SerialTests", ["Document", "GameCore", "Input", "Platform"], exclude: ["Fixtures"]),
    .executableTarget(
      name: "decode-bench", dependencies: ["Input", "Platform"], path: "Tests/Bench/DecodeBench", swiftSettings: strict),
    .executableTarget(name: "gpio-floor", path: "Tests/Bench/GPIOFloor"),
    // The plain C client and our own way into the game, side by side.
    .executableTarget(name: "mqtt-floor", dependencies: ["CMosquitto"], path: "Tests/Bench/MQTTFloor"),
    .executableTarget(
      name: "mqtt-bench",
      dependencies: [
        "Document", "GameCore", "Input", "Outbox", "Publishing", "Bridge", "Platform", "StandIn",
      ], path: "Tests/Bench/MQTTBench", swiftSettings: strict),
    .target(
      name: "PlatformTestSupport", dependencies: ["GameCore", "Platform"], path: "Tests/PlatformTestSupport",
      swiftSettings: strict),
    tests("PlatformLoopTests", ["GameCore", "Input", "Platform", "PlatformTestSupport", "CLinux"]),
    tests("ButtonTests", ["GameCore", "Input", "Outbox", "Publishing", "Bridge", "Platform"]),
    .testTarget(
      name: "HardwareTests", dependencies: ["StandIn"], path: "Tests/Hardware/HardwareTests", swiftSettings: strict),
    tests(
      "BrokerTests",
      ["Document", "GameCore", "Input", "Outbox", "Publishing", "Bridge", "Platform", "scoreboard-bridge"]),
    tests("LayoutTests", []),
    tests("LaneTests", ["GameCore", "Document", "LiveContract", "Outbox", "Publishing", "Bridge"]),
    tests("LiveContractTests", ["LiveContract"]),
    tests("PublishingTests", ["Publishing", "LiveContract", "GameCore", "Document"], exclude: ["Fixtures"]),

    // The world outside the daemon, for tests and demonstrations only: the stand-in service and its C libraries.
    .systemLibrary(
      name: "CNGHTTP2", path: "Tests/C/CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
    .systemLibrary(name: "CGNU", path: "Tests/C/CGNU"),
    .systemLibrary(name: "CSSL", path: "Tests/C/CSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "StandIn", dependencies: ["GameCore", "LiveContract", "CGNU", "CNGHTTP2", "CSSL"], path: "Tests/StandIn",
      exclude: ["record-pypi-ably.py"], swiftSettings: strict),
    .executableTarget(
      name: "ably-standin", dependencies: ["StandIn"], path: "Tests/StandInTool", swiftSettings: strict),
    tests("StandInTests", ["StandIn", "Publishing", "Document", "GameCore", "LiveContract", "Platform"]),
    tests("EndToEndTests", ["StandIn", "GameCore", "LiveContract"], exclude: ["Power"]),
    .executableTarget(
      name: "endurance",
      dependencies: ["Document", "GameCore", "LiveContract", "Input", "Outbox", "Publishing", "Bridge", "Platform"],
      path: "Tests/Endurance", swiftSettings: strict),
    tests("PlatformNetTests", ["Platform", "GameCore", "Outbox", "Publishing", "Input"]),

    tests(
      "ProviderTests", ["Document", "GameCore", "Input", "LiveContract", "Outbox", "Publishing", "Bridge", "Platform"]),
    tests("GameCoreTests", ["GameCore", "Document", "Bridge", "Simulation"]),
    tests(
      "SimulationTests", ["GameCore", "Simulation", "LiveContract", "Publishing", "Bridge", "Document", "Platform"]),
    tests("ProjectionTests", ["GameCore", "Input", "LiveContract", "Publishing"]),
  ],
  swiftLanguageModes: [.v6]
)

// Fuzzers link only with libFuzzer's own driver, so they are there only when asked for (`Tests/Fuzz/run`).
if Context.environment["SCOREBOARD_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "fuzz-decoders", dependencies: ["CFuzzer", "Document", "GameCore", "Input"], path: "Tests/Fuzz/Decoders",
      swiftSettings: strict),
  ]
}
