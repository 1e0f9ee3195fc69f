import FerryStore
import Foundation

/// Which Kinto server, and how to treat it.
public struct KintoServer: Sendable {
  /// The server's configured name.
  public let name: String
  /// Its address up to the version, without a slash at the end: `https://sync.example.org/v1`.
  let base: String
  let origin: Origin
  /// Where the collections are. `default` is a bucket of each account's own.
  public let bucket: String
  /// How far a pull steps back at its start; must exceed the longest write transaction of the server.
  public var overlap: Duration = .seconds(60)
  /// At most this many changes in one request, whatever the server allows: with more, each record takes no less
  /// time and the transaction, in which others are locked out, more.
  public var batchLimit = 50
  /// At most this many bytes in one request with more than one change.
  public var batchBytes = 1 << 20
  public var patience = Patience()
  /// Bytes of an answer that is no file, decompressed. A page of the longest records has some megabytes.
  public var largestAnswer = 256 << 20

  /// - Parameters:
  ///   - url: with the version: `https://sync.example.org/v1`.
  ///   - allowsPlainHTTP: lets a password go unencrypted over a network; to this machine itself it always may.
  /// - Throws: `KintoServerError`.
  public init(name: String, url: String, bucket: String = "default", allowsPlainHTTP: Bool = false) throws {
    guard let parts = URLComponents(string: url), let origin = Origin(url) else {
      throw KintoServerError.badURL(server: name, why: "it is no http or https address")
    }
    guard parts.user == nil, parts.password == nil else {
      throw KintoServerError.badURL(server: name, why: "it holds a user's name or password")
    }
    guard parts.query == nil, parts.fragment == nil else {
      throw KintoServerError.badURL(server: name, why: "it has a query or a fragment")
    }
    guard (1...65_535).contains(origin.port) else {
      throw KintoServerError.badURL(server: name, why: "there is no port \(origin.port)")
    }
    guard origin.scheme == "https" || origin.isThisMachine || allowsPlainHTTP else {
      throw KintoServerError.plainHTTP(server: name)
    }
    guard RecordName(server: bucket) != nil else {
      throw KintoServerError.badURL(server: name, why: "\(bucket) can't be a bucket's name")
    }
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    guard path.hasSuffix("/v1") else {
      throw KintoServerError.badURL(server: name, why: "it doesn't end with the protocol's version, /v1")
    }
    (self.name, self.origin, self.bucket) = (name, origin, bucket)
    base = "\(origin)\(path)"
  }
}

/// Scheme, host and port: to whom a password may be sent.
struct Origin: Equatable, CustomStringConvertible {
  let scheme: String
  let host: String
  let port: Int

  /// The origin of an address; nil where it is no http or https address.
  init?(_ url: String) {
    guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
      let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty
    else { return nil }
    guard scheme == "http" || scheme == "https" else { return nil }
    (self.scheme, self.host, port) = (scheme, host, parts.port ?? (scheme == "https" ? 443 : 80))
  }

  var isThisMachine: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }
  var description: String { "\(scheme)://\(host):\(port)" }
}

/// Why a server's configuration isn't one.
public enum KintoServerError: FerryError, Equatable {
  case badURL(server: String, why: String)
  /// Passwords would go over a network for everyone to read.
  case plainHTTP(server: String)

  public var code: String {
    switch self {
    case .badURL: "kinto.badURL"
    case .plainHTTP: "kinto.plainHTTP"
    }
  }

  public var sentence: String {
    switch self {
    case .badURL(let server, let why): "The address of the server \(server) can't be used: \(why)."
    case .plainHTTP(let server): "The address of the server \(server) is not encrypted."
    }
  }

  public var remedy: String {
    switch self {
    case .badURL: "Write it as https://host/v1 in ferry.yaml."
    case .plainHTTP: "Use https."
    }
  }
}
