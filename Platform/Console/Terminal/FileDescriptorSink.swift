import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file descriptor as a sink. It keeps no buffer, so nothing can be lost at exit and
/// standard output and error keep their order.
///
/// The process must ignore SIGPIPE, or writing to a closed pipe kills it: see
/// ``Terminal/standard(environment:)``.
public struct FileDescriptorSink: OutputSink {
  private let descriptor: Int32

  /// A sink over `descriptor`, which the caller keeps open.
  public init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the descriptor is a terminal.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// What the terminal driver says now.
  public var columns: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes all of `bytes`, in as many pieces as the descriptor takes.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let (count, code) = rest.withUnsafeBytes { buffer in
        let count = systemWrite(descriptor, buffer.baseAddress, buffer.count)
        return (count, count < 0 ? errno : 0)
      }
      switch (count, code) {
      case (0..., _): rest = rest.dropFirst(count)
      case (_, EINTR): continue
      case (_, EAGAIN): waitUntilWritable()
      case (_, EPIPE): throw .readerClosed
      default: throw .failed(code: code)
      }
    }
  }

  /// A descriptor that another process made non-blocking refuses bytes while its pipe is full.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&request, 1, -1)
  }
}

/// `write(2)`, which the method of the same name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Makes writes to a closed pipe fail with EPIPE instead of killing the process.
func ignoreBrokenPipeSignal() {
  signal(SIGPIPE, SIG_IGN)
}

func isStandardInputTerminal() -> Bool { isatty(STDIN_FILENO) == 1 }

func systemMessage(of code: Int32) -> String { String(cString: strerror(code)) }

/// Ends the process after whatever other code left in C's buffers is out.
func endProcess(_ code: Int32) -> Never {
  fflush(nil)
  exit(code)
}
