/// Keeps a large value behind a reference, copied only when one of its copies changes: what is looked at several times a
/// turn, in an array or a dictionary, would else be copied at every look.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
  private final class Storage: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  var wrappedValue: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}
