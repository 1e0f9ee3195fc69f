// The work that Store is measured against, in C straight over sqlite3.
//
// It comes in two forms. Plain is what a good C programmer writes first: prepared statements, one transaction,
// WAL with synchronous = NORMAL, and SQLite's settings for the rest. Tuned has each setting and each shape of a
// statement that Store uses, and its checkpoints on a thread of their own.
//
// Every function but the first two gives 0, or what sqlite3 said.
#ifndef FERRY_RAW_SQLITE_H
#define FERRY_RAW_SQLITE_H
#include <stdbool.h>
#include <stdint.h>

enum { RAW_PRIMARY, RAW_ARCHIVED, RAW_SHARED, RAW_UNKNOWN };

// A row as the record of the bench has it. Its texts are its own.
typedef struct {
  char *id, *folder, *title, *preview;  // preview may be absent
  int64_t updated_at;
  double score;
  bool has_score, is_read, is_starred;
  int kind;
} raw_item;

typedef struct raw_store raw_store;

// Opens the file, making it where there is none. NULL where that fails.
raw_store *raw_open(const char *path, bool tuned);
void raw_close(raw_store *store);

// Makes the table of the items and its indexes as another file has them.
int raw_make_like(raw_store *store, const char *model);
// In one transaction.
int raw_insert(raw_store *store, int64_t account, const raw_item *items, int count);
int raw_upsert(raw_store *store, int64_t account, const raw_item *items, int count);
// In a transaction each. Where `seconds` isn't NULL, it gets what each of them took.
int raw_upsert_singly(raw_store *store, int64_t account, const raw_item *items, int count, double *seconds);
// All rows of the account by their keys, into an array, which is freed again.
int raw_fetch(raw_store *store, int64_t account, int *count);
// Adds up the rows of the account by their keys, one at a time, each as a row of its own.
int raw_stream(raw_store *store, int64_t account, int64_t *sum);
// A row for each key, in one read or in a read each.
int raw_find(raw_store *store, int64_t account, char *const *keys, int count, bool singly, int *found);
// The latest rows of each folder, at most `limit`.
int raw_list(raw_store *store, int64_t account, char *const *folders, int count, int limit, int *found);
// Writes an item, commits, and lists its folder on another connection: how long it took from before the commit.
int raw_commit_and_list(
  raw_store *writer, raw_store *reader, int64_t account, const raw_item *item, int limit, double *seconds);

#endif
