/* shakedown history: the values of a baseline from version to version. */
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/sides.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/check/compare.h"
#include "harness/check/versions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct version {
  char *name; /* of a file or of a commit */
  struct shk_baseline baseline;
};

struct history {
  struct shk_arguments arguments;
  const char *range, *quantity;
  int count;
  struct version *versions;
  int left; /* values that have left their bands */
  bool methods;
};

/* ---- versions ---- */

/* Reads a version, which has one study, under a name. Returns false after an error message. */
static bool read_version(struct history *h, const char *word, const char *name)
{
  struct shk_side side;
  const bool ok =
      shk_side_read(&side, &h->arguments, word, NULL) &&
      (side.count == 1 || shk_complain("%s: found %d studies, expected one", word, side.count));
  if (ok) {
    *SHK_APPEND(h->versions, h->count) =
        (struct version){.name = shk_copy_text(name), .baseline = side.studies[0]};
    side.count = 0;
  }
  shk_side_clear(&side);
  return ok;
}

/* Reads the versions of one file in a range of commits. */
static bool read_range(struct history *h, const char *path)
{
  if (h->range[0] == '-')
    return shk_complain("--range: found '%s', expected a range of commits A..B", h->range);
  char *const text = shk_revisions(h->range, path);
  bool ok = text != NULL;
  char *rest = text;
  for (char *commit; ok && (commit = strsep(&rest, "\n")) != NULL && *commit;) {
    char *const word = shk_print_text("%s:%s", commit, path);
    ok = read_version(h, word, commit);
    free(word);
  }
  free(text);
  return ok;
}

/* ---- values that changed ---- */

static void add_row(struct history *h, struct shk_table *table, const struct shk_compared *row,
                    struct version *version)
{
  const struct shk_baseline_value *const its = row->of;
  char was[64] = "", is[64] = "", band[192] = "";
  if (h->quantity && strncmp(its->quantity, h->quantity, strlen(h->quantity)) != 0)
    return;
  if (row->was)
    shk_baseline_text(was, sizeof was, row->was);
  if (row->is)
    shk_baseline_text(is, sizeof is, row->is);
  if (row->was)
    shk_compared_band(band, sizeof band, row->was, row->is);
  shk_table_add(table, (const char *const[]){its->integrator, its->problem, its->precision,
                                             its->quantity, version->name, was, is,
                                             row->is ? shk_verdict_word(row->is->verdict) : NULL,
                                             shk_changes[row->change].word, band});
  h->left++;
}

/* Compares a version with the reference values. A value that has left its band becomes the
 * reference from now on. Slow drift is therefore found when it leaves the band in which it
 * began. */
static void follow(struct history *h, struct shk_table *table, struct shk_baseline *reference,
                   struct version *version)
{
  struct shk_comparison comparison;
  shk_compare(&comparison, reference, &version->baseline);
  struct shk_baseline_value *next = shk_allocate((size_t)comparison.count + 1, sizeof *next);
  int count = 0;
  for (int i = 0; i < comparison.count; i++) {
    const struct shk_compared *const row = &comparison.rows[i];
    const bool left = shk_changes[row->change].fails;
    if (left)
      add_row(h, table, row, version);
    if (row->is)
      next[count++] = left || !row->was ? *row->is : *row->was;
  }
  shk_comparison_clear(&comparison);
  free(reference->values);
  reference->values = next;
  reference->count = count;
}

/* Adds the values that left their bands, each with the version in which it did. */
static void add_bands(struct history *h, struct shk_table *table)
{
  const struct shk_baseline *const first = &h->versions[0].baseline;
  struct shk_baseline reference = {.study = first->study, .count = first->count};
  reference.values = shk_allocate((size_t)first->count + 1, sizeof *reference.values);
  memcpy(reference.values, first->values, (size_t)first->count * sizeof *reference.values);
  shk_columns(table,
              "integrator|problem|precision|quantity|version|>was|>value|verdict|change|band");
  for (int v = 1; v < h->count; v++)
    follow(h, table, &reference, &h->versions[v]);
  free(reference.values);
}

static void add_version_of_method(struct shk_table *table, const struct history *h,
                                  const char *method, int v)
{
  const char *fields[2 + SHK_VERSION_NUMBERS] = {method, h->versions[v].name};
  char texts[SHK_VERSION_NUMBERS][40] = {""};
  double numbers[SHK_VERSION_NUMBERS];
  shk_version_numbers(numbers, &h->versions[v].baseline, &h->versions[0].baseline, method);
  for (int i = 0; i < SHK_VERSION_NUMBERS; i++) {
    if (!isnan(numbers[i]))
      snprintf(texts[i], sizeof texts[i], i < SHK_VERSION_MEANS ? "%.3f" : "%.0f", numbers[i]);
    fields[2 + i] = texts[i];
  }
  shk_table_add(table, fields);
}

