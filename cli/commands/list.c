/* shakedown list: all names, with a line about each. */
#include "cli/commands/list.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/study/study.h"
#include <shakedown/solve.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* True for names that are recommended to beginners, which are listed first. */
static bool is_beginning(const char *kind, const char *name)
{
  static const char beginnings[] =
      "|problem pendulum|problem sprung-pendulum|problem double-pendulum|problem chain"
      "|problem four-bar|integrator shake|integrator rattle|integrator projection"
      "|integrator baumgarte|integrator ida|study quick|study singular-four-bar"
      "|study work-precision|";
  char *const entry = shk_print_text("|%s %s|", kind, name);
  const bool is = strstr(beginnings, entry) != NULL;
  free(entry);
  return is;
}

static void take_problems(const struct shk_context *context, shk_name_taker *take, void *user)
{
  const struct shk_problem_info *info;
  for (int i = 0; (info = shk_problem_at(context, i)) != NULL; i++)
    take(user, "problem", info->name, info->summary);
}

static void take_integrators(const struct shk_context *context, shk_name_taker *take, void *user)
{
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(context, i)) != NULL; i++)
    take(user, "integrator", info->name, info->summary);
}

/* Takes solvers, each with its meaning up to the first ": ", or else the first "; ". */
static void take_solvers(const struct shk_context *context, shk_name_taker *take, void *user)
{
  for (const struct shk_choice *choice = shk_solver_choices; choice->name; choice++) {
    const char *const colon = strstr(choice->meaning, ": ");
    const char *const end = colon ? colon : strstr(choice->meaning, "; ");
    char *const line =
        shk_print_text("%.*s", end ? (int)(end - choice->meaning) : INT_MAX, choice->meaning);
    take(user, "solver", choice->name, line);
    free(line);
  }
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_item_at(context, SHK_OPTION_CHOICE, i).info) != NULL; i++)
    take(user, "solver", info->name, info->summary);
}

static void take_measures(const struct shk_context *context, shk_name_taker *take, void *user)
{
  (void)context;
  for (int i = 0; i < SHK_MEASURES; i++)
    take(user, "measure", shk_measures[i].name, shk_measures[i].summary);
}

static void take_studies(const struct shk_context *context, shk_name_taker *take, void *user)
{
  int count;
  char **names = shk_shipped_studies(&count);
  for (int i = 0; i < count; i++) {
    struct shk_message error;
    char *path = shk_shipped_study(names[i]);
    struct shk_study *study = path ? shk_study_read(context, path, NULL, &error) : NULL;
    take(user, "study", names[i], study ? study->purpose : path ? error.text : NULL);
    shk_study_free(study);
    free(path);
  }
  shk_free_texts(names, count);
}

static const struct {
  const char *name;
  void (*take)(const struct shk_context *context, shk_name_taker *take, void *user);
} kinds[] = {{"problems", take_problems},
             {"integrators", take_integrators},
             {"solvers", take_solvers},
             {"measures", take_measures},
             {"studies", take_studies}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

void shk_each_name(const struct shk_context *context, shk_name_taker *take, void *user)
{
  for (int i = 0; i < KINDS; i++)
    kinds[i].take(context, take, user);
}

struct listing {
  struct shk_table table;
  bool with_kind; /* a column has the kind of each name */
  bool first;     /* this pass lists the names recommended to beginners, otherwise the others */
};

static void add_list(void *user, const char *kind, const char *name, const char *summary)
{
  struct listing *const listing = user;
  if (is_beginning(kind, name) == listing->first)
    shk_table_add(&listing->table,
                  (const char *const[]){kind, name, summary} + !listing->with_kind);
}

static int run_list(void *self)
{
  struct shk_arguments *const arguments = self;
  int wanted = arguments->count > 0 ? 0 : KINDS;
  while (wanted < KINDS && strcmp(kinds[wanted].name, arguments->words[0]) != 0)
    wanted++;
  if (arguments->count > 0 && wanted == KINDS)
    return shk_bad_input(
        "list: found '%s', expected problems, integrators, solvers, measures or studies",
        arguments->words[0]);
  struct listing listing = {.with_kind = wanted == KINDS};
  shk_columns(&listing.table, listing.with_kind ? "kind|name|summary" : "name|summary");
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < KINDS; i++)
      if (wanted == KINDS || wanted == i) {
        listing.first = pass == 0;
        kinds[i].take(&arguments->context, add_list, &listing);
      }
  shk_show_and_clear(&listing.table, arguments->format);
  return SHK_EXIT_HELD;
}

const struct shk_command shk_command_list = {
    .name = "list",
    .synopsis = "[problems|integrators|solvers|measures|studies]",
    .summary = "Lists all names with a line about each, the basic ones first",
    .formats = SHK_DATA,
    .line = {0, 1, 0, NULL},
    .does = {sizeof(struct shk_arguments), run_list, NULL}};
