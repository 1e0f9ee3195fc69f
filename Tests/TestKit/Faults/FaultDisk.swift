import FaultVFS
import FerryKernel
import Foundation

/// What a disk does wrong, from an operation on. The raw values are those of `FaultVFS.h`.
public enum Fault: Int32, CaseIterable, Sendable {
  case none = 0
  /// The process dies before the operation.
  case kill = 1
  /// The process dies with half of a write done.
  case tear = 2
  /// Nothing reaches the disk any more; see `FaultDisk.lose(_:seed:)`.
  case powerLoss = 3
  /// A change fails with EIO.
  case ioError = 4
  /// A change that takes up room fails with ENOSPC.
  case noSpace = 5
  /// A read fails with EIO. Reads are counted for themselves.
  case unreadable = 6
}

/// What a power failure leaves of what wasn't synced. The raw values are those of `FaultVFS.h`.
public enum Survivors: Int32, CaseIterable, Sendable { case none = 0, all, some }

/// A disk that fails where a test tells it to, under SQLite and under the kernel's file operations, which one
/// count numbers from 1.
///
/// proof: the C side has a lock around everything but `free`, which comes when nobody has the value any more.
public final class FaultDisk: @unchecked Sendable {
  fileprivate let disk: OpaquePointer

  /// - Parameter folder: one of the disk's own, on the file system of the files.
  public init(folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    disk = fault_disk_make(folder)
  }

  deinit { fault_disk_free(disk) }

  /// The VFS to open stores with.
  public var vfs: String { String(cString: fault_disk_vfs(disk)) }

  /// The kernel's operations on this disk.
  public var files: FileOperations { FileOperations(calls: FaultCalls(disk: self)) }

  /// Lets operations fail, and counts anew.
  ///
  /// - Parameter times: how many, from `first` on.
  public func plan(_ fault: Fault, at first: Int = 1, times: Int = .max) {
    fault_disk_plan(disk, fault.rawValue, Int64(first), Int64(times))
  }

  /// How many operations that change something there were.
  public var changes: Int { Int(fault_disk_changes(disk)) }
  public var reads: Int { Int(fault_disk_reads(disk)) }
  /// How many operations have failed.
  public var failures: Int { Int(fault_disk_failures(disk)) }

  /// What the change of a number was, as `sync ferry.sqlite-wal`.
  public func change(_ number: Int) -> String { String(cString: fault_disk_change(disk, Int64(number))) }

  /// Leaves in the files what a power failure might. Everything that used the disk is closed.
  public func lose(_ survivors: Survivors, seed: UInt64) { fault_disk_lose(disk, survivors.rawValue, seed) }
}

private struct FaultCalls: FileCalls {
  let disk: FaultDisk

  func open(_ path: String, _ flags: Int32) -> Int32 { fault_open(disk.disk, path, flags, 0o600) }
  func close(_ descriptor: Int32) { Foundation.close(descriptor) }
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    Int(fault_read(disk.disk, descriptor, buffer.baseAddress, buffer.count))
  }
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    Int(fault_write(disk.disk, descriptor, bytes.baseAddress, bytes.count))
  }
  func sync(_ descriptor: Int32) -> Int32 { fault_fsync(disk.disk, descriptor) }
  func rename(_ from: String, to path: String) -> Int32 { fault_rename(disk.disk, from, path) }
  func link(_ from: String, to path: String) -> Int32 { fault_link(disk.disk, from, path) }
  func unlink(_ path: String) -> Int32 { fault_unlink(disk.disk, path) }
  func makeFolder(_ path: String) -> Int32 { fault_mkdir(disk.disk, path, 0o700) }
}
