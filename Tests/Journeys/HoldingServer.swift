import Foundation
import TestKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on loopback that takes a request and answers when the test says so: whoever asks it is at work until
/// then.
final class HoldingServer {
  private let listener: Int32
  let port: UInt16
  var url: String { "http://127.0.0.1:\(port)/v1" }

  init() throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
    guard isBound else { throw GoldenFault("no port to listen on: \(String(cString: strerror(errno)))") }
  }

  deinit { close(listener) }

  #if canImport(Glibc)
    private static let quietly = Int32(MSG_NOSIGNAL)
  #else
    private static let quietly: Int32 = 0
  #endif

  /// A request that waits for its answer.
  struct Request {
    fileprivate let connection: Int32
    /// Request line and headers.
    let head: String

    func answer(_ status: Int, headers: String = "", _ body: String = "{}") {
      let text =
        "HTTP/1.1 \(status) S\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        + "\(headers)Connection: close\r\n\r\n\(body)"
      _ = Array(text.utf8).withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, HoldingServer.quietly)
      }
      close(connection)
    }
  }

  /// The next request.
  ///
  /// - Returns: nil where none came within the patience.
  func next(patience seconds: Int32 = 120) throws -> Request? {
    guard let connection = try accepted(seconds) else { return nil }
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { throw GoldenFault("the request ended early") }
      head += buffer[..<count]
    }
    return Request(connection: connection, head: String(decoding: head, as: UTF8.self))
  }

  /// Whether somebody else has asked and waits.
  func hasAnother() throws -> Bool {
    guard let connection = try accepted(0) else { return false }
    close(connection)
    return true
  }

  private func accepted(_ seconds: Int32) throws -> Int32? {
    var question = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&question, 1, seconds * 1000) > 0 else { return nil }
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { throw GoldenFault("nobody there: \(String(cString: strerror(errno)))") }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    return connection
  }
}
