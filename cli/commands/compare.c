/* shakedown compare: what differs between two stores. */
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/load_studies.h"

#include "foundation/memory.h"
#include "harness/analysis/families/family.h"
#include "harness/check/compare.h"
#include "harness/check/timing.h"
#include "results/record/cell_text.h"
#include <stdlib.h>
#include <string.h>

/* What may change numbers, whether or not it is part of a record's key. */
enum { FACTS = 9 };
static const char *const fact_names[FACTS] = {"version",  "revision",  "sources",
                                              "compiler", "flags",     "processor",
                                              "system",   "libraries", "plug-ins"};

/* The seconds of one cell. */
struct timed {
  char *text;  /* the cell's */
  char *group; /* integrator and precision */
  double seconds;
};

struct side {
  const char *path;
  int study_count, timed_count;
  struct shk_baseline *studies; /* they own the names of studies */
  struct timed *timed;          /* sorted by text when it is complete */
  char *facts[FACTS];           /* the distinct values of its records, separated by "; " */
  long *rows;                   /* rows of provenance that are in the facts */
  int row_count;
};

/* ---- reading a side ---- */

static void add_fact(char **fact, const char *value)
{
  const char *text = value != NULL && *value != '\0' ? value : "none";
  if (!*fact) {
    *fact = shk_copy_text(text);
    return;
  }
  /* Whether it is one of those between the "; " already. */
  const size_t length = strlen(text);
  for (const char *at = *fact; at; at = strstr(at, "; ")) {
    at += at == *fact ? 0 : 2;
    if (strncmp(at, text, length) == 0 &&
        (at[length] == '\0' || strncmp(at + length, "; ", 2) == 0))
      return;
  }
  shk_append_text(fact, "; %s", text);
}

static bool add_provenance(struct side *side, struct shk_store *store, long row,
                           struct shk_message *error)
{
  for (int i = 0; i < side->row_count; i++)
    if (side->rows[i] == row)
      return true;
  side->rows = shk_grow(side->rows, (size_t)side->row_count, sizeof *side->rows);
  side->rows[side->row_count++] = row;
  struct shk_provenance p;
  if (!shk_store_provenance(store, &p, row, error))
    return false;
  const char *const values[FACTS] = {p.version,   p.revision, p.source,    p.compiler, p.flags,
                                     p.processor, p.system,   p.libraries, p.plugins};
  for (int i = 0; i < FACTS; i++)
    add_fact(&side->facts[i], values[i]);
  shk_provenance_clear(&p);
  return true;
}

static void add_timed(struct side *side, const struct shk_cell *cell,
                      const struct shk_record *record)
{
  const double seconds = shk_recorded(&record->outcome, SHK_QUANTITY_CPU_SECONDS, NULL);
  if (!shk_record_finished(record) || !(seconds > 0))
    return;
  side->timed = shk_grow(side->timed, (size_t)side->timed_count, sizeof *side->timed);
  side->timed[side->timed_count++] = (struct timed){
      shk_cell_text(cell), shk_print_text("%s in %s", cell->integrator, cell->precision), seconds};
}

static int read_study(void *user, const struct shk_loaded_study *loaded, int count)
{
  struct side *side = user;
  struct shk_message error = {.text = ""};
  (void)count;
  for (int i = 0; i < loaded->plan->count; i++) {
    const struct shk_record *record = loaded->records->take(loaded->records, i, 0);
    const bool ok = !record || record->provenance <= 0 ||
                    add_provenance(side, loaded->store, record->provenance, &error);
    if (ok && record && loaded->plan->cells[i].role == SHK_ROLE_MEASURED)
      add_timed(side, &loaded->plan->cells[i].cell, record);
    loaded->records->put_back(loaded->records, i);
    if (!ok) {
      shk_complain("%s: %s", side->path, error.text);
      return SHK_EXIT_BAD_INPUT;
    }
  }
  side->studies = shk_grow(side->studies, (size_t)side->study_count, sizeof *side->studies);
  shk_baseline_make(&side->studies[side->study_count++], loaded->study->name, loaded->analysis,
                    false);
  return SHK_EXIT_HELD;
}

