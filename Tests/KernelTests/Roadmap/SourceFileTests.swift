import FerryKernel
import Foundation
import Testing

/// Reading the two files from disk.
@Suite struct SourceFileTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test("both files are read from their folder")
  func load() throws {
    try withFolder { folder in
      try Data(RoadmapTests.example.utf8).write(to: URL(filePath: "\(folder)/roadmap.yaml"))
      try Data(FerryConfigurationTests.example.utf8).write(to: URL(filePath: "\(folder)/ferry.yaml"))
      #expect(try Roadmap.load(path: "\(folder)/roadmap.yaml") == Roadmap.parse(text: RoadmapTests.example))
      #expect(try FerryConfiguration.load(folder: folder).storeFolder.value == "\(folder)/store")
    }
  }

  @Test("a missing file is named with its whole path")
  func missing() throws {
    try withFolder { folder in
      let roadmap = #expect(throws: SourceFault.self) { try Roadmap.load(path: "\(folder)/way.yaml") }
      #expect(roadmap?.code == "roadmap.missingFile")
      #expect(
        roadmap?.description
          == "way.yaml: there is no file at '\(folder)/way.yaml'. Write the file, or correct the path.")
      let configuration = #expect(throws: SourceFault.self) { try FerryConfiguration.load(folder: folder) }
      #expect(configuration?.code == "configuration.missingFile")
      #expect(configuration?.position == nil)
    }
  }

  @Test("a folder in the file's place is named as such")
  func folder() throws {
    try withFolder { folder in
      let fault = #expect(throws: SourceFault.self) { try Roadmap.load(path: folder) }
      #expect(fault?.code == "roadmap.unreadableFile")
      #expect(fault?.message == "'\(folder)' is a folder")
    }
  }

  @Test("a file without end is refused by size without being read whole")
  func endless() {
    let fault = #expect(throws: SourceFault.self) { try Roadmap.load(path: "/dev/zero") }
    #expect(fault?.code == "yaml.tooLarge")
  }
}
