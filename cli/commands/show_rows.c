/* Tables with a row for each number. See show_rows.h. */
#include "cli/commands/show_rows.h"

#include "foundation/memory.h"
#include "harness/analysis/analysis.h"
#include "results/record/cell_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every table begins with the columns of the cell and continues with its own. */
enum { CELL_COLUMNS = 7, MOST_COLUMNS = 12 };

void shk_rows_init(struct shk_table *table, enum shk_rows rows)
{
#define CELL "study|problem|integrator|precision|>step|>tolerance|>until|"
  static const char *const columns[] = {
      [SHK_ROWS_CELLS] = CELL "status|>reached|>seconds|reason",
      [SHK_ROWS_RECORDS] = CELL "status|quantity|>value",
      [SHK_ROWS_ERRORS] = CELL ">time|block|>error|>reference_error",
      [SHK_ROWS_SERIES] = CELL "series|>time|>least|>mean|>largest"};
  shk_columns(table, columns[rows]);
}

/* The table to fill, and the values that every row begins with. */
struct place {
  struct shk_table *table;
  const char *study, *problem;
  const struct shk_cell *cell;
  int digits;
};

static void add(const struct place *place, const char *const own[MOST_COLUMNS - CELL_COLUMNS])
{
  const struct shk_cell *const cell = place->cell;
  const char *fields[MOST_COLUMNS] = {place->study,    place->problem, cell->integrator,
                                      cell->precision, cell->step,     cell->tolerance,
                                      cell->until};
  for (int i = 0; i < MOST_COLUMNS - CELL_COLUMNS; i++)
    fields[CELL_COLUMNS + i] = own[i] && *own[i] != '\0' ? own[i] : NULL;
  shk_table_add(place->table, fields);
}

/* The horizon as requested, or the time reached by a run that stopped early. */
static void reached_text(char text[64], const struct place *place,
                         const struct shk_outcome *outcome)
{
  if (outcome && outcome->code != SHK_OK)
    shk_number_text(text, 64, outcome->reached, place->digits);
  else
    snprintf(text, 64, "%s", outcome ? place->cell->until : "");
}

static void add_cell(const struct place *place, const struct shk_record *record)
{
  char reached[64], seconds[64] = "", reason[320] = "";
  reached_text(reached, place, record ? &record->outcome : NULL);
  if (record)
    shk_number_text(seconds, sizeof seconds, record->seconds, place->digits);
  if (record && !shk_record_finished(record))
    shk_record_reason(reason, sizeof reason, record);
  add(place, (const char *const[MOST_COLUMNS - CELL_COLUMNS]){shk_record_status(record), reached,
                                                              seconds, reason});
}

/* Adds the numbers of one outcome, of the cell or of one of its members. NULL: not run. */
static void add_scalars(const struct place *place, const struct shk_outcome *outcome,
                        const char *status)
{
  char value[64];
  const char *own[MOST_COLUMNS - CELL_COLUMNS] = {status};
  if (!outcome || outcome->scalar_count == 0)
    add(place, own);
  for (int i = 0; outcome && i < outcome->scalar_count; i++) {
    shk_number_text(value, sizeof value, outcome->scalars[i].value, place->digits);
    own[1] = outcome->scalars[i].name;
    own[2] = value;
    add(place, own);
  }
}

static void add_series(const struct place *place, const struct shk_outcome *outcome)
{
  for (int i = 0; outcome && i < outcome->series_count; i++) {
    const struct shk_series *const series = &outcome->series[i];
    for (int k = 0; k < series->count; k++) {
      const double numbers[] = {series->time[k], series->minimum[k], series->mean[k],
                                series->maximum[k]};
      char texts[4][64];
      for (int j = 0; j < 4; j++)
        shk_number_text(texts[j], sizeof texts[j], numbers[j], place->digits);
      add(place, (const char *const[MOST_COLUMNS - CELL_COLUMNS]){series->name, texts[0], texts[1],
                                                                  texts[2], texts[3]});
    }
  }
}

static void add_outcome(const struct place *place, enum shk_rows rows,
                        const struct shk_outcome *outcome, const char *status)
{
  if (rows == SHK_ROWS_RECORDS)
    add_scalars(place, outcome, status);
  else
    add_series(place, outcome);
}

/* Adds the rows of a record. A cell with members has rows of its own, and so has each member, under
 * its own problem. */
static void add_record(struct place *place, enum shk_rows rows, const struct shk_record *record)
{
  const struct shk_cell *const cell = place->cell;
  const struct shk_outcome *const outcome = record ? &record->outcome : NULL;
  char *problem = cell->member_count > 0 ? shk_cell_problem(cell) : shk_copy_text(cell->problem);
  place->problem = problem;
  if (rows == SHK_ROWS_CELLS)
    add_cell(place, record);
  else
    add_outcome(place, rows, outcome, shk_record_status(record));
  free(problem);
  for (int i = 0;
       rows != SHK_ROWS_CELLS && outcome && i < outcome->member_count && i < cell->member_count;
       i++) {
    problem = shk_member_problem(&cell->members[i]);
    place->problem = problem;
    add_outcome(place, rows, &outcome->members[i], shk_code_name(outcome->members[i].code));
    free(problem);
  }
}

static void add_error(void *user, const struct shk_error *error)
{
  struct place *const place = user;
  char texts[2][64];
  place->cell = error->cell;
  place->problem = error->problem;
  shk_number_text(texts[0], sizeof texts[0], error->error, place->digits);
  shk_number_text(texts[1], sizeof texts[1], error->reference_error, place->digits);
  add(place, (const char *const[MOST_COLUMNS - CELL_COLUMNS]){error->time, error->block, texts[0],
                                                              texts[1]});
}

void shk_rows_add(struct shk_table *table, enum shk_rows rows, const struct shk_study_job *loaded,
                  int digits)
{
  struct place place = {.table = table, .study = loaded->study->name, .digits = digits};
  if (rows == SHK_ROWS_ERRORS) {
    shk_each_error(loaded->plan, loaded->records, add_error, &place);
    return;
  }
  for (int i = 0; i < loaded->plan->count; i++) {
    const unsigned parts = rows == SHK_ROWS_SERIES ? SHK_PART_SERIES : 0u;
    place.cell = &loaded->plan->cells[i].cell;
    add_record(&place, rows, loaded->records->take(loaded->records, i, parts));
    loaded->records->put_back(loaded->records, i);
  }
}
