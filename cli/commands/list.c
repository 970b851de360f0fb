/* shakedown list: prints all names, each with a one-line description. */
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

/* Returns true for names that are recommended to beginners. They are listed first. */
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

static const char *family_of(const char *stated)
{
  return stated && *stated ? stated : "others";
}

static void take_problems(const struct shk_context *context, shk_name_taker *take, void *user)
{
  const struct shk_problem_info *info;
  for (int i = 0; (info = shk_problem_at(context, i)) != NULL; i++)
    take(user,
         &(struct shk_listed_name){"problem", info->name, family_of(info->family), info->summary});
}

static void take_integrators(const struct shk_context *context, shk_name_taker *take, void *user)
{
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(context, i)) != NULL; i++) {
    char *const line = info->textbook
                           ? shk_print_text("%s. In textbooks: %s", info->summary, info->textbook)
                           : NULL;
    take(user, &(struct shk_listed_name){"integrator", info->name, family_of(info->family),
                                         line ? line : info->summary});
    free(line);
  }
}

/* Passes on all solvers. Their descriptions are cut off at the first ": " or, if there is none, at
 * the first "; ". */
static void take_solvers(const struct shk_context *context, shk_name_taker *take, void *user)
{
  for (const struct shk_choice *choice = shk_solver_choices; choice->name; choice++) {
    const char *const colon = strstr(choice->meaning, ": ");
    const char *const end = colon ? colon : strstr(choice->meaning, "; ");
    char *const line =
        shk_print_text("%.*s", end ? (int)(end - choice->meaning) : INT_MAX, choice->meaning);
    take(user, &(struct shk_listed_name){"solver", choice->name, NULL, line});
    free(line);
  }
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_engine_item(context, SHK_OPTION_CHOICE, i).info) != NULL; i++)
    take(user, &(struct shk_listed_name){"solver", info->name, NULL, info->summary});
}

static void take_measures(const struct shk_context *context, shk_name_taker *take, void *user)
{
  (void)context;
  for (int i = 0; i < SHK_MEASURES; i++)
    take(user,
         &(struct shk_listed_name){"measure", shk_measures[i].name, NULL, shk_measures[i].summary});
}

static void take_studies(const struct shk_context *context, shk_name_taker *take, void *user)
{
  int count;
  char **names = shk_shipped_studies(&count);
  for (int i = 0; i < count; i++) {
    struct shk_message error;
    char *path = shk_shipped_study(names[i]);
    struct shk_study *study = path ? shk_study_read(context, path, NULL, &error) : NULL;
    const char *text = study && study->purpose ? study->purpose : "";
    /* only the first paragraph if there are several */
    char *const purpose = shk_take_paragraph(&text);
    take(user, &(struct shk_listed_name){"study", names[i], NULL,
                                         study  ? purpose
                                         : path ? error.text
                                                : NULL});
    free(purpose);
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
  struct entry {
    /* owned copies; a missing family or summary is stored as "" */
    char *kind, *name, *family, *summary;
    bool printed;
  } * all;
  int count;
};

static void add_list(void *user, const struct shk_listed_name *name)
{
  struct listing *const listing = user;
  *SHK_APPEND(listing->all, listing->count) =
      (struct entry){shk_copy_text(name->kind), shk_copy_text(name->name),
                     shk_copy_text(name->family ? name->family : ""),
                     shk_copy_text(name->summary ? name->summary : ""), false};
}

/* Prints a heading and those entries of the same kind and family as `first` that have not been
 * printed yet. If `first` is NULL, prints the entries for beginners. */
static void print_group(struct listing *listing, const char *heading, const struct entry *first)
{
  enum { NAME_WIDTH = 26 };
  bool any = false;
  for (int i = 0; i < listing->count; i++) {
    struct entry *const entry = &listing->all[i];
    if (entry->printed ||
        (first ? strcmp(entry->kind, first->kind) != 0 || strcmp(entry->family, first->family) != 0
               : !is_beginning(entry->kind, entry->name)))
      continue;
    if (!any)
      shk_print_line(heading, 0);
    any = entry->printed = true;
    char *const line = shk_print_text("  %-*s  %s", NAME_WIDTH, entry->name, entry->summary);
    if (shk_terminal_width(stdout, 0) > 0)
      shk_print_line(line, NAME_WIDTH + 4);
    else
      shk_say("%s", line); /* one line per entry, for use in a pipe */
    free(line);
  }
}

/* Prints the names for beginners, followed by the others, sorted by kind and family. */
static void print_groups(struct listing *listing)
{
  print_group(listing, "to begin with", NULL);
  for (int i = 0; i < listing->count; i++) {
    const struct entry *const entry = &listing->all[i];
    if (entry->printed)
      continue;
    char *const heading = entry->family[0] ? shk_print_text("%ss: %s", entry->kind, entry->family)
                          : strcmp(entry->kind, "study") == 0 ? shk_copy_text("studies")
                                                              : shk_print_text("%ss", entry->kind);
    puts("");
    print_group(listing, heading, entry);
    free(heading);
  }
}

/* Prints one row per name, to be read by other programs. Names for beginners come first. */
static void show_rows(const struct listing *listing, bool with_kind, bool with_family,
                      enum shk_format format)
{
  struct shk_table table;
  shk_columns(&table, with_kind     ? "kind|name|summary|family"
                      : with_family ? "name|summary|family"
                                    : "name|summary");
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < listing->count; i++) {
      const struct entry *const e = &listing->all[i];
      if (is_beginning(e->kind, e->name) == (pass == 0))
        shk_table_add(&table,
                      (const char *const[]){e->kind, e->name, e->summary, e->family} + !with_kind);
    }
  shk_show_and_clear(&table, format);
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
  struct listing listing = {NULL, 0};
  for (int i = 0; i < KINDS; i++)
    if (wanted == KINDS || wanted == i)
      kinds[i].take(&arguments->context, add_list, &listing);
  if (arguments->format == SHK_FORMAT_TABLE)
    print_groups(&listing);
  else
    show_rows(&listing, wanted == KINDS, listing.count > 0 && listing.all[0].family[0],
              arguments->format);
  for (int i = 0; i < listing.count; i++) {
    free(listing.all[i].kind);
    free(listing.all[i].name);
    free(listing.all[i].family);
    free(listing.all[i].summary);
  }
  free(listing.all);
  return SHK_EXIT_HELD;
}

const struct shk_command shk_command_list = {
    .name = "list",
    .synopsis = "[problems|integrators|solvers|measures|studies]",
    .summary = "Lists all names by family, basic ones first, with descriptions",
    .formats = SHK_DATA,
    .line = {0, 1, 0, NULL},
    .does = {sizeof(struct shk_arguments), run_list, NULL}};
