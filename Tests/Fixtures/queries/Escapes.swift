// swift-format-ignore-file

// A transaction is lent: it doesn't leave its closure (trap S5), and the compiler says so. A test checks each line's
// diagnostic.
import FerryStore

func returned(_ account: AccountStore) throws {
  let snapshot = try account.blockingRead { (snapshot) -> Snapshot<AccountScope> in snapshot }  // expect: conform to 'Copyable'
  let transaction = try account.blockingWrite { (transaction) -> Transaction<AccountScope> in transaction }  // expect: conform to 'Copyable'
  _ = (snapshot, transaction)
}

func keptInAList(_ account: AccountStore) throws {
  var kept: [Any] = []
  try account.blockingRead { snapshot in kept.append(snapshot) }  // expect: does not conform to expected type 'Copyable'
  _ = kept
}

func keptInAVariable(_ account: AccountStore) throws {
  var kept: Snapshot<AccountScope>?
  try account.blockingRead { snapshot in kept = snapshot }  // expect: is consuming
  drop(kept)
}

func drop(_ snapshot: consuming Snapshot<AccountScope>?) {}
