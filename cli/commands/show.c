/* shakedown show: the contents of a store, analysed or record by record. */
#include "cli/commands/show_rows.h"
#include "cli/shared/options.h"
#include "cli/shared/output/findings_table.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/load_studies.h"

#include "foundation/memory.h"
#include <stdlib.h>

struct show {
  struct shk_arguments arguments;
  bool cells, records, errors, series, values, each;
  const char *quantity; /* a prefix of its name; NULL: all */
  struct shk_table table;
  int shown; /* number of studies printed so far */
};

/* The kind of rows to print; of several options the last in this list counts. */
static enum shk_rows rows_of(const struct show *show)
{
  return show->series    ? SHK_ROWS_SERIES
         : show->errors  ? SHK_ROWS_ERRORS
         : show->records ? SHK_ROWS_RECORDS
         : show->cells   ? SHK_ROWS_CELLS
                         : SHK_ROWS_NONE;
}

/* ---- studies ---- */

/* Counts the cells of the plan without a record. Failures are counted elsewhere. */
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
  const enum shk_tables tables = show->values ? SHK_TABLES_NONE
                                 : show->each ? SHK_TABLES_EACH
                                              : SHK_TABLES;
  const int missing = count_missing(loaded);
  if (missing == 0) {
    shk_overview_print(loaded->analysis, tables);
    return;
  }
  const int pending = shk_overview_print_unfinished(loaded->analysis, tables);
  printf("unfinished: %d of %d cells, %d values open; `shakedown run` continues this store\n",
         loaded->plan->count - missing, loaded->plan->count, pending);
}

static int show_study(void *user, const struct shk_study_job *loaded, int count)
{
  struct show *show = user;
  const enum shk_format format = show->arguments.format;
  const bool rounded = format == SHK_FORMAT_TABLE || format == SHK_FORMAT_LATEX;
  const char *name = loaded->study->name;
  if (rows_of(show) != SHK_ROWS_NONE) {
    shk_rows_add(&show->table, rows_of(show), loaded, rounded ? 4 : 17);
  } else if (format == SHK_FORMAT_LATEX && !show->values && !show->quantity) {
    shk_overview_print_latex(loaded->analysis, loaded->study);
  } else {
    const bool wanted = format != SHK_FORMAT_TABLE || show->values || show->quantity;
    if (format == SHK_FORMAT_LATEX)
      shk_findings_add_measured(&show->table, count > 1 ? name : NULL, loaded->analysis,
                                show->quantity);
    else if (wanted)
      shk_findings_add_rows(&show->table, name, loaded->analysis, show->quantity, rounded ? 4 : 17);
    /* In tables for a terminal every study has its own, with the reasons below them. */
    if (format == SHK_FORMAT_TABLE) {
      if (count > 1 && show->shown++ > 0)
        putchar('\n');
      if (wanted)
        shk_show_table(&show->table, SHK_FORMAT_TABLE);
      if (!show->quantity)
        show_for_people(show, loaded);
      shk_table_clear(&show->table);
      shk_findings_init(&show->table, format);
    }
  }
  return shk_analysis_exit_code(loaded->analysis);
}

static int run(void *self)
{
  struct show *const show = self;
  const struct shk_arguments *const arguments = &show->arguments;
  const bool rows = rows_of(show) != SHK_ROWS_NONE;
  if (rows)
    shk_rows_init(&show->table, rows_of(show));
  else
    shk_findings_init(&show->table, arguments->format);
  shk_table_stream(&show->table, stdout, arguments->format);
  const int status = shk_load_studies(arguments, arguments->words[0], arguments->words[1], false,
                                      show_study, show);
  const bool shown = arguments->format == SHK_FORMAT_TABLE ||
                     (arguments->format == SHK_FORMAT_LATEX && !show->values && !show->quantity);
  if (status != SHK_EXIT_BAD_INPUT && (rows || !shown))
    shk_show_table(&show->table, arguments->format);
  return status;
}

static void clear(void *self)
{
  shk_table_clear(&((struct show *)self)->table);
}

#define AT(member) offsetof(struct show, member)
static const struct shk_flag flags[] = {
    SHK_SWITCH("cells", 0, AT(cells), "one row for each cell: its status, with the reason"),
    SHK_SWITCH("records", 0, AT(records), "one row for each number of each record"),
    SHK_SWITCH("errors", 0, AT(errors), "one row for each error: of each block at each sample"),
    SHK_SWITCH("series", 0, AT(series), "one row for each interval of the series along runs"),
    SHK_SWITCH("values", 0, AT(values), "one row for each analysed value (csv, json: always)"),
    SHK_SWITCH("each-problem", 0, AT(each), "a table for each problem, however many there are"),
    SHK_OPTION(TEXT, "quantity", 0, AT(quantity), "TEXT",
               "only analysed values whose quantity begins with TEXT (\"order of q\")"),
    {.name = NULL}};

const struct shk_command shk_command_show = {
    .name = "show",
    .synopsis = "STORE [STUDY] [--values | --cells | --records | --errors | --series]",
    .summary = "Shows the results in a store",
    .help = "Orders, errors, classes and verdicts, as `run` found them; they are computed again\n"
            "where the data behind them have changed. A number in parentheses is the half-width\n"
            "in the last digits: 2.0008(8). \"!\" follows falsified values, \"?\" undecided ones.\n"
            "In LaTeX there is a table of methods and orders for each problem, unless --values or\n"
            "--quantity ask for rows. Exit status as for `run`.",
    .formats = SHK_DATA | 1 << SHK_FORMAT_LATEX,
    .line = {1, 2, SHK_TAKES_FILES, flags},
    .does = {sizeof(struct show), run, clear}};
