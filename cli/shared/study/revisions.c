/* Uses git to find versions of a baseline. See revisions.h. */
#include "cli/shared/study/revisions.h"

#include "cli/shared/output/terminal.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Runs `git` with the given arguments in a folder and returns its output, which the caller frees.
 * On failure, returns NULL and, unless `quiet` is true, prints an error message. */
static char *ask_git(const char *folder, const char *const *words, int count, size_t most,
                     size_t *length, bool quiet)
{
  char *const place = shk_shell_words(" -C ", &folder, 1);
  char *const line = shk_shell_words(" ", words, count);
  char *const command = shk_print_text("git%s%s%s", place, line, quiet ? " 2>/dev/null" : "");
  FILE *const pipe = popen(command, "re");
  char *text = pipe ? shk_read_stream(pipe, most, length) : NULL;
  if (pipe && pclose(pipe) != 0) {
    free(text);
    text = NULL;
  }
  if (!text && !quiet)
    shk_complain("git %s failed: see above", words[0]);
  free(command);
  free(line);
  free(place);
  return text;
}

/* Splits a path into its folder, which the caller frees, and the name of the file. */
static char *split_path(const char *path, const char **file)
{
  const char *const slash = strrchr(path, '/');
  *file = slash ? slash + 1 : path;
  return slash ? shk_print_text("%.*s/", (int)(slash - path), path) : shk_copy_text(".");
}

enum { MOST_TEXT = 64 << 20 }; /* maximum size of git's output, in bytes */

/* Runs `git log` with the given arguments and adds the versions of a file that it lists. */
static bool add_revisions(struct shk_revisions *revisions, const char *const *asked, int count,
                          const char *path, bool quiet)
{
  enum { MOST_WORDS = 32, OWN = 3, LAST = 4 };
  const char *words[MOST_WORDS] = {"log", "--reverse", "--diff-filter=AM"}, *file;
  size_t length;
  char *const folder = split_path(path, &file);
  memcpy(words + OWN, asked, (size_t)count * sizeof *words);
  const char *const last[LAST] = {"--no-patch", "--format=%h %cs", "--", file};
  memcpy(words + OWN + count, last, sizeof last);
  char *const text = ask_git(folder, words, OWN + count + LAST, MOST_TEXT, &length, quiet);
  char *rest = text;
  for (char *line; text && (line = strsep(&rest, "\n")) != NULL && *line;) {
    char *const blank = strchr(line, ' ');
    *SHK_APPEND(revisions->all, revisions->count) =
        (struct shk_revision){shk_print_text("%.*s", (int)strcspn(line, " "), line),
                              shk_copy_text(blank ? blank + 1 : "")};
  }
  free(folder);
  free(text);
  return text != NULL;
}

bool shk_revisions_find(struct shk_revisions *revisions, const char *range, const char *path)
{
  enum { MOST_ASKED = 16 };
  const char *asked[MOST_ASKED];
  char *const copy = shk_copy_text(range), *rest = copy;
  int count = 0;
  bool ok = true;
  for (char *word; (word = strsep(&rest, " ")) != NULL;)
    if (*word && (count == MOST_ASKED || strncmp(word, "--output", 8) == 0))
      ok = shk_complain(
          "--range: found '%s', expected at most %d words that select commits for git log", word,
          MOST_ASKED);
    else if (*word)
      asked[count++] = word;
  ok = ok && add_revisions(revisions, asked, count, path, false);
  free(copy);
  if (!ok || revisions->count == 0)
    return ok && shk_complain("--range: found no version of %s in '%s'", path, range);
  /* Adds the version that the first commit in the list replaced. If that commit created the file,
   * there is no earlier version. */
  struct shk_revisions all = {0};
  char *const parent = shk_print_text("%s^", revisions->all[0].commit);
  add_revisions(&all, (const char *const[]){"-1", parent}, 2, path, true);
  free(parent);
  for (int i = 0; i < revisions->count; i++)
    *SHK_APPEND(all.all, all.count) = revisions->all[i];
  free(revisions->all);
  *revisions = all;
  return true;
}

void shk_revisions_clear(struct shk_revisions *revisions)
{
  for (int i = 0; i < revisions->count; i++) {
    free(revisions->all[i].commit);
    free(revisions->all[i].date);
  }
  free(revisions->all);
  *revisions = (struct shk_revisions){0};
}

char *shk_revision_text(const char *name, size_t most, size_t *length)
{
  const char *file;
  const size_t revision = strcspn(name, ":");
  char *const folder = split_path(name + revision + 1, &file);
  char *const place = shk_print_text("%.*s:./%s", (int)revision, name, file);
  char *const text = ask_git(folder, (const char *const[]){"show", place}, 2, most, length, false);
  free(place);
  free(folder);
  return text;
}

/* ---- lines ---- */

/* Parses the output of `git blame --line-porcelain`. For each line of the file, the output contains
 * "HASH BEFORE LINE …", several lines of the form "KEY VALUE", and a tab followed by the line
 * itself. */
static void read_blame(struct shk_origins *origins, char *text)
{
  char hash[12] = "", *rest = text;
  bool begins = true, bounded = false;
  for (char *line; (line = strsep(&rest, "\n")) != NULL && *line;) {
    if (begins) {
      snprintf(hash, sizeof hash, "%.7s", line);
      begins = bounded = false;
      *SHK_APPEND(origins->lines, origins->count) = NULL;
    } else if (strncmp(line, "committer-time ", 15) == 0) {
      const time_t at = (time_t)strtoll(line + 15, NULL, 10);
      char date[32] = "";
      struct tm parts;
      if (strspn(hash, "0") < 7 && gmtime_r(&at, &parts) &&
          strftime(date, sizeof date, "%Y-%m-%d", &parts) > 0)
        origins->lines[origins->count - 1] = shk_print_text("since %s of %s", hash, date);
    } else if (strcmp(line, "boundary") == 0) {
      bounded = true;
    } else if (*line == '\t') {
      /* The history may begin at this commit only because it is truncated, as in a shallow
       * clone. */
      if (bounded && origins->lines[origins->count - 1])
        shk_append_text(&origins->lines[origins->count - 1], " or before");
      begins = true;
    }
  }
}

void shk_origins_find(struct shk_origins *origins, const char *name)
{
  const char *const colon = access(name, F_OK) == 0 ? NULL : strchr(name, ':'), *file;
  char *const folder = split_path(colon ? colon + 1 : name, &file);
  char *const revision = colon ? shk_print_text("%.*s", (int)(colon - name), name) : NULL;
  const char *words[] = {"blame", "--line-porcelain", revision, "--", file};
  size_t length;
  if (!revision) {
    words[2] = "--";
    words[3] = file;
  }
  char *const text = ask_git(folder, words, revision ? 5 : 4, MOST_TEXT, &length, true);
  *origins = (struct shk_origins){0};
  if (text)
    read_blame(origins, text);
  free(text);
  free(revision);
  free(folder);
}

const char *shk_origin(const struct shk_origins *origins, int line)
{
  return line > 0 && line <= origins->count ? origins->lines[line - 1] : NULL;
}

void shk_origins_clear(struct shk_origins *origins)
{
  for (int i = 0; i < origins->count; i++)
    free(origins->lines[i]);
  free(origins->lines);
  *origins = (struct shk_origins){0};
}
