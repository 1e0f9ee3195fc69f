import FerryConsole

/// What both apps are told in the same way.
public enum SharedOptions {
  /// Where `ferry.yaml` and `roadmap.yaml` are.
  public static let config = CommandOption.option(
    "config", value: "DIR", "The folder of ferry.yaml and roadmap.yaml.", short: "c",
    environment: "FERRY_CONFIG",
    default: ".")

  public static let all: [CommandOption] = [config, .json, .noColor, .noInput]

  /// The version that `--version` prints.
  public static let version = "0.1.0"
}

extension Invocation {
  /// Reads the folder that `--config` names.
  public func ferry() throws -> Ferry { try Ferry(folder: try requiredValue("config")) }
}
