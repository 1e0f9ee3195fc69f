import Composition
import FerryConsole

/// `app-cli realm`: what is in a `.realm` file, without the Realm library and without `ferry.yaml`.
enum RealmCommand {
  static let command = Command(
    "realm", "Look into a .realm file, and export it.",
    discussion: """
      The file is only read; nothing is made or changed beside it, and it may lie on read-only media. The key of \
      an encrypted file comes from a file or an environment variable, never from the command line, which every \
      user of a machine can read.

      Exit codes beyond the usual ones: 3 salvaged, and something is lost; 10 encrypted, and there is no key, or \
      not the right one; 11 a file format that can't be read, or half-upgraded; 12 damaged; 13 no Realm file; 14 \
      changed by another process while it was read; 15 the output is taken; 66 the file can't be read at all; 74 the \
      output can't be written.
      """,
    sharedOptions: keyOptions + [
      .flag("salvage", "Read what is left of a damaged file, and say what is lost.")
    ],
    subcommands: [RealmInfoCommand.command, RealmSchemaCommand.command, RealmExportCommand.command])

  static let keyOptions: [CommandOption] = [
    .option("key-file", value: "FILE", "A file with the key: 64 bytes, or in hexadecimal or base64."),
    .option("key-env", value: "NAME", "An environment variable with the key, in hexadecimal or base64."),
  ]

  static let file = CommandArgument.required("FILE", "The .realm file.")
}
