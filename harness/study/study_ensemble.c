/*
 * Ensembles: every cell of a run integrates several starts, its members, together. In a study file:
 *
 *   members: {OPTION: VALUES}        each problem of the run with the option at each value, instead
 *                                    of its own value
 *   members: [{q: […], p: […]}, …]   each problem from each start; one of q and p may be absent
 *
 * VALUES is a text or a list of texts. A text may contain one range A..B, which stands for the
 * whole numbers from A to B: 1..32, 100..131deg, 200..231e-2, random(seed=1..32).
 *
 * Members are added to the run's problems after all other keys of the run have been read.
 */
#include "harness/study/study_runs.h"

#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "harness/study/study_numbers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The members of every problem of a run: values of one option, or explicit starts. */
struct ensemble {
  char *option; /* NULL: explicit starts */
  struct shk_index values;
  int count;                 /* of values, or starts */
  struct shk_member *starts; /* without a problem; q or p NULL: as in the problem */
};

/* ---- values ---- */

/* Returns the range A..B in the text, two whole numbers of at most nine digits, and its length;
 * NULL if there is none. Digits after a sign or a decimal point are not A. */
static const char *find_range(size_t *length, long *from, long *to, const char *text)
{
  int read = 0;
  const char *at = strstr(text, "..");
  while (at && at > text && isdigit((unsigned char)at[-1]))
    at--;
  if (!at || !isdigit((unsigned char)*at) || (at > text && strchr(".+-", at[-1])) ||
      sscanf(at, "%9ld..%9ld%n", from, to, &read) != 2)
    return NULL;
  *length = (size_t)read;
  return at;
}

bool shk_read_value(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  struct shk_index *const values = list;
  char *const text = shk_yaml_text(yaml, item, "a value of the option");
  size_t length = 0;
  long from = 0, to = 0;
  bool ok = text != NULL;
  const char *const range = ok ? find_range(&length, &from, &to, text) : NULL;
  if (range && strstr(range + length, ".."))
    ok = shk_yaml_fail(yaml, item, "found two ranges in \"%s\", expected one at most", text);
  else if (range && (from > to || to - from >= SHK_MOST_MEMBERS))
    ok = shk_yaml_fail(yaml, item,
                       "found the range %.*s, expected one that ascends, over at most %d numbers",
                       (int)length, range, SHK_MOST_MEMBERS);
  for (long k = from; ok && k <= to; k++) {
    char *const value =
        range ? shk_print_text("%.*s%ld%s", (int)(range - text), text, k, range + length)
              : shk_copy_text(text);
    const int known = values->count;
    ok = shk_index_text(values, value) == known ||
         shk_yaml_fail(yaml, item, "the value %s is given twice", value);
    free(value);
  }
  free(text);
  return ok;
}

static bool read_option(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                        struct fy_node *value, void *into)
{
  struct ensemble *const its = into;
  if (its->option)
    return shk_yaml_fail(
        yaml, key_node,
        "found a second option, expected one: members are the values of one option");
  its->option = shk_copy_text(key);
  const bool ok = shk_yaml_sequence(yaml, value, "a list of values of the option, or 1..32", true,
                                    shk_read_value, &its->values);
  its->count = its->values.count;
  return ok;
}

/* ---- starts ---- */

static bool read_start(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("q", false, struct shk_member, q, shk_read_vector, "a list of numbers"),
      SHK_YAML_FIELD("p", false, struct shk_member, p, shk_read_vector, "a list of numbers")};
  static const char expected[] = "a start: {q: [0.6, -0.8], p: [0.4, 0.3]}";
  struct ensemble *const its = into;
  struct shk_member *const start = SHK_APPEND(its->starts, its->count);
  *start = (struct shk_member){.q = NULL};
  return shk_yaml_mapping(yaml, item, NULL, expected, SHK_YAML_KEYS(keys), start) &&
         (start->q || start->p || shk_yaml_fail_kind(yaml, item, expected));
}

/* ---- adding members to the problems ---- */

