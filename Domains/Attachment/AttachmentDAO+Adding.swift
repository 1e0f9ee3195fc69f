import FerryKernel
import FerryStore
import Foundation
import ItemDomain

extension AttachmentDAO {
  /// Attaches a file of the device to an item: its bytes are copied, and the file itself isn't needed any more.
  /// Once this returns it survives a power failure, since nobody else has it.
  ///
  /// - Parameters:
  ///   - path: where the file is; it is read, never changed.
  ///   - name: what others see as its name; nil: the one that it has.
  ///   - mimeType: nil: as its name's ending says.
  ///   - now: the time, for what is evicted first later.
  /// - Throws: `AttachmentError.noItem`, `.notAFile`, `.noName`, `.badType`; `KernelError.fileSystem`, as where the disk is full.
  ///   Nothing is left behind then.
  @discardableResult
  public static func add(
    _ account: AccountStore, file path: String, to item: ItemID, named name: String? = nil,
    mimeType: String? = nil, at now: Timestamp, using generator: inout some RandomNumberGenerator,
    files: FileOperations = FileOperations()
  ) async throws -> Attachment {
    let name = name ?? URL(fileURLWithPath: path).lastPathComponent
    guard !name.isEmpty else { throw AttachmentError.noName }
    if let mimeType, !MimeTypes.isType(mimeType) { throw AttachmentError.badType(mimeType) }
    guard isFile(path) else { throw AttachmentError.notAFile(path: path) }
    guard try await account.read({ try $0.find(Item.self, item) }) != nil else {
      throw AttachmentError.noItem(item)
    }
    let id = AttachmentID.make(using: &generator)
    let folder = BlobFolder(account, files)
    let place = try await folder.alone(.changing) {
      try sweepAdditions(folder)
      return try folder.place(id.rawValue)
    }
    do {
      let content = try folder.copy(path, to: place)
      let attachment = Attachment(
        id: id, item: item, fileName: name, byteSize: content.byteSize,
        mimeType: mimeType ?? MimeTypes.type(of: name), checksum: content.hash.bytes)
      let file = AttachmentFile(
        id: id, state: .local, hash: content.hash, byteSize: content.byteSize, wasOnServer: false,
        usedAt: now, reason: nil)
      try await folder.alone(.changing) {
        try folder.keep(place.path, as: content.hash)
        do {
          try await account.write(durability: .powerLoss) { transaction in
            guard try transaction.find(Item.self, item) != nil else { throw AttachmentError.noItem(item) }
            try transaction.insert(attachment)
            try transaction.insert(file)
          }
        } catch {
          try? removeUnnamed([content.hash], account, folder)
          // why: it is swept up later, and what went wrong first is what a person must hear.
          throw error
        }
      }
      return attachment
    } catch {
      try? files.removeIfThere(place.path)
      // why: whoever adds or sweeps next removes it, and what went wrong first is what a person must hear.
      throw error
    }
  }

  /// Removes the copies that a killed process was making. `changing` is held.
  static func sweepAdditions(_ folder: BlobFolder) throws {
    for name in try folder.names(incoming: true) where name.hasPrefix(BlobFolder.addition) {
      guard try folder.isAbandoned(name) else { continue }
      try folder.files.removeIfThere("\(folder.incoming)/\(name)")
    }
  }

  /// Whether there is a file that can be read to its end: no folder, no pipe, no device.
  private static func isFile(_ path: String) -> Bool {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    // why: what can't be looked at is no file that could be read.
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
