extension FerryConfiguration {
  /// A server: a name that accounts bear, and where its remote is.
  public struct Server: Sendable, Equatable {
    /// Where a remote is.
    public enum Kind: Sendable, Equatable {
      /// A folder of NDJSON files.
      case directory(path: Located<String>)
      /// A Kinto server.
      case kinto(Kinto)
    }

    /// The name, which stays when the remote moves.
    public let name: Located<String>
    /// Where its remote is.
    public let kind: Kind

    /// Joins a name to a remote.
    public init(name: Located<String>, kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  /// A Kinto server, and where the secrets of its users are.
  public struct Kinto: Sendable, Equatable {
    /// The address with the version, as it was written.
    public let url: Located<String>
    /// The bucket of the collections; nil: each account's own.
    public let bucket: Located<String>?
    /// Whether passwords may go over a network unencrypted.
    public let allowsPlainHTTP: Bool
    /// Each user once.
    public let secrets: [UserSecret]

    /// Joins the parts of a server.
    public init(
      url: Located<String>, bucket: Located<String>? = nil, allowsPlainHTTP: Bool = false,
      secrets: [UserSecret] = []
    ) {
      self.url = url
      self.bucket = bucket
      self.allowsPlainHTTP = allowsPlainHTTP
      self.secrets = secrets
    }
  }

  /// Where a user's secret is; never the secret itself.
  public struct UserSecret: Sendable, Equatable {
    /// A kind of place.
    public enum Place: Sendable, Equatable {
      /// A file, by its path.
      case file(String)
      /// What a program prints: its path, or its name where the system finds it by that, and its words.
      case command([String])
      /// A variable of the environment.
      case environment(String)
    }

    /// The user's name on the server.
    public let user: Located<String>
    /// Where the secret is.
    public let place: Place

    /// Joins a user to a place.
    public init(user: Located<String>, place: Place) {
      self.user = user
      self.place = place
    }
  }
}
