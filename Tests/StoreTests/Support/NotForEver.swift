import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that waits for what never comes. Far above what any takes, on however busy a machine: a test
  /// shares its cores with all the others.
  static var notForEver: Self { .timeLimit(.minutes(15)) }
}
