/// The text that lights a phone up. Both lines are needed: an alert without a title is ignored with its sound.
package struct Alert: Hashable, Sendable {
  package var title: String
  package var body: String

  package init(title: String, body: String) {
    self.title = title
    self.body = body
  }
}
