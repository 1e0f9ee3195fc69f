#include "raw_sqlite.h"
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS "id, folder, title, preview, is_read, is_starred, updated_at, score, kind"
#define INSERT "INSERT INTO item (account_key, " COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
#define SET \
  "folder = excluded.folder, title = excluded.title, preview = excluded.preview, is_read = excluded.is_read, " \
  "is_starred = excluded.is_starred, updated_at = excluded.updated_at, score = excluded.score, kind = excluded.kind"
#define DIFFERS(name) "item." name " IS NOT excluded." name
#define UPSERT INSERT " ON CONFLICT (account_key, id) DO UPDATE SET " SET
#define UPSERT_WHERE_DIFFERENT \
  UPSERT " WHERE " DIFFERS("folder") " OR " DIFFERS("title") " OR " DIFFERS("preview") " OR " DIFFERS("is_read") \
  " OR " DIFFERS("is_starred") " OR " DIFFERS("updated_at") " OR " DIFFERS("score") " OR " DIFFERS("kind")
#define ALL "SELECT " COLUMNS " FROM item WHERE account_key = ? ORDER BY id"
#define FIND "SELECT " COLUMNS " FROM item WHERE account_key = ? AND id = ?"
#define LIST \
  "SELECT " COLUMNS " FROM item WHERE account_key = ? AND folder = ? ORDER BY updated_at DESC, id LIMIT ?"

// What Store says of itself in `Connection`, in `PageCache` and in `Checkpointer`.
#define SETTINGS "PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32768"
#define BEFORE_SCAN "PRAGMA cache_size = -2000"
#define AFTER_SCAN "PRAGMA cache_size = -32768"
enum { WORTHWHILE = 1000 };

// Copies the log into the file whenever it is long, as Store's does.
typedef struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  sqlite3 *db;
  int pages, next;
  bool over;
} checkpointer;

