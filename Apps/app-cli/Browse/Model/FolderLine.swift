import FolderDomain

/// A line of the tree on the left.
struct FolderLine: Equatable, Sendable {
  let place: ListPlace
  let name: String
  /// In how many folders it lies.
  var depth = 0
  var total = 0
  var unread = 0
}
