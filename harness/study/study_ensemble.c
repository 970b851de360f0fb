/*
 * Ensembles: the starts that every cell of a run integrates together, its members. A study file
 * calls them members:
 *
 *   members: {OPTION: VALUES}        each problem of the run with the option at each value, instead
 *                                    of its own value
 *   members: [{q: […], p: […]}, …]   each problem from each start; one of q and p may be absent
 *
 * VALUES is a text or a list of texts. `A..B` in a text, once, stands for the whole numbers from A
 * to B: 1..32, 100..131deg, 200..231e-2, random(seed=1..32).
 *
 * Members are added to the run's problems after all other keys of the run have been read.
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "harness/study/study_numbers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  const struct shk_yaml *yaml;
  const struct shk_study_run *run;
  struct fy_node *node; /* of the members */
  char *option;         /* NULL: explicit starts */
  int value_count, start_count;
  char **values;
  struct start {
    char *q, *p;
  } * starts;
};

/* ---- values ---- */

/* Finds A..B in the text and its length; NULL if it has none. A number after a decimal point is not
 * A. */
static const char *find_range(size_t *length, const char *text)
{
  for (const char *dots = text; (dots = strstr(dots, "..")) != NULL; dots++) {
    const char *from = dots;
    while (from > text && isdigit((unsigned char)from[-1]))
      from--;
    const size_t after = strspn(dots + 2, "0123456789");
    if (from == dots || after == 0 || (from > text && strchr(".+-", from[-1])))
      continue;
    *length = (size_t)(dots - from) + 2 + after;
    return from;
  }
  return NULL;
}

static bool read_value(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  enum { LONGEST_BOUND = 9 };
  struct reader *const reader = into;
  char *const text = shk_yaml_text(yaml, item, "a value of the option");
  if (!text)
    return false;
  size_t length = 0, more;
  const char *const range = find_range(&length, text);
  if (!range) {
    shk_add_text(&reader->values, &reader->value_count, text);
    return true;
  }
  const char *const second = strstr(range, "..") + 2;
  const long from = strtol(range, NULL, 10), to = strtol(second, NULL, 10);
  bool ok = true;
  if (find_range(&more, range + length))
    ok = shk_yaml_fail(yaml, item, "found two ranges in \"%s\", expected one at most", text);
  else if (strspn(range, "0123456789") > LONGEST_BOUND ||
           strspn(second, "0123456789") > LONGEST_BOUND || from > to ||
           to - from >= SHK_MOST_MEMBERS)
    ok = shk_yaml_fail(yaml, item,
                       "found the range %.*s, expected one that ascends, over at most %d numbers",
                       (int)length, range, SHK_MOST_MEMBERS);
  for (long k = from; ok && k <= to; k++)
    shk_add_text(&reader->values, &reader->value_count,
                 shk_print_text("%.*s%ld%s", (int)(range - text), text, k, range + length));
  free(text);
  return ok;
}

static bool read_option(void *context, const char *key, struct fy_node *key_node,
                        struct fy_node *value)
{
  struct reader *const reader = context;
  if (reader->option)
    return shk_yaml_fail(
        reader->yaml, key_node,
        "found a second option, expected one: members are the values of one option");
  reader->option = shk_copy_text(key);
  return shk_yaml_sequence(reader->yaml, value, "a list of values of the option, or 1..32", true,
                           read_value, reader);
}

/* ---- starts ---- */

static bool read_start(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("q", false, struct start, q, shk_read_vector, "a list of numbers"),
      SHK_YAML_FIELD("p", false, struct start, p, shk_read_vector, "a list of numbers")};
  static const char expected[] = "a start: {q: [0.6, -0.8], p: [0.4, 0.3]}";
  struct reader *const reader = into;
  struct start *const start = SHK_APPEND(reader->starts, reader->start_count);
  *start = (struct start){.q = NULL};
  return shk_yaml_mapping(yaml, item, expected, keys, sizeof keys / sizeof keys[0], start) &&
         (start->q || start->p || shk_yaml_fail_kind(yaml, item, expected));
}

/* ---- adding members to the problems ---- */

static int member_count(const struct reader *reader)
{
  return reader->option ? reader->value_count : reader->start_count;
}

