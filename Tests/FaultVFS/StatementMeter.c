#include "include/StatementMeter.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct statement_meter {
  char *folder;
  statement_cost *costs;
  int count, room;
  statement_meter *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static statement_meter *meters;

static void add(statement_meter *meter, sqlite3_stmt *statement) {
  const char *sql = sqlite3_sql(statement);
  if (sql == NULL) return;
  int place = 0;
  while (place < meter->count && strcmp(meter->costs[place].sql, sql) != 0) place++;
  if (place == meter->count) {
    if (meter->count == meter->room) {
      int room = meter->room == 0 ? 64 : meter->room * 2;
      statement_cost *costs = realloc(meter->costs, (size_t)room * sizeof *costs);
      if (costs == NULL) abort();
      meter->costs = costs;
      meter->room = room;
    }
    memset(&meter->costs[place], 0, sizeof(statement_cost));
    meter->costs[place].sql = strdup(sql);
    if (meter->costs[place].sql == NULL) abort();
    meter->count++;
  }
  statement_cost *cost = &meter->costs[place];
  cost->runs += 1;
  cost->steps += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
  cost->scanned += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);
  cost->sorts += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_SORT, 1);
  cost->indexed += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_AUTOINDEX, 1);
}

// A statement has ended.
static int ended(unsigned kind, void *meter, void *statement, void *time) {
  (void)kind;
  (void)time;
  pthread_mutex_lock(&lock);
  add(meter, statement);
  pthread_mutex_unlock(&lock);
  return 0;
}

// A connection was opened, by anybody in this process.
static int opened(sqlite3 *connection, char **error, const struct sqlite3_api_routines *api) {
  (void)error;
  (void)api;
  const char *file = sqlite3_db_filename(connection, "main");
  pthread_mutex_lock(&lock);
  for (statement_meter *meter = meters; file != NULL && meter != NULL; meter = meter->next)
    if (strncmp(file, meter->folder, strlen(meter->folder)) == 0)
      sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, ended, meter);
  pthread_mutex_unlock(&lock);
  return SQLITE_OK;
}

statement_meter *statement_meter_make(const char *folder) {
  statement_meter *meter = calloc(1, sizeof *meter);
  if (meter == NULL) return NULL;
  meter->folder = strdup(folder);
  if (meter->folder == NULL || sqlite3_auto_extension((void (*)(void))opened) != SQLITE_OK) {
    free(meter->folder);
    free(meter);
    return NULL;
  }
  pthread_mutex_lock(&lock);
  meter->next = meters;
  meters = meter;
  pthread_mutex_unlock(&lock);
  return meter;
}

void statement_meter_begin(statement_meter *meter) {
  pthread_mutex_lock(&lock);
  for (int place = 0; place < meter->count; place++) free((void *)meter->costs[place].sql);
  meter->count = 0;
  pthread_mutex_unlock(&lock);
}

int statement_meter_count(statement_meter *meter) {
  pthread_mutex_lock(&lock);
  int count = meter->count;
  pthread_mutex_unlock(&lock);
  return count;
}

statement_cost statement_meter_cost(statement_meter *meter, int number) {
  pthread_mutex_lock(&lock);
  statement_cost cost = meter->costs[number];
  pthread_mutex_unlock(&lock);
  return cost;
}

void statement_meter_free(statement_meter *meter) {
  statement_meter_begin(meter);
  pthread_mutex_lock(&lock);
  for (statement_meter **place = &meters; *place != NULL; place = &(*place)->next)
    if (*place == meter) {
      *place = meter->next;
      break;
    }
  pthread_mutex_unlock(&lock);
  free(meter->costs);
  free(meter->folder);
  free(meter);
}