static int compare_timed(const void *a, const void *b)
{
  return strcmp(((const struct timed *)a)->text, ((const struct timed *)b)->text);
}

static bool read_side(const struct shk_arguments *arguments, struct side *side, const char *path,
                      const char *study)
{
  side->path = path;
  if (shk_load_studies(arguments, path, study, false, read_study, side) != SHK_EXIT_HELD)
    return false;
  if (side->timed_count > 1)
    qsort(side->timed, (size_t)side->timed_count, sizeof *side->timed, compare_timed);
  return true;
}

static void clear_side(struct side *side)
{
  for (int i = 0; i < side->study_count; i++)
    shk_baseline_clear(&side->studies[i]);
  for (int i = 0; i < side->timed_count; i++) {
    free(side->timed[i].text);
    free(side->timed[i].group);
  }
  for (int i = 0; i < FACTS; i++)
    free(side->facts[i]);
  free(side->studies);
  free(side->timed);
  free(side->rows);
}

/* ---- output ---- */

static void show_facts(const struct side *a, const struct side *b)
{
  struct shk_table table;
  const char *const names[] = {"provenance", a->path, b->path};
  shk_table_init(&table, 3, names, NULL);
  for (int i = 0; i < FACTS; i++)
    if (a->facts[i] && b->facts[i] && strcmp(a->facts[i], b->facts[i]) != 0)
      shk_table_add(&table, (const char *const[]){fact_names[i], a->facts[i], b->facts[i]});
  if (table.row_count > 0)
    shk_show_table(&table, SHK_FORMAT_TABLE);
  else
    puts("The records of both were made by the same program on the same machine.");
  putchar('\n');
  shk_table_clear(&table);
}

/* Seconds of the cells that both have. */
static void show_seconds(const struct side *a, const struct side *b)
{
  struct shk_timing *timings = shk_allocate((size_t)a->timed_count, sizeof *timings);
  int count = 0;
  for (int i = 0; i < a->timed_count; i++) {
    const struct timed *here = &a->timed[i];
    const struct timed *there = b->timed_count > 0 ? bsearch(here, b->timed, (size_t)b->timed_count,
                                                             sizeof *b->timed, compare_timed)
                                                   : NULL;
    /* A cell of several studies counts once. */
    if (there && (i == 0 || strcmp(here->text, here[-1].text) != 0))
      timings[count++] =
          (struct shk_timing){here->group, here->text, here->seconds, there->seconds};
  }
  if (count > 0) {
    puts("seconds, which depend on the machine and the day:");
    shk_timing_print(stdout, "  ", timings, count);
    putchar('\n');
  }
  free(timings);
}

static void show_changes(const struct shk_comparison *comparison, const char *study)
{
  for (int i = 0; i < comparison->count; i++) {
    const struct shk_compared *row = &comparison->rows[i];
    if (row->change == SHK_CHANGE_NONE)
      continue;
    shk_print_plain(stdout, row->sentence);
    fputs(": ", stdout);
    shk_print_plain(stdout, row->cause);
    putchar('\n');
  }
  const int *counts = comparison->counts;
  shk_print_plain(stdout, study);
  printf(": %d values within their bands, %d regressed, %d improved, %d changed, %d missing, %d "
         "new\n",
         counts[SHK_CHANGE_NONE] + counts[SHK_CHANGE_NOTED], counts[SHK_CHANGE_REGRESSED],
         counts[SHK_CHANGE_IMPROVED], counts[SHK_CHANGE_CHANGED], counts[SHK_CHANGE_MISSING],
         counts[SHK_CHANGE_NEW] + counts[SHK_CHANGE_NEW_BAD]);
}

