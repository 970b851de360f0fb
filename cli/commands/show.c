/* shakedown show: prints the contents of a store, either after analysis or record by record. */
#include "cli/shared/options.h"
#include "cli/shared/output/findings_table.h"
#include "cli/shared/output/latex_tables.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/load_studies.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "results/record/cell_text.h"
#include <stdlib.h>
#include <string.h>

/* Types of tables with one row per number in a store, meant for other programs. */
enum rows {
  ROWS_NONE,    /* none of the types below; the findings are shown */
  ROWS_CELLS,   /* the status of each cell and the reason for it */
  ROWS_RECORDS, /* every number in every record */
  ROWS_ERRORS,  /* the error of each block at each sample time */
  ROWS_SERIES   /* every interval of every series */
};

struct show {
  struct shk_arguments arguments;
  bool cells, records, errors, series, values;
  struct shk_words quantities; /* prefixes of quantity names; if empty, all quantities are shown */
  const char *row, *width;     /* layout of LaTeX tables; NULL selects the default */
  struct shk_latex_layout layout;
  struct shk_table table;
  int shown; /* number of studies, or of LaTeX tables, printed so far */
};

/* Returns the type of rows to print. If several options are given, the one that comes last in `enum
 * rows` takes precedence. */
static enum rows rows_of(const struct show *show)
{
  return show->series    ? ROWS_SERIES
         : show->errors  ? ROWS_ERRORS
         : show->records ? ROWS_RECORDS
         : show->cells   ? ROWS_CELLS
                         : ROWS_NONE;
}

/* ---- one row per number ---- */

/* Initializes the table with seven columns for the cell, followed by up to five columns for the
 * given type of rows. */
static void init_rows(struct shk_table *table, enum rows rows)
{
#define CELL "study|problem|integrator|precision|>step|>tolerance|>until|"
  static const char *const columns[] = {[ROWS_CELLS] =
                                            CELL "status|>reached|>seconds|solver|reason",
                                        [ROWS_RECORDS] = CELL "status|quantity|>value",
                                        [ROWS_ERRORS] = CELL ">time|block|>error|>reference_error",
                                        [ROWS_SERIES] = CELL "series|>time|>least|>mean|>largest"};
  shk_columns(table, columns[rows]);
}

/* The table to fill in, the values with which every row begins, and the number of digits. */
struct place {
  struct shk_table *table;
  const char *study, *problem;
  const struct shk_cell *cell;
  int digits;
};

static void add_show(const struct place *place, const char *a, const char *b, const char *c,
                     const char *d, const char *e)
{
  const struct shk_cell *const cell = place->cell;
  const char *fields[] = {place->study,
                          place->problem,
                          cell->integrator,
                          cell->precision,
                          cell->step,
                          cell->tolerance,
                          cell->until,
                          a,
                          b,
                          c,
                          d,
                          e};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    fields[i] = fields[i] && *fields[i] != '\0' ? fields[i] : NULL;
  shk_table_add(place->table, fields);
}

static void add_cell(const struct place *place, const struct shk_record *record)
{
  char reached[64] = "", seconds[64] = "", reason[SHK_MESSAGE_SIZE] = "";
  if (record && record->outcome.code != SHK_OK) /* a run that stopped early */
    shk_number_text(reached, sizeof reached, record->outcome.reached, place->digits);
  else if (record)
    snprintf(reached, sizeof reached, "%s", place->cell->until);
  if (record)
    shk_number_text(seconds, sizeof seconds, record->seconds, place->digits);
  if (record && !shk_record_finished(record))
    shk_record_reason(reason, sizeof reason, record);
  add_show(place, shk_record_status(record), reached, seconds,
           record ? shk_solver_name(record->outcome.solver) : NULL, reason);
}

/* Adds the numbers or the series of an outcome, which is that of the cell or of one of its members.
 * `outcome` is NULL if the cell was not run. */
static void add_outcome(const struct place *place, enum rows rows,
                        const struct shk_outcome *outcome, const char *status)
{
  const int scalars = outcome && rows == ROWS_RECORDS ? outcome->scalar_count : 0;
  const int series = outcome && rows == ROWS_SERIES ? outcome->series_count : 0;
  char texts[4][64];
  if (rows == ROWS_RECORDS && scalars == 0)
    add_show(place, status, NULL, NULL, NULL, NULL);
  for (int i = 0; i < scalars; i++) {
    shk_number_text(texts[0], sizeof texts[0], outcome->scalars[i].value, place->digits);
    add_show(place, status, outcome->scalars[i].name, texts[0], NULL, NULL);
  }
  for (int i = 0; i < series; i++) {
    const struct shk_series *const one = &outcome->series[i];
    for (int k = 0; k < one->count; k++) {
      const double *const numbers[] = {one->time, one->minimum, one->mean, one->maximum};
      for (int j = 0; j < 4; j++)
        shk_number_text(texts[j], sizeof texts[j], numbers[j][k], place->digits);
      add_show(place, one->name, texts[0], texts[1], texts[2], texts[3]);
    }
  }
}

