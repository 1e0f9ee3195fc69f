/// `text` as a JSON string literal, quotes included (RFC 8259, section 7). What could drive a
/// terminal that prints the line (C1 controls, separators) is escaped as well.
func jsonString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default:
      switch scalar.value {
      case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
  return result + "\""
}
