/* shakedown merge: joins stores that hold parts of a study, or several studies. */
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"

#include "foundation/memory.h"
#include "results/store/merge.h"
#include <stdlib.h>
#include <sys/stat.h>

struct merge {
  const char *output;
  struct shk_arguments arguments;
};

struct joining {
  const char *output, *input;
  struct shk_table *differences;
};

static void note(void *user, const struct shk_difference *difference)
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

static void add(struct shk_merged *sum, const struct shk_merged *one)
{
  sum->added += one->added;
  sum->same += one->same;
  sum->finished += one->finished;
  sum->kept += one->kept;
  sum->elsewhere += one->elsewhere;
  sum->conflicts += one->conflicts;
  sum->studies += one->studies;
}

/* Warns of facts that a reader of the differences must know. */
static void warn(const struct joining *joining, const struct shk_merged *one)
{
  if (one->studies > 0)
    shk_complain("%s: the text of %d stud%s differs from that in %s, which is kept", joining->input,
                 one->studies, one->studies == 1 ? "y" : "ies", joining->output);
  if (one->elsewhere > 0)
    shk_complain(
        "%s: %ld of its cells have different values, from another environment; the records "
        "of %s are kept, with their provenance",
        joining->input, one->elsewhere, joining->output);
  if (one->conflicts > 0)
    shk_complain(
        "%s: %ld of its cells have different values, from an equal environment; the records "
        "of %s are kept",
        joining->input, one->conflicts, joining->output);
}

/* Merges one store into another. Returns false after an error message. */
static bool join(struct shk_store *store, struct joining *joining, struct shk_merged *sum)
{
  struct shk_message error = {.text = ""};
  struct shk_merged one;
  struct shk_store *from = shk_store_open(joining->input, SHK_STORE_READ, &error);
  const bool ok = from != NULL && shk_store_merge(store, from, &one, note, joining, &error);
  if (ok) {
    add(sum, &one);
    warn(joining, &one);
  } else {
    shk_complain("%s", error.text);
  }
  struct shk_message ignored;
  shk_store_close(from, &ignored); /* nothing was written to it */
  return ok;
}

static int join_all(const struct merge *merge, struct shk_store *store, struct shk_table *table)
{
  struct shk_merged sum = {0};
  const struct shk_arguments *arguments = &merge->arguments;
  for (int i = 0; i < arguments->count; i++) {
    struct joining joining = {merge->output, arguments->words[i], table};
    if (!join(store, &joining, &sum))
      return SHK_EXIT_BAD_INPUT;
  }
  if (table->row_count > 0 || arguments->format != SHK_FORMAT_TABLE)
    shk_show_table(table, arguments->format);
  if (arguments->format == SHK_FORMAT_TABLE)
    printf("%d store%s: %ld records added, %ld there already, %ld replaced because they had not "
           "finished, %ld from other environments, %ld conflicts; %ld in all\n",
           arguments->count, arguments->count == 1 ? "" : "s", sum.added, sum.same + sum.kept,
           sum.finished, sum.elsewhere, sum.conflicts, shk_store_record_count(store));
  return sum.conflicts > 0 ? SHK_EXIT_SHORT : SHK_EXIT_HELD;
}

static int start(const struct merge *merge)
{
  static const char *const names[] = {"difference", "cell",  "quantity",   "store",
                                      "value",      "other", "other-value"};
  const struct shk_arguments *arguments = &merge->arguments;
  if (!merge->output) {
    shk_complain("merge: -o STORE is missing: the store to write");
    return SHK_EXIT_BAD_INPUT;
  }
  for (int i = 0; i < arguments->count; i++)
    if (same_file(merge->output, arguments->words[i])) {
      shk_complain("%s: cannot be merged into itself", arguments->words[i]);
      return SHK_EXIT_BAD_INPUT;
    }
  /* Wrong names of input stores are found before the new store is created. */
  struct shk_message error = {.text = ""};
  for (int i = 0; i < arguments->count; i++) {
    struct shk_store *from = shk_store_open(arguments->words[i], SHK_STORE_READ, &error);
    if (!from) {
      shk_complain("%s", error.text);
      return SHK_EXIT_BAD_INPUT;
    }
    shk_store_close(from, &error);
  }
  struct shk_store *store = shk_store_open(merge->output, SHK_STORE_WRITE, &error);
  if (!store) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  struct shk_table table;
  shk_table_init(&table, sizeof names / sizeof names[0], names, NULL);
  int status = join_all(merge, store, &table);
  shk_table_clear(&table);
  if (!shk_store_close(store, &error)) {
    shk_complain("%s", error.text);
    status = SHK_EXIT_INCOMPLETE;
  }
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  enum { MOST_STORES = 100000 };
  struct merge merge = {.output = NULL};
  const struct shk_flag flags[] = {
      {"output", 'o', SHK_FLAG_TEXT, "STORE",
       "the merged store; records that it has already stay and come first", &merge.output},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&merge.arguments, &status, command, flags, 1, MOST_STORES, argc, argv))
    status = start(&merge);
  shk_arguments_clear(&merge.arguments);
  return status;
}

const struct shk_command shk_command_merge = {
    .name = "merge",
    .synopsis = "STORE… -o STORE",
    .summary = "Joins stores, such as parts of a study that were run separately",
    .help = "Records are copied with their provenance. Of two records of one cell the first is\n"
            "kept, unless it did not finish and the second did. If their values differ, other\n"
            "than in seconds, both are shown. From different environments (version, compiler,\n"
            "flags, processor, system, libraries) this is normal; from equal ones it is a\n"
            "conflict, and the exit status is 1. 0: no conflict; 2: a store cannot be read, and\n"
            "none of it was copied.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};
