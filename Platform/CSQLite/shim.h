// What Swift can't import from sqlite3.h: variadic functions and cast macros.
#ifndef FERRY_CSQLITE_SHIM_H
#define FERRY_CSQLITE_SHIM_H
#include <sqlite3.h>

// sqlite3_db_config is variadic; every boolean switch has this one shape.
static inline int ferry_db_switch(sqlite3 *db, int option, int on) {
  int now = -1;
  int code = sqlite3_db_config(db, option, on, &now);
  return code != SQLITE_OK ? code : (now == on ? SQLITE_OK : SQLITE_ERROR);
}

// SQLITE_TRANSIENT is a cast to a function pointer. SQLite copies the bytes.
static inline int ferry_bind_text(sqlite3_stmt *s, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(s, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int ferry_bind_blob(sqlite3_stmt *s, int index, const void *bytes, sqlite3_uint64 count) {
  return count == 0 ? sqlite3_bind_zeroblob(s, index, 0)
                    : sqlite3_bind_blob64(s, index, bytes, count, SQLITE_TRANSIENT);
}
static inline void ferry_result_text(sqlite3_context *c, const char *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(c, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
