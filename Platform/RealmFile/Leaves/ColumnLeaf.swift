/// A leaf array, ready for access by index.
///
/// A plain structure with a kind, and not an enum of leaves: a cell then costs the loads of the fields that its
/// kind uses, where an enum would be copied whole to look at its case. It holds no references.
struct ColumnLeaf {
  enum Kind: UInt8 {
    /// Not asked for yet.
    case unread
    case int, nullableInt, bool, text, enumerated, binary, float, double, timestamp, objectId, uuid, decimal
    /// Object keys plus 1, where 0 is null: in clusters.
    case link
    /// Object keys as they are: in lists and sets.
    case listedLink
    case typedLink, mixed, collection
    /// Formats up to 9: booleans and whole seconds, with a null value of the leaf's own.
    case nullableBool, date, nullableDate
    /// Formats up to 9: old mixed values, which read as null.
    case nothing
    /// The leaf can't be read; the cluster knows why.
    case lost
  }

  let kind: Kind
  /// The number of elements.
  let count: Int
  /// The element of the first row, where a leaf holds more rows than the cluster that looks into it.
  var first = 0
  /// Whether values of this leaf lie in nodes of their own, which are then claimed value by value.
  let ownsNodes: Bool
  /// The node itself, where it is one of integers or refs.
  var integers: PackedIntegers?
  /// The payload of numbers.
  var numbers: UnsafeRawPointer?
  var nullable: NullableIntegers?
  var bytes: BytesLeaf?
  var timestamps: TimestampLeaf?
  var identifiers: FixedBytesLeaf?
  var decimals: DecimalLeaf?
  var mixed: MixedLeaf?

  static var unread: ColumnLeaf { ColumnLeaf(.unread, count: 0) }

  init(_ kind: Kind, count: Int, ownsNodes: Bool = false) {
    self.kind = kind
    self.count = count
    self.ownsNodes = ownsNodes
  }

  init(_ kind: Kind, _ integers: PackedIntegers) {
    self.init(
      kind, count: kind == .typedLink ? integers.count / 2 : integers.count, ownsNodes: kind == .collection)
    self.integers = integers
  }

  init(_ kind: Kind, _ bytes: BytesLeaf) {
    self.init(kind, count: bytes.count, ownsNodes: bytes.ownsNodes)
    self.bytes = bytes
  }

  private init(_ kind: Kind, _ identifiers: FixedBytesLeaf) {
    self.init(kind, count: identifiers.count)
    self.identifiers = identifiers
  }

  init(_ kind: Kind, _ node: Node, width: Int) throws(RealmFileError) {
    guard !node.hasRefs, !node.isInner, node.widthType == 1, node.width == width || node.size == 0 else {
      throw node.damage("a leaf of floating-point numbers is of another kind")
    }
    self.init(kind, count: node.size)
    numbers = node.payload
  }

  /// A leaf array of a cluster.
  init(
    _ node: Node, of layout: ColumnLayout, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) {
    let column = layout.column
    if column.collection != .none {
      self.init(.collection, try node.refs("a leaf of collections"))
    } else if column.type == .link {
      self.init(.link, try node.integers("a leaf of links"))
    } else if layout.enumerated != nil, !node.hasRefs, node.widthType == 0 {
      self.init(.enumerated, try node.integers("a leaf of interned strings"))
    } else {
      try self.init(
        node, type: column.type, isNullable: column.isNullable, snapshot: snapshot, claims: claims)
    }
  }

  /// A leaf of single values: in a cluster, or of a list or set.
  init(
    _ node: Node, type: RealmType, isNullable: Bool, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) {
    switch type {
    case .int where isNullable:
      let integers = try NullableIntegers(node, "the integers of a leaf")
      self.init(.nullableInt, count: integers.count)
      nullable = integers
    case .int: self.init(.int, try node.integers("a leaf of integers"))
    case .bool: self.init(.bool, try node.integers("a leaf of booleans"))
    case .string:
      self.init(.text, try BytesLeaf(node, isText: true, snapshot: snapshot, claims: claims))
    case .binary:
      self.init(.binary, try BytesLeaf(node, isText: false, snapshot: snapshot, claims: claims))
    case .float: try self.init(.float, node, width: 4)
    case .double: try self.init(.double, node, width: 8)
    case .timestamp:
      let leaf = try TimestampLeaf(node, snapshot: snapshot, claims: claims)
      self.init(.timestamp, count: leaf.nanoseconds.count)
      timestamps = leaf
    case .objectId: self.init(.objectId, try FixedBytesLeaf(node, width: 12))
    case .uuid: self.init(.uuid, try FixedBytesLeaf(node, width: 16))
    case .decimal128:
      let leaf = try DecimalLeaf(node)
      self.init(.decimal, count: leaf.count)
      decimals = leaf
    case .link: self.init(.listedLink, try node.integers("a leaf of links"))
    case .typedLink: self.init(.typedLink, try node.integers("a leaf of links"))
    case .mixed:
      let leaf = try MixedLeaf(node, snapshot: snapshot, claims: claims)
      self.init(.mixed, count: leaf.composite.count, ownsNodes: true)
      mixed = leaf
    }
  }
}
