@testable import FerryScreen

/// How it was: whoever subscribes is called with the value inside the call, and then whenever it is set.
final class Publisher<Value> {
  private(set) var value: Value
  private var sinks: [(Value) -> Void] = []
  init(_ value: Value) { self.value = value }
  func sink(_ sink: @escaping (Value) -> Void) {
    sinks.append(sink)
    sink(value)
  }
  func send(_ value: Value) {
    self.value = value
    for sink in sinks { sink(value) }
  }
}

/// How it was: a container that mounts a list for whatever folder each of its two publishers names, -1 being none.
final class FaultyContainer {
  let selected = Publisher(-1)
  let cached = Publisher(-1)
  private(set) var mounts: [Int] = []
  private let trace: Trace

  init(trace: Trace) {
    self.trace = trace
    selected.sink { [unowned self] in mount($0, line: 1) }
    cached.sink { [unowned self] in if $0 != mounts.last || $0 != -1 { mount($0, line: 2) } }
  }

  private func mount(_ folder: Int, line: UInt) {
    mounts.append(folder)
    trace.note(.mount, mounts.count, "\(folder)", Cause(.visit, file: "App/Container.swift", line: line))
  }
}

/// How it was: a skeleton is shown whenever there are no rows or something loads, and by both.
final class FaultyList {
  private(set) var shown: [String] = []
  private let rows = Publisher<[String]>([])
  private let isLoading = Publisher(false)

  init() {
    rows.sink { [unowned self] in show($0.isEmpty ? "empty" : "content") }
    isLoading.sink { [unowned self] in
      if $0 { show("skeleton") } else if !shown.isEmpty { show(rows.value.isEmpty ? "empty" : "content") }
    }
  }

  func begin() { isLoading.send(true) }
  func data(_ ids: [String]) { rows.send(ids) }
  func end() { isLoading.send(false) }
  private func show(_ phase: String) { if shown.last != phase { shown.append(phase) } }
}

/// How it was: every coordinator listens to the links by itself for as long as it lives, and somebody keeps it.
final class FaultyCoordinator {
  private let folder: String
  private let log: Shared<[String]>
  private var resolved: [() -> Void] = []
  var isTornDown = false

  init(_ folder: String, links: Publisher<String?>, log: Shared<[String]>) {
    (self.folder, self.log) = (folder, log)
    links.sink { [self] link in
      guard let link else { return }
      resolved.append { [self] in
        log.withLock { $0.append("push \(link) onto \(folder)\(isTornDown ? ", which is torn down" : "")") }
      }
    }
  }

  func finishResolving() {
    for push in resolved { push() }
    resolved = []
  }
}
