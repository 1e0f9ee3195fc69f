import Foundation

/// Runs every job of a test on the test's own thread, in an order that the test chooses. Nothing runs by itself.
@available(macOS 15, iOS 18, *)
final class Stage: Sendable {
  fileprivate final class Jobs: @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [(job: UnownedJob, isOnScreen: Bool)] = []

    func add(_ job: consuming ExecutorJob, isOnScreen: Bool) {
      let job = UnownedJob(job)
      lock.withLock { waiting.append((job, isOnScreen)) }
    }

    func take(_ choose: (Int) -> Int) -> (job: UnownedJob, isOnScreen: Bool)? {
      lock.withLock { waiting.isEmpty ? nil : waiting.remove(at: choose(waiting.count)) }
    }

    func takeFromPool() -> UnownedJob? {
      lock.withLock { waiting.firstIndex { !$0.isOnScreen }.map { waiting.remove(at: $0).job } }
    }
  }

  /// Where an actor of the test lives: what the main actor is in an app.
  final class Screen: SerialExecutor {
    fileprivate let jobs: Jobs
    fileprivate init(_ jobs: Jobs) { self.jobs = jobs }
    func enqueue(_ job: consuming ExecutorJob) { jobs.add(job, isOnScreen: true) }
    /// The test's thread is the only one.
    func checkIsolated() {}
  }

  /// Where everything else runs: what the shared pool is in an app.
  final class Pool: TaskExecutor {
    fileprivate let jobs: Jobs
    fileprivate init(_ jobs: Jobs) { self.jobs = jobs }
    func enqueue(_ job: consuming ExecutorJob) { jobs.add(job, isOnScreen: false) }
  }

  private let jobs: Jobs
  let screen: Screen
  let pool: Pool

  init() {
    jobs = Jobs()
    screen = Screen(jobs)
    pool = Pool(jobs)
  }

  /// Runs what doesn't belong to the screen until nothing of it is left.
  func settlePool() {
    while let job = jobs.takeFromPool() { job.runSynchronously(on: pool.asUnownedTaskExecutor()) }
  }

  /// Runs jobs until none is left; `choose` gets how many wait and says which is next, by default the first.
  func settle(_ choose: (Int) -> Int = { _ in 0 }) { while step(choose) {} }

  /// Runs one job; false if there is none.
  @discardableResult func step(_ choose: (Int) -> Int) -> Bool {
    guard let (job, isOnScreen) = jobs.take(choose) else { return false }
    if isOnScreen {
      job.runSynchronously(
        isolatedTo: screen.asUnownedSerialExecutor(), taskExecutor: pool.asUnownedTaskExecutor())
    } else {
      job.runSynchronously(on: pool.asUnownedTaskExecutor())
    }
    return true
  }
}
