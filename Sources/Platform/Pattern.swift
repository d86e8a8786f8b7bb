internal import CPCRE2
package import Input

/// Line patterns through PCRE2. Every match has a bound on its work, so that no line, however made, holds the loop up.
package enum Pattern {
  /// How often the matcher may try; a sensible pattern needs a few dozen per line. Reaching it takes well under a
  /// millisecond.
  private static let matchLimit: UInt32 = 20_000
  private static let depthLimit: UInt32 = 1_000
  /// In KiB.
  private static let heapLimit: UInt32 = 1_024
  private static let longestPattern = 4_096

  /// Fills the port that the generic line protocol asks for.
  package static func compile(_ text: String) -> Result<LinePattern, LinePatternFault> {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard scalar.value <= 0xFF else {
        return .failure(
          LinePatternFault(
            offset: bytes.count, message: "\"\(scalar)\" is not a character that consoles send (Latin-1 only)"))
      }
      bytes.append(UInt8(scalar.value))
    }
    guard bytes.count <= longestPattern else {
      return .failure(LinePatternFault(offset: longestPattern, message: "longer than \(longestPattern) characters"))
    }
    return CompiledPattern.compile(bytes, limits: (matchLimit, depthLimit, heapLimit)).map { pattern in
      LinePattern(groups: pattern.groups, match: pattern.match)
    }
  }
}

/// The library's compiled form with the scratch space for one match at a time.
private final class CompiledPattern {
  let groups: [String]
  private let numbers: [Int]
  private let code: OpaquePointer
  private let data: OpaquePointer
  private let context: OpaquePointer

  private init(
    code: OpaquePointer, data: OpaquePointer, context: OpaquePointer, groups: [(name: String, number: Int)]
  ) {
    self.code = code
    self.data = data
    self.context = context
    self.groups = groups.map(\.name)
    numbers = groups.map(\.number)
  }

  deinit {
    pcre2_match_context_free_8(context)
    pcre2_match_data_free_8(data)
    pcre2_code_free_8(code)
  }

  /// The C functions are `pcre2_compile` and `pcre2_jit_compile`.
  static func compile(
    _ pattern: [UInt8], limits: (match: UInt32, depth: UInt32, heap: UInt32)
  ) -> Result<CompiledPattern, LinePatternFault> {
    var errorCode: Int32 = 0
    var offset = 0
    // A pattern may not switch to Unicode by itself (lines are bytes), nor step into the middle of a character.
    let options = PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | UInt32(PCRE2_NEVER_BACKSLASH_C) | PCRE2_DOLLAR_ENDONLY
    guard let code = pcre2_compile_8(pattern, pattern.count, options, &errorCode, &offset, nil) else {
      return .failure(LinePatternFault(offset: offset, message: message(errorCode)))
    }
    guard let data = pcre2_match_data_create_from_pattern_8(code, nil), let context = pcre2_match_context_create_8(nil)
    else { preconditionFailure("Out of memory while compiling a pattern.") }
    pcre2_set_match_limit_8(context, limits.match)
    pcre2_set_depth_limit_8(context, limits.depth)
    pcre2_set_heap_limit_8(context, limits.heap)
    // Ten times faster where the machine allows it; the plain matcher does the same without.
    _ = pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
    return .success(CompiledPattern(code: code, data: data, context: context, groups: namedGroups(of: code)))
  }

  /// The C function is `pcre2_match`.
  func match(_ line: ArraySlice<UInt8>) -> LineMatch {
    let result = line.withUnsafeBufferPointer { bytes in
      // An empty slice may have no address, which the library takes for a mistake.
      withUnsafePointer(to: 0 as UInt8) { spare in
        pcre2_match_8(code, bytes.baseAddress ?? spare, bytes.count, 0, 0, data, context)
      }
    }
    if result == PCRE2_ERROR_NOMATCH { return .noMatch }
    // Whatever else the matcher stops for (its limits, its stack), the line was too much for this pattern.
    guard result > 0, let offsets = pcre2_get_ovector_pointer_8(data) else { return .tooCostly }
    return .matched(
      numbers.map { number in
        let (start, end) = (offsets[2 * number], offsets[2 * number + 1])
        // A look-behind with \K can put an end before its start; such a group took no part.
        guard cpx_took_part(start) != 0, start <= end else { return nil }
        return line.startIndex + start..<line.startIndex + end
      })
  }

  /// The name table: entries of a fixed size, each the group's number in two bytes and its name with a zero.
  private static func namedGroups(of code: OpaquePointer) -> [(name: String, number: Int)] {
    var count: UInt32 = 0
    var size: UInt32 = 0
    var table: UnsafePointer<UInt8>?
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table else { return [] }
    return (0..<Int(count)).map { index in
      let entry = table + index * Int(size)
      return (String(cString: entry + 2), Int(entry[0]) << 8 | Int(entry[1]))
    }
    .sorted { $0.number < $1.number }
  }

  private static func message(_ code: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = pcre2_get_error_message_8(code, &buffer, buffer.count)
    return length > 0 ? String(decoding: buffer.prefix(Int(length)), as: UTF8.self) : "not a pattern (\(code))"
  }
}
