import Testing

@testable import StandIn
