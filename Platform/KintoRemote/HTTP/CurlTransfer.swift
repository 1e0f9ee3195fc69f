#if canImport(CCurl)
  import CCurl
  import FerryStore
  import Foundation

  /// One connection's worth of libcurl: carries one request at a time.
  ///
  /// proof: the handles are used by one thread at a time, because a transfer is handed to one request, which
  /// gives it back when it is over. `cancel` may come from any other thread and touches only the locked flag and
  /// `curl_multi_wakeup`, which libcurl allows from every thread.
  final class CurlTransfer: @unchecked Sendable {
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let isCancelled = Locked(false)

    // What the callbacks fill.
    private var head = HTTPHead(status: 0)
    private var fields: [(name: String, value: String)] = []
    private var receive: HTTPReceiver?
    private var failure: (any Error)?

    init?() {
      guard let easy = curl_easy_init(), let multi = curl_multi_init() else { return nil }
      (self.easy, self.multi) = (easy, multi)
    }

    deinit {
      curl_easy_cleanup(easy)
      curl_multi_cleanup(multi)
    }

    func rewind() { isCancelled.withLock { $0 = false } }

    func cancel() {
      isCancelled.withLock { $0 = true }
      curl_multi_wakeup(multi)
    }

    /// Sends the request, and returns when the whole answer is here.
    func run(_ request: HTTPRequest, _ receive: @escaping HTTPReceiver) throws -> HTTPHead {
      curl_easy_reset(easy)
      (head, fields, failure) = (HTTPHead(status: 0), [], nil)
      self.receive = receive
      defer { self.receive = nil }
      var lines: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(lines) }
      // No `Expect: 100-continue`, which costs a second where a server doesn't know it.
      for line in request.headers.map({ "\($0.name): \($0.value)" }) + ["Expect:"] {
        lines = curl_slist_append(lines, line)
      }
      set(request, lines)
      let code: CURLcode
      switch request.body {
      case .bytes(let bytes)?:
        code = bytes.withUnsafeBytes { buffer in
          ferry_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(buffer.count))
          // An empty body has no address, but is one.
          return withUnsafePointer(to: 0 as CChar) { empty in
            let start = buffer.baseAddress ?? UnsafeRawPointer(empty)
            ferry_curl_set_pointer(easy, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: start))
            return perform()
          }
        }
      case .form(let field, let file)?:
        let form = curl_mime_init(easy)
        defer { curl_mime_free(form) }
        let part = curl_mime_addpart(form)
        curl_mime_name(part, field)
        guard curl_mime_filedata(part, file.path) == CURLE_OK else {
          throw HTTPFault.notSent(why: "\(file.path) can't be read")
        }
        curl_mime_filename(part, file.name)
        curl_mime_type(part, file.mediaType)
        ferry_curl_set_pointer(easy, CURLOPT_MIMEPOST, UnsafeMutableRawPointer(form))
        code = perform()
      case nil:
        code = perform()
      }
      return try outcome(code)
    }

    private func set(_ request: HTTPRequest, _ lines: UnsafeMutablePointer<curl_slist>?) {
      ferry_curl_set_text(easy, CURLOPT_URL, request.url)
      ferry_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
      ferry_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
      ferry_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
      ferry_curl_set_long(
        easy, CURLOPT_CONNECTTIMEOUT_MS, Int(min(request.timeout, .seconds(15)).milliseconds))
      ferry_curl_set_long(easy, CURLOPT_TIMEOUT_MS, Int(request.timeout.milliseconds))
      ferry_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
      ferry_curl_set_long(
        easy, CURLOPT_LOW_SPEED_TIME, Int(max(1, request.stallTimeout.milliseconds / 1000)))
      // Whatever libcurl can undo. A download that may be resumed asks for the bytes as they are.
      if !request.headers.contains(where: { $0.name == "Range" || $0.name == "Accept-Encoding" }) {
        ferry_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "")
      }
      ferry_curl_set_pointer(easy, CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(lines))
      if request.method == .head { ferry_curl_set_long(easy, CURLOPT_NOBODY, 1) }
      ferry_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      let context = Unmanaged.passUnretained(self).toOpaque()
      ferry_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
      ferry_curl_set_bytes(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
        CurlTransfer.here(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
      }
      ferry_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
      ferry_curl_set_bytes(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
        CurlTransfer.here(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
      }
    }

    private static func here(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
      context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs the transfer in a loop of our own, which a cancelled task can wake.
    private func perform() -> CURLcode {
      guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
      defer { curl_multi_remove_handle(multi, easy) }
      while true {
        var running: Int32 = 0
        guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
        if running == 0 { break }
        if isCancelled.withLock({ $0 }) { return CURLE_ABORTED_BY_CALLBACK }
        guard curl_multi_poll(multi, nil, 0, 1000, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
      }
      var left: Int32 = 0
      guard let message = curl_multi_info_read(multi, &left) else { return CURLE_FAILED_INIT }
      return message.pointee.data.result
    }

    private func outcome(_ code: CURLcode) throws -> HTTPHead {
      if let failure { throw failure }
      if isCancelled.withLock({ $0 }) { throw CancellationError() }
      if code == CURLE_OK { return head }
      var sent = 0
      ferry_curl_get_long(easy, CURLINFO_REQUEST_SIZE, &sent)
      let why = String(cString: curl_easy_strerror(code)).withoutFullStopAndCapital
      if sent == 0 { throw HTTPFault.notSent(why: why) }
      throw code == CURLE_OPERATION_TIMEDOUT ? HTTPFault.silent(why: why) : HTTPFault.lost(why: why)
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
      let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      if line.hasPrefix("HTTP/") {
        // A new answer: what came before was an interim one.
        fields = []
        let words = line.split(separator: " ")
        head = HTTPHead(status: words.count > 1 ? Int(words[1]) ?? 0 : 0)
      } else if let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        fields.append((String(line[..<colon]), value))
      }
      head = HTTPHead(status: head.status, fields: fields)
      return bytes.count
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
      do {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        try receive?(head, bytes)
        return bytes.count
      } catch {
        failure = error
        return 0
      }
    }
  }

  extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
  }

  extension String {
    /// libcurl's words as the end of a sentence.
    fileprivate var withoutFullStopAndCapital: String {
      let text = hasSuffix(".") ? String(dropLast()) : self
      guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return text }
      return first.lowercased() + text.dropFirst()
    }
  }
#endif
