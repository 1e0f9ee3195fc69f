import Composition
import FerryConsole

@main
struct AppCLI {
  static func main() async {
    let root = Command(
      "app-cli", "Carry an app's data off Realm, domain by domain, and look at it.",
      sharedOptions: SharedOptions.all,
      subcommands: [
        RoadmapCommand.command, MigrateCommand.command, StatusCommand.command, SyncCommand.command,
        AccountCommand.command,
        BrowseCommand.command, OpenCommand.command, WatchCommand.command,
      ]
        + [RealmCommand.command] + TableCommands.all)
    await CommandLineTool(root, version: SharedOptions.version) { Failure.from($0) }.runAndExit()
  }
}