/* Returns the canonical specification without the option, which a member sets instead. */
static char *without_option(const char *problem, const char *option)
{
  struct shk_message unused;
  struct shk_spec *const spec = shk_spec_parse(problem, &unused);
  if (!spec)
    return shk_copy_text(problem);
  const int all = spec->count;
  for (int i = 0; i < spec->count; i++)
    if (spec->items[i].option && strcmp(spec->items[i].option, option) == 0) {
      const struct shk_spec_item item = spec->items[i];
      for (int k = i; k + 1 < spec->count; k++)
        spec->items[k] = spec->items[k + 1];
      spec->items[--spec->count] = item;
    }
  char *const text = shk_spec_text(spec);
  spec->count = all;
  shk_spec_free(spec);
  return text;
}

/* Makes member i of a problem. Returns false with the message set. */
static bool make_member(struct shk_member *member, const struct reader *reader,
                        const struct shk_start *start, int i)
{
  const struct start *const its = reader->option ? NULL : &reader->starts[i];
  *member = (struct shk_member){.q = shk_copy_text(its && its->q ? its->q : start->q),
                                .p = shk_copy_text(its && its->p ? its->p : start->p)};
  if (its) {
    member->problem = shk_copy_text(start->problem);
    return true;
  }
  char *const base = without_option(start->problem, reader->option);
  member->problem = shk_with_option(reader->yaml, reader->node, "members of", base, reader->option,
                                    reader->values[i], true);
  free(base);
  return member->problem != NULL;
}

static bool add_members(const struct reader *reader, struct shk_start *start)
{
  const int count = member_count(reader);
  struct shk_index known = {0};
  if (reader->option && !shk_has_option(reader->yaml->user, start->problem, true, reader->option))
    return shk_yaml_fail(
        reader->yaml, reader->node,
        "%.*s has no option \"%s\", and every problem of a run with members needs it",
        (int)strcspn(start->problem, "("), start->problem, reader->option);
  bool ok = true;
  start->members = shk_allocate((size_t)count, sizeof *start->members);
  while (ok && start->member_count < count) {
    struct shk_member *const member = &start->members[start->member_count];
    ok = make_member(member, reader, start, start->member_count);
    start->member_count++;
    if (ok &&
        shk_index_number(&known, "%s\n%s\n%s", member->problem, member->q ? member->q : "none",
                         member->p ? member->p : "none") < start->member_count - 1)
      ok = shk_yaml_fail(reader->yaml, reader->node, "member %d of %s is given twice: %s",
                         start->member_count, start->problem, member->problem);
  }
  shk_index_clear(&known);
  return ok;
}

/* Checks that members are used for runs only: other types of cells, and analyses of one trajectory,
 * have none. */
static bool check_run(const struct reader *reader)
{
  const struct shk_study_run *const run = reader->run;
  for (int i = 0; i < run->measure_count; i++)
    if (shk_measures[shk_measure_named(run->measures[i])].in != SHK_IN_RUNS)
      return shk_yaml_fail(reader->yaml, reader->node,
                           "the measure \"%s\" is for single starts, not for members: "
                           "list the starts as problems, in a run of its own",
                           run->measures[i]);
  if (run->singular.asked)
    return shk_yaml_fail(reader->yaml, reader->node,
                         "outcomes are for single starts, not for members");
  const int count = member_count(reader);
  if (count < 2 || count > SHK_MOST_MEMBERS)
    return shk_yaml_fail(reader->yaml, reader->node, "found %d member%s, expected 2 to %d", count,
                         count == 1 ? "" : "s", SHK_MOST_MEMBERS);
  return true;
}

bool shk_read_members(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run)
{
  static const char expected[] = "one option with its values: {seed: 1..32}; or a list of starts: "
                                 "[{q: [0.6, -0.8], p: [0.4, 0.3]}, …]";
  struct reader reader = {.yaml = yaml, .run = run, .node = node};
  bool ok = shk_yaml_is_mapping(node)
                ? shk_yaml_pairs(yaml, node, expected, read_option, &reader)
                : shk_yaml_sequence(yaml, node, expected, false, read_start, &reader);
  ok = ok && check_run(&reader);
  for (int i = 0; ok && i < run->problem_count; i++)
    ok = add_members(&reader, &run->problems[i]);
  free(reader.option);
  shk_free_texts(reader.values, reader.value_count);
  for (int i = 0; i < reader.start_count; i++) {
    free(reader.starts[i].q);
    free(reader.starts[i].p);
  }
  free(reader.starts);
  return ok;
}
