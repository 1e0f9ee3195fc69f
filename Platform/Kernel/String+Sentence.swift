extension String {
  /// A sentence as part of another one, which ends it.
  package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
