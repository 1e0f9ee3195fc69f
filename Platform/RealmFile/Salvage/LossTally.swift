/// How often something was left out, and why.
struct LossTally {
  private(set) var count = 0
  /// The first few causes that differ.
  private(set) var causes: [RealmFileError] = []

  private static let maxCauses = 8

  mutating func add(_ cause: RealmFileError) {
    count += 1
    if causes.count < Self.maxCauses, !causes.contains(cause) { causes.append(cause) }
  }
}
