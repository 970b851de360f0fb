/*
 * Descriptors, claims and inspections as JSON. See remote_descriptors.h.
 *
 * The texts of what is read stay in the JSON, which the result keeps; only lists are made anew.
 */
#include "harness/run/remote_descriptors.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "results/record/wire_text.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8 }; /* choices within choices */

static void set_integer(json_t *object, const char *member, long value)
{
  shk_wire_set(object, member, json_integer(value));
}

static void set_flag(json_t *object, const char *member, bool value)
{
  if (value)
    shk_wire_set(object, member, json_true());
}

/* ---- writing ---- */

static json_t *options_json(const struct shk_option *options)
{
  json_t *list = shk_wire_had(json_array());
  for (const struct shk_option *option = options; option && option->name; option++) {
    json_t *one = shk_wire_had(json_object());
    shk_wire_set_text(one, "name", option->name);
    set_integer(one, "kind", option->kind);
    shk_wire_set_text(one, "fallback", option->fallback);
    shk_wire_set_text(one, "minimum", option->minimum);
    shk_wire_set_text(one, "maximum", option->maximum);
    set_flag(one, "positive", option->positive);
    set_flag(one, "positional", option->positional);
    set_flag(one, "others", option->others_at != 0);
    shk_wire_set_text(one, "meaning", option->meaning);
    if (option->heads) {
      json_t *heads = shk_wire_had(json_array());
      for (const struct shk_head *head = option->heads; head->name; head++) {
        json_t *object = shk_wire_had(json_object());
        shk_wire_set_text(object, "name", head->name);
        shk_wire_set_text(object, "meaning", head->meaning);
        if (head->options)
          shk_wire_set(object, "options", options_json(head->options));
        shk_wire_append(heads, object);
      }
      shk_wire_set(one, "heads", heads);
    }
    shk_wire_append(list, one);
  }
  return list;
}

json_t *shk_wire_problem_info(const struct shk_problem_info *info)
{
  json_t *json = shk_wire_had(json_object());
  shk_wire_set_text(json, "name", info->name);
  shk_wire_set_text(json, "summary", info->summary);
  shk_wire_set_text(json, "equations", info->equations);
  shk_wire_set_text(json, "citation", info->citation);
  shk_wire_set_text(json, "units", info->units);
  shk_wire_set_text(json, "coordinates", info->coordinates);
  if (info->options)
    shk_wire_set(json, "options", options_json(info->options));
  return json;
}

json_t *shk_wire_integrator_info(const struct shk_integrator_info *info)
{
  json_t *json = shk_wire_had(json_object());
  shk_wire_set_text(json, "name", info->name);
  shk_wire_set_text(json, "summary", info->summary);
  shk_wire_set_text(json, "equations", info->equations);
  shk_wire_set_text(json, "citation", info->citation);
  if (info->options)
    shk_wire_set(json, "options", options_json(info->options));
  set_integer(json, "supports", (long)info->supports);
  set_flag(json, "adaptive", info->adaptive);
  set_flag(json, "double-only", info->double_only);
  set_flag(json, "exact", info->exact);
  shk_wire_set_text(json, "partner", info->partner);
  return json;
}

/* Orders are whole numbers from -1 (not claimed), answers 0 (unknown), 1 (yes), 2 (no). */
json_t *shk_wire_claims(const struct shk_claims *claims)
{
  json_t *json = shk_wire_had(json_object());
  for (int i = 1; i < SHK_CLAIMS; i++)
    set_integer(json, shk_claim_entries[i].field, shk_claim_value(claims, (enum shk_claim)i));
  return json;
}

bool shk_wire_read_claims(struct shk_claims *claims, const json_t *json, struct shk_message *error)
{
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const struct shk_claim_entry *const entry = &shk_claim_entries[i];
    long value = entry->order ? SHK_NO_ORDER : SHK_UNKNOWN;
    /* One that a store keeps from a program of before has no claims that came later. */
    if ((!json_is_object(json) || json_object_get(json, entry->field)) &&
        !shk_wire_get_integer(&value, json, entry->field, entry->order ? SHK_NO_ORDER : 0,
                              entry->order ? 1000 : SHK_NO, error))
      return false;
    shk_claim_set(claims, (enum shk_claim)i, (int)value);
  }
  return true;
}