/* Adds the rows for a record, which is NULL if the cell was not run. Except with ROWS_CELLS, rows
 * are also added for each member of a cell. They are listed under the member's problem. */
static void add_record(struct place *place, enum rows rows, const struct shk_record *record)
{
  const struct shk_cell *const cell = place->cell;
  const struct shk_outcome *const outcome = record ? &record->outcome : NULL;
  char *problem = shk_cell_problem(cell);
  place->problem = problem;
  if (rows == ROWS_CELLS)
    add_cell(place, record);
  else
    add_outcome(place, rows, outcome, shk_record_status(record));
  const int members = outcome && rows != ROWS_CELLS ? outcome->member_count : 0;
  for (int i = 0; i < members && i < cell->member_count; i++) {
    free(problem);
    place->problem = problem = shk_member_problem(cell, i);
    add_outcome(place, rows, &outcome->members[i], shk_code_name(outcome->members[i].code));
  }
  free(problem);
}

static void add_error(void *user, const struct shk_error *error)
{
  struct place *const place = user;
  char texts[2][64];
  place->cell = error->cell;
  place->problem = error->problem;
  shk_number_text(texts[0], sizeof texts[0], error->error, place->digits);
  shk_number_text(texts[1], sizeof texts[1], error->reference_error, place->digits);
  add_show(place, error->time, error->block, texts[0], texts[1], NULL);
}

static void add_rows(struct shk_table *table, enum rows rows, const struct shk_study_job *loaded,
                     int digits)
{
  struct place place = {.table = table, .study = loaded->study->name, .digits = digits};
  if (rows == ROWS_ERRORS) {
    shk_each_error(loaded->plan, loaded->records, add_error, &place);
    return;
  }
  for (int i = 0; i < loaded->plan->count; i++) {
    const unsigned parts = rows == ROWS_SERIES ? SHK_PART_SERIES : 0u;
    place.cell = &loaded->plan->cells[i].cell;
    add_record(&place, rows, loaded->records->take(loaded->records, i, parts));
    loaded->records->put_back(loaded->records, i);
  }
}

/* ---- studies ---- */

/* Returns true if the output consists of LaTeX tables of methods × problems. */
static bool has_grids(const struct show *show)
{
  return show->arguments.format == SHK_FORMAT_LATEX && rows_of(show) == ROWS_NONE && !show->values;
}

static struct shk_asked asked_of(const struct show *show)
{
  return (struct shk_asked){show->quantities.count, show->quantities.all};
}

/* Parses --rows and --width. On failure, prints an error message and returns false. */
static bool read_layout(struct show *show)
{
  char *end = NULL;
  show->layout = (struct shk_latex_layout){.asked = asked_of(show), .width = 8.6};
  if ((show->row || show->width) && !has_grids(show))
    return shk_complain("--%s: needs --format latex, for tables of methods and problems",
                        show->row ? "rows" : "width");
  if (show->row && strcmp(show->row, "methods") != 0 && strcmp(show->row, "problems") != 0)
    return shk_complain("--rows: found '%s', expected methods or problems", show->row);
  show->layout.problems_in_rows = show->row && strcmp(show->row, "problems") == 0;
  if (show->width)
    show->layout.width = strtod(show->width, &end);
  return (show->layout.width >= 4 && show->layout.width <= 100 && (!end || *end == '\0')) ||
         shk_complain("--width: found '%s', expected a width in cm, from 4 to 100", show->width);
}

/* Returns the number of cells without a record. Each such cell causes a failed finding, so no
 * records need to be read if there are no failed findings. */
static int count_missing(const struct shk_study_job *loaded)
{
  int missing = 0, failed = 0;
  for (int i = 0; i < loaded->analysis->finding_count; i++)
    failed += loaded->analysis->findings[i].verdict == SHK_VERDICT_FAILED;
  for (int i = 0; failed > 0 && i < loaded->plan->count; i++) {
    missing += !loaded->records->take(loaded->records, i, 0);
    loaded->records->put_back(loaded->records, i);
  }
  return missing;
}

static void show_for_people(const struct show *show, const struct shk_study_job *loaded)
{
  const int missing = count_missing(loaded);
  const int pending = shk_overview_print(loaded->analysis, !show->values, missing == 0);
  if (missing > 0)
    printf("unfinished: %d of %d cells have run, %d values are open; `shakedown run` continues the "
           "run\n",
           loaded->plan->count - missing, loaded->plan->count, pending);
}

