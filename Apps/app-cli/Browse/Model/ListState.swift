import FerryScreen
import FerryStore

/// The list in the middle: what it shows, where the cursor is, and which of its rows are on the screen.
struct ListState {
  let place: ListPlace
  var phase: ListPhase<ListRow>?
  private(set) var rows: [ListRow] = []
  private(set) var cursor: Int?
  /// The row at hand that is the first on the screen.
  private(set) var top = 0
  var frame = ListFrame()
  var isLoading = true
  var problem: String?
  /// What was asked for last.
  private(set) var request = ListRequest()
  /// Where the cursor goes once what was asked for is there.
  private var awaited: ListRequest.Anchor?
  /// By how many rows a person has moved beyond those at hand: they get there once what was asked for is.
  private var owed = 0

  init(_ place: ListPlace) { self.place = place }

  var current: ListRow? { cursor.map { rows[$0] } }
  var isSearching: Bool { !request.search.isEmpty }
  /// What the rows were searched for.
  var terms: SearchTerms { SearchTerms(request.search) }

  /// Takes what the list model shows.
  ///
  /// - Returns: the row to select where that isn't the one given.
  mutating func take(
    _ phase: ListPhase<ListRow>, selection: ListRow.ID?, _ frame: ListFrame, height: Int
  ) -> ListRow.ID? {
    let old = current
    let oldTop = top
    let distance = cursor.map { $0 - top } ?? 0
    // At the very top new rows come into view; anywhere else what is looked at stays where it is.
    let isAtStart = top == 0 && self.frame.offset == 0
    (self.phase, self.frame) = (phase, frame)
    rows = phase.rows.rows
    let selected = selection.flatMap { phase.rows.index(of: $0) }
    let kept = old.flatMap { phase.rows.index(of: $0.id) }
    cursor = kept ?? selected ?? (rows.isEmpty ? nil : min(max(0, oldTop + distance), rows.count - 1))
    arrive()
    top = isAtStart ? 0 : (cursor ?? 0) - distance
    show(height: height)
    return current?.id
  }

  /// The same rows are another part of the list.
  mutating func take(_ frame: ListFrame, height: Int) {
    self.frame = frame
    arrive()
    show(height: height)
  }

  private mutating func arrive() {
    guard frame.request == request, let cursor else { return }
    if let awaited {
      self.cursor = awaited == .end ? rows.count - 1 : 0
    } else if owed != 0 {
      self.cursor = min(max(0, cursor + owed), rows.count - 1)
    }
    (awaited, owed) = (nil, 0)
  }

  /// Moves the cursor by rows. Beyond those at hand it goes as soon as there are more.
  mutating func move(by rows: Int, height: Int) {
    guard let cursor else { return }
    let target = cursor + owed + rows
    let place = min(max(0, target), self.rows.count - 1)
    let isMore = target < 0 ? frame.offset > 0 : frame.offset + self.rows.count < frame.total
    (self.cursor, owed) = (place, isMore ? target - place : 0)
    show(height: height)
  }

  /// Scrolls so that the cursor is on the screen and no line is left empty that a row could fill.
  mutating func show(height: Int) {
    let height = max(1, height)
    if let cursor {
      top = min(top, cursor)
      top = max(top, cursor - height + 1)
    }
    top = max(0, min(top, rows.count - height))
  }

  /// Whether rows that aren't at hand may soon be wanted; what to ask for then.
  mutating func requestNearEdge(height: Int) -> ListRequest? {
    guard let cursor, let current, rows.count < frame.total else { return nil }
    let margin = max(height * 2, 40)
    let isNearStart = frame.offset > 0 && cursor < margin
    let isNearEnd = frame.offset + rows.count < frame.total && cursor >= rows.count - margin
    guard isNearStart || isNearEnd else { return nil }
    let last = request
    let next = ask(.around(current), height: height)
    return next == last ? nil : next
  }

  /// Asks for the list's first or last rows, and puts the cursor there.
  mutating func jump(toEnd: Bool, height: Int) -> ListRequest? {
    guard !rows.isEmpty else { return nil }
    let isThere = toEnd ? frame.offset + rows.count >= frame.total : frame.offset == 0
    // The newest rows are looked at as such again: what comes above them is seen.
    let needsStart = !toEnd && request.anchor != .start
    if isThere {
      cursor = toEnd ? rows.count - 1 : 0
      show(height: height)
      if !needsStart { return nil }
    } else {
      awaited = toEnd ? .end : .start
    }
    return ask(toEnd ? .end : .start, height: height)
  }

  /// Narrows the list to what a search finds; an empty one to nothing.
  mutating func search(_ text: String, height: Int) -> ListRequest? {
    guard text != request.search else { return nil }
    request.search = text
    awaited = .start
    return ask(.start, height: height)
  }

  private mutating func ask(_ anchor: ListRequest.Anchor, height: Int) -> ListRequest {
    // Four screens to each side, so that a page up or down meets what is at hand.
    if anchor == .start || anchor == .end { owed = 0 }
    request.anchor = anchor
    request.size = max(160, height * 8)
    return request
  }
}
