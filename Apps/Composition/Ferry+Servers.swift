import FerryKernel
import FerryStore
import FerrySync
import KintoRemote

extension Ferry {
  /// A remote for each server of ferry.yaml.
  ///
  /// - Throws: `SourceFault` for an address or a bucket that can't be one.
  static func remotes(_ configuration: FerryConfiguration, _ credentials: Credentials) throws -> Remotes {
    var remotes: [(name: String, remote: any Remote)] = []
    for server in configuration.servers {
      let name = server.name.value
      switch server.kind {
      case .directory(let path):
        remotes.append((name, DirectoryRemote(name: name, folder: path.value)))
      case .kinto(let kinto):
        remotes.append(
          (
            name,
            KintoRemote(
              server: try configuration.server(named: name, kinto), client: CurlClient(),
              secret: { try credentials.secretForRemote(of: $0) }, now: Ferry.now)
          ))
      }
    }
    return Remotes(remotes)
  }
}

extension FerryConfiguration {
  func server(named name: String, _ kinto: Kinto) throws -> KintoServer {
    var position = kinto.url.position
    do {
      let url = kinto.url.value
      let server = try KintoServer(name: name, url: url, allowsPlainHTTP: kinto.allowsPlainHTTP)
      guard let bucket = kinto.bucket else { return server }
      // The address is one, so what is wrong now is the bucket.
      position = bucket.position
      return try KintoServer(
        name: name, url: url, bucket: bucket.value, allowsPlainHTTP: kinto.allowsPlainHTTP)
    } catch KintoServerError.plainHTTP {
      throw fault(
        "plainHTTP", at: position,
        "passwords would go over the network for everyone to read: the address isn't encrypted",
        remedy: "Use https; or, in a network that you trust, add 'plain-http: true'.")
    } catch let error as KintoServerError {
      throw fault(
        position == kinto.url.position ? "badURL" : "badBucket", at: position, error.sentence.withoutFullStop,
        remedy: position == kinto.url.position
          ? "Write it as https://host/v1." : "Use letters, digits, hyphens and underscores.")
    }
  }
}
