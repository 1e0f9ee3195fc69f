#if canImport(CCurl)
  import CCurl
  import Dispatch
  import FerryStore

  /// HTTP by the system's libcurl, on connections that stay open.
  ///
  /// Foundation's URLSession was tried first and failed on Linux (Swift 6.3): a 401 with `WWW-Authenticate` hangs for
  /// ever, and neither of its time limits ends it. libcurl is what it stands on there.
  public final class CurlClient: HTTPClient {
    private let idle = Locked<[CurlTransfer]>([])
    /// Blocking work has no place on Swift's own threads.
    private let queue = DispatchQueue(label: "ferry.http", attributes: .concurrent)
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    public init() {}

    public func send(_ request: HTTPRequest, receive: @escaping HTTPReceiver) async throws -> HTTPHead {
      try Task.checkCancellation()
      guard CurlClient.isReady, let transfer = idle.withLock({ $0.popLast() }) ?? CurlTransfer() else {
        throw HTTPFault.notSent(why: "libcurl doesn't start")
      }
      defer { idle.withLock { if $0.count < 4 { $0.append(transfer) } } }
      transfer.rewind()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          queue.async {
            continuation.resume(with: Result { try transfer.run(request, receive) })
          }
        }
      } onCancel: {
        transfer.cancel()
      }
    }
  }
#endif
