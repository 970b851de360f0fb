/* Prints the claims that remain undecided. See claims_left.h. */
#include "cli/shared/output/claims_left.h"

#include "cli/shared/output/terminal.h"
#include "foundation/index.h"
#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

/* The maximum number of claims named in a command, and the maximum number of methods named or
 * listed. A command that names no claims requests all of them. */
enum { MOST_NAMED = 6, MOST_METHODS = 8 };

/* Adds words to a command, each preceded by `before`. Words are quoted if the shell requires it. */
static void add_words(char **command, const char *before, const struct shk_index *words)
{
  for (int i = 0; i < words->count; i++) {
    const char *const word = words->texts[i];
    const bool plain = strcspn(word, "(\"\\' $") == strlen(word);
    char *const quoted = plain ? NULL : shk_shell_words("", &word, 1);
    shk_append_text(command, "%s%s", before, plain ? word : quoted);
    free(quoted);
  }
}

static bool is_same_line(const struct shk_open_claim *a, const struct shk_open_claim *b,
                         bool reasons)
{
  return strcmp(a->integrator, b->integrator) == 0 &&
         (!reasons || strcmp(a->reason ? a->reason : "", b->reason ? b->reason : "") == 0);
}

/* Prints a line for the i-th claim, which also contains all later claims of the method that are
 * open for the same reason. Prints nothing if an earlier line already contains the claim. */
static void print_group(FILE *file, const char *prefix, const struct shk_open_claims *open, int i,
                        bool reasons)
{
  const struct shk_open_claim *const first = &open->all[i];
  for (int k = 0; k < i; k++)
    if (is_same_line(&open->all[k], first, reasons))
      return;
  char *line = shk_print_text("%s  %s: %s", prefix, first->integrator, first->claim);
  for (int k = i + 1; k < open->count; k++)
    if (is_same_line(&open->all[k], first, reasons))
      shk_append_text(&line, ", %s", open->all[k].claim);
  if (reasons && first->reason)
    shk_append_text(&line, ": %s", first->reason);
  for (char *at = line; (at = strchr(at, '\n')) != NULL;)
    *at = ' ';
  shk_print_lines(file, line, 0);
}

void shk_print_claims_left(FILE *file, const char *prefix, const struct shk_open_claims *open,
                           bool reasons, const char *options)
{
  struct shk_index integrators = {0}, claims = {0};
  if (open->count == 0)
    return;
  fprintf(file, "%s%d claim%s not decided:\n", prefix, open->count,
          open->count == 1 ? " is" : "s are");
  for (int i = 0; i < open->count; i++) {
    if (shk_index_text(&integrators, open->all[i].integrator) < MOST_METHODS)
      print_group(file, prefix, open, i, reasons);
    shk_index_text(&claims, open->all[i].claim);
  }
  if (integrators.count > MOST_METHODS)
    fprintf(file, "%s  and those of %d more methods\n", prefix, integrators.count - MOST_METHODS);
  if (options && integrators.count > MOST_METHODS) {
    fprintf(file, "%stry next, to decide them: run `shakedown certify` with each method\n", prefix);
  } else if (options) {
    char *command = shk_copy_text("shakedown certify");
    add_words(&command, " ", &integrators);
    shk_append_text(&command, "%s", options);
    if (claims.count <= MOST_NAMED)
      add_words(&command, " --claim ", &claims);
    fprintf(file, "%stry next, to decide %s:\n%s  %s\n", prefix, open->count == 1 ? "it" : "them",
            prefix, command);
    free(command);
  }
  shk_index_clear(&integrators);
  shk_index_clear(&claims);
}
