import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on a free port that sends the bytes a test wrote down, for what no proper server does.
final class SocketStub: Sendable {
  /// One step of an answer.
  enum Step: Sendable {
    case send(String)
    /// Nothing more until the other side is gone.
    case hang
    /// Ends the connection with a reset, as a crash does.
    case reset
  }

  let port: Int
  private let listener: Int32
  private let heads = Locked<[String]>([])
  private let isOver = Locked(false)

  /// - Parameter answers: the steps for each connection or, where one stays open, request; the last for all that
  ///   follow.
  init(_ answers: [[Step]]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    let (heads, isOver) = (heads, isOver)
    let left = Locked(answers)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          if isOver.withLock({ $0 }) { break }
          usleep(1000)
          continue
        }
        Thread.detachNewThread { SocketStub.serve(connection, left, heads) }
      }
      // By who accepts: closed by another, its number would soon be another stub's, whose visitors this one would get.
      close(listener)
    }
  }

  deinit {
    isOver.withLock { $0 = true }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The heads of all requests that came, in order.
  var requests: [String] { heads.withLock { $0 } }

  private static func serve(_ connection: Int32, _ left: Locked<[[Step]]>, _ heads: Locked<[String]>) {
    defer { close(connection) }
    while let head = head(connection) {
      heads.withLock { $0.append(head) }
      let steps = left.withLock { left in left.count > 1 ? left.removeFirst() : left.first ?? [] }
      for step in steps {
        switch step {
        case .send(let text):
          var rest = Array(text.utf8)[...]
          while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
              send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
          }
        case .hang:
          var byte: UInt8 = 0
          while recv(connection, &byte, 1, 0) > 0 {}
          return
        case .reset:
          var option = linger(l_onoff: 1, l_linger: 0)
          setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
          return
        }
      }
      guard
        steps.contains(where: { if case .send(let text) = $0 { text.contains("keep-alive") } else { false } })
      else { return }
    }
  }

  /// A request's head, and its body read away; nil at the end.
  private static func head(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] { break }
    }
    let head = String(decoding: bytes, as: UTF8.self)
    let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.split(separator: " ").last ?? "") }
    for _ in 0..<(length ?? 0) {
      var byte: UInt8 = 0
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
    }
    return head
  }
}
