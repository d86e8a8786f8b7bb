#if canImport(ActivityKit)
  public import ActivityKit

  @available(iOS 16.1, *)
  extension GameAttributes: ActivityAttributes {}
#endif
