import FerryStore
import Foundation
import Testing

extension Trait where Self == OwnThreads {
  /// For what waits for processes and servers on the thread that it runs on.
  public static var waitsOnThreads: Self { OwnThreads() }
}

/// Runs tests on threads of their own.
///
/// Swift's pool has a thread a core. Where two tests wait for processes on two cores, all others stand still, and what
/// they measure meanwhile is that.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard #available(macOS 15, iOS 18, *) else { return try await function() }
    try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
  }
}

/// As many threads as there are jobs at once. They stay: a test has many jobs.
@available(macOS 15, iOS 18, *)
private final class ThreadPerJob: TaskExecutor {
  static let shared = ThreadPerJob()

  private struct State {
    var jobs: [UnownedJob] = []
    var idle = 0
  }
  private let state = Locked(State())
  private let wakening = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isCovered = state.withLock { state in
      state.jobs.append(job)
      return state.idle >= state.jobs.count
    }
    if !isCovered { Thread { self.work() }.start() }
    wakening.signal()
  }

  private func work() {
    while true {
      state.withLock { $0.idle += 1 }
      wakening.wait()
      let job = state.withLock { state in
        state.idle -= 1
        return state.jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
