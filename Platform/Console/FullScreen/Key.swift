/// A key that a person pressed on a terminal, or what they pasted.
public enum Key: Sendable, Hashable {
  /// A character that can be written. One that is put together from several scalars may come in pieces, each a
  /// key: appended to a `String` they become one again.
  case text(Character)
  /// A letter held with Ctrl, in lower case.
  case control(Character)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// A text that was pasted as one. It may hold anything, line breaks and control characters included.
  case paste(String)
  /// Something else; that it was pressed is all that is known.
  case unknown
}
