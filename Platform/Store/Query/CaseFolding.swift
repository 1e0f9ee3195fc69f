import CSQLite

/// Folds the case of a text away, the same in SQL and in memory: SQLite's own `lower` knows ASCII only.
///
/// Each scalar is mapped to lower, to upper and to lower case again, as Unicode's tables do it without regard to
/// language or neighbours. The first step is for `ẞ`, which is upper case already.
enum CaseFolding {
  static func fold(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if scalar.isASCII {
        folded.append(isUpper(UInt8(scalar.value)) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
      } else if properties.changesWhenLowercased || properties.changesWhenUppercased {
        for lower in properties.lowercaseMapping.unicodeScalars {
          for upper in lower.properties.uppercaseMapping.unicodeScalars {
            folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
          }
        }
      } else {
        folded.append(scalar)
      }
    }
    return String(folded)
  }

  private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }

  /// By which name SQL knows it. Only the statements of queries may call it, no schema.
  static let function = "ferry_fold"

  /// Makes the function known to a connection.
  ///
  /// - Returns: SQLite's result code.
  static func register(on handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle, function, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let argument = arguments?[0], let text = sqlite3_value_text(argument) else {
          return sqlite3_result_null(context)
        }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument)))
        // Most texts are as they are to be.
        if bytes.allSatisfy({ $0 < 0x80 && !CaseFolding.isUpper($0) }) {
          return sqlite3_result_value(context, argument)
        }
        var folded = CaseFolding.fold(String(decoding: bytes, as: UTF8.self))
        folded.withUTF8 { result in
          result.withMemoryRebound(to: CChar.self) {
            ferry_result_text(context, $0.baseAddress, UInt64($0.count))
          }
        }
      }, nil, nil, nil)
  }
}
