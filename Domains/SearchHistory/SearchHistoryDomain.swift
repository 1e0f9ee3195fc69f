import FerryKernel
import FerryStore

extension Domain {
  /// What a person searched for. It never leaves the device.
  public static let searchHistory = Domain(
    "search-history", "What a person searched for",
    tables: [SearchEntry.table.declaration],
    crossings: [
      Crossing(
        "search-history", SearchEntry.self,
        fields: LegacyField<String>("query"), LegacyField<Timestamp>("searched-at"),
        latest: { $0.searchedAt }
      ) { query, searchedAt in
        guard let entry = SearchEntry(text: query, searchedAt: searchedAt) else {
          throw RowRefusal("query: there is nothing but spaces in it")
        }
        return entry
      }
    ])
}
