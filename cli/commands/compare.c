/* shakedown compare: prints the differences between two stores, two baselines, or two git revisions
 * of a baseline, or the changes over a range of commits. */
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/revisions.h"
#include "cli/shared/study/sides.h"

#include "foundation/memory.h"
#include "harness/check/check_report.h"
#include <stdlib.h>
#include <string.h>

struct compare {
  struct shk_arguments arguments;
  const char *range;
  struct shk_revisions versions; /* with --range, each side is one version */
  struct shk_index names;        /* names of the sides, in the form "COMMIT:FILE" */
  int count;
  struct shk_side *sides;
  struct shk_table table; /* rows for CSV and JSON output */
};

/* Returns the strings of an index, joined by "; ". The caller frees the result. */
static char *joined_texts(const struct shk_index *index)
{
  char *text = shk_copy_text("");
  for (int i = 0; i < index->count; i++)
    shk_append_text(&text, "%s%s", i > 0 ? "; " : "", index->texts[i]);
  return text;
}

/* Prints the fields of the provenance (except dates) in which the records of two stores differ. */
static void show_facts(const struct shk_side *a, const struct shk_side *b)
{
  struct shk_table table;
  if (a->facts[0].count == 0 || b->facts[0].count == 0)
    return; /* a baseline contains no provenance */
  shk_table_init(&table, 3, (const char *const[]){"provenance", a->name, b->name}, NULL);
  for (int i = 0; i < SHK_PROVENANCE_date; i++) {
    char *const here = joined_texts(&a->facts[i]), *const there = joined_texts(&b->facts[i]);
    if (*here && *there && strcmp(here, there) != 0)
      shk_table_add(&table, (const char *const[]){shk_provenance_texts[i].column, here, there});
    free(here);
    free(there);
  }
  if (table.row_count > 0)
    shk_show_table(&table, SHK_FORMAT_TABLE);
  else
    puts("The records of both were made by the same program on the same machine.");
  putchar('\n');
  shk_table_clear(&table);
}

static void show_changes(const struct compare *c, const struct shk_comparison *comparison,
                         const char *version)
{
  char *const headline = shk_check_headline(comparison);
  if (c->range && !headline)
    return;
  shk_say("%s: %s", c->range ? version : comparison->study,
          headline ? headline : "every value is within its band");
  shk_check_print_changes(stdout, "", comparison);
  putchar('\n');
  free(headline);
}

static void add_rows(struct shk_table *table, const struct shk_comparison *comparison,
                     const char *version)
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
    shk_table_add(table, (const char *const[]){
                             comparison->study, v->problem, v->integrator, v->precision,
                             v->quantity, *texts[0] ? texts[0] : NULL, *texts[1] ? texts[1] : NULL,
                             shk_band_text(band, sizeof band, &v->band),
                             shk_changes[row->change].word, version});
  }
}

/* The values to compare with, and the most recent version in which each value left its band. The
 * sides own all values. */
struct history {
  struct shk_baseline was;
  struct moment {
    int since;     /* index of that version; 0 for the first or an earlier version */
    char *changed; /* a string such as "2.00 → 1.50", owned; NULL if the value is new */
  } * moments;     /* one element per value */
};

/* Replaces values that left their bands, adds new values and removes missing ones. All other values
 * stay unchanged, so that a slow drift is detected once the value leaves its initial band. */
static void advance_compare(struct history *history, const struct shk_comparison *comparison,
                            int version)
{
  struct shk_baseline *const was = &history->was;
  const size_t most = (size_t)comparison->count + 1;
  struct shk_baseline_value *const next = shk_allocate(most, sizeof *next);
  struct moment *const moments = shk_allocate(most, sizeof *moments);
  int count = 0, old = 0;
  for (int i = 0; i < comparison->count; i++) {
    const struct shk_compared *const row = &comparison->rows[i];
    const bool moved = shk_changes[row->change].fails || !row->was;
    if (row->is && moved)
      moments[count] = (struct moment){version, row->was ? shk_copy_text(row->moved) : NULL};
    else if (row->is)
      moments[count] = history->moments[old];
    if (row->was && (moved || !row->is))
      free(history->moments[old].changed);
    if (row->is)
      next[count++] = moved ? *row->is : *row->was;
    old += row->was != NULL;
  }
  free(was->values);
  free(history->moments);
  was->values = next;
  was->count = count;
  history->moments = moments;
}

/* Prints, for each changed value, the version in which it last changed. The newest change comes
 * last. */
static void show_since(const struct compare *c, const struct history *history)
{
  for (int version = 1; version < c->count; version++)
    for (int i = 0; i < history->was.count; i++) {
      const struct shk_baseline_value *const v = &history->was.values[i];
      const struct moment *const moment = &history->moments[i];
      const struct shk_revision *const revision = &c->versions.all[version];
      if (moment->since == version)
        printf("since %s of %s: %s of %s on %s in %s %s\n", revision->commit, revision->date,
               v->quantity, v->integrator, v->problem, v->precision,
               moment->changed ? moment->changed : "is new");
    }
  printf("%s: all other values have been the same since %s of %s or earlier\n", history->was.study,
         c->versions.all[0].commit, c->versions.all[0].date);
}

/* Returns the more serious exit status: 1 (a value changed) takes precedence over 3 (cells failed),
 * and 3 over 0. */
static int graver_status(int status, int own_status)
{
  return own_status == SHK_EXIT_SHORT || status == SHK_EXIT_HELD ? own_status : status;
}

