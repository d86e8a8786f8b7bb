/// How many bytes fit, in UTF-8 of the compact JSON.
package struct SizeLimits: Hashable, Sendable {
  package var startPayload: Int
  package var broadcastPayload: Int
  package var attributesAndState: Int
  package var state: Int

  /// What Apple takes. More is refused before it is sent.
  package static let apple = SizeLimits(
    startPayload: 4096, broadcastPayload: 5120, attributesAndState: 4096, state: 4096)

  /// What we keep to, so that an intermediary that writes letters longer does no harm. Texts are cut down to it.
  package static let ours = SizeLimits(
    startPayload: 3000, broadcastPayload: 5120, attributesAndState: 4096, state: 1024)

  /// Keys plus values of a data message: FCM takes 4,096, of which we leave some to others on the way.
  package static let fcmData = 4000
  /// What data messages are cut down to: the least that any of FCM's ways takes.
  package static let ourFCMData = 2000
}
