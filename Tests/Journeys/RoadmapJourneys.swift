import TestKit
import Testing

@Suite(.waitsOnThreads) struct RoadmapJourneys {
  private static let colours = """
      classDef done fill:#d8f3dc,stroke:#2d6a4f,color:#1b4332
      classDef crossing fill:#fff3bf,stroke:#b08900,color:#5c4700
      classDef waiting fill:#e7f0fa,stroke:#3a6ea5,color:#1d3557
      classDef waitingForNetwork fill:#e7f0fa,stroke:#3a6ea5,color:#1d3557,stroke-dasharray:4 3
      classDef failed fill:#fde2e1,stroke:#b3261e,color:#601410
      classDef off fill:#f1f1f1,stroke:#8a8a8a,color:#5a5a5a,stroke-dasharray:4 3

    """

  private static let arrows = """
      d3 --> d4
      d4 --> d5
      d1 -.-> d6
      d2 -.-> d6
      d5 -.-> d6

    """

  @Test func `Before anything crossed, the picture says that all of it waits`() throws {
    let demo = try Demo()
    let before = try demo.files()
    #expect(
      try demo.cli("roadmap", "--mermaid").output == """
        flowchart TD
          d1["1. search-history<br/>copy, core<br/>waiting"]:::waiting
          d2["2. setting<br/>copy, core<br/>waiting"]:::waiting
          d3["3. folder<br/>resync, core<br/>waiting"]:::waiting
          d4["4. item<br/>resync, core<br/>waiting"]:::waiting
          d5["5. attachment<br/>resync<br/>waiting"]:::waiting
          d6["6. log<br/>copy<br/>waiting"]:::waiting

        """ + Self.arrows + Self.colours)
    #expect(try demo.files() == before)
  }

  @Test func `It shows what is done, what is off and what waits for it`() throws {
    let demo = try Demo()
    let enabled = try demo.text("roadmap.yaml")
    try demo.replace(
      "domain: attachment\n", with: "domain: attachment\n    enabled: false\n", in: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    #expect(
      try demo.cli("roadmap", "--mermaid").output == """
        flowchart TD
          d1["1. search-history<br/>copy, core<br/>done"]:::done
          d2["2. setting<br/>copy, core<br/>done"]:::done
          d3["3. folder<br/>resync, core<br/>done"]:::done
          d4["4. item<br/>resync, core<br/>done"]:::done
          d5["5. attachment<br/>resync<br/>off"]:::off
          d6["6. log<br/>copy<br/>waiting"]:::waiting

        """ + Self.arrows + Self.colours)
    // The rest crosses from the same files, and ends as if it had been one crossing.
    try demo.write(enabled, to: "roadmap.yaml")
    #expect(try demo.cli("migrate").status == 0)
    let picture = try demo.cli("roadmap", "--mermaid").output
    #expect(picture.contains(#"d6["6. log<br/>copy<br/>done"]:::done"#))
    #expect(try demo.content() == Demo.straight())
  }

  @Test func `A domain that the roadmap leaves out is in it, too`() throws {
    let demo = try Demo()
    let roadmap = try demo.text("roadmap.yaml")
    let start = try #require(roadmap.firstRange(of: "  - domain: attachment"))
    let end = try #require(roadmap.firstRange(of: "  - domain: log"))
    try demo.write(
      roadmap[..<start.lowerBound] + String(roadmap[end.lowerBound...]), to: "roadmap.yaml")
    let picture = try demo.cli("roadmap", "--mermaid").output
    #expect(picture.contains(#"  d6["attachment<br/>not in the roadmap"]:::off"#))
    #expect(picture.contains("  d4 --> d6\n"))
    #expect(picture.contains("  d6 -.-> d5\n"))
  }

  @Test func `A picture is no document`() throws {
    let outcome = try Demo().cli("roadmap", "--mermaid", "--json")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
  }
}
