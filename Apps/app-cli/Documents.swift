import FerryConsole
import FerryKernel

/// The version of every JSON document that `--json` prints; grows when a member changes its meaning.
let documentVersion: Int64 = 1

extension Invocation {
  /// Prints one JSON document with its version.
  func document(_ members: JSONObject) throws {
    var document: JSONObject = ["version": .integer(documentVersion)]
    for member in members.members { document[member.name] = member.value }
    try json(try JSONValue.object(document).text())
  }
}

extension StepState {
  /// The state as a person reads it.
  var sentence: String {
    switch self {
    case .off: "off"
    case .waiting(nil): "waiting"
    case .waiting(let reason?): "waiting: \(reason)"
    case .crossing(let phase): "in progress: \(phase.rawValue)"
    case .waitingForNetwork(let reason): "waiting for the network: \(reason)"
    case .failed(let phase, let reason, let remedy): "failed after \(phase.rawValue): \(reason) \(remedy)"
    case .done: "done"
    }
  }

  var json: JSONObject {
    var members: JSONObject = ["state": .string(name)]
    switch self {
    case .off, .waiting(nil), .done: break
    case .waiting(let reason?), .waitingForNetwork(let reason): members["reason"] = .string(reason)
    case .crossing(let phase): members["phase"] = .string(phase.rawValue)
    case .failed(let phase, let reason, let remedy):
      members["phase"] = .string(phase.rawValue)
      members["reason"] = .string(reason)
      members["remedy"] = .string(remedy)
    }
    return members
  }
}