char *shk_without_option(const char *problem, const char *option)
{
  struct shk_message none;
  struct shk_spec *const spec = shk_spec_parse(problem, &none);
  if (!spec)
    return shk_copy_text(problem);
  const int all = spec->count;
  int kept = 0;
  for (int i = 0; i < all; i++)
    if (!shk_same_text(spec->items[i].option, option)) {
      const struct shk_spec_item item = spec->items[kept];
      spec->items[kept++] = spec->items[i];
      spec->items[i] = item;
    }
  spec->count = kept;
  char *const text = shk_spec_text(spec);
  spec->count = all;
  shk_spec_free(spec);
  return text;
}

static bool add_members(const struct ensemble *its, const struct shk_yaml *yaml,
                        struct fy_node *node, struct shk_cell *start)
{
  if (its->option && !shk_option_of(yaml->user, start->problem, true, its->option))
    return shk_yaml_fail(
        yaml, node, "%.*s has no option \"%s\", and every problem of a run with members needs it",
        (int)strcspn(start->problem, "("), start->problem, its->option);
  struct shk_index known = {0};
  char *const base = its->option ? shk_without_option(start->problem, its->option) : NULL;
  bool ok = true;
  start->members = shk_allocate((size_t)its->count, sizeof *start->members);
  for (int i = 0; ok && i < its->count; i++) {
    const struct shk_member one = base ? (struct shk_member){0} : its->starts[i];
    struct shk_member *const member = &start->members[start->member_count++];
    *member = (struct shk_member){
        .problem = base ? shk_with_option(yaml, node, base, its->option, its->values.texts[i], true)
                        : shk_copy_text(start->problem),
        .q = shk_copy_text(one.q ? one.q : start->q),
        .p = shk_copy_text(one.p ? one.p : start->p)};
    ok = member->problem &&
         (shk_index_number(&known, "%s\n%s\n%s", member->problem, member->q ? member->q : "none",
                           member->p ? member->p : "none") == i ||
          shk_yaml_fail(yaml, node, "member %d of %s is given twice: %s", i + 1, start->problem,
                        member->problem));
  }
  free(base);
  shk_index_clear(&known);
  return ok;
}

/* Checks the number of members, and that the run measures runs only: other types of cells, and
 * analyses of one trajectory, have no members. */
static bool check_run(const struct ensemble *its, const struct shk_yaml *yaml, struct fy_node *node,
                      const struct shk_study_run *run)
{
  for (int i = 0; i < run->measures.count; i++)
    if (shk_measures[shk_measure_named(run->measures.texts[i])].in != SHK_IN_RUNS)
      return shk_yaml_fail(yaml, node,
                           "the measure \"%s\" is for single starts, not for members: list the "
                           "starts as problems, in a run of its own",
                           run->measures.texts[i]);
  if (run->singular.asked)
    return shk_yaml_fail(yaml, node, "outcomes are for single starts, not for members");
  return (its->count >= 2 && its->count <= SHK_MOST_MEMBERS) ||
         shk_yaml_fail(yaml, node, "found %d member%s, expected 2 to %d", its->count,
                       its->count == 1 ? "" : "s", SHK_MOST_MEMBERS);
}

bool shk_read_members(const struct shk_yaml *yaml, struct fy_node *node, void *into)
{
  struct shk_study_run *const run = into;
  static const char expected[] = "one option with its values: {seed: 1..32}; or a list of starts: "
                                 "[{q: [0.6, -0.8], p: [0.4, 0.3]}, …]";
  struct ensemble its = {.option = NULL};
  if (run->problem_count > 0 && run->problems[0].member_count > 0)
    return shk_yaml_fail(yaml, node,
                         "found `lanes`, the old name of members, beside `members`: give one");
  bool ok = shk_yaml_is_mapping(node)
                ? shk_yaml_pairs(yaml, node, expected, read_option, &its)
                : shk_yaml_sequence(yaml, node, expected, false, read_start, &its);
  ok = ok && check_run(&its, yaml, node, run);
  for (int i = 0; ok && i < run->problem_count; i++)
    ok = add_members(&its, yaml, node, &run->problems[i]);
  free(its.option);
  shk_index_clear(&its.values);
  for (int i = 0; its.starts && i < its.count; i++)
    shk_member_clear(&its.starts[i]);
  free(its.starts);
  return ok;
}
