/// What became of an event that reached the router. Every event has one outcome.
public enum RouteOutcome: Sendable, Equatable {
  /// The link's item was pushed, once, onto this list.
  case pushed(DeepLink, Mount<Place>)
  /// The list is attached; nothing was pushed. What may lie on it is the app's to take away.
  case list(Mount<Place>)
  /// The link's item is what lies on top already; nothing was pushed.
  case alreadyShown(DeepLink)
  /// The account is the active one now, and this list of it attached; nil where it has no folder.
  case switched(LinkAccount, Mount<Place>?)
  /// The account was the active one, or is about to be; nothing was done.
  case alreadyActive(LinkAccount)
  /// Nothing is attached, as was asked for.
  case left
  case refused(RouteRefusal)
}

extension RouteOutcome: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pushed(let link, let mount): "pushed \(link) onto #\(mount.instance)"
    case .list(let mount): "attached \(mount.target) as #\(mount.instance)"
    case .alreadyShown(let link): "showed \(link) already"
    case .switched(let account, let mount?): "switched to \(account), attached \(mount.target)"
    case .switched(let account, nil): "switched to \(account), which has no folder"
    case .alreadyActive(let account): "had \(account) active already"
    case .left: "left"
    case .refused(let refusal): "refused: \(refusal)"
    }
  }
}

/// Why an event led nowhere.
public enum RouteRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  public enum LinkFault: Sendable, Equatable {
    case scheme
    case account
    case path
    case identifier(String)
    case encoding
    case queryOrFragment
    case tooLong
  }

  case malformed(String, LinkFault)
  /// No such account on this device.
  case unknownAccount(LinkAccount)
  /// The account is on this device and isn't the active one.
  case otherAccount(LinkAccount, active: LinkAccount?)
  case unknownFolder(Place)
  case unknownItem(DeepLink)
  /// What was asked for couldn't be read; the text is the error's.
  case failed(String)
  /// The list was left before the event came to its end.
  case listGone(Place)
  /// Another account was made the active one before the event came to its end.
  case accountSwitched(to: LinkAccount)
  /// A person went elsewhere before the list was attached.
  case superseded
  /// A person's input while the core domains are crossing.
  case crossing
  /// The router's run, or the waiting task, was over first.
  case ended

  /// A stable name for scripts.
  public var code: String {
    switch self {
    case .malformed: "screen.malformedLink"
    case .unknownAccount: "screen.unknownAccount"
    case .otherAccount: "screen.otherAccount"
    case .unknownFolder: "screen.unknownFolder"
    case .unknownItem: "screen.unknownItem"
    case .failed: "screen.failed"
    case .listGone: "screen.listGone"
    case .accountSwitched: "screen.accountSwitched"
    case .superseded: "screen.superseded"
    case .crossing: "screen.crossing"
    case .ended: "screen.ended"
    }
  }

  /// What is wrong, for a person.
  public var sentence: String {
    switch self {
    case .malformed(let text, let fault): "'\(text)' is no link of Ferry: \(fault.sentence)."
    case .unknownAccount(let account): "There is no account \(account) on this device."
    case .otherAccount(let account, let active?): "The link is for \(account), and \(active) is active."
    case .otherAccount(let account, nil): "The link is for \(account), and no account is active."
    case .unknownFolder(let place): "\(place.account) has no folder '\(place.folder)'."
    case .unknownItem(let link):
      "The folder '\(link.place.folder)' of \(link.place.account) has no item '\(link.item?.rawValue ?? "")'."
    case .failed(let text): text
    case .listGone(let place): "The folder '\(place.folder)' was left before it could be gone to."
    case .accountSwitched(let account): "The account was switched to \(account) meanwhile."
    case .superseded: "Another folder was gone to before this one was there."
    case .crossing: "What is on this device is being carried over."
    case .ended: "The screen was closed meanwhile."
    }
  }

  /// What to do next, in the imperative.
  public var remedy: String {
    switch self {
    case .malformed: "Write it as ferry://USER@SERVER/folder/ID or ferry://USER@SERVER/folder/ID/item/ID."
    case .unknownAccount: "Add the account first."
    case .otherAccount(let account, _): "Switch to \(account) and open the link again."
    case .unknownFolder, .unknownItem: "Sync, and open the link again."
    case .failed: "Try again."
    case .listGone, .accountSwitched, .superseded, .ended:
      "Open it again if it is still wanted."
    case .crossing: "Wait until that is over."
    }
  }

  public var description: String { "\(sentence) \(remedy)" }
}

extension RouteRefusal.LinkFault {
  var sentence: String {
    switch self {
    case .scheme: "it doesn't begin with ferry://"
    case .account: "its account isn't written USER@SERVER"
    case .path: "after the account comes /folder/ID, and then nothing or /item/ID"
    case .identifier(let text): "'\(text)' stands for no folder and no item"
    case .encoding: "a % isn't followed by two hexadecimal digits, or what is encoded isn't UTF-8"
    case .queryOrFragment: "it has a ? or a # in it, which would have to be %3F and %23"
    case .tooLong: "it is longer than \(DeepLink.longest) bytes"
    }
  }
}
