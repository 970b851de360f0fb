/* shakedown merge: merges stores that contain parts of a study, or several studies. */
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"

#include "foundation/memory.h"
#include "results/store/merge.h"
#include <stdlib.h>
#include <sys/stat.h>

struct merge {
  struct shk_arguments arguments;
  const char *output;
};

struct joining {
  const char *output, *input;
  struct shk_table *differences;
};

static void note_merge(void *user, const struct shk_difference *difference)
{
  const struct joining *joining = user;
  shk_table_add(joining->differences,
                (const char *const[]){difference->conflict ? "conflict" : "other environment",
                                      difference->cell, difference->quantity, joining->output,
                                      difference->ours, joining->input, difference->theirs});
}

static bool same_file(const char *a, const char *b)
{
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int join_all(const struct merge *merge, struct shk_store *store, struct shk_table *table)
{
  struct shk_message error = {""}, ignored;
  struct shk_merged sum = {0};
  const struct shk_arguments *arguments = &merge->arguments;
  for (int i = 0; i < arguments->count; i++) {
    struct joining joining = {merge->output, arguments->words[i], table};
    const int studies = sum.studies;
    struct shk_store *from = shk_store_open(joining.input, SHK_STORE_READ, &error);
    const bool ok =
        from != NULL && shk_store_merge(store, from, &sum, note_merge, &joining, &error);
    shk_store_close(from, &ignored); /* nothing has been written to this store */
    if (!ok)
      return shk_bad_input("%s", error.text);
    if (sum.studies > studies)
      shk_complain("%s: the text of %d stud%s differs from that in %s, which is kept",
                   joining.input, sum.studies - studies, sum.studies - studies == 1 ? "y" : "ies",
                   joining.output);
  }
  if (table->row_count > 0 || arguments->format != SHK_FORMAT_TABLE)
    shk_show_table(table, arguments->format);
  if (arguments->format == SHK_FORMAT_TABLE)
    printf("%d store%s: %ld records added, %ld already present, %ld replaced because they had not "
           "finished, %ld from other environments, %ld conflicts; %ld in all\n",
           arguments->count, arguments->count == 1 ? "" : "s", sum.added, sum.same + sum.kept,
           sum.finished, sum.elsewhere, sum.conflicts, shk_store_record_count(store));
  return sum.conflicts > 0 ? SHK_EXIT_SHORT : SHK_EXIT_HELD;
}

static int run_merge(void *self)
{
  const struct merge *const merge = self;
  const struct shk_arguments *const arguments = &merge->arguments;
  struct shk_message error = {""};
  /* Checks the names of the input stores before the new store is created. */
  for (int i = 0; i < arguments->count; i++) {
    if (same_file(merge->output, arguments->words[i]))
      return shk_bad_input("%s: cannot be merged into itself", arguments->words[i]);
    struct shk_store *from = shk_store_open(arguments->words[i], SHK_STORE_READ, &error);
    if (!from)
      return shk_bad_input("%s", error.text);
    shk_store_close(from, &error);
  }
  struct shk_store *store = shk_store_open(merge->output, SHK_STORE_WRITE, &error);
  if (!store)
    return shk_bad_input("%s", error.text);
  struct shk_table table;
  shk_columns(&table, "difference|cell|quantity|store|value|other|other-value");
  const int status = shk_accept(shk_store_verify(store, &error), &error)
                         ? join_all(merge, store, &table)
                         : SHK_EXIT_BAD_INPUT;
  shk_table_clear(&table);
  return shk_store_close(store, &error) ? status : shk_incomplete("%s", error.text);
}

#define AT(member) offsetof(struct merge, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(NEEDED, "output", 'o', AT(output), "STORE",
               "the merged store; its existing records are kept and come first"),
    {0}};

const struct shk_command shk_command_merge = {
    .name = "merge",
    .synopsis = "STORE… -o STORE",
    .summary = "Joins stores, such as parts of a study that were run separately",
    .help = "If a cell has two records, the first is kept unless it did not finish and the\n"
            "second did. If their values differ in anything but the seconds, both are shown. If\n"
            "they also come from equal environments (version, compiler, flags, processor, system,\n"
            "libraries), the difference is a conflict, and the exit status is 1. The exit status\n"
            "is 2 if a store cannot be read; in that case nothing is copied from it.",
    .formats = SHK_DATA,
    .line = {1, 0, 0, flags},
    .does = {sizeof(struct merge), run_merge, NULL}};
