/// The way from a value to one inside it: `meta.tags[2]`.
struct JSONPath: Sendable, Equatable {
  enum Step: Sendable, Equatable {
    case member(String)
    case item(Int)
  }

  var steps: [Step] = []

  func appending(_ step: Step) -> JSONPath {
    JSONPath(steps: steps + [step])
  }

  var text: String {
    steps.reversed().reduce("") { Self.text($1, before: $0) }
  }

  private static func text(_ step: Step, before rest: String) -> String {
    let separator = rest.isEmpty || rest.hasPrefix("[") ? "" : "."
    return switch step {
    case .member(let name): "\(name)\(separator)\(rest)"
    case .item(let index): "[\(index)]\(separator)\(rest)"
    }
  }
}
