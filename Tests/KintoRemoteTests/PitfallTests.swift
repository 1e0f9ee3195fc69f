import Foundation
import TestKit
import Testing

/// Every pitfall of a Kinto server and every need of a sync client that is known, each with the tests that show it.
///
/// The names are looked up in the sources, so that none of them can be renamed or taken away unnoticed.
@Suite struct `Every pitfall that is known` {
  @Test(arguments: all) func `has a test that shows it`(pitfall: Pitfall) throws {
    for (file, name) in pitfall.tests {
      let path = Golden.repository.appendingPathComponent("Tests/\(file).swift")
      let source = try String(contentsOf: path, encoding: .utf8)
      let isThere = source.contains("`\(name)`") || source.contains("@Test(\"\(name)")
      #expect(isThere, "\(pitfall.name): Tests/\(file).swift has no test \(name)")
    }
    #expect(!pitfall.tests.isEmpty)
  }

  struct Pitfall: Sendable, CustomTestStringConvertible {
    let name: String
    let tests: [(file: String, name: String)]

    init(_ name: String, _ tests: (String, String)...) {
      (self.name, self.tests) = (name, tests.map { (file: $0.0, name: $0.1) })
    }

    var testDescription: String { name }
  }

  private static let (pull, push, asking) = (
    "KintoRemoteTests/PullTests", "KintoRemoteTests/PushTests", "KintoRemoteTests/AskingTests"
  )
  private static let (server, database) = (
    "KintoRemoteTests/KintoServerTests", "KintoRemoteTests/PostgreSQLTests"
  )
  private static let (kinto, blob) = ("KintoRemoteTests/EngineTests", "KintoRemoteTests/BlobTests")
  private static let races = "KintoRemoteTests/ConvergenceTests"
  private static let (engine, feedPull, conflict) = (
    "SyncTests/PushTests", "SyncTests/FeedPullTests", "SyncTests/ConflictTests"
  )
  private static let (identity, brake, held, notice) = (
    "SyncTests/IdentityTests", "SyncTests/BrakeTests", "SyncTests/HeldTests", "SyncTests/NoticeTests"
  )
  private static let (workers, safety, secrets, twoDevices) = (
    "Journeys/SyncLockJourneys", "Journeys/SyncSafetyJourneys", "Journeys/SecretJourneys",
    "Journeys/KintoJourneys"
  )
  private static let converges =
    "come to the same cards, and no acknowledged write is lost but what the server lost itself"

  static let all = pulling + pushing + serverLife + attachments + racing + needs

  private static let pulling = [
    Pitfall(
      "tombstones come only with _since",
      (pull, "asks oldest first, for tombstones too, also at the beginning"),
      (server, "sends tombstones to who pulls from the beginning, and after a cursor")),
    Pitfall(
      "_fields drops `deleted`", (pull, "counts by a HEAD, and lists without taking a tombstone for a record")
    ),
    Pitfall(
      "pages are cut at 10,000, and at what the server likes",
      (pull, "is over where no next page is named, however full or empty the page"),
      (database, "pages through thousands of records while others change them, and misses none")),
    Pitfall(
      "Next-Page leads to another host",
      (pull, "goes on behind the page's last record, and never where Next-Page leads")),
    Pitfall(
      "killed between two pages", (feedPull, "A page and the cursor that covers it are one transaction"),
      (notice, "stops where it is cancelled and leaves whole transactions only")),
    Pitfall(
      "a record seen twice, and one made anew between two pages",
      (pull, "takes a record seen twice, and one made anew between two pages, as it comes"),
      (feedPull, "A pull that steps back may pass the very place where the last one ended")),
    Pitfall(
      "a live record that says deleted", (pull, "keeps a live record that says deleted, without that word")),
    Pitfall(
      "_since in the future is refused",
      (pull, "never lets its cursor get where Kinto refuses to be asked, a day ahead"),
      (server, "of which another client set times in the future is pulled all the same")),
    Pitfall(
      "a tombstone of a record that nobody has here",
      (feedPull, "Only what changed since comes; what is as it was here writes no row")),
    Pitfall(
      "unknown fields survive a round trip",
      (engine, "keeps what the others wrote beside our members, and kinds that this build has no name for"),
      (pull, "leaves out what is the server's, and keeps every other member as it came")),
    Pitfall(
      "big integers, floats and any text",
      (server, "gives back what it was given, whatever the key and the members"),
      (engine, "leaves a number in the words of whoever wrote it")),
  ]