struct raw_store {
  sqlite3 *db;
  sqlite3_stmt *begin, *begin_reading, *commit, *insert, *upsert, *all, *find, *list;
  bool tuned;
  checkpointer checkpoints;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int execute(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

static void *copy_log(void *context) {
  checkpointer *c = context;
  pthread_mutex_lock(&c->lock);
  while (!c->over) {
    if (c->pages < c->next) {
      pthread_cond_wait(&c->changed, &c->lock);
      continue;
    }
    pthread_mutex_unlock(&c->lock);
    sqlite3_wal_checkpoint_v2(c->db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    pthread_mutex_lock(&c->lock);
    c->next = c->pages + WORTHWHILE;
  }
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

static int did_commit(void *context, sqlite3 *db, const char *name, int pages) {
  (void)db, (void)name;
  checkpointer *c = context;
  pthread_mutex_lock(&c->lock);
  if (pages < c->pages) c->next = WORTHWHILE;
  c->pages = pages;
  if (pages >= c->next) pthread_cond_signal(&c->changed);
  pthread_mutex_unlock(&c->lock);
  return SQLITE_OK;
}

static int tune(raw_store *s, const char *path) {
  checkpointer *c = &s->checkpoints;
  int code = execute(s->db, SETTINGS);
  if (code == SQLITE_OK) code = sqlite3_open(path, &c->db);
  if (code != SQLITE_OK) return code;
  c->next = WORTHWHILE;
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->changed, NULL);
  sqlite3_wal_hook(s->db, did_commit, c);
  return pthread_create(&c->thread, NULL, copy_log, c);
}

static int prepare(raw_store *s) {
  struct {
    sqlite3_stmt **statement;
    const char *sql;
  } all[] = {
    {&s->begin, "BEGIN IMMEDIATE"},
    {&s->begin_reading, "BEGIN"},
    {&s->commit, "COMMIT"},
    {&s->insert, INSERT},
    {&s->upsert, s->tuned ? UPSERT_WHERE_DIFFERENT : UPSERT},
    {&s->all, ALL},
    {&s->find, FIND},
    {&s->list, LIST},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (*all[i].statement) continue;
    int code = sqlite3_prepare_v3(s->db, all[i].sql, -1, SQLITE_PREPARE_PERSISTENT, all[i].statement, NULL);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

raw_store *raw_open(const char *path, bool tuned) {
  raw_store *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->tuned = tuned;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK
      && execute(s->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL") == SQLITE_OK
      && (!tuned || tune(s, path) == SQLITE_OK)) {
    sqlite3_busy_timeout(s->db, 5000);
    return s;
  }
  sqlite3_close(s->db);
  free(s);
  return NULL;
}

void raw_close(raw_store *s) {
  if (!s) return;
  if (s->tuned) {
    checkpointer *c = &s->checkpoints;
    pthread_mutex_lock(&c->lock);
    c->over = true;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    sqlite3_close(c->db);
  }
  for (sqlite3_stmt *each; (each = sqlite3_next_stmt(s->db, NULL));) sqlite3_finalize(each);
  sqlite3_close(s->db);
  free(s);
}

int raw_make_like(raw_store *s, const char *model) {
  sqlite3 *db;
  sqlite3_stmt *schema = NULL;
  int code = sqlite3_open(model, &db);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(
      db, "SELECT sql FROM sqlite_schema WHERE tbl_name = 'item' AND sql IS NOT NULL", -1, &schema, NULL);
  while (code == SQLITE_OK && sqlite3_step(schema) == SQLITE_ROW)
    code = execute(s->db, (const char *)sqlite3_column_text(schema, 0));
  sqlite3_finalize(schema);
  sqlite3_close(db);
  return code;
}

static int run(sqlite3_stmt *statement) {
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

static const char *const kinds[] = {"primary", "archived", "shared"};

static void bind_text(sqlite3_stmt *s, int index, const char *text) {
  if (text) sqlite3_bind_text(s, index, text, -1, SQLITE_STATIC);
  else sqlite3_bind_null(s, index);
}

static int write_item(sqlite3_stmt *s, int64_t account, const raw_item *item) {
  sqlite3_bind_int64(s, 1, account);
  bind_text(s, 2, item->id);
  bind_text(s, 3, item->folder);
  bind_text(s, 4, item->title);
  bind_text(s, 5, item->preview);
  sqlite3_bind_int(s, 6, item->is_read);
  sqlite3_bind_int(s, 7, item->is_starred);
  sqlite3_bind_int64(s, 8, item->updated_at);
  if (item->has_score) sqlite3_bind_double(s, 9, item->score);
  else sqlite3_bind_null(s, 9);
  bind_text(s, 10, item->kind < RAW_UNKNOWN ? kinds[item->kind] : "unknown");
  return run(s);
}

static int write_all(raw_store *s, sqlite3_stmt *statement, int64_t account, const raw_item *items, int count) {
  int code = run(s->begin);
  for (int i = 0; i < count && code == SQLITE_OK; i++) code = write_item(statement, account, &items[i]);
  return code == SQLITE_OK ? run(s->commit) : code;
}

int raw_insert(raw_store *s, int64_t account, const raw_item *items, int count) {
  int code = prepare(s);
  return code == SQLITE_OK ? write_all(s, s->insert, account, items, count) : code;
}

int raw_upsert(raw_store *s, int64_t account, const raw_item *items, int count) {
  int code = prepare(s);
  return code == SQLITE_OK ? write_all(s, s->upsert, account, items, count) : code;
}

int raw_upsert_singly(raw_store *s, int64_t account, const raw_item *items, int count, double *seconds) {
  int code = prepare(s);
  for (int i = 0; i < count && code == SQLITE_OK; i++) {
    double start = seconds ? now() : 0;
    code = write_all(s, s->upsert, account, &items[i], 1);
    if (seconds) seconds[i] = now() - start;
  }
  return code;
}

static char *text(sqlite3_stmt *s, int index) {
  const unsigned char *bytes = sqlite3_column_text(s, index);
  if (!bytes) return NULL;
  size_t count = (size_t)sqlite3_column_bytes(s, index);
  char *copy = malloc(count + 1);
  if (copy) memcpy(copy, bytes, count + 1);
  return copy;
}

static int kind(sqlite3_stmt *s, int index) {
  const char *name = (const char *)sqlite3_column_text(s, index);
  for (int i = 0; name && i < RAW_UNKNOWN; i++)
    if (strcmp(name, kinds[i]) == 0) return i;
  return RAW_UNKNOWN;
}

static void read_rest(sqlite3_stmt *s, raw_item *item) {
  item->is_read = sqlite3_column_int(s, 4) != 0;
  item->is_starred = sqlite3_column_int(s, 5) != 0;
  item->updated_at = sqlite3_column_int64(s, 6);
  item->has_score = sqlite3_column_type(s, 7) != SQLITE_NULL;
  item->score = item->has_score ? sqlite3_column_double(s, 7) : 0;
  item->kind = kind(s, 8);
}

static void read_item(sqlite3_stmt *s, raw_item *item) {
  item->id = text(s, 0);
  item->folder = text(s, 1);
  item->title = text(s, 2);
  item->preview = text(s, 3);
  read_rest(s, item);
}

static void forget(raw_item *item) {
  free(item->id);
  free(item->folder);
  free(item->title);
  free(item->preview);
}

// The rows that a bound statement finds, which are freed again.
static int take(sqlite3_stmt *s, int *found) {
  int room = 0, count = 0, code;
  raw_item *items = NULL;
  while ((code = sqlite3_step(s)) == SQLITE_ROW) {
    if (count == room) {
      room = room ? room * 2 : 64;
      raw_item *more = realloc(items, (size_t)room * sizeof *items);
      if (!more) break;
      items = more;
    }
    read_item(s, &items[count++]);
  }
  for (int i = 0; i < count; i++) forget(&items[i]);
  free(items);
  *found += count;
  int last = sqlite3_reset(s);
  return code == SQLITE_ROW ? SQLITE_NOMEM : last;
}

int raw_fetch(raw_store *s, int64_t account, int *count) {
  int code = prepare(s);
  if (code != SQLITE_OK) return code;
  *count = 0;
  if (s->tuned) execute(s->db, BEFORE_SCAN);
  sqlite3_bind_int64(s->all, 1, account);
  code = take(s->all, count);
  if (s->tuned) execute(s->db, AFTER_SCAN);
  return code;
}

int raw_stream(raw_store *s, int64_t account, int64_t *sum) {
  int code = prepare(s);
  if (code != SQLITE_OK) return code;
  *sum = 0;
  if (s->tuned) execute(s->db, BEFORE_SCAN);
  sqlite3_bind_int64(s->all, 1, account);
  while (sqlite3_step(s->all) == SQLITE_ROW) {
    raw_item item;
    read_item(s->all, &item);
    *sum += (int64_t)(strlen(item.id) + strlen(item.folder) + strlen(item.title));
    if (item.preview) *sum += (int64_t)strlen(item.preview);
    *sum += item.is_read + item.is_starred + item.kind + (item.updated_at & 1) + (int64_t)item.score;
    forget(&item);
  }
  code = sqlite3_reset(s->all);
  if (s->tuned) execute(s->db, AFTER_SCAN);
  return code;
}

int raw_find(raw_store *s, int64_t account, char *const *keys, int count, bool singly, int *found) {
  int code = prepare(s);
  *found = 0;
  if (code == SQLITE_OK && !singly) code = run(s->begin_reading);
  for (int i = 0; i < count && code == SQLITE_OK; i++) {
    // Plain has no need to begin anything for one statement; Store does, since it can't know that it is one.
    if (singly && s->tuned) run(s->begin_reading);
    sqlite3_bind_int64(s->find, 1, account);
    bind_text(s->find, 2, keys[i]);
    if (sqlite3_step(s->find) == SQLITE_ROW) {
      raw_item item;
      read_item(s->find, &item);
      forget(&item);
      ++*found;
    }
    code = sqlite3_reset(s->find);
    if (singly && s->tuned) run(s->commit);
  }
  return code == SQLITE_OK && !singly ? run(s->commit) : code;
}

static int list(raw_store *s, int64_t account, const char *folder, int limit, int *found) {
  sqlite3_bind_int64(s->list, 1, account);
  bind_text(s->list, 2, folder);
  sqlite3_bind_int(s->list, 3, limit);
  return take(s->list, found);
}

int raw_list(raw_store *s, int64_t account, char *const *folders, int count, int limit, int *found) {
  int code = prepare(s);
  *found = 0;
  if (code == SQLITE_OK) code = run(s->begin_reading);
  for (int i = 0; i < count && code == SQLITE_OK; i++) code = list(s, account, folders[i], limit, found);
  return code == SQLITE_OK ? run(s->commit) : code;
}

int raw_commit_and_list(
  raw_store *writer, raw_store *reader, int64_t account, const raw_item *item, int limit, double *seconds) {
  int code = prepare(writer), found = 0;
  if (code == SQLITE_OK) code = prepare(reader);
  if (code == SQLITE_OK) code = run(writer->begin);
  if (code == SQLITE_OK) code = write_item(writer->upsert, account, item);
  double start = now();
  if (code == SQLITE_OK) code = run(writer->commit);
  if (code == SQLITE_OK) code = list(reader, account, item->folder, limit, &found);
  *seconds = now() - start;
  return code;
}
