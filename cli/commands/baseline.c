/* shakedown baseline: writes the analysed values of a study to a file, for review and for use by
 * `check`. */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/output/claims_left.h"
#include "cli/shared/study/sides.h"
#include "cli/shared/study/study_job.h"

#include "foundation/files/file.h"
#include "harness/check/update.h"
#include <stdlib.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 }; /* of a baseline */

struct baseline {
  struct shk_arguments arguments;
  const char *output, *store;
  bool update;
  struct shk_side was, made; /* `was` is set only if a baseline is updated */
};

static void print_baseline(FILE *file, const void *what)
{
  shk_baseline_print(file, what);
}

/* Warns about falsified values and failed cells, because a reviewer should know about them. */
static void warn_baseline(const struct shk_baseline *made)
{
  int falsified = 0, failed = 0;
  for (int i = 0; i < made->count; i++) {
    falsified += made->values[i].verdict == SHK_VERDICT_FALSIFIED;
    failed += made->values[i].verdict == SHK_VERDICT_FAILED;
  }
  if (falsified > 0 || failed > 0)
    shk_complain(
        "the baseline contains %d falsified values and %d values from failed cells; review them",
        falsified, failed);
}

static void print_text(FILE *file, const void *text)
{
  fputs(text, file);
}

/* Rewrites the lines of all values that have left their bands. Returns the exit status, which is
 * `status` unless the file could not be written. */
static int update_baseline(struct baseline *b, int status)
{
  struct shk_message error = {.text = ""};
  struct shk_comparison comparison;
  struct shk_update update;
  size_t length;
  char *const text = shk_read_file(b->output, MOST_BYTES, "baseline", &length, &error);
  if (!shk_accept(text, &error))
    return SHK_EXIT_INCOMPLETE;
  shk_compare(&comparison, shk_side_study(&b->was, b->made.studies[0].study), b->made.studies);
  shk_baseline_update(&update, stdout, b->output, text, length, &comparison);
  const int changed = update.rewritten + update.restated + update.added + update.removed;
  if (changed > 0 && !shk_write_file(b->output, print_text, update.text))
    status = SHK_EXIT_INCOMPLETE;
  printf("%s: %d rewritten, %d with a new band, %d added, %d removed; all others are unchanged\n",
         b->output, update.rewritten, update.restated, update.added, update.removed);
  if (update.kept > 0)
    shk_complain("%d values were left unchanged because cells failed", update.kept);
  shk_comparison_clear(&comparison);
  free(update.text);
  free(text);
  return status;
}

/* Writes a complete new baseline file. On failure, prints an error message and returns false. */
static bool write_baseline(const struct baseline *b)
{
  const bool exists = b->output && access(b->output, F_OK) == 0;
  if (!shk_write_file(b->output, print_baseline, b->made.studies))
    return false;
  if (exists)
    shk_complain(
        "%s was rewritten without its comments and hand-written bands; use --update to keep them",
        b->output);
  return true;
}

static int run_baseline(void *self)
{
  struct baseline *const b = self;
  if (b->update && !b->output)
    return shk_bad_input("baseline: --update needs the name of the file to update, -o FILE");
  if (b->update && !shk_file_begins(b->output, "shakedown"))
    return shk_bad_input(
        "%s: there is no baseline to update; without --update, this command creates one",
        b->output);
  if (b->update && !shk_side_read(&b->was, &b->arguments, b->output, NULL))
    return SHK_EXIT_BAD_INPUT;
  int status = shk_side_run(&b->made, &b->arguments, b->store, b->update ? &b->was : NULL);
  if (b->made.count == 0)
    return status;
  if (b->update)
    status = update_baseline(b, status);
  else if (!write_baseline(b))
    return SHK_EXIT_INCOMPLETE;
  warn_baseline(b->made.studies);
  char *const options = shk_method_options(&b->arguments);
  shk_print_claims_left(stderr, "", &b->made.open, true, options);
  free(options);
  return status;
}

static void clear_baseline(void *self)
{
  struct baseline *const b = self;
  shk_side_clear(&b->was);
  shk_side_clear(&b->made);
}

#define AT(member) offsetof(struct baseline, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "output", 'o', AT(output), "FILE", "the baseline (default: standard output)"),
    SHK_SWITCH("update", 0, AT(update),
               "rewrite only the values in FILE that left their bands, and print each change"),
    SHK_OPTION(TEXT, "store", 0, AT(store), "STORE",
               "reuse the records in this store and save new ones to it (default: in memory only)"),
    {.name = NULL}};

const struct shk_command shk_command_baseline = {
    .name = "baseline",
    .synopsis = "STUDY [-o FILE] [--update] [--store STORE] [-j N]",
    .summary = "Writes the results of a study to a baseline file, for `check`",
    .help = "The file contains one value per line, sorted, with its uncertainty, its band and\n"
            "the reason for the band. The values are orders, classes, errors, violations,\n"
            "defects and counted work. Review the file and commit it. It is written unless the\n"
            "run is interrupted. With --update, lines whose values are within their bands stay\n"
            "as they are, as do comments and hand-written bands. The exit status is the same as\n"
            "for `run`.",
    .line = {1, 1, SHK_TAKES_JOBS | SHK_TAKES_QUIET, flags},
    .does = {sizeof(struct baseline), run_baseline, clear_baseline}};
