/* shakedown list: all names, with a line about each. */
#include "cli/shared/install_paths.h"
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "harness/study/study.h"
#include <shakedown/solve.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct listing {
  const struct shk_context *context;
  struct shk_table table;
  bool with_kind; /* a column has the kind of each name */
  bool first;     /* this pass lists the names recommended to beginners, otherwise the others */
};

/* Names recommended to beginners; they are listed first. */
static const char *const beginnings[][2] = {{"problem", "pendulum"},
                                            {"problem", "sprung-pendulum"},
                                            {"problem", "double-pendulum"},
                                            {"problem", "chain"},
                                            {"problem", "four-bar"},
                                            {"integrator", "shake"},
                                            {"integrator", "rattle"},
                                            {"integrator", "projection"},
                                            {"integrator", "baumgarte"},
                                            {"integrator", "ida"},
                                            {"study", "quick"},
                                            {"study", "singular-four-bar"},
                                            {"study", "work-precision"}};

static bool is_beginning(const char *kind, const char *name)
{
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strcmp(beginnings[i][0], kind) == 0 && strcmp(beginnings[i][1], name) == 0)
      return true;
  return false;
}

static void add(struct listing *listing, const char *kind, const char *name, const char *summary)
{
  if (is_beginning(kind, name) != listing->first)
    return;
  if (listing->with_kind)
    shk_table_add(&listing->table, (const char *const[]){kind, name, summary});
  else
    shk_table_add(&listing->table, (const char *const[]){name, summary});
}

static void list_problems(struct listing *listing)
{
  const struct shk_problem_info *info;
  for (int i = 0; (info = shk_problem_at(listing->context, i)) != NULL; i++)
    add(listing, "problem", info->name, info->summary);
}

static void list_integrators(struct listing *listing)
{
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(listing->context, i)) != NULL; i++)
    add(listing, "integrator", info->name, info->summary);
}

/* Lists solvers, each with the part of its meaning before the explanation. */
static void list_solvers(struct listing *listing)
{
  for (const struct shk_choice *choice = shk_solver_choices; choice->name; choice++) {
    const char *const colon = strstr(choice->meaning, ": ");
    const char *const end = colon ? colon : strstr(choice->meaning, "; ");
    char *const line =
        shk_print_text("%.*s", end ? (int)(end - choice->meaning) : INT_MAX, choice->meaning);
    add(listing, "solver", choice->name, line);
    free(line);
  }
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_solver_at(listing->context, i)) != NULL; i++)
    add(listing, "solver", info->name, info->summary);
}

static void list_measures(struct listing *listing)
{
  for (int i = 0; i < SHK_MEASURES; i++)
    add(listing, "measure", shk_measures[i].name, shk_measures[i].summary);
}

static void list_studies(struct listing *listing)
{
  int count;
  char **names = shk_shipped_studies(&count);
  for (int i = 0; i < count; i++) {
    struct shk_message error;
    char *path = shk_shipped_study(names[i]);
    struct shk_study *study = path ? shk_study_read(listing->context, path, &error) : NULL;
    add(listing, "study", names[i], study ? study->purpose : path ? error.text : NULL);
    shk_study_free(study);
    free(path);
    free(names[i]);
  }
  free(names);
}

static const struct {
  const char *name;
  void (*list)(struct listing *listing);
} kinds[] = {{"problems", list_problems},
             {"integrators", list_integrators},
             {"solvers", list_solvers},
             {"measures", list_measures},
             {"studies", list_studies}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int find_kind(const char *word)
{
  for (int i = 0; i < KINDS; i++)
    if (strcmp(kinds[i].name, word) == 0)
      return i;
  char near[128];
  shk_nearest(near, sizeof near, word, &kinds[0].name, sizeof kinds[0], KINDS);
  shk_complain("list: found '%s', expected %s", word,
               near[0] != '\0' ? near : "problems, integrators, solvers, measures or studies");
  return -1;
}

static int list(struct shk_arguments *arguments)
{
  const int wanted = arguments->count > 0 ? find_kind(arguments->words[0]) : KINDS;
  if (wanted < 0 || !shk_use_plugins(arguments))
    return SHK_EXIT_BAD_INPUT;
  struct listing listing = {.context = &arguments->context, .with_kind = wanted == KINDS};
  static const char *const columns[] = {"kind", "name", "summary"};
  shk_table_init(&listing.table, listing.with_kind ? 3 : 2,
                 listing.with_kind ? columns : columns + 1, NULL);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < KINDS; i++)
      if (wanted == KINDS || wanted == i) {
        listing.first = pass == 0;
        kinds[i].list(&listing);
      }
  shk_show_table(&listing.table, arguments->format);
  shk_table_clear(&listing.table);
  return SHK_EXIT_HELD;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct shk_arguments arguments;
  int status;
  if (shk_arguments_read(&arguments, &status, command, NULL, 0, 1, argc, argv))
    status = list(&arguments);
  shk_arguments_clear(&arguments);
  return status;
}

const struct shk_command shk_command_list = {
    .name = "list",
    .synopsis = "[problems|integrators|solvers|measures|studies]",
    .summary = "Lists all names with a line about each, the basic ones first",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};
