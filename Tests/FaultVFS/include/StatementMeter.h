// What the statements of a store cost, whoever runs them: counted by SQLite itself, in steps of its virtual machine.
#ifndef FERRY_STATEMENT_METER_H
#define FERRY_STATEMENT_METER_H
#include <stdbool.h>

typedef struct statement_meter statement_meter;

// What one statement has cost since the counts were begun anew.
typedef struct {
  const char *sql;
  long long runs;
  long long steps;
  // Steps of a table or an index from its one end to the other.
  long long scanned;
  long long sorts;
  // Rows of indexes that were made for the statement alone.
  long long indexed;
} statement_cost;

// Meters every connection that is opened, from now on, to a file below a folder. NULL where there is no memory.
statement_meter *statement_meter_make(const char *folder);
// Every connection that it meters is closed.
void statement_meter_free(statement_meter *meter);
void statement_meter_begin(statement_meter *meter);
int statement_meter_count(statement_meter *meter);
// The cost of a statement, by number; its text lives until the counts are begun anew.
statement_cost statement_meter_cost(statement_meter *meter, int number);

#endif
