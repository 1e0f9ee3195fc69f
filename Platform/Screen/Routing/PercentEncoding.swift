// RFC 3986, section 2.1. `URL` isn't asked: it rewrites hosts that aren't ASCII, and is Foundation's.

/// The text that these bytes encode; nil where a `%` isn't followed by two hexadecimal digits, and where what comes
/// out isn't UTF-8.
func percentDecoded(_ bytes: some Collection<UInt8>) -> String? {
  var decoded: [UInt8] = []
  decoded.reserveCapacity(bytes.count)
  var rest = bytes.makeIterator()
  while let byte = rest.next() {
    guard byte == UInt8(ascii: "%") else {
      decoded.append(byte)
      continue
    }
    guard let high = rest.next().flatMap(hexadecimalValue), let low = rest.next().flatMap(hexadecimalValue)
    else { return nil }
    decoded.append(high << 4 | low)
  }
  let text = String(decoding: decoded, as: UTF8.self)
  return text.utf8.elementsEqual(decoded) ? text : nil
}

/// The text with every byte encoded that isn't one of RFC 3986's unreserved characters.
func percentEncoded(_ text: String) -> String {
  var encoded = String.UnicodeScalarView()
  let digits = Array("0123456789ABCDEF".unicodeScalars)
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      encoded.append(UnicodeScalar(byte))
    default:
      encoded.append(contentsOf: ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
  }
  return String(encoded)
}

private func hexadecimalValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  default: nil
  }
}

func asciiLowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
}