  private static let pushing = [
    Pitfall(
      "a lost answer to a creation, an update, a deletion",
      (server, "acknowledges what was done before the answer was lost"),
      (push, "whose answer was lost is done where the server holds the very content"),
      (engine, "whose answer was lost is found to be done, and sent only once more"),
      (engine, "whose answer was lost isn't taken for another's edit, though the row was edited since"),
      (engine, "of a deletion that was done already is done")),
    Pitfall(
      "412 with and without the record", (push, "finds what another device wrote, and gives it whole"),
      (push, "of an edit of what was deleted finds it gone"),
      (conflict, "that shows only at the push is settled in the same run")),
    Pitfall(
      "If-Match on a deleted record",
      (conflict, "with a deletion that shows only at the push is settled in the same run")),
    Pitfall(
      "409 undoes what came before it",
      (push, "takes everything up to the last 409 for unknown: PostgreSQL has undone it"),
      (database, "undoes what it acknowledged before a 409, and what was undone is pushed again"),
      (engine, "sends again what the server undid after it had said that it was done")),
    Pitfall(
      "200 outside, 401 in every part",
      (push, "is refused as a whole where all parts are, though the answer says 200")
    ),
    Pitfall(
      "a NUL answers 503 for ever", (database, "answers 503 for ever to a NUL, and is got past it"),
      (kinto, "sets a record aside that the server can't keep, and sends the others")),
    Pitfall(
      "409 alone, 413 in plain text, a proxy's 502 in HTML",
      (asking, "is made again after what may pass, and then not again"),
      (push, "goes through but for the one record that holds it up"),
      (push, "with an answer that can't be read is unknown")),
    Pitfall("500 by depth", (server, "breaks on what is nested too deep, and is got past it")),
    Pitfall(
      "400 by a schema", (server, "takes what breaks the schema from nobody, and the rest"),
      (push, "says of a record that breaks the schema what is wrong with it, and takes the others")),
    Pitfall(
      "the limit of a batch became smaller",
      (push, "is cut by the server's limit, also where that has become smaller since")),
    Pitfall(
      "edited while it is pushed",
      (
        engine,
        "leaves a row in the outbox that is edited on its way, with the server's new revision for its base"
      ),
      (engine, "deletes what was deleted here while it was being made there")),
    Pitfall(
      "made and deleted before the first push",
      (engine, "of what was made and deleted before the first one sends nothing")),
    Pitfall(
      "two devices offline, one record", (conflict, "of two devices that were offline ends the same on both")),
    Pitfall(
      "deletion against edit, both ways",
      (conflict, "between an edit here and a deletion there is settled by the stated rule"),
      (conflict, "between a deletion here and an edit there is settled by the stated rule")),
    Pitfall("the same edit on both sides", (conflict, "is none where both changed the same to the same")),
  ]

  private static let serverLife = [
    Pitfall(
      "Backoff on success, kept over runs", (server, "that asks for time does so with answers that are well"),
      (notice, "is left alone by the next run, in another process, too")),
    Pitfall(
      "Retry-After", (asking, "waits as long as it is asked to before it is made again"),
      (asking, "isn't made again where more time is asked for than a run has: that is written down")),
    Pitfall("410: the service has ended", (pull, "says what a refusal means")),
    Pitfall("Alert", (notice, "may announce its end, which is logged once")),
    Pitfall(
      "a server that takes no changes",
      (asking, "goes to the bucket itself on a server that takes no changes"),
      (engine, "sends nothing to a server that takes no changes, and pulls from it"),
      (engine, "waits where the server takes no changes any more since it said who it is")),
    Pitfall(
      "the database stopped in the middle",
      (kinto, "goes on where a database that stopped in its middle left it"),
      (database, "that dies with its database loses nothing that it acknowledged")),
    Pitfall(
      "the collection was made anew",
      (kinto, "stops where the collection was made anew, and goes on as it is told"),
      (pull, "stops where the feed moved on without a record: it was made anew")),
    Pitfall(
      "a backup was restored",
      (kinto, "stops where a backup was restored, and takes it for right where it is told so"),
      (database, "that was restored from a backup is noticed by its revision"),
      (identity, "shows by what this device pushed last, which no pull has come by yet"),
      (identity, "shows also by a record that is older than what it acknowledged")),
    Pitfall(
      "tombstones were purged", (kinto, "doesn't mind a purge of tombstones"),
      (database, "whose tombstones were purged is noticed by the count, and told by the ids")),
    Pitfall(
      "a purge took live records", (kinto, "sends again what the server forgot without a tombstone")),
    Pitfall(
      "a server in memory was restarted",
      (kinto, "takes a server in memory that was restarted for one that doesn't know it")),
    Pitfall(
      "the password was changed", (kinto, "with a password that was changed says so and keeps what is unsent")
    ),
    Pitfall(
      "two accounts on one device",
      (notice, "of two accounts with one name and the same records on two servers lets nothing cross"),
      (server, "keeps accounts apart, also with the same record ids")),
    Pitfall(
      "a weak ETag", (pull, "reads an ETag that a compressing proxy made weak, and sends it back strong")),
    Pitfall(
      "the device's clock is wrong", (pull, "doesn't look at the device's clock"),
      (notice, "by a clock that was wrong isn't believed")),
  ]