/* Adds the values of each version for each method of the first version. */
static void add_methods(const struct history *h, struct shk_table *table)
{
  struct shk_index methods = {0};
  const struct shk_baseline *const first = &h->versions[0].baseline;
  for (int i = 0; i < first->count; i++)
    shk_index_text(&methods, first->values[i].integrator);
  shk_columns(table, h->arguments.format == SHK_FORMAT_TABLE
                         ? "integrator|version|>q|>p|>λ|>errors|>work|>held|>false|>open|>failed"
                         : "integrator|version|>order of q|>order of p|>order of lambda|>errors|"
                           ">work|>held|>falsified|>undecided|>failed");
  for (int m = 0; m < methods.count; m++)
    for (int v = 0; v < h->count; v++)
      add_version_of_method(table, h, methods.texts[m], v);
  shk_index_clear(&methods);
}

static void show(struct history *h)
{
  const bool people = h->arguments.format == SHK_FORMAT_TABLE;
  struct shk_table methods, bands;
  add_methods(h, &methods);
  add_bands(h, &bands);
  if (people || h->methods)
    shk_show_table(&methods, h->arguments.format);
  if (people)
    puts("(orders; errors and evaluations relative to the first version; means over problems\n"
         "and precisions; verdicts: held, falsified, undecided, failed)\n");
  if (people ? h->left > 0 : !h->methods)
    shk_show_table(&bands, h->arguments.format);
  if (people)
    printf("%s%d versions of %d values, %s to %s: bands were left %d times\n",
           h->left > 0 ? "\n" : "", h->count, h->versions[0].baseline.count, h->versions[0].name,
           h->versions[h->count - 1].name, h->left);
  shk_table_clear(&methods);
  shk_table_clear(&bands);
}

static int run(void *self)
{
  struct history *const h = self;
  const int files = h->arguments.count;
  if (h->range && files != 1)
    return shk_bad_input("history: found %d files, expected one baseline file with --range", files);
  char **const words = h->arguments.words;
  bool ok = !h->range || read_range(h, words[0]);
  for (int i = 0; ok && !h->range && i < files; i++)
    ok = read_version(h, words[i], words[i]);
  if (!ok)
    return SHK_EXIT_BAD_INPUT;
  if (h->count < 2)
    return shk_bad_input("history: found %s, expected two or more; `--range A..B` takes the "
                         "versions of one file in git",
                         h->count == 1 ? "one version" : "no version");
  for (int i = 1; i < h->count; i++)
    if (strcmp(h->versions[i].baseline.study, h->versions[0].baseline.study) != 0)
      return shk_bad_input("history: found two studies, expected one: %s is of %s, %s of %s",
                           h->versions[0].name, h->versions[0].baseline.study, h->versions[i].name,
                           h->versions[i].baseline.study);
  show(h);
  return SHK_EXIT_HELD;
}

static void clear(void *self)
{
  struct history *const h = self;
  for (int i = 0; i < h->count; i++) {
    shk_baseline_clear(&h->versions[i].baseline);
    free(h->versions[i].name);
  }
  free(h->versions);
}

#define AT(member) offsetof(struct history, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "range", 0, AT(range), "A..B",
               "the versions of one baseline file in these commits of git"),
    SHK_OPTION(TEXT, "quantity", 0, AT(quantity), "TEXT",
               "only values whose quantity begins with TEXT (\"order of q\")"),
    SHK_SWITCH(
        "methods", 0, AT(methods),
        "in CSV and JSON: results of each method and version, not values outside their bands"),
    {.name = NULL}};

const struct shk_command shk_command_history = {
    .name = "history",
    .synopsis = "VERSION… [--range A..B]",
    .summary = "Shows a study's results version by version, from its baselines",
    .help = "A VERSION is a store, a baseline or a REVISION:FILE as for `compare`, in this order;\n"
            "with --range the commits of a baseline in git. Prints orders, errors, work and\n"
            "verdicts of each method and version, and a row for each value that left its band,\n"
            "with the version. The band is around the value after its last change, so that slow\n"
            "changes are found, too. Exit status 0 even if values changed; use `check` to fail.",
    .formats = SHK_DATA,
    .line = {1, 0, 0, flags},
    .does = {sizeof(struct history), run, clear}};
