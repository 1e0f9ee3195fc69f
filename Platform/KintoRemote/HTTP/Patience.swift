/// How often and how long a request is tried again.
public struct Patience: Sendable, Equatable {
  /// Tries in all, the first one included.
  public var tries = 4
  /// The same where a server took a request and said nothing: each such try takes a minute or two.
  public var triesInSilence = 2
  /// The first pause is a random part of this; each further one of twice as much.
  public var firstPause: Duration = .milliseconds(500)
  public var longestPause: Duration = .seconds(20)
  /// Where a server asks for more time than this, it is left alone, and asked in another run.
  public var longestWish: Duration = .seconds(30)
  /// For one request.
  public var timeout: Duration = .seconds(120)
  /// For one file, either way, as long as something comes or goes.
  public var fileTimeout: Duration = .seconds(3600)

  public init() {}

  /// The pause after the given try (the first is 1): anything between nothing and a bound that doubles, so that many
  /// devices that lost the same server don't come back at once; never less than the server asked for.
  func pause(after number: Int, wish: Duration?, random: inout some RandomNumberGenerator) -> Duration {
    let doubled = firstPause * (1 << min(number - 1, 16))
    let bound = min(doubled, longestPause)
    let part = Double.random(in: 0..<1, using: &random)
    return max(bound * part, wish ?? .zero)
  }
}
