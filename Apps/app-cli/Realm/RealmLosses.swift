import Composition
import FerryConsole
import FerryKernel
import RealmFile

/// What `--salvage` found to be lost, for a person and for a script.
struct RealmLosses {
  private let report: SalvageReport
  private let unauthenticPages: Int

  init(_ report: SalvageReport, unauthenticPages: Int) {
    (self.report, self.unauthenticPages) = (report, unauthenticPages)
  }

  var isNothing: Bool { report.isComplete && unauthenticPages == 0 }

  /// A line for each thing that is lost, on standard error.
  func note(_ call: Invocation) {
    if isNothing { return call.note("salvage: nothing is lost.") }
    if let cause = report.cause { call.note(visible("salvage: \(cause.sentence)")) }
    if unauthenticPages > 0 {
      call.note(
        "salvage: \(grouped(unauthenticPages)) pages don't match their authentication codes; values in them may be wrong."
      )
    }
    for table in report.lostTables {
      call.note(visible("salvage: \(table.name) is lost: \(table.cause.sentence)"))
    }
    for table in report.tables where !table.isComplete { call.note(visible("salvage: \(sentence(table))")) }
    call.note("salvage: \(grouped(report.rows)) rows and \(grouped(report.cells)) cells were read.")
  }

  private func sentence(_ table: SalvageReport.Table) -> String {
    var parts: [String] = []
    if let stated = table.statedRows {
      if stated > table.rows {
        parts.append("\(grouped(stated - table.rows)) of \(grouped(stated)) rows are lost")
      }
    } else {
      parts.append("nobody knows how many rows are lost; \(grouped(table.rows)) were read")
    }
    if table.lostCells > 0 { parts.append("\(grouped(table.lostCells)) cells are lost") }
    if !table.lostColumns.isEmpty {
      parts.append("lost properties: \(table.lostColumns.joined(separator: ", "))")
    }
    if table.isFromOlderSnapshot { parts.append("taken from the commit before the last") }
    let causes = table.causes.map(\.sentence).joined(separator: " ")
    return "\(table.name): \(parts.isEmpty ? "damaged" : parts.joined(separator: "; ")). \(causes)"
  }

  /// The same as JSON.
  var json: JSONValue {
    .object([
      "complete": .bool(isNothing), "rows": .integer(Int64(report.rows)),
      "cells": .integer(Int64(report.cells)),
      "lostRows": .integer(Int64(report.lostRows)), "lostCells": .integer(Int64(report.lostCells)),
      "unauthenticPages": .integer(Int64(unauthenticPages)),
      "lostTables": .array(report.lostTables.map { .string($0.name) }),
      "damagedTables": .array(report.tables.filter { !$0.isComplete }.map { .string($0.name) }),
    ])
  }
}

extension Invocation {
  /// Says what is lost, and what the process exits with.
  func settle(_ losses: RealmLosses?) -> ExitCode {
    guard let losses else { return .ok }
    losses.note(self)
    return losses.isNothing ? .ok : .partial
  }
}
