/* shakedown compare: differences between two stores, baselines or revisions of a baseline in
 * git. */
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/sides.h"

#include "foundation/memory.h"
#include "harness/check/check_report.h"
#include <stdlib.h>
#include <string.h>

struct compare {
  struct shk_arguments arguments;
  struct shk_side a, b;
  struct shk_table table; /* the rows as CSV and JSON */
};

/* The texts of an index, separated by "; ". */
static char *joined(const struct shk_index *index)
{
  char *text = shk_copy_text(index->count > 0 ? index->texts[0] : "");
  for (int i = 1; i < index->count; i++)
    shk_append_text(&text, "; %s", index->texts[i]);
  return text;
}

/* Prints the origin of the records of two stores. */
static void show_facts(const struct shk_side *a, const struct shk_side *b)
{
  struct shk_table table;
  const bool both = a->facts[0].count > 0 && b->facts[0].count > 0;
  shk_table_init(&table, 3, (const char *const[]){"provenance", a->name, b->name}, NULL);
  for (int i = 0; i < SHK_PROVENANCE_date; i++) {
    char *const here = joined(&a->facts[i]), *const there = joined(&b->facts[i]);
    if (*here && *there && strcmp(here, there) != 0)
      shk_table_add(&table, (const char *const[]){shk_provenance_texts[i].column, here, there});
    free(here);
    free(there);
  }
  if (table.row_count > 0)
    shk_show_table(&table, SHK_FORMAT_TABLE);
  else if (both)
    puts("The records of both were made by the same program on the same machine.");
  if (both)
    putchar('\n');
  shk_table_clear(&table);
}

static void show_changes(const struct shk_comparison *comparison)
{
  char *const headline = shk_check_headline(comparison);
  shk_say("%s: %s", comparison->study, headline ? headline : "every value is within its band");
  shk_check_print_changes(stdout, "", comparison);
  shk_timing_print(stdout, "", comparison);
  putchar('\n');
  free(headline);
}

static void add_rows(struct shk_table *table, const struct shk_comparison *comparison)
{
  for (int i = 0; i < comparison->count; i++) {
    const struct shk_compared *const row = &comparison->rows[i];
    const struct shk_baseline_value *const v = row->of;
    const struct shk_baseline_value *const both[2] = {row->was, row->is};
    char texts[2][64] = {"", ""}, band[128];
    for (int k = 0; k < 2; k++)
      if (both[k] && both[k]->word)
        snprintf(texts[k], sizeof texts[k], "%s", both[k]->word);
      else if (both[k])
        shk_number_text(texts[k], sizeof texts[k], both[k]->value, 17);
    shk_table_add(table,
                  (const char *const[]){
                      comparison->study, v->problem, v->integrator, v->precision, v->quantity,
                      *texts[0] ? texts[0] : NULL, *texts[1] ? texts[1] : NULL,
                      shk_band_text(band, sizeof band, &v->band), shk_changes[row->change].word});
  }
}

/* Compares a study that both sides have. Returns the exit status. */
static int compare_study(struct compare *c, const struct shk_baseline *was,
                         const struct shk_baseline *is)
{
  struct shk_comparison comparison;
  shk_compare(&comparison, was, is);
  if (c->arguments.format == SHK_FORMAT_TABLE)
    show_changes(&comparison);
  else
    add_rows(&c->table, &comparison);
  const int status = comparison.exit_code;
  shk_comparison_clear(&comparison);
  return status;
}

static int compare(struct compare *c)
{
  int status = SHK_EXIT_HELD, common = 0;
  for (int i = 0; i < c->a.count; i++)
    common += shk_side_study(&c->b, c->a.studies[i].study) != NULL;
  if (common == 0)
    return shk_bad_input("%s and %s have no study in common", c->a.name, c->b.name);
  shk_columns(&c->table, "study|problem|integrator|precision|quantity|>a|>b|band|change");
  if (c->arguments.format == SHK_FORMAT_TABLE)
    show_facts(&c->a, &c->b);
  for (int i = 0; i < c->a.count; i++) {
    const struct shk_baseline *const was = &c->a.studies[i],
                                     *is = shk_side_study(&c->b, was->study);
    const int its = is ? compare_study(c, was, is) : SHK_EXIT_HELD;
    /* A changed value takes precedence over a missing one. */
    if (its == SHK_EXIT_SHORT || status == SHK_EXIT_HELD)
      status = its;
  }
  if (c->arguments.format != SHK_FORMAT_TABLE)
    shk_show_table(&c->table, c->arguments.format);
  for (int k = 0; k < 2; k++) {
    const struct shk_side *const one = k ? &c->b : &c->a, *const other = k ? &c->a : &c->b;
    for (int i = 0; i < one->count; i++)
      if (!shk_side_study(other, one->studies[i].study))
        shk_complain("only %s has the study '%s'", one->name, one->studies[i].study);
  }
  return status;
}

static int run(void *self)
{
  struct compare *const c = self;
  char **const words = c->arguments.words;
  const char *const study = c->arguments.count > 2 ? words[2] : NULL;
  return shk_side_read(&c->a, &c->arguments, words[0], study) &&
                 shk_side_read(&c->b, &c->arguments, words[1], study)
             ? compare(c)
             : SHK_EXIT_BAD_INPUT;
}

static void clear(void *self)
{
  struct compare *const c = self;
  shk_side_clear(&c->a);
  shk_side_clear(&c->b);
  shk_table_clear(&c->table);
}

const struct shk_command shk_command_compare = {
    .name = "compare",
    .synopsis = "A B [STUDY]",
    .summary = "Compares two stores, baselines or revisions of a baseline",
    .help = "A and B are stores, baselines, or REVISION:FILE, a baseline as it is in a revision\n"
            "of git. Prints the provenance of the records of two stores, each value of their\n"
            "common studies outside its band (the baseline's, or that of a baseline made of A),\n"
            "and the ratios of seconds. Exit status 1: a value is outside its band; 3: only\n"
            "because cells failed.",
    .formats = SHK_DATA,
    .line = {2, 3, SHK_TAKES_FILES, NULL},
    .does = {sizeof(struct compare), run, clear}};
