// What Swift can't import from sqlite3.h: variadic functions and cast macros.
#ifndef FERRY_CSQLITE_SHIM_H
#define FERRY_CSQLITE_SHIM_H
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// sqlite3_db_config is variadic; every boolean switch has this one shape.
static inline int ferry_db_switch(sqlite3 *db, int option, int on) {
  int now = -1;
  int code = sqlite3_db_config(db, option, on, &now);
  return code != SQLITE_OK ? code : (now == on ? SQLITE_OK : SQLITE_ERROR);
}

// SQLITE_TRANSIENT is a cast to a function pointer. SQLite copies the bytes.
static inline int ferry_bind_text(sqlite3_stmt *s, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(s, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int ferry_bind_blob(sqlite3_stmt *s, int index, const void *bytes, sqlite3_uint64 count) {
  return count == 0 ? sqlite3_bind_zeroblob(s, index, 0)
                    : sqlite3_bind_blob64(s, index, bytes, count, SQLITE_TRANSIENT);
}
// SQLITE_STATIC, likewise: the bytes stay where they are until the statement is reset.
static inline int ferry_bind_kept_text(sqlite3_stmt *s, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(s, index, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

// A column of the row that a statement stands on, where it has that storage class. To ask the value that
// sqlite3_column_value gives, once, takes less time than three functions of the statement; it asks for one thread
// at a time, which has the connection anyway.
static inline bool ferry_column_text(sqlite3_stmt *s, int index, const unsigned char **bytes, size_t *count) {
  sqlite3_value *value = sqlite3_column_value(s, index);
  if (sqlite3_value_type(value) != SQLITE_TEXT) return false;
  *bytes = sqlite3_value_text(value);
  *count = (size_t)sqlite3_value_bytes(value);
  return *bytes != NULL;
}
static inline bool ferry_column_integer(sqlite3_stmt *s, int index, sqlite3_int64 *integer) {
  sqlite3_value *value = sqlite3_column_value(s, index);
  *integer = sqlite3_value_int64(value);
  return sqlite3_value_type(value) == SQLITE_INTEGER;
}
static inline bool ferry_column_real(sqlite3_stmt *s, int index, double *real) {
  sqlite3_value *value = sqlite3_column_value(s, index);
  if (sqlite3_value_type(value) != SQLITE_FLOAT) return false;
  *real = sqlite3_value_double(value);
  return true;
}

static inline bool ferry_same_bytes(const void *left, const void *right, size_t count) {
  return count == 0 || memcmp(left, right, count) == 0;
}

// The calling thread, told from others for as long as it runs.
static inline unsigned long ferry_thread(void) { return (unsigned long)pthread_self(); }
static inline void ferry_result_text(sqlite3_context *c, const char *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(c, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
