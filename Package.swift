// swift-tools-version: 6.1
import PackageDescription

// Every domain, with the domains it stands on. One line each; `Apps/Composition` lists the same.
let domains: [(name: String, on: [String])] = [
  ("SearchHistory", []),
  ("Setting", []),
  ("Folder", []),
  ("Item", ["Folder"]),
  ("Attachment", ["Item"]),
  ("Log", []),
]

var targets: [Target] = [
  // SQLite, from the system.
  .systemLibrary(
    name: "CSQLite", path: "Platform/CSQLite", pkgConfig: "sqlite3",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
  // libyaml, from the system.
  .systemLibrary(
    name: "CYAML", path: "Platform/CYAML", pkgConfig: "yaml-0.1",
    providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  // libcrypto, from the system.
  .systemLibrary(
    name: "CCrypto", path: "Platform/CCrypto", pkgConfig: "libcrypto",
    providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
  // libcurl, from the system.
  .systemLibrary(
    name: "CCurl", path: "Platform/CCurl", pkgConfig: "libcurl",
    providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
  // SHA-256 by the system's library.
  .target(
    name: "FerryDigest", dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))],
    path: "Platform/Digest"),
  // One SQLite file: tables, typed queries, transactions, accounts, outbox.
  .target(name: "FerryStore", dependencies: ["CSQLite"], path: "Platform/Store"),
  // Reads .realm files; needs nothing but Swift.
  .target(name: "RealmFile", path: "Platform/RealmFile"),
  // Encrypted .realm files, by the system's library.
  .target(
    name: "RealmDecryption",
    dependencies: ["RealmFile", .target(name: "CCrypto", condition: .when(platforms: [.linux]))],
    path: "Platform/RealmDecryption"),
  // A .realm file as JSON, NDJSON, CSV or a SQLite database.
  .target(name: "RealmExport", dependencies: ["RealmFile", "CSQLite"], path: "Platform/RealmExport"),
  // What a domain is, the roadmap, the journal, the crossing.
  .target(
    name: "FerryKernel", dependencies: ["FerryStore", "FerryDigest", "CYAML"], path: "Platform/Kernel"),
  // .realm files as the kernel's source of legacy rows.
  .target(name: "RealmSource", dependencies: ["FerryKernel", "RealmFile"], path: "Platform/RealmSource"),
  // Pulls, settles what both sides changed, pushes; the directory remote.
  .target(name: "FerrySync", dependencies: ["FerryKernel"], path: "Platform/Sync"),
  // A Kinto server; the one target that links HTTP.
  .target(
    name: "KintoRemote",
    dependencies: ["FerrySync", .target(name: "CCurl", condition: .when(platforms: [.linux, .macOS]))],
    path: "Platform/KintoRemote"),
  // Commands, tables, progress, colour: what a terminal needs.
  .target(name: "FerryConsole", path: "Platform/Console"),
  // What stands behind a list: its phases, its coming and going, the gate, the router; needs no UIKit and no store.
  .target(name: "FerryScreen", path: "Platform/Screen"),
  // The list of domains and the configuration that the apps share.
  .target(
    name: "Composition",
    dependencies: [
      "FerryKernel", "FerrySync", "KintoRemote", "RealmFile", "RealmDecryption", "RealmSource",
      "FerryConsole",
    ]
      + domains.map { .init(stringLiteral: "\($0.name)Domain") },
    path: "Apps/Composition"),
  // For people.
  .executableTarget(
    name: "app-cli",
    dependencies: ["Composition", "FerryScreen", "RealmFile", "RealmDecryption", "RealmExport"],
    path: "Apps/app-cli"),
  // For cron.
  .executableTarget(name: "sync-worker", dependencies: ["Composition"], path: "Apps/sync-worker"),
  // Measures what the house has goals for; see `make bench`.
  .executableTarget(
    name: "bench",
    dependencies: ["FerryConsole", "FerryStore", "FerrySync", "RawSQLite", "RealmFile", "RealmSource"]
      + domains.map { .init(stringLiteral: "\($0.name)Domain") },
    path: "Apps/bench"),
  // The same work as Store's in C, for the bench.
  .target(name: "RawSQLite", dependencies: ["CSQLite"], path: "Apps/RawSQLite"),

  // A disk that fails, or loses what wasn't synced, under SQLite and under the kernel's files.
  .target(name: "FaultVFS", dependencies: ["CSQLite"], path: "Tests/FaultVFS"),
  // Measures a pull and a push beside curl; see `make bench-sync`. Its own program: `bench` links no HTTP.
  .executableTarget(
    name: "bench-sync", dependencies: ["FerryConsole", "KintoRemote", "TestKit"], path: "Apps/bench-sync"),

  // What several test targets need: fixtures, an in-memory legacy source, the laws of a domain.
  .target(
    name: "TestKit",
    dependencies: [
      "FerryKernel", "FerrySync", "RealmSource", "CSQLite", "FaultVFS",
      .target(name: "CCrypto", condition: .when(platforms: [.linux])),
    ],
    path: "Tests/TestKit"),
  // Crosses and kills itself on the way, for KernelTests.
  .executableTarget(
    name: "crash-child",
    dependencies: ["TestKit"] + domains.map { .init(stringLiteral: "\($0.name)Domain") },
    path: "Tests/CrashChild"),
  // Syncs as a worker does, to be killed at any time, for KintoRemoteTests.
  .executableTarget(
    name: "sync-child", dependencies: ["KintoRemote", "TestKit"], path: "Tests/SyncChild"),
  .testTarget(name: "StoreTests", dependencies: ["FerryStore"], path: "Tests/StoreTests"),
  .testTarget(name: "RealmFileTests", dependencies: ["RealmFile"], path: "Tests/RealmFileTests"),
  .testTarget(
    name: "RealmDecryptionTests",
    dependencies: [
      "RealmDecryption", "TestKit", .target(name: "CCrypto", condition: .when(platforms: [.linux])),
    ],
    path: "Tests/RealmDecryptionTests"),
  .testTarget(
    name: "RealmExportTests", dependencies: ["RealmExport", "CSQLite"], path: "Tests/RealmExportTests"),
  .testTarget(
    name: "KernelTests", dependencies: ["FerryKernel", "TestKit", "LogDomain", "crash-child"],
    path: "Tests/KernelTests"),
  .testTarget(
    name: "RealmSourceTests", dependencies: ["RealmSource", "TestKit"], path: "Tests/RealmSourceTests"),
  .testTarget(name: "SyncTests", dependencies: ["FerrySync", "TestKit"], path: "Tests/SyncTests"),
  .testTarget(
    name: "KintoRemoteTests", dependencies: ["KintoRemote", "FerryDigest", "TestKit", "sync-child"],
    path: "Tests/KintoRemoteTests"),
  .testTarget(name: "ConsoleTests", dependencies: ["FerryConsole"], path: "Tests/ConsoleTests"),
  .testTarget(name: "ScreenTests", dependencies: ["FerryScreen"], path: "Tests/ScreenTests"),
  .testTarget(
    name: "CompositionTests", dependencies: ["Composition", "KintoRemote", "TestKit"],
    path: "Tests/CompositionTests"),
  // The browser's model, its pictures and what it hears, without a terminal.
  .testTarget(
    name: "BrowseTests", dependencies: ["app-cli", "FerryConsole", "FerryScreen", "TestKit"],
    path: "Tests/BrowseTests"),
  // The built binaries, run as a person or cron would.
  .testTarget(
    name: "Journeys",
    dependencies: [
      "app-cli", "sync-worker", "Composition", "ItemDomain", "KintoRemote", "SearchHistoryDomain", "TestKit",
    ],
    path: "Tests/Journeys"),
]

for domain in domains {
  targets += [
    .target(
      name: "\(domain.name)Domain",
      dependencies: ["FerryKernel"] + domain.on.map { .init(stringLiteral: "\($0)Domain") },
      path: "Domains/\(domain.name)"),
    .testTarget(
      name: "\(domain.name)Tests",
      dependencies: ["TestKit", .init(stringLiteral: "\(domain.name)Domain")],
      path: "Tests/\(domain.name)Tests"),
  ]
}

// The same strict settings for every Swift target.
for target in targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

let package = Package(
  name: "ferry",
  platforms: [.iOS(.v17), .macOS(.v14)],
  products: [
    .library(name: "FerryStore", targets: ["FerryStore"]),
    .library(name: "RealmFile", targets: ["RealmFile"]),
    .library(name: "RealmDecryption", targets: ["RealmDecryption"]),
    .library(name: "RealmExport", targets: ["RealmExport"]),
    .library(name: "FerryKernel", targets: ["FerryKernel", "RealmSource", "FerrySync"]),
    .library(name: "KintoRemote", targets: ["KintoRemote"]),
    .library(name: "FerryConsole", targets: ["FerryConsole"]),
    .library(name: "FerryScreen", targets: ["FerryScreen"]),
    .executable(name: "app-cli", targets: ["app-cli"]),
    .executable(name: "sync-worker", targets: ["sync-worker"]),
  ],
  targets: targets,
  swiftLanguageModes: [.v6]
)