json_t *shk_wire_inspection(const struct shk_inspection *inspection)
{
  json_t *json = shk_wire_had(json_object());
  set_integer(json, "n", inspection->n);
  set_integer(json, "m", inspection->m);
  set_integer(json, "features", (long)inspection->features);
  set_integer(json, "undecidable", (long)inspection->undecidable);
  shk_wire_set_real(json, "initial-time", inspection->initial_time);
  shk_wire_set_real(json, "time-scale", inspection->time_scale);
  shk_wire_set_real(json, "horizon", inspection->horizon);
  set_flag(json, "exact", inspection->exact);
  json_t *names = shk_wire_had(json_array());
  for (int i = 0; i < inspection->invariant_count; i++)
    shk_wire_append(names, shk_wire_text(inspection->invariant_names[i],
                                         strlen(inspection->invariant_names[i])));
  shk_wire_set(json, "invariants", names);
  return json;
}

bool shk_wire_read_inspection(struct shk_inspection *inspection, const json_t *json,
                              struct shk_message *error)
{
  *inspection = (struct shk_inspection){0};
  long n, m, features, undecidable;
  if (!shk_wire_get_integer(&n, json, "n", 0, 1L << 30, error) ||
      !shk_wire_get_integer(&m, json, "m", 0, 1L << 30, error) ||
      !shk_wire_get_integer(&features, json, "features", 0, 0xFFFFFFFFL, error) ||
      !shk_wire_get_integer(&undecidable, json, "undecidable", 0, 0xFFFFFFFFL, error) ||
      !shk_wire_get_real(&inspection->initial_time, json, "initial-time", error) ||
      !shk_wire_get_real(&inspection->time_scale, json, "time-scale", error) ||
      !shk_wire_get_real(&inspection->horizon, json, "horizon", error))
    return false;
  inspection->n = (int)n;
  inspection->m = (int)m;
  inspection->features = (unsigned)features;
  inspection->undecidable = (unsigned)undecidable;
  inspection->exact = json_is_true(json_object_get(json, "exact"));
  const json_t *names = json_object_get(json, "invariants");
  const size_t most = sizeof inspection->invariant_names / sizeof inspection->invariant_names[0];
  for (size_t i = 0; i < json_array_size(names) && i < most; i++) {
    const char *name = json_string_value(json_array_get(names, i));
    snprintf(inspection->invariant_names[i], sizeof inspection->invariant_names[i], "%s",
             name ? name : "");
    inspection->invariant_count = (int)i + 1;
  }
  return true;
}

/* ---- reading descriptors ---- */

static void *array_of(struct shk_descriptors *all, size_t count, size_t size)
{
  void *array = shk_allocate(count, size);
  all->arrays = shk_grow(all->arrays, (size_t)all->array_count, sizeof *all->arrays);
  all->arrays[all->array_count++] = array;
  return array;
}

static const char *text_of(const json_t *object, const char *member)
{
  return json_string_value(json_object_get(object, member));
}

static bool flag_of(const json_t *object, const char *member)
{
  return json_is_true(json_object_get(object, member));
}

/* A text that the descriptor of a problem or integrator must have and that is shown to people. */
static const char *shown(const json_t *object, const char *member)
{
  const char *text = text_of(object, member);
  return text ? text : "";
}

static bool read_options(struct shk_descriptors *all, const struct shk_option **options,
                         const json_t *list, int depth, struct shk_message *error);

static bool read_heads(struct shk_descriptors *all, const struct shk_head **heads,
                       const json_t *list, int depth, struct shk_message *error)
{
  *heads = NULL;
  if (!list)
    return true;
  const size_t count = json_array_size(list);
  struct shk_head *read = array_of(all, count + 1, sizeof *read);
  for (size_t i = 0; i < count; i++) {
    const json_t *json = json_array_get(list, i);
    read[i].name = text_of(json, "name");
    read[i].meaning = shown(json, "meaning");
    if (!read[i].name) {
      shk_message_set(error, "the head of a choice has no name");
      return false;
    }
    if (!read_options(all, &read[i].options, json_object_get(json, "options"), depth + 1, error))
      return false;
  }
  *heads = read;
  return true;
}

