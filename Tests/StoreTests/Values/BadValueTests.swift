import Foundation
import Testing

@testable import FerryStore

/// Nothing in a file is replaced by a default: what isn't of the column's type is an error that names the column.
@Suite struct `A stored value of another type is an error` {
  let sandbox = Sandbox()
  let connection: Connection

  init() throws {
    try sandbox.makeFolder()
    connection = try Connection(path: sandbox.file.path, readOnly: false)
  }

  private func read<Value: ColumnValue>(_ type: Value.Type, _ literal: String) throws -> StoreError? {
    try read(as: PlainForm<Value>.self, literal)
  }

  private func read<Form: ColumnForm>(as form: Form.Type, _ literal: String) throws -> StoreError? {
    do {
      try connection.run("SELECT \(literal) AS x") { _ in
      } row: { row in
        _ = try Form.read(row, 0)
        return false
      }
      return nil
    } catch let error as StoreError {
      return error
    }
  }

  @Test func `for a storage class that isn't the column's`() throws {
    for literal in ["'1'", "1.0", "x'01'", "NULL"] {
      #expect(try read(Int64.self, literal) == .badValue(column: "x", expected: "Int64"))
      #expect(try read(Timestamp.self, literal) == .badValue(column: "x", expected: "Int64"))
    }
    for literal in ["1", "'1.0'", "x'01'", "NULL"] {
      #expect(try read(Double.self, literal) == .badValue(column: "x", expected: "Double"))
    }
    for literal in ["1", "1.0", "x'61'", "NULL"] {
      #expect(try read(String.self, literal) == .badValue(column: "x", expected: "String"))
    }
    for literal in ["1", "1.0", "'a'", "NULL"] {
      #expect(try read(Data.self, literal) == .badValue(column: "x", expected: "Array<UInt8>"))
    }
  }

  @Test func `for an optional too, but not for nil`() throws {
    #expect(try read(Int64?.self, "'1'") == .badValue(column: "x", expected: "Int64"))
    #expect(try read(Int64?.self, "NULL") == nil)
  }

  @Test func `for a truth that is neither 0 nor 1`() throws {
    #expect(try read(Bool.self, "2") == .badValue(column: "x", expected: "Bool"))
  }

  @Test(arguments: ["''", "'-1'"]) func `for a placeholder in the place of an identifier`(literal: String)
    throws
  {
    #expect(
      try read(Identifier<Folder>.self, literal) == .badValue(column: "x", expected: "Identifier<Folder>"))
  }

  // One in capitals would be read, and found by no query.
  @Test(arguments: ["''", "'not-a-uuid'", "'00000000-0000-0000-0000-00000000000A'"])
  func `for a text that is no UUID as a store writes it`(literal: String) throws {
    #expect(try read(UUID.self, literal) == .badValue(column: "x", expected: "UUID"))
  }

  @Test(arguments: ["''", "'[1]'", "'{}'", "'['", "'null'"])
  func `for a text that is no list of texts`(literal: String) throws {
    #expect(
      try read(as: MembersForm<String>.self, literal) == .badValue(column: "x", expected: "Array<String>"))
  }

  @Test(arguments: ["ff", "c3", "61c0af", "eda080", "f09f98", "c3a9ff"])
  func `for a text that is no UTF-8, rather than mending it`(hex: String) throws {
    #expect(try read(String.self, "CAST(x'\(hex)' AS TEXT)") == .badValue(column: "x", expected: "String"))
  }

  @Test func `and names the column of the table, through a fetch`() throws {
    let mailbox = try Mailbox()
    try mailbox.account.blockingWrite { transaction in
      try transaction.insert(Folder("a"))
      try transaction.access.session.connection.execute(
        "UPDATE folder SET parent = '-1'", acrossAccounts: "a test")
    }
    #expect(throws: StoreError.badValue(column: "parent", expected: "Identifier<Folder>")) {
      try mailbox.account.blockingRead { try $0.fetch(Folder.all) }
    }
  }

  @Test func `and the schema itself keeps other classes out`() throws {
    let shelf = try Shelf()
    for sql in [
      "UPDATE everything SET whole = 'many'", "UPDATE everything SET flag = 2",
      "UPDATE everything SET text = NULL",
    ] {
      #expect(throws: StoreError.self, "\(sql)") {
        try shelf.account.blockingWrite { transaction in
          try transaction.insert(Everything(1))
          try transaction.access.session.connection.execute(sql, acrossAccounts: "a test")
        }
      }
    }
  }
}