static int show_study(void *user, const struct shk_study_job *loaded, int count)
{
  struct show *show = user;
  const enum shk_format format = show->arguments.format;
  const enum rows rows = rows_of(show);
  const struct shk_asked asked = asked_of(show);
  const bool people = format == SHK_FORMAT_TABLE, latex = format == SHK_FORMAT_LATEX;
  const bool chosen = show->values || show->quantities.count > 0, grids = has_grids(show);
  if (rows != ROWS_NONE)
    add_rows(&show->table, rows, loaded, people || latex ? 4 : 17);
  else if (grids)
    show->shown += shk_latex_tables_print(stdout, loaded->analysis, loaded->study, &show->layout);
  else if (!people || chosen)
    shk_findings_add(&show->table, format, latex && count == 1 ? NULL : loaded->study->name,
                     loaded->analysis, &asked);
  if (grids ? show->shown == 0
            : show->quantities.count > 0 && show->table.row_count + show->table.streamed == 0)
    shk_complain("there are no '%s'; see --values",
                 show->quantities.count > 0 ? show->quantities.all[0] : "values for tables");
  /* On a terminal, every study has its own table, with the reasons below it. */
  if (people && rows == ROWS_NONE) {
    if (show->shown++ > 0)
      putchar('\n');
    if (chosen)
      shk_show_table(&show->table, format);
    if (show->quantities.count == 0)
      show_for_people(show, loaded);
    shk_table_clear(&show->table);
    shk_findings_init(&show->table, format);
  }
  return shk_command_status(loaded, &show->arguments,
                            people && show->quantities.count == 0 ? stdout : NULL);
}

static int run_show(void *self)
{
  struct show *const show = self;
  const struct shk_arguments *const arguments = &show->arguments;
  const enum shk_format format = arguments->format;
  const bool rows = rows_of(show) != ROWS_NONE;
  if (!read_layout(show))
    return SHK_EXIT_BAD_INPUT;
  if (rows)
    init_rows(&show->table, rows_of(show));
  else
    shk_findings_init(&show->table, format);
  shk_table_stream(&show->table, stdout, format);
  const int status = shk_load_studies(arguments, arguments->words[0], arguments->words[1], false,
                                      show_study, show);
  const bool shown = format == SHK_FORMAT_TABLE || has_grids(show);
  if (status != SHK_EXIT_BAD_INPUT && (rows || !shown))
    shk_show_table(&show->table, format);
  return status;
}

static void clear_show(void *self)
{
  shk_table_clear(&((struct show *)self)->table);
}

#define AT(member) offsetof(struct show, member)
static const struct shk_flag flags[] = {
    SHK_SWITCH("cells", 0, AT(cells),
               "print one row for each cell, with its status and the reason for it"),
    SHK_SWITCH("records", 0, AT(records), "print one row for each number of each record"),
    SHK_SWITCH("errors", 0, AT(errors), "print one row for the error of each block at each sample"),
    SHK_SWITCH("series", 0, AT(series), "print one row for each interval of the series along runs"),
    SHK_SWITCH("values", 0, AT(values),
               "print one row for each analysed value (always so in csv and json)"),
    SHK_OPTION(WORDS, "quantity", 0, AT(quantities), "TEXT",
               "print only analysed values whose quantity begins with TEXT, such as \"order of "
               "q\"; may be repeated"),
    SHK_OPTION(TEXT, "rows", 0, AT(row), "WHAT",
               "the rows of LaTeX tables: methods (default) or problems"),
    SHK_OPTION(TEXT, "width", 0, AT(width), "CM",
               "the width of LaTeX tables in cm (default 8.6, one column)"),
    {0}};

const struct shk_command shk_command_show = {
    .name = "show",
    .synopsis = "STORE [STUDY] [--values | --cells | --records | --errors | --series]",
    .summary = "Shows the results in a store",
    .help =
        "Shows the results as `run` found them, or recomputes them if the underlying data\n"
        "have changed. A number in parentheses is the half-width in units of the last digit,\n"
        "as in 2.0008(8). A \"!\" follows falsified values, and a \"?\" undecided ones. In LaTeX,\n"
        "each quantity has a table of methods and problems, with footnotes for falsified and\n"
        "undecided values; use --values to get rows instead. The exit status is the same as\n"
        "for `run`.",
    .formats = SHK_DATA | 1 << SHK_FORMAT_LATEX,
    .line = {1, 2, SHK_TAKES_FILES, flags},
    .does = {sizeof(struct show), run_show, clear_show}};
