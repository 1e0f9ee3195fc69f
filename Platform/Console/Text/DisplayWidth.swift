// A terminal lays text out in columns, and a column is neither a byte, a scalar nor a
// Character: "폴더" is 2 Characters and 4 columns, its NFD spelling is 5 scalars and still 4
// columns, a family emoji is 7 scalars and 2 columns. A table that counts anything else has
// crooked columns as soon as a person writes Korean. The rule is Unicode Standard Annex #11
// (East Asian Width: Wide and Fullwidth take two columns, all others one; Ambiguous counts as
// one, as terminals do outside legacy East Asian encodings).

/// The number of terminal columns that `text` takes.
///
/// - Wide and fullwidth characters (Hangul, CJK, kana, emoji) take two.
/// - An emoji sequence (joined by ZWJ, a skin tone, a keycap, a flag) is one picture of two.
/// - Combining marks, the vowels and finals of decomposed Hangul, and format characters add
///   nothing.
/// - Control characters count as nothing; make them visible first with ``visible(_:)``.
public func displayWidth(of text: some StringProtocol) -> Int {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
  var columns = 0
  for character in text { columns += displayWidth(of: character) }
  return columns
}

/// The number of terminal columns that one `character` takes: 0, 1 or 2, and more for the
/// rare cluster of several letters (a Devanagari conjunct).
public func displayWidth(of character: Character) -> Int {
  let scalars = character.unicodeScalars
  if let ascii = character.asciiValue, scalars.count == 1 {
    return ascii >= 0x20 && ascii != 0x7F ? 1 : 0
  }
  if isEmojiPicture(character) { return 2 }
  return scalars.reduce(0) { $0 + columns(of: $1) }
}

/// Whether a terminal draws the cluster as one emoji: its first scalar is one by default, or
/// is made one by the variation selector U+FE0F.
private func isEmojiPicture(_ character: Character) -> Bool {
  guard let first = character.unicodeScalars.first else { return false }
  if first.properties.isEmojiPresentation { return true }
  return first.properties.isEmoji && character.unicodeScalars.contains("\u{FE0F}")
}

private func columns(of scalar: Unicode.Scalar) -> Int {
  switch scalar.value {
  case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0  // Hangul vowels and finals: drawn into the initial
  case 0x00AD, 0x0600...0x0605, 0x06DD: return 1  // Format characters that are drawn
  default: break
  }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
  default: return isWide(scalar) ? 2 : 1
  }
}

private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  guard scalar.value >= 0x1100 else { return false }
  return scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
}

/// East Asian Width W and F of Unicode 16, joined over unassigned gaps. Emoji are left out:
/// their own property says it.
private let wideRanges: [ClosedRange<UInt32>] = [
  0xAC00...0xD7A3,  // Hangul syllables: first, being the commonest here
  0x3250...0xA4C6,  // CJK ideographs, Yi
  0x3041...0x3247,  // Kana, Bopomofo, compatibility jamo
  0x2E80...0x303E,  // Radicals, CJK punctuation
  0x1100...0x115F,  // Hangul initials
  0xA960...0xA97C,  // Hangul initials, extended
  0xF900...0xFAD9,  // Compatibility ideographs
  0xFF01...0xFF60, 0xFFE0...0xFFE6,  // Fullwidth forms
  0xFE10...0xFE19, 0xFE30...0xFE6B,  // Vertical and small forms
  0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F,  // Angle brackets, trigrams, digrams
  0x16FE0...0x1B2FB,  // Tangut, Khitan, Kana supplement, Nushu
  0x1D300...0x1D376,  // Tai Xuan Jing, counting rods
  0x1F200...0x1F265,  // Enclosed ideographs
  0x20000...0x3FFFD,  // Ideographs beyond the first plane
]
