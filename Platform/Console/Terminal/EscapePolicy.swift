// One decision for colour and for redrawing alike: both are escape codes, and whoever turned
// them off, or isn't a terminal, wants neither (no-color.org, clig.dev).

/// Whether escape codes may be written to a stream.
///
/// No when it is not a terminal, when `NO_COLOR` is set to anything but nothing, when `TERM`
/// is `dumb`, or when the person said `--no-color`.
public func allowsEscapes(
  isTerminal: Bool,
  environment: [String: String],
  noColor: Bool = false
) -> Bool {
  isTerminal && !noColor && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
}
