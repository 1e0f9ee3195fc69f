import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FerrySync
import KintoRemote
import TestKit
import Testing

@Suite struct ExitCodesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let error: any Error & Sendable
    let code: Int32
    var testDescription: String { "\(error)" }
  }

  private static func alice() throws -> AccountID { try AccountID(server: "home", user: "alice") }

  static let cases = [
    Case(error: KernelError.locked(path: "p"), code: 4),
    Case(error: KernelError.domainDisabled("attachment"), code: 6),
    Case(error: KernelError.editedStep(domain: "item"), code: 78),
    Case(error: KernelError.doneButOff(domain: "item"), code: 78),
    Case(error: KernelError.legacyChanged(path: "p"), code: 1),
    Case(error: KernelError.badBackup(path: "p", why: "w"), code: 1),
    Case(error: StoreError.gateShut(reason: "r"), code: 5),
    Case(error: StoreError.tableShut(table: "t", reason: "r"), code: 5),
    Case(error: StoreError.noStore(path: "p"), code: 1),
    Case(error: StoreError.sqlite(code: 11, message: "m", doing: "d"), code: 1),
    Case(error: RefillInterrupted(server: "home", why: "w"), code: 75),
    Case(error: RemoteError.unreachable(server: "s", why: "w"), code: 75),
    Case(error: RemoteError.unknownServer("s"), code: 1),
    Case(error: RemoteError.readOnly(server: "s"), code: 1),
    Case(error: RemoteError.wentBack(feed: "f", from: 2, to: 1), code: 7),
    Case(error: RemoteError.flushed(feed: "f", from: 1, to: 2), code: 7),
    Case(error: SecretError.open(path: "p", mode: "644"), code: 77),
    Case(error: SecretError.noSecret(place: "p"), code: 77),
    Case(
      error: SourceFault(code: "roadmap.x", file: "f", position: nil, message: "m", remedy: "r"), code: 78),
    Case(error: CancellationError(), code: 130),
    Case(error: GoldenFault("anything else"), code: 1),
  ]

  @Test(arguments: cases)
  func `Each error leaves its own number behind`(error: Case) {
    #expect(Failure.from(error.error).exitCode.rawValue == error.code)
  }

  @Test(arguments: cases)
  func `Each is told with a stable code, a sentence and a remedy`(error: Case) throws {
    let failure = Failure.from(error.error)
    #expect(!failure.code.isEmpty)
    #expect(!failure.message.isEmpty)
    #expect(try !#require(failure.remedy).isEmpty)
    if let house = error.error as? any FerryError {
      #expect((failure.code, failure.message) == (house.code, house.sentence))
      #expect(failure.remedy?.hasPrefix(house.remedy) == true)
    }
  }

  @Test func `An account that isn't accepted, is unknown or has no secret leaves one number`() throws {
    let alice = try Self.alice()
    let errors: [any Error] = [
      RemoteError.unauthorized(alice, why: "w"), RemoteError.forbidden(alice, what: "w"),
      RemoteError.unknownAccount(alice), CredentialError.none(alice),
      KernelError.signedOut(alice, domain: "item"),
    ]
    for error in errors { #expect(Failure.from(error).exitCode.rawValue == 77) }
    #expect(Failure.from(AccountError.notCrossed(alice)).exitCode.rawValue == 5)
    #expect(
      Failure.from(StoreError.signedOut(alice)).remedy?.contains("app-cli account add alice@home") == true)
  }

  @Test func `A remedy that asks for the crossing says which command that is`() {
    let errors: [any Error] = [
      StoreError.noStore(path: "p"), StoreError.gateShut(reason: "r"), KernelError.domainDisabled("item"),
      KernelError.badBackup(path: "p", why: "w"), RefillInterrupted(server: "home", why: "w"),
    ]
    for error in errors { #expect(Failure.from(error).remedy?.contains("`app-cli migrate`") == true) }
  }

  @Test func `No two meanings share a number`() {
    let codes: [ExitCode] = [
      .ok, .failure, .partial, .locked, .gateShut, .domainDisabled, .otherServer, .brake, .usage,
      .inputOutput,
      .temporary, .noPermission, .configuration,
      .interrupted, .brokenPipe,
    ]
    #expect(Set(codes).count == codes.count)
  }
}
