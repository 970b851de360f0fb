/* shakedown show: what a store holds, analysed, or record by record. */
#include "cli/shared/options.h"
#include "cli/shared/output/findings_table.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/load_studies.h"

#include "foundation/memory.h"
#include "harness/run/remote.h"
#include "results/record/cell_text.h"
#include <stdlib.h>

struct show {
  bool records, values;
  const char *quantity; /* a prefix of its name; NULL: all */
  struct shk_arguments arguments;
  struct shk_table table;
  int shown; /* studies */
};

/* ---- one row for each record and measure ---- */

static void init_records(struct shk_table *table)
{
  static const char *const names[] = {"study",     "problem", "integrator", "precision", "step",
                                      "tolerance", "time",    "status",     "measure",   "value"};
  static const enum shk_alignment sides[] = {
      SHK_ALIGN_LEFT,  SHK_ALIGN_LEFT,  SHK_ALIGN_LEFT, SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT,
      SHK_ALIGN_RIGHT, SHK_ALIGN_RIGHT, SHK_ALIGN_LEFT, SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT};
  shk_table_init(table, sizeof names / sizeof names[0], names, sides);
}

/* The rows of one outcome, of the cell or of one of its members. NULL: not run. */
static void add_outcome(struct shk_table *table, const char *study, const struct shk_cell *cell,
                        const char *problem, const struct shk_outcome *outcome, const char *status,
                        int digits)
{
  char reached[64], value[64];
  /* The horizon as asked for, or the time reached by a run that stopped early. */
  if (outcome && outcome->code != SHK_OK)
    shk_number_text(reached, sizeof reached, outcome->reached, digits);
  else
    snprintf(reached, sizeof reached, "%s", outcome ? cell->until : "");
  const char *fields[] = {study,
                          problem,
                          cell->integrator,
                          cell->precision,
                          cell->step,
                          cell->tolerance,
                          *reached != '\0' ? reached : NULL,
                          status,
                          NULL,
                          NULL};
  if (!outcome || outcome->scalar_count == 0)
    shk_table_add(table, fields);
  for (int i = 0; outcome && i < outcome->scalar_count; i++) {
    shk_number_text(value, sizeof value, outcome->scalars[i].value, digits);
    fields[8] = outcome->scalars[i].name;
    fields[9] = *value != '\0' ? value : NULL;
    shk_table_add(table, fields);
  }
}

/* A cell with members has rows of its own, and so has each member, under its own problem. */
static void add_record(struct shk_table *table, const char *study, const struct shk_cell *cell,
                       const struct shk_record *record, int digits)
{
  const struct shk_outcome *outcome = record ? &record->outcome : NULL;
  char *problem = cell->member_count > 0 ? shk_cell_problem(cell) : shk_copy_text(cell->problem);
  add_outcome(table, study, cell, problem, outcome, shk_record_status(record), digits);
  free(problem);
  for (int i = 0; outcome && i < outcome->member_count && i < cell->member_count; i++) {
    problem = shk_member_problem(&cell->members[i]);
    add_outcome(table, study, cell, problem, &outcome->members[i],
                shk_code_name(outcome->members[i].code), digits);
    free(problem);
  }
}

/* ---- studies ---- */

/* Cells of the plan without a record. They are counted where something failed. */
static int count_missing(const struct shk_loaded_study *loaded)
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

static void show_for_people(const struct show *show, const struct shk_loaded_study *loaded)
{
  const int missing = count_missing(loaded);
  shk_overview_print(loaded->analysis, !show->values, missing > 0);
  if (missing > 0)
    printf("unfinished: %d of %d cells; `shakedown run` with the same store goes on\n",
           loaded->plan->count - missing, loaded->plan->count);
}

static int show_study(void *user, const struct shk_loaded_study *loaded, int count)
{
  struct show *show = user;
  const enum shk_format format = show->arguments.format;
  const bool rounded = format == SHK_FORMAT_TABLE || format == SHK_FORMAT_LATEX;
  const char *name = loaded->study->name;
  if (show->records) {
    for (int i = 0; i < loaded->plan->count; i++) {
      add_record(&show->table, name, &loaded->plan->cells[i].cell,
                 loaded->records->take(loaded->records, i, 0), rounded ? 4 : 17);
      loaded->records->put_back(loaded->records, i);
    }
  } else {
    const bool wanted = format != SHK_FORMAT_TABLE || show->values || show->quantity;
    if (format == SHK_FORMAT_LATEX)
      shk_findings_add_measured(&show->table, count > 1 ? name : NULL, loaded->analysis,
                                show->quantity);
    else if (wanted)
      shk_findings_add_rows(&show->table, name, loaded->analysis, show->quantity, rounded ? 4 : 17);
    /* For people every study has its own tables, with the reasons below them. */
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

static int show(struct show *show)
{
  struct shk_arguments *arguments = &show->arguments;
  if (!shk_use_plugins(arguments))
    return SHK_EXIT_BAD_INPUT;
  if (show->records)
    init_records(&show->table);
  else
    shk_findings_init(&show->table, arguments->format);
  shk_table_stream(&show->table, stdout, arguments->format);
  const int status =
      shk_load_studies(arguments, arguments->words[0],
                       arguments->count > 1 ? arguments->words[1] : NULL, false, show_study, show);
  if (status != SHK_EXIT_BAD_INPUT && (show->records || arguments->format != SHK_FORMAT_TABLE))
    shk_show_table(&show->table, arguments->format);
  shk_table_clear(&show->table);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct show s = {.records = false};
  const struct shk_flag flags[] = {
      SHK_FILES_FLAG(&s.arguments),
      {"records", 0, SHK_FLAG_SWITCH, NULL, "one row for each record and measure", &s.records},
      {"values", 0, SHK_FLAG_SWITCH, NULL,
       "one row for each analysed value (csv, json, latex: always)", &s.values},
      {"quantity", 0, SHK_FLAG_TEXT, "TEXT",
       "of the analysed values, those whose quantity begins so (\"order of q\")", &s.quantity},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&s.arguments, &status, command, flags, 1, 2, argc, argv))
    status = show(&s);
  shk_arguments_clear(&s.arguments);
  return status;
}

const struct shk_command shk_command_show = {
    .name = "show",
    .synopsis = "STORE [STUDY] [--values | --records] [--quantity TEXT]",
    .summary = "Shows what the records of a store say",
    .help =
        "What the records say, as `run` found it or, where anything that it was computed from has\n"
        "changed, analysed again: orders, errors, classes, verdicts. A number in parentheses is\n"
        "the half-width in the last digits: 2.0008(8). \"!\" follows what is falsified, \"?\" "
        "what\n"
        "is undecided. Exit status as that of `run`.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON |
               1u << SHK_FORMAT_LATEX,
    .run = run};
