/* shakedown show: what a store holds, analysed, or record by record. */
#include "cli/findings.h"
#include "cli/options.h"

#include "harness/remote.h"
#include "results/store.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct show {
  bool records;
  struct shk_arguments arguments;
  struct shk_table table;
  int status;
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

static void add_record(struct shk_table *table, const char *study, const struct shk_cell *cell,
                       const struct shk_record *record, int digits)
{
  char reached[64], value[64];
  const struct shk_outcome *outcome = record != NULL ? &record->outcome : NULL;
  /* The horizon as it was asked for, or how far a run came that stopped early. */
  if (outcome != NULL && outcome->code != SHK_OK)
    shk_number_text(reached, sizeof reached, outcome->reached, digits);
  else
    snprintf(reached, sizeof reached, "%s", outcome != NULL ? cell->until : "");
  const char *fields[] = {study,
                          cell->problem,
                          cell->integrator,
                          cell->precision,
                          cell->step,
                          cell->tolerance,
                          *reached != '\0' ? reached : NULL,
                          record != NULL ? shk_record_status(record) : "not-run",
                          NULL,
                          NULL};
  if (outcome == NULL || outcome->scalar_count == 0)
    shk_table_add(table, fields);
  for (int i = 0; outcome != NULL && i < outcome->scalar_count; i++) {
    shk_number_text(value, sizeof value, outcome->scalars[i].value, digits);
    fields[8] = outcome->scalars[i].name;
    fields[9] = *value != '\0' ? value : NULL;
    shk_table_add(table, fields);
  }
}

/* ---- studies ---- */

static void worse(struct show *show, int status)
{
  /* Something that fell short says more than something that is missing. */
  if (show->status == SHK_EXIT_HELD || (status == SHK_EXIT_SHORT))
    show->status = status;
}

/* False after a complaint. */
static bool show_study(struct show *show, struct shk_store *store,
                       const struct shk_stored_study *stored)
{
  struct shk_message error = {.text = ""};
  struct shk_record **records = NULL;
  const int digits =
      show->arguments.format == SHK_FORMAT_TABLE || show->arguments.format == SHK_FORMAT_LATEX ? 4
                                                                                               : 17;
  struct shk_study *study =
      shk_study_parse(stored->text, strlen(stored->text), stored->path, &error);
  struct shk_plan *plan = study != NULL ? shk_plan_make(study, &error) : NULL;
  const bool good = plan != NULL && shk_store_records(store, &records, plan, &error);
  if (good) {
    struct shk_analysis *analysis =
        shk_analyse(study, plan, (const struct shk_record *const *)records);
    worse(show, shk_analysis_exit_code(analysis));
    if (show->records) {
      for (int i = 0; i < plan->count; i++)
        add_record(&show->table, stored->name, &plan->cells[i].cell, records[i], digits);
    } else {
      shk_findings_add_rows(&show->table, stored->name, analysis, digits, false);
      if (show->arguments.format == SHK_FORMAT_TABLE) {
        shk_table_print(stdout, &show->table, SHK_FORMAT_TABLE);
        shk_findings_print_reasons(analysis);
        shk_table_clear(&show->table);
        shk_findings_init(&show->table);
      }
    }
    shk_analysis_free(analysis);
    shk_records_free(records, plan->count);
  } else {
    shk_complain("the study '%s' in this store: %s", stored->name, error.text);
  }
  shk_plan_free(plan);
  shk_study_free(study);
  return good;
}

static bool is_wanted(const struct show *show, const char *study)
{
  return show->arguments.count < 2 || strcmp(show->arguments.words[1], study) == 0;
}

static int show_store(struct show *show, struct shk_store *store)
{
  struct shk_message error = {.text = ""};
  struct shk_stored_study *studies;
  int count, shown = 0;
  if (!shk_store_studies(store, &studies, &count, &error)) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  bool good = true;
  if (show->records)
    init_records(&show->table);
  else
    shk_findings_init(&show->table);
  for (int i = 0; good && i < count; i++)
    if (is_wanted(show, studies[i].name)) {
      if (shown++ > 0 && !show->records && show->arguments.format == SHK_FORMAT_TABLE)
        putchar('\n');
      good = show_study(show, store, &studies[i]);
    }
  if (good && shown == 0) {
    shk_complain(count == 0 ? "%s holds no study" : "%s holds no study named '%s'",
                 show->arguments.words[0],
                 show->arguments.count > 1 ? show->arguments.words[1] : "");
    good = false;
  }
  if (good && (show->records || show->arguments.format != SHK_FORMAT_TABLE))
    shk_table_print(stdout, &show->table, show->arguments.format);
  shk_table_clear(&show->table);
  shk_stored_studies_free(studies, count);
  return good ? show->status : SHK_EXIT_BAD_INPUT;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct show s = {.status = SHK_EXIT_HELD};
  const struct shk_flag flags[] = {
      {"records", 0, SHK_FLAG_SWITCH, NULL, "one row for each record and measure", &s.records},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&s.arguments, &status, command, flags, 1, 2, argc, argv)) {
    struct shk_message error = {.text = ""};
    struct shk_store *store = NULL;
    status = SHK_EXIT_BAD_INPUT;
    if (shk_use_plugins(&s.arguments)) {
      store = shk_store_open(s.arguments.words[0], SHK_STORE_READ, &error);
      if (store == NULL)
        shk_complain("%s", error.text);
    }
    if (store != NULL) {
      status = show_store(&s, store);
      shk_store_close(store, &error); /* nothing was written */
    }
  }
  shk_arguments_clear(&s.arguments);
  return status;
}

const struct shk_command shk_command_show = {
    .name = "show",
    .synopsis = "STORE [STUDY] [--records]",
    .summary = "Shows what the records of a store say",
    .help = "The analysis is made anew from the records: orders, errors, classes, verdicts. Exit\n"
            "status as that of `run`.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON |
               1u << SHK_FORMAT_LATEX,
    .run = run};
