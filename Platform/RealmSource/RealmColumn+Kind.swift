import FerryKernel
import RealmFile

extension RealmColumn {
  /// What the column holds; nil for one that holds anything.
  var kind: LegacyKind? {
    switch collection {
    case .list, .set: .list
    case .dictionary: .dictionary
    case .none: ofOne
    }
  }

  private var ofOne: LegacyKind? {
    switch type {
    case .int: .integer
    case .bool: .flag
    case .string: .text
    case .binary: .bytes
    case .timestamp: .time
    case .float, .double: .number
    case .decimal128: .decimal
    case .link: .link
    case .objectId: .objectID
    case .uuid: .uuid
    default: nil
    }
  }
}
