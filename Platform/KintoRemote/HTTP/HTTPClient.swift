/// What speaks HTTP: the seam between the protocol of a server and whatever carries it.
///
/// A client follows no redirect, keeps no cookie and no credential, and gives up in time by itself.
public protocol HTTPClient: Sendable {
  /// Sends a request, and hands over the body of the answer as it comes.
  ///
  /// - Parameters:
  ///   - receive: called piece by piece, each with the head of the answer; what it throws ends the transfer
  ///     and comes out here.
  /// - Throws: `HTTPFault` where no whole answer came; `CancellationError`.
  func send(_ request: HTTPRequest, receive: @escaping HTTPReceiver) async throws -> HTTPHead
}

public typealias HTTPReceiver = @Sendable (HTTPHead, UnsafeRawBufferPointer) throws -> Void

/// A request.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  public enum Body: Sendable {
    case bytes([UInt8])
    /// One file, as a form's field sends it.
    case form(field: String, BlobPart)
  }

  /// A file as a part of a form; it is read as it is sent.
  public struct BlobPart: Sendable {
    public let path: String
    public let name: String
    public let mediaType: String

    public init(path: String, name: String, mediaType: String) {
      (self.path, self.name, self.mediaType) = (path, name, mediaType)
    }
  }

  public var method: Method
  /// Absolute; `http` or `https`.
  public var url: String
  public var headers: [(name: String, value: String)] = []
  public var body: Body?
  /// For all of it, the body of the answer included.
  public var timeout: Duration
  /// How long nothing at all may come or go.
  public var stallTimeout: Duration = .seconds(60)

  public init(_ method: Method, _ url: String, timeout: Duration) {
    (self.method, self.url, self.timeout) = (method, url, timeout)
  }
}

/// An answer without its body.
public struct HTTPHead: Sendable {
  public var status: Int
  private var fields: [(name: String, value: String)]

  public init(status: Int, fields: [(name: String, value: String)] = []) {
    (self.status, self.fields) = (status, fields)
  }

  /// A header's value, whatever the case of its name; the last where it comes more than once.
  public subscript(name: String) -> String? {
    fields.last { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Why no whole answer came.
public enum HTTPFault: Error, Sendable, Equatable {
  /// Nothing was sent: the server did nothing.
  case notSent(why: String)
  /// The request went out, at least in part. The server may have done what it says.
  case lost(why: String)
  /// The same, and nothing came or went until the request's time was over.
  case silent(why: String)

  var why: String {
    switch self {
    case .notSent(let why), .lost(let why), .silent(let why): why
    }
  }
}
