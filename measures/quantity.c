/* Defines the table of quantities and the functions that parse and format their names. See
 * quantity.h. */
#include "measures/quantity.h"

#include "foundation/memory.h"

#include <stdio.h>
#include <string.h>

/* The values of NO_CLAIM and ANY, which the tables use. */
#define SHK_CLAIM_NO_CLAIM SHK_NO_CLAIM
#define SHK_MEASURE_ANY SHK_MEASURES

const struct shk_measure_entry shk_measures[SHK_MEASURES] = {
#define MEASURE(id, name, cells, summary) [SHK_MEASURE_##id] = {name, SHK_IN_##cells, summary},
#include "measures/quantities.def"
#undef MEASURE
};

const char *const shk_measure_names[] = {
#define MEASURE(id, name, ...) name,
#include "measures/quantities.def"
#undef MEASURE
    NULL};

const struct shk_block_entry shk_blocks[SHK_BLOCKS] = {
#define BLOCK(id, name, decides, local, text, figure, latex)                                       \
  [SHK_BLOCK_##id] = {name, SHK_CLAIM_##decides, SHK_CLAIM_##local, text, figure, latex},
#include "measures/quantities.def"
#undef BLOCK
};

const struct shk_series_entry shk_series_entries[SHK_NO_SERIES] = {
#define SERIES(id, name, cells, meaning) [SHK_SERIES_##id] = {name, SHK_IN_##cells, meaning},
#include "measures/quantities.def"
#undef SERIES
};

static const char *const statistics[SHK_STATISTICS] = {
#define STATISTIC(id, name) [SHK_STATISTIC_##id] = name,
#include "measures/quantities.def"
#undef STATISTIC
};

const struct shk_quantity shk_quantities[SHK_QUANTITIES + 1] = {
#define PLAIN(words) words, words, words
#define SAME(words) .text = PLAIN(words)
#define TEXT(words, in_figures) .text = words, in_figures, in_figures
#define BY(what) .parameter = SHK_BY_##what
#define OF(what) .measure = SHK_MEASURE_##what
#define KIND(what) .kind = SHK_KIND_##what
#define BETTER(what) .better = SHK_BETTER_##what
#define DECIDES(what) .decides = SHK_CLAIM_##what
#define FLOOR(what) .floor = SHK_FLOOR_##what
#define QUANTITY(id, ...) [SHK_QUANTITY_##id] = {__VA_ARGS__},
#include "measures/quantities.def"
#undef QUANTITY
    [SHK_QUANTITIES] = {OF(ANY), SAME(""), ""}};

enum shk_measure_id shk_measure_named(const char *name)
{
  int i = 0;
  while (i < SHK_MEASURES && strcmp(shk_measures[i].name, name) != 0)
    i++;
  return (enum shk_measure_id)i;
}

/* Returns true if the string begins with these words. */
static bool begins_with(const char *text, const char *words)
{
  const size_t length = strlen(words);
  return text && strncmp(text, words, length) == 0 && strchr("- ", text[length]) != NULL;
}

const char *shk_measure_of(const char *name)
{
  for (int i = 0; i < SHK_QUANTITIES; i++) {
    const struct shk_quantity *const entry = &shk_quantities[i];
    if (entry->measure != SHK_MEASURES &&
        (begins_with(entry->scalar, name) || begins_with(entry->finding, name)))
      return shk_measures[entry->measure].name;
  }
  return NULL;
}

const struct shk_series *shk_recorded_series(const struct shk_outcome *outcome,
                                             enum shk_series_id id)
{
  const char *const name = shk_series_entries[id].name;
  for (int i = 0; i < outcome->series_count; i++)
    if (strncmp(outcome->series[i].name, name, strcspn(name, "%")) == 0 &&
        (strchr(name, '%') || strcmp(outcome->series[i].name, name) == 0))
      return &outcome->series[i];
  return NULL;
}

static bool is_same(const char *name, const char *text, size_t length)
{
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

static enum shk_block_id block_of(const char *text, size_t length)
{
  int i = 0;
  while (i < SHK_BLOCKS && !is_same(shk_blocks[i].name, text, length))
    i++;
  return (enum shk_block_id)i;
}

enum shk_block_id shk_block_named(const char *name)
{
  return block_of(name, strlen(name));
}

/* ---- reading names ---- */

static bool is_of_steps(const char *text, size_t length)
{
  for (int i = 0; i < SHK_MEASURES; i++)
    if (shk_measures[i].in == SHK_IN_STEPS && is_same(shk_measures[i].name, text, length))
      return true;
  return false;
}

bool shk_is_structure(const char *kind)
{
  return is_of_steps(kind, strlen(kind));
}

static bool accepts_quantity(enum shk_quantity_parameter parameter, const char *text, size_t length)
{
  switch (parameter) {
  case SHK_BY_NOTHING:
    return false;
  case SHK_BY_BLOCK:
    return block_of(text, length) != SHK_BLOCKS;
  case SHK_BY_STEPS:
    return is_of_steps(text, length);
  case SHK_BY_MOMENTUM:
    return memmem(text, length, "momentum", strlen("momentum")) != NULL;
  case SHK_BY_NAME:
    return length > 0;
  }
  return false;
}

/* Parses the end of a finding's name, which can be a statistic, a detail, both, or neither. Returns
 * false for anything else. */
static bool read_end(struct shk_named_quantity *named, const char *text)
{
  named->statistic = SHK_STATISTIC_NONE;
  for (int i = SHK_STATISTIC_NONE + 1; i < SHK_STATISTICS; i++) {
    const char *const name = statistics[i];
    if (strncmp(text, ", ", 2) == 0 && strncmp(text + 2, name, strlen(name)) == 0) {
      named->statistic = (enum shk_statistic)i;
      text += 2 + strlen(name);
      break;
    }
  }
  const size_t length = strlen(text);
  named->detail = length > 0 ? text + 1 : text;
  return length == 0 || (strncmp(text, " (", 2) == 0 && text[length - 1] == ')');
}

/* Matches `name` against `pattern`, using the shortest parameter after which the rest of the name
 * is valid. The rest is valid if read_end accepts it (for a finding) or if it is empty (for a
 * scalar). */
static bool matches_pattern(struct shk_named_quantity *named, const char *name, const char *pattern,
                            bool finding)
{
  const size_t head = strcspn(pattern, "%");
  const char *const tail = pattern[head] == '%' ? pattern + head + 1 : "";
  const char *at = name + head;
  if (strncmp(name, pattern, head) != 0)
    return false;
  if (pattern[head] == '\0')
    return finding ? read_end(named, at) : *at == '\0';
  for (const char *end = at;; end++) {
    const size_t length = (size_t)(end - at);
    if (strncmp(end, tail, strlen(tail)) == 0 &&
        accepts_quantity(named->entry->parameter, at, length) &&
        (finding ? read_end(named, end + strlen(tail)) : end[strlen(tail)] == '\0')) {
      named->parameter = at;
      named->length = (int)length;
      named->block = block_of(at, length);
      return true;
    }
    if (*end == '\0')
      return false;
  }
}

static struct shk_named_quantity look_up(const char *name, bool finding)
{
  for (int i = 0;; i++) {
    struct shk_named_quantity named = {.id = (enum shk_quantity_id)i,
                                       .entry = &shk_quantities[i],
                                       .block = SHK_BLOCKS,
                                       .detail = ""};
    const char *const pattern = finding ? named.entry->finding : named.entry->scalar;
    if (i == SHK_QUANTITIES || (pattern && matches_pattern(&named, name, pattern, finding)))
      return named;
  }
}

struct shk_named_quantity shk_named_finding(const char *name)
{
  return look_up(name, true);
}

struct shk_named_quantity shk_named_scalar(const char *name)
{
  return look_up(name, false);
}

enum shk_quantity_id shk_measure_finds(enum shk_measure_id measure)
{
  /* this finding is named after the measure */
  return shk_named_finding(shk_measures[measure].name).id;
}

enum shk_claim shk_decided_by(const struct shk_named_quantity *named)
{
  if (named->statistic != SHK_STATISTIC_NONE)
    return SHK_NO_CLAIM;
  return named->id == SHK_QUANTITY_ORDER         ? shk_blocks[named->block].decides
         : named->id == SHK_QUANTITY_LOCAL_ORDER ? shk_blocks[named->block].local
                                                 : named->entry->decides;
}

enum shk_quantity_id shk_invariant_quantity(const char *invariant)
{
  return accepts_quantity(SHK_BY_MOMENTUM, invariant, strlen(invariant))
             ? SHK_QUANTITY_MOMENTUM_MAX
             : SHK_QUANTITY_INVARIANT_MAX;
}

enum shk_measure_id shk_measure_deciding(enum shk_claim claim)
{
  for (int i = 0; i < SHK_BLOCKS; i++)
    if (shk_blocks[i].decides == claim)
      return shk_quantities[SHK_QUANTITY_ORDER].measure;
    else if (shk_blocks[i].local == claim)
      return shk_quantities[SHK_QUANTITY_LOCAL_ORDER].measure;
  for (int i = 0; i < SHK_QUANTITIES; i++)
    if (shk_quantities[i].decides == claim)
      return shk_quantities[i].measure;
  return SHK_MEASURES;
}

/* ---- writing names ---- */

char *shk_quantity_words(char *buffer, size_t size, const char *text, const char *parameter)
{
  const size_t head = strcspn(text, "%");
  snprintf(buffer, size, "%.*s%s%s", (int)head, text, parameter ? parameter : "",
           text[head] == '%' ? text + head + 1 : "");
  return buffer;
}

char *shk_finding_name(struct shk_named_quantity *named, enum shk_quantity_id id,
                       const char *parameter, enum shk_statistic statistic, const char *detail)
{
  const char *const pattern = shk_quantities[id].finding;
  const size_t head = strcspn(pattern, "%");
  char *const name = shk_print_text(
      "%.*s%s%s%s%s%s", (int)head, pattern, parameter ? parameter : "",
      pattern[head] == '%' ? pattern + head + 1 : "", statistic != SHK_STATISTIC_NONE ? ", " : "",
      statistic != SHK_STATISTIC_NONE ? statistics[statistic] : "", detail);
  const char *const end = name + strlen(name);
  *named = (struct shk_named_quantity){
      .id = id,
      .entry = &shk_quantities[id],
      .parameter = parameter ? name + head : NULL,
      .length = parameter ? (int)strlen(parameter) : 0,
      .block = parameter ? shk_block_named(parameter) : SHK_BLOCKS,
      .statistic = statistic,
      .detail = *detail != '\0' ? end - strlen(detail) + 1 : end,
  };
  return name;
}

char *shk_scalar_name(char *buffer, size_t size, enum shk_quantity_id id, const char *parameter)
{
  return shk_quantity_words(buffer, size, shk_quantities[id].scalar, parameter);
}

double shk_recorded(const struct shk_outcome *outcome, enum shk_quantity_id id,
                    const char *parameter)
{
  char name[SHK_SCALAR_NAME];
  return shk_outcome_scalar(outcome, shk_scalar_name(name, sizeof name, id, parameter));
}
