import Bridge
import GameCore
import Input
import Platform

/// The buttons' and lamps' lines of every court, between the kernel and the engine.
final class LineDesk {
  typealias Handler = (LinePlace, LineNews, Moment) -> Void

  private let places: [LinePlace]
  private let lines: GPIOLines

  /// Nil when no court has any.
  init?(_ courts: [CourtConfig], on loop: EventLoop, _ handler: @escaping Handler) {
    var places: [LinePlace] = []
    var settings: [GPIOLineSettings] = []
    for (court, config) in courts.enumerated() {
      for (button, config) in config.buttons.enumerated() {
        places.append(LinePlace(court: court, part: .button(button)))
        settings.append(GPIOLineSettings(config))
      }
      for (lamp, config) in config.lamps.enumerated() {
        places.append(LinePlace(court: court, part: .lamp(lamp)))
        settings.append(GPIOLineSettings(config))
      }
    }
    guard !places.isEmpty else { return nil }
    self.places = places
    let known = places
    lines = GPIOLines(settings, on: loop) { number, event, moment in
      handler(known[number], LineNews(event), moment)
    }
  }

  func start() { lines.start() }

  func stop() { lines.stop() }

  func read(_ place: LinePlace) {
    if let number = places.firstIndex(of: place) { lines.read(number) }
  }

  func light(_ place: LinePlace, _ isLit: Bool) {
    if let number = places.firstIndex(of: place) { lines.set(number, isLit) }
  }
}

extension LineNews {
  init(_ event: GPIOLineEvent) {
    switch event {
    case .opened(let isActive, let place, let warning):
      self = .opened(isActive ? .active : .inactive, place: place, warning: warning)
    case .edges(let edges, let queueWasFull): self = .edges(edges.map(LineEdge.init), queueWasFull: queueWasFull)
    case .level(let isActive): self = .read(isActive ? .active : .inactive)
    case .down(let error): self = .down(reason: error.description)
    }
  }
}

extension LineEdge {
  init(_ edge: GPIOEdge) {
    self.init(
      edge.isActive ? .active : .inactive, at: Instant(nanoseconds: edge.nanoseconds), sequence: edge.sequence)
  }
}

extension GPIOLineSettings {
  init(_ button: ButtonConfig) {
    let bias: Bias =
      switch button.bias {
      case .asIs: .asIs
      case .pullUp: .pullUp
      case .pullDown: .pullDown
      case .disabled: .disabled
      }
    self.init(
      name: button.name, chip: button.address.chip, line: Line(button.address.line),
      isActiveLow: button.isActiveLow, direction: .input(bias))
  }

  init(_ lamp: LampConfig) {
    self.init(
      name: lamp.name, chip: lamp.address.chip, line: Line(lamp.address.line), isActiveLow: lamp.isActiveLow,
      direction: .output)
  }
}

extension GPIOLineSettings.Line {
  init(_ line: LineAddress.Line) {
    switch line {
    case .name(let name): self = .name(name)
    case .offset(let offset): self = .offset(Int(offset))
    }
  }
}
