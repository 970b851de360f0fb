/* shakedown baseline: the analysed values of a study as a file for reviews and for `check`. */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/output/claims_left.h"
#include "cli/shared/study/sides.h"
#include <stdlib.h>

struct baseline {
  struct shk_arguments arguments;
  const char *output, *store;
  struct shk_side made;
};

static void print_baseline(FILE *file, const void *what)
{
  shk_baseline_print(file, what);
}

/* Warns of falsified values and failed cells: a reviewer should know of them. */
static void warn_baseline(const struct shk_baseline *made)
{
  int falsified = 0, failed = 0;
  for (int i = 0; i < made->count; i++) {
    falsified += made->values[i].verdict == SHK_VERDICT_FALSIFIED;
    failed += made->values[i].verdict == SHK_VERDICT_FAILED;
  }
  if (falsified > 0 || failed > 0)
    shk_complain("the baseline has %d falsified values and %d of cells that failed: review them",
                 falsified, failed);
}

static int run_baseline(void *self)
{
  struct baseline *const b = self;
  const int status = shk_side_run(&b->made, &b->arguments, b->store, NULL);
  if (b->made.count == 0)
    return status;
  if (!shk_write_file(b->output, print_baseline, b->made.studies))
    return SHK_EXIT_INCOMPLETE;
  warn_baseline(b->made.studies);
  char *const options = shk_method_options(&b->arguments);
  shk_print_claims_left(stderr, "", &b->made.open, true, options);
  free(options);
  return status;
}

static void clear_baseline(void *self)
{
  shk_side_clear(&((struct baseline *)self)->made);
}

#define AT(member) offsetof(struct baseline, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "output", 'o', AT(output), "FILE", "the baseline (default: standard output)"),
    SHK_OPTION(TEXT, "store", 0, AT(store), "STORE",
               "take records from this store and keep new ones there (default: in memory only)"),
    {.name = NULL}};

const struct shk_command shk_command_baseline = {
    .name = "baseline",
    .synopsis = "STUDY [-o FILE] [--store STORE] [-j N]",
    .summary = "Writes the results of a study to a baseline file, for `check`",
    .help = "The file has one value per line, sorted, with its uncertainty, its band and the\n"
            "reason of the band: orders, classes, errors, violations, defects, counted work.\n"
            "Review the file and commit it. It is written unless the run was interrupted. Exit\n"
            "status as for `run`.",
    .line = {1, 1, SHK_TAKES_JOBS | SHK_TAKES_QUIET, flags},
    .does = {sizeof(struct baseline), run_baseline, clear_baseline}};
