/// Reads the YAML of Ferry's configuration files, strictly.
///
/// What YAML allows but a careful person wouldn't write in a configuration file is a fault with its place
/// and its remedy: keys given twice, anchors, aliases, merge keys, tags, directives, several documents, keys
/// that aren't text, text that isn't UTF-8. libyaml reports none of these by itself.
public enum YAMLDocument {
  /// The largest file that is read, in bytes: one mebibyte.
  public static let largestSize = 1 << 20
  /// The deepest nesting of lists and mappings that is read.
  public static let deepestNesting = 64

  /// The root of the one document in `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: the file's content, UTF-8, with or without a byte order mark.
  ///   - file: the name that faults show.
  ///   - vocabulary: the first half of the codes that the reading layer's faults bear.
  public static func parse(
    _ bytes: [UInt8], file: String, vocabulary: String = "yaml"
  ) throws(SourceFault) -> YAMLNode {
    let source = YAMLSource(file: file, vocabulary: vocabulary)
    guard bytes.count <= largestSize else {
      throw source.syntaxFault(
        "tooLarge", at: .start, "the file is larger than \(largestSize) bytes",
        remedy: "Check that this is the right file.")
    }
    let outcome = bytes.withUnsafeBufferPointer { buffer in compose(buffer, source) }
    return try outcome.get()
  }

  /// The root of the one document in `text`.
  public static func parse(
    text: String, file: String, vocabulary: String = "yaml"
  ) throws(SourceFault) -> YAMLNode {
    try parse(Array(text.utf8), file: file, vocabulary: vocabulary)
  }

  private static func compose(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: YAMLSource
  ) -> Result<YAMLNode, SourceFault> {
    do throws(SourceFault) {
      let text = SourceText(bytes)
      // libyaml asserts that there is a buffer.
      guard !text.bytes.isEmpty else { throw source.emptyFile() }
      if let offset = text.bytes.firstInvalidUTF8Offset {
        throw source.syntaxFault(
          "invalidUTF8", at: text.position(ofByte: offset), "the text isn't UTF-8 here",
          remedy: "Save the file as UTF-8.")
      }
      var composer = YAMLComposer(try YAMLEvents(text, source), source)
      return .success(try composer.document())
    } catch {
      return .failure(error)
    }
  }
}