static bool read_options(struct shk_descriptors *all, const struct shk_option **options,
                         const json_t *list, int depth, struct shk_message *error)
{
  *options = NULL;
  if (!list)
    return true;
  if (depth > DEEPEST) {
    shk_message_set(error, "choices are nested more than %d deep", DEEPEST);
    return false;
  }
  const size_t count = json_array_size(list);
  struct shk_option *read = array_of(all, count + 1, sizeof *read);
  for (size_t i = 0; i < count; i++) {
    const json_t *json = json_array_get(list, i);
    long kind;
    if (!shk_wire_get_integer(&kind, json, "kind", 0, SHK_OPTION_PROBLEM, error))
      return false;
    read[i] = (struct shk_option){
        .name = text_of(json, "name"),
        .kind = (enum shk_option_kind)kind,
        .fallback = text_of(json, "fallback"),
        .minimum = text_of(json, "minimum"),
        .maximum = text_of(json, "maximum"),
        .positive = flag_of(json, "positive"),
        .positional = flag_of(json, "positional"),
        .others_at = flag_of(json, "others"),
        .meaning = shown(json, "meaning"),
    };
    if (!read[i].name) {
      shk_message_set(error, "an option has no name");
      return false;
    }
    if (!read_heads(all, &read[i].heads, json_object_get(json, "heads"), depth, error))
      return false;
    if (read[i].kind == SHK_OPTION_CHOICE && !read[i].heads) {
      shk_message_set(error, "option \"%s\" is a choice of nothing", read[i].name);
      return false;
    }
  }
  *options = read;
  return true;
}

static bool read_problem(struct shk_descriptors *all, struct shk_problem_info *info,
                         const json_t *json, struct shk_message *error)
{
  *info = (struct shk_problem_info){
      .name = text_of(json, "name"),
      .summary = shown(json, "summary"),
      .equations = shown(json, "equations"),
      .citation = shown(json, "citation"),
      .units = shown(json, "units"),
      .coordinates = shown(json, "coordinates"),
  };
  if (!info->name) {
    shk_message_set(error, "a problem has no name");
    return false;
  }
  return read_options(all, &info->options, json_object_get(json, "options"), 0, error);
}

static bool read_integrator(struct shk_descriptors *all, struct shk_integrator_info *info,
                            const json_t *json, struct shk_message *error)
{
  long supports;
  *info = (struct shk_integrator_info){
      .name = text_of(json, "name"),
      .summary = shown(json, "summary"),
      .equations = shown(json, "equations"),
      .citation = shown(json, "citation"),
      .adaptive = flag_of(json, "adaptive"),
      .double_only = flag_of(json, "double-only"),
      .exact = flag_of(json, "exact"),
      .partner = text_of(json, "partner"),
  };
  if (!info->name) {
    shk_message_set(error, "an integrator has no name");
    return false;
  }
  if (!shk_wire_get_integer(&supports, json, "supports", 0, 0xFFFFFFFFL, error))
    return false;
  info->supports = (unsigned)supports;
  return read_options(all, &info->options, json_object_get(json, "options"), 0, error);
}

bool shk_descriptors_read(struct shk_descriptors *all, json_t *json, struct shk_message *error)
{
  *all = (struct shk_descriptors){.json = json_incref(json)};
  const json_t *problems = json_object_get(json, "problems");
  const json_t *integrators = json_object_get(json, "integrators");
  const json_t *solvers = json_object_get(json, "solvers");
  const size_t problem_count = json_array_size(problems);
  const size_t integrator_count = json_array_size(integrators);
  const size_t solver_count = json_array_size(solvers);
  all->problems = array_of(all, problem_count, sizeof *all->problems);
  all->integrators = array_of(all, integrator_count, sizeof *all->integrators);
  all->solvers = array_of(all, solver_count, sizeof *all->solvers);
  for (size_t i = 0; i < problem_count; i++, all->problem_count++)
    if (!read_problem(all, &all->problems[i], json_array_get(problems, i), error))
      return false;
  for (size_t i = 0; i < integrator_count; i++, all->integrator_count++)
    if (!read_integrator(all, &all->integrators[i], json_array_get(integrators, i), error))
      return false;
  for (size_t i = 0; i < solver_count; i++, all->solver_count++)
    if (!read_integrator(all, &all->solvers[i], json_array_get(solvers, i), error))
      return false;
  return true;
}

void shk_descriptors_clear(struct shk_descriptors *all)
{
  for (int i = 0; i < all->array_count; i++)
    free(all->arrays[i]);
  free(all->arrays);
  json_decref(all->json);
  *all = (struct shk_descriptors){0};
}