  private static let attachments = [
    Pitfall("a range is gone on with", (blob, "is gone on with where a cut connection left it")),
    Pitfall("the wrong hash", (blob, "is nothing where its bytes are others, fewer or more")),
    Pitfall(
      "replaced while it was fetched",
      (blob, "is fetched anew where it was replaced, or the server knows no ranges")),
    Pitfall(
      "attached and pushed since",
      (blob, "goes up, comes down, is replaced, and stays with its record when that is pushed"),
      (push, "whose answer was lost gives the record where a file was attached to it since")),
    Pitfall(
      "a refused file takes the old one along",
      (blob, "is there again once it is sent again, where one in its place was refused and took it along")),
    Pitfall(
      "null where a file was, and names that lead out of the folder",
      (blob, "is read from a record only where what is said of it makes sense"),
      ("AttachmentTests/AttachmentAddingTests", "never leaves the folder, whatever it is")),
    Pitfall(
      "the record first, then the file",
      ("AttachmentTests/AttachmentSendingTests", "waits for the record, sends once, and may be evicted then"),
      (twoDevices, "get one another's files: what one adds, the next run sends, and the other opens"),
      (
        twoDevices,
        "keep a file that the server doesn't take, and say so; the record goes, and so does the rest"
      )),
    Pitfall("too large", (blob, "is refused where it is too large, or its record isn't there")),
    Pitfall(
      "another origin", (blob, "is asked for with the secret by nobody but the server itself")),
  ]

  private static let racing = [
    Pitfall(
      "missed records", (database, "hides no record from who steps back, though writers commit out of order"),
      (identity, "a record that the server never showed is found and fetched")),
    Pitfall(
      "If-Match isn't atomic", (races, converges),
      (database, "has one mark, though it lets two devices win that mark it at once")),
    Pitfall("everything at once", (races, converges)),
  ]

  private static let needs = [
    Pitfall(
      "41: a lock on every write, a result for every part",
      (
        engine,
        "sends the outbox oldest first, after everything was pulled, each change with its precondition"
      ), (push, "is one batch, each part with what it takes the server to hold"),
      (engine, "of a deletion that was done already is done"),
      (
        engine,
        "leaves a row in the outbox that is edited on its way, with the server's new revision for its base"
      )),
    Pitfall(
      "42: the cursor moves with the page, by the server's own value",
      (feedPull, "A page and the cursor that covers it are one transaction"),
      (feedPull, "A record that was changed on both sides is settled, and both are written down"),
      (pull, "goes on behind the page's last record, and never where Next-Page leads"),
      (pull, "doesn't look at the device's clock")),
    Pitfall(
      "43: is it the same server?",
      (identity, "stops the account by a name of its own before anything is written, and deletes nothing"),
      (identity, "stops all feeds of the account, also those that come before the one that shows it"),
      (identity, "may be sent everything that the device has, and nothing is deleted"),
      (identity, "a record that the server lost without deleting it is sent again, and never deleted here")),
    Pitfall(
      "44: the brake", (brake, "stops where the server has deleted too much, before anything is written"),
      (brake, "stops where too much was deleted here, and the server keeps it"),
      (brake, "doesn't count what both sides deleted, and both may be empty"),
      (brake, "lets through as many as are allowed")),
    Pitfall(
      "45: one run at a time, by a lock of the kernel's",
      (workers, "keeps every other one out, a hundred times"),
      (workers, "never asks, and tells who has no secret before it asks for the lock"),
      (safety, "killed anywhere is gone on with by the next, to the same end on both sides")),
    Pitfall(
      "46: one bad record or feed never stops the others",
      (held, "is set aside with the reason, stays unsent, and holds nothing up"),
      (brake, "of one feed doesn't stop the others"),
      (
        notice,
        "goes on with other accounts where one isn't accepted, and with other feeds where one is forbidden"
      ),
      ("CompositionTests/ExitCodesTests", "Each error leaves its own number behind"),
      ("CompositionTests/ExitCodesTests", "No two meanings share a number")),
    Pitfall(
      "47: never waits for a person",
      (workers, "never asks, and tells who has no secret before it asks for the lock"),
      (secrets, "is never said on the command line"),
      (notice, "whose secret isn't accepted says so, asks nothing more, and loses nothing")),
    Pitfall(
      "48: Backoff is kept, also where all is well",
      (notice, "is left alone by the next run, in another process, too"),
      (asking, "that is answered well may ask for time too, and the longest wish counts")),
    Pitfall(
      "49: HTTP is a seam",
      (
        "KintoRemoteTests/CurlClientTests",
        "survives a 401 that asks for a password, on which URLSession hangs"
      ),
      (
        "KintoRemoteTests/CurlClientTests",
        "gives up on a server that never answers, and on one that stops in the middle"
      ), ("KintoRemoteTests/CurlClientTests", "ends at once when its task is cancelled")),
    Pitfall(
      "51: a dry run makes the very plan",
      (brake, "makes the very plan that the run carries out, and changes nothing anywhere")),
  ]
}
