import Dispatch

extension Store {
  /// Closes the store: waits for the transactions that are under way, brings the write-ahead log into the file,
  /// and gives everything back. Whoever uses it afterwards gets `StoreError.closed`; so do those who observe it,
  /// and transactions that were still waiting to begin. Closing it again does nothing.
  ///
  /// A store that is only let go gives everything back too, but nobody learns when.
  public func close() async {
    await foreignCommits.close()
    await work(on: writerQueue) { self.writer.close() }
    await work(on: readerQueue) { self.readers.close() }
    await checkpointer?.close()
    audience.close()
  }

  private func work(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        work()
        continuation.resume()
      }
    }
  }
}
