// Realistic conditions of seven terms and more. The type-checker has to find them easy: a test checks this file
// with little patience.
import FerryStore

func sevenTerms(
  _ inbox: Identifier<Folder>, _ since: Timestamp, _ words: [String], _ word: String, _ limit: Int
) {
  _ = Item.where {
    $0.folder == inbox && $0.kind == .primary && !$0.isRead && $0.updatedAt >= since && $0.score != nil
      && $0.title.contains("ferry") && $0.size < 1_000_000
  }
  _ = Item.where {
    $0.kind == .primary || $0.kind == .archived || $0.mood == nil || $0.mood != .unknown("sad")
      || $0.isStarred == true || $0.preview == nil || $0.size == 1
  }
  _ = Item.where {
    $0.score == 1 && $0.score != 2 && ($0.score ?? 0) > 0.5 && ($0.preview ?? "").contains(word)
      && ($0.due ?? .max) < since && $0.isStarred != false && $0.mood == nil
  }
  _ = Item.where {
    ["a", "b"].contains($0.title) && words.contains($0.title) && [.primary, nil].contains($0.mood)
      && (1...limit).contains($0.size) && [inbox, nil].contains($0.folder) && !words.contains($0.title)
      && [1, 2, 3].contains($0.size)
  }
  _ = Item.where {
    $0.title == "a" || $0.title == "b" || $0.title == "c" || $0.title == "d" || $0.title == "e"
      || $0.title == "f" || $0.title == "g"
  }
  _ = Item.where {
    $0.size == 1 || $0.size == 2 || $0.size == -3 || $0.size == 4 || $0.size == 5 || $0.size == 6
      || $0.size == limit - 7
  }
  _ = Item.where {
    ($0.isRead || $0.size > 10) && ($0.isRead || $0.size <= 20) && !($0.isRead && $0.title < "m")
      && ($0.isRead == ($0.size > 5)) && ($0.title != $0.title) && !(!$0.isRead) && $0.isStarred == nil
  }
  _ = Item.where {
    $0.title.ignoringCase == "été" && $0.title.ignoringCase != word && $0.title.ignoringCase.contains("x")
      && $0.title.ignoringCase.starts(with: "y") && $0.title.starts(with: "z") && $0.title.contains(word)
      && $0.title >= "a"
  }
  _ = Item.where {
    $0.joined(Folder.self, by: \.folder).name == "Inbox"
      && $0.joined(Folder.self, by: \.folder).kind != .archived
      && $0.joined(Folder.self, by: \.folder).parent == nil && !$0.isRead && $0.size > 1 && $0.score == nil
      && $0.folder != nil
  }
  _ = Folder.where { folder in
    folder.has(Item.self, by: \.folder) {
      !$0.isRead && $0.size > 1 && $0.title != folder.name && $0.kind == .primary && $0.mood == nil
        && $0.score == 0.5 && $0.title.contains("a")
    } && folder.name != "" && folder.kind != .archived && folder.parent == nil
      && !folder.has(Folder.self, by: \.parent) && folder.id != inbox && folder.name > "a"
  }
}