/* Compares the first side's study with those of the other sides. Returns the exit status. */
static int compare_study(struct compare *c, const struct shk_baseline *first)
{
  const size_t most = (size_t)first->count + 1;
  struct history history = {.was = *first, .moments = shk_allocate(most, sizeof *history.moments)};
  const bool people = c->arguments.format == SHK_FORMAT_TABLE;
  int status = SHK_EXIT_HELD;
  history.was.values = shk_allocate(most, sizeof *history.was.values);
  memcpy(history.was.values, first->values, (size_t)first->count * sizeof *first->values);
  for (int k = 1; k < c->count; k++) {
    const struct shk_baseline *const is = shk_side_study(&c->sides[k], first->study);
    struct shk_comparison comparison;
    if (!is)
      continue;
    shk_compare(&comparison, &history.was, is);
    if (people)
      show_changes(c, &comparison, c->sides[k].name);
    else
      add_rows(&c->table, &comparison, c->sides[k].name);
    status = graver_status(status, comparison.exit_code);
    advance_compare(&history, &comparison, k);
    shk_comparison_clear(&comparison);
  }
  if (people && c->range)
    show_since(c, &history);
  for (int i = 0; i < history.was.count; i++)
    free(history.moments[i].changed);
  free(history.moments);
  free(history.was.values);
  return status;
}

static int compare(struct compare *c)
{
  struct shk_side *const a = &c->sides[0], *const b = &c->sides[c->count > 1];
  int status = SHK_EXIT_HELD, common = 0;
  for (int i = 0; i < a->count; i++)
    for (int k = 1; k < c->count; k++)
      common += shk_side_study(&c->sides[k], a->studies[i].study) != NULL;
  if (common < c->count - 1)
    return shk_bad_input("%s and %s have no study in common", a->name, c->sides[c->count - 1].name);
  shk_columns(&c->table,
              c->range ? "study|problem|integrator|precision|quantity|>a|>b|band|change|version"
                       : "study|problem|integrator|precision|quantity|>a|>b|band|change");
  if (c->arguments.format == SHK_FORMAT_TABLE && !c->range)
    show_facts(a, b);
  for (int i = 0; i < a->count; i++)
    status = graver_status(status, compare_study(c, &a->studies[i]));
  if (c->arguments.format != SHK_FORMAT_TABLE)
    shk_show_table(&c->table, c->arguments.format);
  for (int k = 0; k < 2; k++) {
    const struct shk_side *const one = k ? b : a, *const other = k ? a : b;
    for (int i = 0; i < one->count; i++)
      if (!shk_side_study(other, one->studies[i].study))
        shk_complain("only %s contains the study '%s'", one->name, one->studies[i].study);
  }
  return status;
}

/* Reads one side of the comparison. On failure, prints an error message and returns false. */
static bool read_side(struct compare *c, const char *name)
{
  const char *const study = c->arguments.count > 2 ? c->arguments.words[2] : NULL;
  return shk_side_read(SHK_APPEND(c->sides, c->count), &c->arguments, name, study);
}

/* Reads the versions of a file in a range of commits. On failure, prints an error message and
 * returns false. */
static bool read_range(struct compare *c, const char *path)
{
  bool ok = shk_revisions_find(&c->versions, c->range, path);
  for (int i = 0; ok && i < c->versions.count; i++) {
    const int number = shk_index_number(&c->names, "%s:%s", c->versions.all[i].commit, path);
    ok = read_side(c, c->names.texts[number]);
  }
  return ok;
}

static int run_compare(void *self)
{
  struct compare *const c = self;
  char **const words = c->arguments.words;
  if (c->arguments.count > 1 && c->range)
    return shk_bad_input("compare: found %d files, expected one baseline file with --range",
                         c->arguments.count);
  if (c->arguments.count < 2 && !c->range)
    return shk_bad_input(
        "compare: B is missing; use `--range A..B` to compare the versions of one file in git");
  const bool ok =
      c->range ? read_range(c, words[0]) : read_side(c, words[0]) && read_side(c, words[1]);
  return ok ? compare(c) : SHK_EXIT_BAD_INPUT;
}

static void clear_compare(void *self)
{
  struct compare *const c = self;
  for (int i = 0; i < c->count; i++)
    shk_side_clear(&c->sides[i]);
  free(c->sides);
  shk_index_clear(&c->names);
  shk_revisions_clear(&c->versions);
  shk_table_clear(&c->table);
}

#define AT(member) offsetof(struct compare, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(
        TEXT, "range", 0, AT(range), "RANGE",
        "compare successive versions of a baseline, in the commits that `git log RANGE` lists"),
    {0}};

const struct shk_command shk_command_compare = {
    .name = "compare",
    .synopsis = "A B [STUDY]\nFILE --range RANGE",
    .summary = "Compares stores, baselines or revisions of a baseline",
    .help = "A and B are stores, baselines, or REVISION:FILE, a baseline in a git revision.\n"
            "Prints the provenance of the records of two stores, and each value of their common\n"
            "studies that is outside its band (the band of the baseline, or of a baseline made\n"
            "from A). --range accepts what `git log` accepts (v1.0..HEAD, \"-5\"). Each value is\n"
            "then compared with the one in the commit in which it last left its band, which\n"
            "reveals slow changes, too. The last lines show since when each value has been the\n"
            "same. The first version is compared with the one that it replaced. The exit status\n"
            "is 1 if a value is outside its band, and 3 if none is but cells failed.",
    .formats = SHK_DATA,
    .line = {1, 3, SHK_TAKES_FILES, flags},
    .does = {sizeof(struct compare), run_compare, clear_compare}};
