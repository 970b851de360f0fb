/* Reading the sides of a comparison. See sides.h. */
#include "cli/shared/study/sides.h"

#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/load_studies.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- git ---- */

/* Output of `git COMMAND` in a folder; NULL after an error message. The caller frees it. */
static char *ask_git(const char *folder, const char *const *command, size_t *length)
{
  enum { MOST = 12 };
  const char *words[MOST] = {"git", "-C", folder};
  struct shk_message error = {.text = ""};
  struct shk_pipe pipe;
  for (int i = 0; command[i]; i++)
    words[3 + i] = command[i];
  if (!shk_pipe_open(&pipe, &error)) {
    shk_complain("%s", error.text);
    return NULL;
  }
  const struct shk_child as = {.in = SHK_NOTHING, .out = pipe.write_end, .error = STDERR_FILENO};
  const pid_t child = shk_child_start(&as, words[0], (char *const *)words);
  const char *const why = child < 0 ? strerror(errno) : "see above";
  shk_close(&pipe.write_end);
  char *text = NULL;
  FILE *const copy = open_memstream(&text, length);
  char part[4096];
  for (ssize_t got; copy && child > 0 && (got = read(pipe.read_end, part, sizeof part)) > 0;)
    fwrite(part, 1, (size_t)got, copy);
  if (!copy || fclose(copy) != 0)
    shk_out_of_memory();
  shk_pipe_close(&pipe);
  const int status = child > 0 ? shk_child_wait(child) : -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return text;
  shk_complain("git %s failed: %s", command[0], why);
  free(text);
  return NULL;
}

/* Folder of a path, which the caller frees, and the name of its file. */
static char *split_path(const char *path, const char **file)
{
  const char *const slash = strrchr(path, '/');
  *file = slash ? slash + 1 : path;
  return slash ? shk_print_text("%.*s/", (int)(slash - path), path) : shk_copy_text(".");
}

bool shk_read_revision(struct shk_baseline *baseline, const char *revision, const char *path)
{
  struct shk_message error = {.text = ""};
  const char *file;
  size_t length;
  char *const folder = split_path(path, &file);
  char *const place = shk_print_text("%s:./%s", revision, file);
  char *const text = ask_git(folder, (const char *const[]){"show", place, NULL}, &length);
  const bool ok = text && shk_baseline_parse(baseline, text, length, place, &error);
  if (text && !ok)
    shk_complain("%s", error.text);
  free(text);
  free(place);
  free(folder);
  return ok;
}

char *shk_revisions(const char *range, const char *path)
{
  const char *file;
  size_t length;
  char *const folder = split_path(path, &file);
  char *const text = ask_git(folder,
                             (const char *const[]){"log", "--reverse", "--diff-filter=AM",
                                                   "--format=%h", range, "--", file, NULL},
                             &length);
  free(folder);
  return text;
}

/* ---- a side ---- */

static struct shk_baseline *add_study(struct shk_side *side)
{
  side->studies = shk_grow(side->studies, (size_t)side->count, sizeof *side->studies);
  side->studies[side->count] = (struct shk_baseline){0};
  return &side->studies[side->count++];
}

static bool add_facts(struct shk_side *side, struct shk_store *store, long row)
{
  struct shk_message error = {.text = ""};
  struct shk_provenance p;
  if (!shk_store_provenance(store, &p, row, &error)) {
    shk_complain("%s: %s", side->name, error.text);
    return false;
  }
  for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++) {
    const char *const text = *shk_provenance_text(&p, i);
    shk_index_text(&side->facts[i], text && *text ? text : "none");
  }
  shk_provenance_clear(&p);
  return true;
}

static int read_study(void *user, const struct shk_loaded_study *loaded, int count)
{
  struct shk_side *const side = user;
  struct shk_index rows = {0};
  bool ok = true;
  (void)count;
  for (int i = 0; ok && i < loaded->plan->count; i++) {
    const struct shk_record *const record = loaded->records->take(loaded->records, i, 0);
    const long row = record ? record->provenance : 0;
    loaded->records->put_back(loaded->records, i);
    const int known = rows.count;
    if (row > 0 && shk_index_number(&rows, "%ld", row) == known)
      ok = add_facts(side, loaded->store, row);
  }
  shk_index_clear(&rows);
  shk_baseline_make(add_study(side), loaded->study->name, loaded->analysis, true);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}

static bool begins_as_baseline(const char *path)
{
  char first[10] = "";
  FILE *const file = fopen(path, "re");
  const bool is = file && fgets(first, sizeof first, file) && strcmp(first, "shakedown") == 0;
  if (file)
    fclose(file);
  return is;
}

bool shk_side_read(struct shk_side *side, const struct shk_arguments *arguments, const char *name,
                   const char *study)
{
  struct shk_message error = {.text = ""};
  const char *const colon = strchr(name, ':');
  *side = (struct shk_side){.name = name};
  if (colon && access(name, F_OK) != 0) {
    char *const revision = shk_print_text("%.*s", (int)(colon - name), name);
    const bool ok = shk_read_revision(add_study(side), revision, colon + 1);
    free(revision);
    return ok;
  }
  if (!begins_as_baseline(name))
    return shk_load_studies(arguments, name, study, false, read_study, side) == SHK_EXIT_HELD;
  if (shk_baseline_read(add_study(side), name, &error))
    return true;
  shk_complain("%s", error.text);
  return false;
}

void shk_side_clear(struct shk_side *side)
{
  for (int i = 0; i < side->count; i++)
    shk_baseline_clear(&side->studies[i]);
  for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++)
    shk_index_clear(&side->facts[i]);
  free(side->studies);
  *side = (struct shk_side){0};
}

const struct shk_baseline *shk_side_study(const struct shk_side *side, const char *study)
{
  for (int i = 0; i < side->count; i++)
    if (strcmp(side->studies[i].study, study) == 0)
      return &side->studies[i];
  return NULL;
}
