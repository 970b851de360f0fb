/* Reads choices in study files. See study_runs.h. */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const shk_study_names[] = {"method", "problems", "plugin-problems", NULL};

const char *const shk_budget_words[] = {"brief", "default", "thorough", NULL};
static const char *const kind_words[] = {"fixed", "adaptive", NULL};

enum {
  MOST_REPLACEMENTS = 8, /* maximum nesting depth of names and choices in one value */
  MOST_NAMES = 3,        /* maximum nesting depth of named lists */
  SEEDS = 16             /* number of seeds for each study and repetition */
};

/* ---- chosen values ---- */

enum by { BY_NOTHING, BY_BUDGET, BY_KIND, BY_ORDER };

struct choice {
  enum by by;
  bool mixed; /* whether the keys belong to different kinds of choice, or to none */
  /* value of the largest key within the limit or, if there is no limit, of the smallest key */
  struct fy_node *best;
  int preference, count;
};

/* Determines the kind of choice to which a key belongs and the key's rank within that kind (N for
 * `order N`). */
static enum by rank_of(int *rank, const char *key)
{
  char end;
  if ((*rank = shk_word_number(shk_budget_words, key)) >= 0)
    return BY_BUDGET;
  if ((*rank = shk_word_number(kind_words, key)) >= 0)
    return BY_KIND;
  return sscanf(key, "order %4d%c", rank, &end) == 1 && *rank >= 0 ? BY_ORDER : BY_NOTHING;
}

static bool weigh_study_choices(const struct shk_yaml *yaml, const char *key,
                                struct fy_node *key_node, struct fy_node *value, void *context)
{
  (void)key_node;
  struct choice *const choice = context;
  const int most[] = {[BY_BUDGET] = (int)shk_choices(yaml)->settings.budget,
                      [BY_KIND] = shk_choices(yaml)->class.adaptive,
                      [BY_ORDER] = shk_choices(yaml)->class.order};
  int rank;
  const enum by by = rank_of(&rank, key);
  choice->mixed = choice->mixed || by == BY_NOTHING || (choice->by && by != choice->by);
  choice->by = by;
  choice->count++;
  const int preference = rank <= most[by] ? rank : -1 - rank;
  if (!choice->best || preference > choice->preference) {
    choice->best = value;
    choice->preference = preference;
  }
  return true;
}

/* Returns the chosen value of a mapping. If the keys are not all choices of one kind, returns
 * NULL. */
static struct fy_node *choose_key(const struct shk_yaml *yaml, struct fy_node *value)
{
  struct choice choice = {.by = BY_NOTHING};
  if (!shk_yaml_is_mapping(value) ||
      !shk_yaml_pairs(yaml, value, "", weigh_study_choices, &choice) || choice.mixed ||
      /* for example, {adaptive: no} is a condition, not a choice */
      (choice.by == BY_KIND && choice.count == 1))
    return NULL;
  if (choice.by == BY_KIND || choice.by == BY_ORDER)
    shk_choices(yaml)->by_method = true;
  return choice.best;
}

/* If the node is a scalar that begins with "$", returns the rest of the scalar. Otherwise, returns
 * NULL. */
static char *name_of(const struct fy_node *node)
{
  char *const text = shk_yaml_scalar(node);
  char *const name = text && text[0] == '$' ? shk_copy_text(text + 1) : NULL;
  free(text);
  return name;
}

bool shk_is_choice(const struct fy_node *node)
{
  char *const name = name_of(node);
  free(name);
  return name != NULL;
}

static struct fy_node *named_choice(const struct shk_yaml *yaml, struct fy_node *value)
{
  char *const name = name_of(value);
  struct fy_node *const node = name ? shk_yaml_value(shk_choices(yaml)->names, name) : NULL;
  free(name);
  return node;
}

struct fy_node *shk_choose_value(const struct shk_yaml *yaml, struct fy_node *value)
{
  for (int i = 0; i < MOST_REPLACEMENTS; i++) {
    struct fy_node *next = named_choice(yaml, value);
    if (!next)
      next = choose_key(yaml, value);
    if (!next)
      return value;
    value = next;
  }
  shk_yaml_fail(yaml, value, "found more than %d nested names and choices", MOST_REPLACEMENTS);
  return NULL;
}

/* ---- names of specifications ---- */

bool shk_each_method(const struct shk_yaml *yaml, struct fy_node *node, bool with_exact,
                     shk_text_reader *text, void *into)
{
  struct shk_message unused;
  const struct shk_integrator_info *info;
  bool ok = true;
  for (int i = 0; ok && (info = shk_integrator_at(yaml->user, i)) != NULL; i++) {
    char *const spec = info->exact && !with_exact
                           ? NULL
                           : shk_canonical_integrator(yaml->user, info->name, &unused);
    ok = !spec || text(yaml, node, spec, into);
    free(spec);
  }
  return ok;
}

/* Calls `text` with each specification that a command has assigned to a name. */
static bool read_given(const struct shk_yaml *yaml, struct fy_node *node, const char *name,
                       shk_text_reader *text, void *into)
{
  const int known = shk_word_number(shk_study_names, name);
  for (int i = 0; i < shk_choices(yaml)->settings.name_count; i++) {
    const struct shk_study_name *const given = &shk_choices(yaml)->settings.names[i];
    int k = 0;
    if (strcmp(given->name, name) != 0)
      continue;
    while (k < given->count && text(yaml, node, given->texts[k], into))
      k++;
    return k == given->count;
  }
  if (known < 0)
    return shk_yaml_fail(yaml, node, "$%s is neither defined under `names` nor set by a command",
                         name);
  return known > 0 || shk_each_method(yaml, node, false, text, into);
}

bool shk_read_named(const struct shk_yaml *yaml, struct fy_node *node, shk_text_reader *text,
                    shk_yaml_reader *item, void *into)
{
  struct fy_node *value = shk_choose_value(yaml, node);
  char *const name = name_of(node);
  bool ok = value != NULL;
  shk_choices(yaml)->in_name++;
  if (ok && value == node)
    ok = read_given(yaml, node, name, text, into);
  else if (ok && shk_choices(yaml)->in_name > MOST_NAMES)
    ok = shk_yaml_fail(yaml, node, "found more than %d nested names", MOST_NAMES);
  else if (ok)
    ok = shk_yaml_sequence(yaml, value, "a list of specifications", true, item, into);
  shk_choices(yaml)->in_name--;
  free(name);
  return ok;
}

/* ---- random systems ---- */

char *shk_with_seeds(const struct shk_study_choices *choices, char *text)
{
  static const char word[] = "$seed";
  const long first = SEEDS * (SHK_MOST_DRAWS * choices->settings.seed + choices->draw);
  for (char *at; (at = strstr(text, word)) != NULL;) {
    char *after = at + sizeof word - 1;
    const long number = strtol(after, &after, 10);
    if (after == at + sizeof word - 1 || number < 0 || number >= SEEDS)
      break; /* the string is not a specification */
    char *const seeded = shk_print_text("%.*s%ld%s", (int)(at - text), text, first + number, after);
    free(text);
    text = seeded;
  }
  return text;
}
