import FerryKernel
import FerrySync

/// One change as a part of a batch.
struct BatchPart: Sendable {
  /// Which of the pushed changes it is.
  let place: Int
  let change: RemoteChange
  /// The part as it goes over the wire.
  let json: [UInt8]

  init(_ change: RemoteChange, named name: RecordName, place: Int, in records: String) throws(JSONFault) {
    (self.place, self.change) = (place, change)
    var part: JSONObject = [
      "method": .string(change.content == nil ? "DELETE" : "PUT"), "path": .string("\(records)/\(name.text)"),
    ]
    switch change.precondition {
    case .absent: part["headers"] = ["If-None-Match": "*"]
    case .revision(let revision): part["headers"] = ["If-Match": .string("\"\(revision)\"")]
    }
    if let content = change.content { part["body"] = ["data": .object(content)] }
    json = try JSONValue.object(part).bytes()
  }

  /// The body of a batch.
  static func body(of parts: ArraySlice<BatchPart>) -> [UInt8] {
    var body = Array(#"{"requests":["#.utf8)
    body.reserveCapacity(parts.reduce(20) { $0 + $1.json.count + 1 })
    for part in parts {
      if part.place != parts.first?.place { body.append(UInt8(ascii: ",")) }
      body += part.json
    }
    return body + Array("]}".utf8)
  }
}
