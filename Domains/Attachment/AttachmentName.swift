import Foundation

extension Attachment {
  /// The file's name in a form that every file system takes and that names a file in the folder where it is put,
  /// not one elsewhere: for a copy that a person asks for. Ferry's own files are named after their content.
  ///
  /// Separators, controls and what turns the direction of writing become `_`; dots and spaces at the ends go;
  /// what is longer than 200 bytes is cut before its ending; a name of which nothing is left is `attachment`.
  public var safeFileName: String {
    let scalars = fileName.unicodeScalars.map { Attachment.isUnsafe($0) ? "_" : $0 }
    let name = Attachment.trimmed(String(String.UnicodeScalarView(scalars)))
    guard name.utf8.count > Attachment.longestName else { return name.isEmpty ? "attachment" : name }
    var ending = ""
    if let dot = name.lastIndex(of: "."), name[dot...].utf8.count <= 20 { ending = String(name[dot...]) }
    var stem = ""
    for character in name {
      guard stem.utf8.count + String(character).utf8.count + ending.utf8.count <= Attachment.longestName
      else { break }
      stem.append(character)
    }
    let cut = Attachment.trimmed(stem)
    return (cut.isEmpty ? "attachment" : cut) + ending
  }

  /// In bytes. File systems take 255; whoever copies the file on may add to its name.
  private static let longestName = 200

  private static func trimmed(_ name: String) -> String {
    name.trimmingCharacters(in: CharacterSet(charactersIn: ".").union(.whitespacesAndNewlines))
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2F, 0x5C, 0x3A: true  // / \ and :, which part a path on one system or another
    case 0x00...0x1F, 0x7F...0x9F: true  // controls
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
    case 0x2028...0x2029: true  // line and paragraph separators
    default: false
    }
  }
}