static void add_rows(struct shk_table *table, const char *study,
                     const struct shk_comparison *comparison)
{
  for (int i = 0; i < comparison->count; i++) {
    const struct shk_compared *row = &comparison->rows[i];
    const struct shk_baseline_value *v = row->was ? row->was : row->is;
    char texts[2][64], band[128];
    const struct shk_baseline_value *const both[2] = {row->was, row->is};
    for (int k = 0; k < 2; k++) {
      const struct shk_baseline_value *one = both[k];
      texts[k][0] = '\0';
      if (one && one->word)
        snprintf(texts[k], sizeof texts[k], "%s", one->word);
      else if (one)
        shk_number_text(texts[k], sizeof texts[k], one->value, 17);
    }
    shk_band_text(band, sizeof band, &v->band);
    shk_table_add(table, (const char *const[]){study, v->problem, v->integrator, v->precision,
                                               v->quantity, *texts[0] != '\0' ? texts[0] : NULL,
                                               *texts[1] != '\0' ? texts[1] : NULL, band,
                                               shk_change_word(row->change)});
  }
}

/* ---- the comparison ---- */

static const struct shk_baseline *find(const struct side *side, const char *study)
{
  for (int i = 0; i < side->study_count; i++)
    if (strcmp(side->studies[i].study, study) == 0)
      return &side->studies[i];
  return NULL;
}

static int compare(const struct side *a, const struct side *b, enum shk_format format)
{
  static const char *const names[] = {"study", "problem", "integrator", "precision", "quantity",
                                      "a",     "b",       "band",       "change"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT,  SHK_ALIGN_LEFT, SHK_ALIGN_LEFT,
                                             SHK_ALIGN_LEFT,  SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT,
                                             SHK_ALIGN_RIGHT, SHK_ALIGN_LEFT, SHK_ALIGN_LEFT};
  const bool people = format == SHK_FORMAT_TABLE;
  struct shk_table table;
  int status = SHK_EXIT_HELD, common = 0;
  shk_table_init(&table, sizeof names / sizeof names[0], names, sides);
  if (people)
    show_facts(a, b);
  for (int i = 0; i < a->study_count; i++) {
    const struct shk_baseline *was = &a->studies[i], *is = find(b, was->study);
    if (!is)
      continue;
    struct shk_comparison comparison;
    shk_compare(&comparison, was, is);
    if (people)
      show_changes(&comparison, was->study);
    else
      add_rows(&table, was->study, &comparison);
    const int its = shk_comparison_exit_code(&comparison);
    /* What changed says more than what is missing. */
    if (its == SHK_EXIT_SHORT || status == SHK_EXIT_HELD)
      status = its;
    shk_comparison_clear(&comparison);
    common++;
  }
  if (common == 0) {
    shk_complain("%s and %s have no study in common", a->path, b->path);
    status = SHK_EXIT_BAD_INPUT;
  } else if (people) {
    putchar('\n');
    show_seconds(a, b);
  } else {
    shk_show_table(&table, format);
  }
  for (int k = 0; k < 2; k++) {
    const struct side *one = k ? b : a, *other = k ? a : b;
    for (int i = 0; i < one->study_count; i++)
      if (common > 0 && !find(other, one->studies[i].study))
        shk_complain("only %s has the study '%s'", one->path, one->studies[i].study);
  }
  shk_table_clear(&table);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct shk_arguments arguments;
  const struct shk_flag flags[] = {SHK_FILES_FLAG(&arguments),
                                   {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&arguments, &status, command, flags, 2, 3, argc, argv)) {
    struct side a = {.path = NULL}, b = {.path = NULL};
    const char *study = arguments.count > 2 ? arguments.words[2] : NULL;
    status = SHK_EXIT_BAD_INPUT;
    if (shk_use_plugins(&arguments) && read_side(&arguments, &a, arguments.words[0], study) &&
        read_side(&arguments, &b, arguments.words[1], study))
      status = compare(&a, &b, arguments.format);
    clear_side(&a);
    clear_side(&b);
  }
  shk_arguments_clear(&arguments);
  return status;
}

const struct shk_command shk_command_compare = {
    .name = "compare",
    .synopsis = "STORE-A STORE-B [STUDY]",
    .summary = "Shows what differs between two stores: versions, machines, compilers",
    .help = "First where the records come from, then each value of the studies that both have and\n"
            "that is beyond the band that a baseline of the first would give it, then seconds as\n"
            "ratios, with outliers. Exit status 1: something is beyond its band; 3: only because\n"
            "cells failed.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};
