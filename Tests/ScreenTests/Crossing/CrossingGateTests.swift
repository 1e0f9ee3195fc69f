import Testing

@testable import FerryScreen

@Suite struct `A gate before a crossing` {
  static func progress(_ domain: String, _ done: Int = 1) -> CrossingProgress {
    CrossingProgress(phase: "restoring", domain: domain, done: done, of: 10)
  }

  @Test func `checks, shows the crossing, and opens when the core domains are over`() {
    var gate = CrossingGate()
    #expect(gate.state == .checking && !gate.state.isShown && !gate.state.admitsInput)
    gate.hear(.core(["folder", "item"]))
    gate.hear(.progress(Self.progress("folder", 3)))
    #expect(gate.state == .crossing(Self.progress("folder", 3)) && gate.state.isShown)
    gate.hear(.over(domain: "folder"))
    #expect(!gate.state.admitsInput)
    gate.hear(.over(domain: "item"))
    #expect(gate.state == .ready && !gate.state.isShown && gate.state.admitsInput)
  }

  @Test func `waits for the network and goes on by itself`() {
    var gate = CrossingGate()
    gate.hear(.core(["item"]))
    gate.hear(.waitingForNetwork(domain: "item"))
    #expect(gate.state == .waitingForNetwork(domain: "item") && gate.state.isShown && !gate.state.admitsInput)
    gate.hear(.progress(Self.progress("item")))
    #expect(gate.state == .crossing(Self.progress("item")))
  }

  @Test func `says what failed and what to do, and goes on when that was done`() {
    let failure = CrossingFailure(sentence: "The disk is full.", remedy: "Free 2 MB.")
    var gate = CrossingGate()
    gate.hear(.core(["item"]))
    gate.hear(.failed(domain: "item", failure))
    #expect(gate.state == .failed(failure) && gate.state.isShown && !gate.state.admitsInput)
    gate.hear(.over(domain: "item"))
    #expect(gate.state == .ready)
  }

  @Test func `opens whichever comes first, what is core or what is over`() {
    var gate = CrossingGate()
    gate.hear(.over(domain: "folder"))
    #expect(gate.state == .checking)
    gate.hear(.core(["folder"]))
    #expect(gate.state == .ready)
  }

  @Test func `is never seen where nothing is to cross`() {
    var gate = CrossingGate()
    let didChange = gate.hear(.core([]))
    #expect(didChange && gate.state == .ready)
  }

  @Test func `lets the other domains cross behind it`() {
    var gate = CrossingGate()
    gate.hear(.core([]))
    gate.hear(.progress(Self.progress("log")))
    #expect(gate.behind == Self.progress("log"))
    gate.hear(.over(domain: "attachment"))
    #expect(gate.behind != nil)
    gate.hear(.over(domain: "log"))
    #expect(gate.behind == nil && gate.state == .ready)
  }

  static let signals: [CrossingSignal] = [
    .core(["folder"]), .core([]), .progress(progress("folder")), .over(domain: "folder"),
    .waitingForNetwork(domain: "folder"), .failed(domain: "log", CrossingFailure(sentence: "", remedy: "")),
  ]

  @Test func `once open is open, whatever comes, in every order of six signals`() {
    var count = 0
    func go(_ gate: CrossingGate, _ depth: Int) {
      count += 1
      guard depth > 0 else { return }
      for signal in Self.signals {
        var next = gate
        let didChange = next.hear(signal)
        if gate.state == .ready { #expect(next.state == .ready) }
        if next.state != .ready { #expect(!next.state.admitsInput) }
        #expect(didChange == (next.state != gate.state || next.behind != gate.behind))
        go(next, depth - 1)
      }
    }
    go(CrossingGate(), 6)
    print("The gate was led through \(count) sequences of signals.")
  }

  @Test func `hears a sequence, and says of one that stops short that it won't open`() async {
    func run(_ signals: [CrossingSignal]) async -> [CrossingGate.State] {
      var shown: [CrossingGate.State] = []
      let stream = AsyncStream { continuation in
        for signal in signals { continuation.yield(signal) }
        continuation.finish()
      }
      _ = await CrossingGate.run(stream) { _ in
        CrossingFailure(sentence: "", remedy: "")
      } show: {
        shown.append($0.state)
      }
      return shown
    }
    #expect(
      await run([
        .core(["item"]), .progress(Self.progress("item")), .over(domain: "item"),
        .progress(Self.progress("log")),
      ])
        == [.checking, .crossing(Self.progress("item")), .ready, .ready, .ready])
    guard case .failed(let failure)? = await run([.core(["item"])]).last else {
      Issue.record("it should have failed")
      return
    }
    #expect(!failure.sentence.isEmpty && !failure.remedy.isEmpty)
  }

  @Test func `says what a sequence throws, and keeps a failure that was said before`() async {
    let described = CrossingFailure(sentence: "It broke.", remedy: "Mend it.")
    var shown: [CrossingGate.State] = []
    let broken = AsyncThrowingStream<CrossingSignal, any Error> { $0.finish(throwing: Broken()) }
    let gate = await CrossingGate.run(SendableStream(broken)) { _ in
      described
    } show: {
      shown.append($0.state)
    }
    #expect(shown == [.checking, .failed(described)] && gate.state == .failed(described))
    var failed = CrossingGate()
    let said = CrossingFailure(sentence: "The disk is full.", remedy: "Free 2 MB.")
    failed.hear(.failed(domain: "item", said))
    let didChange = failed.end()
    #expect(!didChange && failed.state == .failed(said))
  }
}

/// A throwing stream that can be handed over.
struct SendableStream: AsyncSequence, Sendable {
  let stream: AsyncThrowingStream<CrossingSignal, any Error>
  init(_ stream: AsyncThrowingStream<CrossingSignal, any Error>) { self.stream = stream }
  func makeAsyncIterator() -> AsyncThrowingStream<CrossingSignal, any Error>.AsyncIterator {
    stream.makeAsyncIterator()
  }
}
