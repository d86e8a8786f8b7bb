import Document

/// The house: its name for people, its slug for topics, its time zone for dates.
package struct VenueConfig: Hashable, Sendable {
  package var name = ""
  package var slug = ""
  package var timeZone = "UTC"

  package init() {}

  package init(name: String, slug: String, timeZone: String = "UTC") {
    self.name = name
    self.slug = slug
    self.timeZone = timeZone
  }

  private struct Draft {
    var name = ""
    var slug: Slug?
    var timeZone = "UTC"
  }

  static func schema() -> Schema<VenueConfig> {
    Schema.record(
      Draft(),
      [
        .required(
          "name", \.name, .text(atMost: 80), "The venue's name, as people write it.", example: "Riverside Arena"),
        .optional(
          "slug", \.slug, .slug, "The venue's name in topics and channels.", example: "riverside",
          otherwise: "made from the name"),
        .setting(
          "time_zone", \.timeZone, .timeZone, "Where the venue is; dates and start times are meant there.",
          example: "Europe/Berlin"),
      ]
    ).converted { draft, node, decoding in
      VenueConfig(
        name: draft.name, slug: slugText(draft.slug, name: draft.name, node, &decoding), timeZone: draft.timeZone)
    }
  }
}

/// The slug that was given, else the one made from the name; empty, and reported, where the name has no letter for it.
func slugText(_ given: Slug?, name: String, _ node: Node, _ decoding: inout Decoding) -> String {
  if let given { return given.text }
  // A missing name has been reported already.
  if name.isEmpty || node["slug"] != nil { return "" }
  if let made = Slug(from: name) { return made.text }
  decoding.inside(key: "slug") { decoding in
    decoding.problem(
      "no slug can be made from \(Quoted.text(name))", at: node["name"]?.position ?? node.position,
      remedy: "Give one, for example: slug: main-hall")
  }
  return ""
}

extension Schema where Value == String {
  /// A zone's name as in the IANA data base. Whether the machine knows it is looked up later.
  static var timeZone: Schema {
    .name(
      "zone", allowed: "a time zone's name, such as UTC, Europe/Berlin or America/New_York",
      pattern: "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$"
    ) { text in
      text.utf8.count <= 64
        && text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
          !part.isEmpty
            && part.allSatisfy { byte in
              switch byte {
              case 48...57, 65...90, 97...122: true
              default: "_+-".utf8.contains(byte)
              }
            }
        }
    }
  }
}
