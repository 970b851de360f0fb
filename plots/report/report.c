/* A report: its data as JSON, and the page around them. See report.h. */
#include "plots/report/report.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/canvas/styles.h"
#include "plots/kinds/kinds.h"
#include "plots/report/report_parts.h"
#include "results/export/export.h"
#include "results/record/cell_text.h"
#include "results/record/wire_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct shk_report {
  struct shk_store *store;
  char *parts;
  char *title; /* of the first study; of several, all of their names */
  json_t *studies, *provenance;
  struct shk_index rows; /* of the provenance that is in it already */
};

struct shk_report *shk_report_make(struct shk_store *store, const char *parts)
{
  struct shk_report *report = shk_allocate(1, sizeof *report);
  *report = (struct shk_report){.store = store,
                                .parts = shk_copy_text(parts),
                                .studies = shk_wire_had(json_array()),
                                .provenance = shk_wire_had(json_array())};
  return report;
}

void shk_report_free(struct shk_report *report)
{
  if (!report)
    return;
  free(report->parts);
  free(report->title);
  json_decref(report->studies);
  json_decref(report->provenance);
  shk_index_clear(&report->rows);
  free(report);
}

/* ---- data ---- */

static json_t *text_or_null(const char *text)
{
  return text ? shk_wire_text(text, strlen(text)) : shk_wire_had(json_null());
}

static json_t *number_or_null(double value)
{
  return isnan(value) ? shk_wire_had(json_null()) : shk_wire_real(value);
}

/* Names in the order in which they are first met. */
struct names {
  struct shk_index index;
  json_t *list;
};

static json_t *number_of(struct names *names, const char *text)
{
  const int number = shk_index_number(&names->index, "%s", text);
  if (number == (int)json_array_size(names->list))
    shk_wire_append(names->list, shk_wire_text(text, strlen(text)));
  return shk_wire_had(json_integer(number));
}

/* A page must stay one that can be sent and opened: of the largest studies it has some 20 MB. */
enum { MOST_RECORDS = 5000, MOST_FINDINGS = 20000, MOST_OUTPUT = 2000 };

static bool is_telling(const struct shk_finding *f)
{
  return f->verdict == SHK_VERDICT_FALSIFIED || f->verdict == SHK_VERDICT_UNDECIDED ||
         f->verdict == SHK_VERDICT_FAILED;
}

static bool is_telling_record(const struct shk_record *record)
{
  return !shk_record_finished(record);
}

static json_t *findings_of(const struct shk_analysis *analysis, struct names *problems,
                           struct names *methods)
{
  json_t *list = shk_wire_had(json_array());
  int plain = MOST_FINDINGS; /* that have a place beside those that tell something */
  for (int i = 0; i < analysis->finding_count; i++)
    plain -= is_telling(&analysis->findings[i]);
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    if ((!is_telling(f) && --plain < 0) || json_array_size(list) >= MOST_FINDINGS)
      continue;
    json_t *row = shk_wire_had(json_array());
    shk_wire_append(row, number_of(problems, f->problem));
    shk_wire_append(row, number_of(methods, f->integrator));
    shk_wire_append(row, text_or_null(f->precision));
    shk_wire_append(row, text_or_null(f->quantity));
    shk_wire_append(row, number_or_null(f->value));
    shk_wire_append(row, text_or_null(f->word));
    shk_wire_append(row, number_or_null(f->uncertainty));
    shk_wire_append(row, text_or_null(f->expected));
    shk_wire_append(row, text_or_null(shk_verdict_word(f->verdict)));
    shk_wire_append(row, text_or_null(f->reason));
    shk_wire_append(list, row);
  }
  return list;
}

/* As a word of a shell: between single quotes unless it is plain. */
static char *shell_word(const char *text)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,=+/:@%";
  if (*text && strspn(text, plain) == strlen(text))
    return shk_copy_text(text);
  char *word = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&word, &size);
  if (!out) {
    shk_out_of_memory();
    return NULL;
  }
  shk_print_shell(out, text);
  fclose(out);
  return word;
}

/* What reproduces the cell on a command line; NULL for those that only a study makes. */
static char *command_of(const struct shk_cell *cell)
{
  if (strcmp(cell->kind, "run") != 0 || !cell->step || cell->member_count > 0)
    return NULL;
  char *problem = shell_word(cell->problem), *integrator = shell_word(cell->integrator);
  char *q = shell_word(cell->q ? cell->q : "-"), *p = shell_word(cell->p ? cell->p : "-");
  char *command = shk_print_text(
      "shakedown simulate %s %s --step %s --until %s --precision %s%s%s%s%s%s%s%s", problem,
      integrator, cell->step, cell->until, cell->precision, cell->tolerance ? " --tolerance " : "",
      cell->tolerance ? cell->tolerance : "", cell->q ? " --q " : "", cell->q ? q : "",
      cell->p ? " --p " : "", cell->p ? p : "", cell->project ? " --project" : "");
  free(problem);
  free(integrator);
  free(q);
  free(p);
  return command;
}

static json_t *scalars_of(const struct shk_outcome *outcome, struct names *names)
{
  json_t *list = shk_wire_had(json_array());
  for (int i = 0; i < outcome->scalar_count; i++) {
    json_t *pair = shk_wire_had(json_array());
    shk_wire_append(pair, number_of(names, outcome->scalars[i].name));
    shk_wire_append(pair, number_or_null(outcome->scalars[i].value));
    shk_wire_append(list, pair);
  }
  return list;
}

static void add_fact(json_t *facts, const char *name, const char *text)
{
  if (text && *text)
    shk_wire_set(facts, name, shk_wire_text(text, strlen(text)));
}

static bool add_provenance(struct shk_report *report, long row, struct shk_message *error)
{
  struct shk_provenance p = {0};
  const int known = report->rows.count;
  if (shk_index_number(&report->rows, "%ld", row) < known)
    return true;
  if (!shk_store_provenance(report->store, &p, row, error))
    return false;
  json_t *entry = shk_wire_had(json_object()), *facts = shk_wire_had(json_object());
  add_fact(facts, "version", p.version);
  add_fact(facts, "revision", p.revision);
  add_fact(facts, "numeric sources", p.source);
  add_fact(facts, "compiler", p.compiler);
  add_fact(facts, "flags", p.flags);
  add_fact(facts, "processor", p.processor);
  add_fact(facts, "system", p.system);
  add_fact(facts, "libraries", p.libraries);
  add_fact(facts, "plug-ins", p.plugins);
  add_fact(facts, "date", p.date);
  shk_wire_set(entry, "row", shk_wire_had(json_integer(row)));
  shk_wire_set(entry, "facts", facts);
  shk_wire_append(report->provenance, entry);
  shk_provenance_clear(&p);
  return true;
}

static const char *role_word(enum shk_role role)
{
  return role == SHK_ROLE_MEASURED    ? "measured"
         : role == SHK_ROLE_REFERENCE ? "reference"
                                      : "check of the reference";
}

/* What a cell printed; of much the beginning. */
static json_t *output_of(const struct shk_record *record)
{
  if (!record || !record->output)
    return shk_wire_had(json_null());
  const size_t length = strlen(record->output);
  char *text = shk_print_text("%.*s%s", MOST_OUTPUT, record->output,
                              length > MOST_OUTPUT ? "\n(the rest is in the store)" : "");
  json_t *const output = shk_wire_text(text, strlen(text));
  free(text);
  return output;
}

static json_t *record_row(const struct shk_planned *planned, const struct shk_record *record,
                          struct names *problems, struct names *methods, struct names *scalars)
{
  const struct shk_cell *cell = &planned->cell;
  char *problem = shk_cell_problem(cell);
  char *command = command_of(cell), reason[512] = "";
  json_t *row = shk_wire_had(json_array());
  if (record && !shk_record_finished(record))
    shk_record_reason(reason, sizeof reason, record);
  shk_wire_append(row, number_of(problems, problem));
  shk_wire_append(row, number_of(methods, cell->integrator));
  shk_wire_append(row, text_or_null(cell->precision));
  shk_wire_append(row, text_or_null(cell->kind));
  shk_wire_append(row, text_or_null(role_word(planned->role)));
  shk_wire_append(row, text_or_null(cell->step));
  shk_wire_append(row, text_or_null(cell->tolerance));
  shk_wire_append(row, text_or_null(cell->until));
  shk_wire_append(row, text_or_null(shk_record_status(record)));
  shk_wire_append(row, text_or_null(*reason ? reason : NULL));
  shk_wire_append(row, number_or_null(record ? record->seconds : NAN));
  shk_wire_append(row, text_or_null(command));
  shk_wire_append(row, record ? shk_wire_had(json_integer(record->provenance))
                              : shk_wire_had(json_null()));
  shk_wire_append(row, record ? scalars_of(&record->outcome, scalars) : shk_wire_had(json_array()));
  shk_wire_append(row, output_of(record));
  shk_wire_append(row, text_or_null(record ? record->key : NULL));
  free(problem);
  free(command);
  return row;
}

/* ---- a study ---- */

static json_t *methods_of(const struct shk_study *study, const struct shk_plan *plan,
                          struct names *methods)
{
  /* In the order that the figures have. */
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].integrator_count; i++)
      json_decref(number_of(methods, study->runs[r].integrators[i]));
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].role == SHK_ROLE_MEASURED)
      json_decref(number_of(methods, plan->cells[i].cell.integrator));
  return shk_wire_had(json_deep_copy(methods->list));
}

/* The colours of the methods in the figures. */
static json_t *tints_of(const json_t *methods)
{
  const int count = (int)json_array_size(methods);
  const char **names = shk_allocate((size_t)count + 1, sizeof *names);
  int *styles = shk_allocate((size_t)count + 1, sizeof *styles);
  json_t *tints = shk_wire_had(json_array());
  for (int i = 0; i < count; i++)
    names[i] = json_string_value(json_array_get(methods, (size_t)i));
  shk_choose_styles(styles, names, count);
  for (int i = 0; i < count; i++)
    shk_wire_append(tints, text_or_null(shk_style_colour(styles[i])));
  free(styles);
  free(names);
  return tints;
}

static json_t *lessons_of(const struct shk_report_lesson *lessons, int count)
{
  json_t *list = shk_wire_had(json_array());
  for (int i = 0; i < count; i++) {
    json_t *pair = shk_wire_had(json_array());
    shk_wire_append(pair, text_or_null(lessons[i].head));
    shk_wire_append(pair, text_or_null(lessons[i].text));
    shk_wire_append(list, pair);
  }
  return list;
}

bool shk_report_add(struct shk_report *report, const struct shk_study *study,
                    const struct shk_plan *plan, const struct shk_record *const *records,
                    struct shk_records *parts, const struct shk_analysis *analysis,
                    const struct shk_report_lesson *lessons, int lesson_count, const char *scratch,
                    struct shk_message *error)
{
  struct names scalars = {.list = shk_wire_had(json_array())};
  struct names problems = {.list = shk_wire_had(json_array())};
  struct names methods = {.list = shk_wire_had(json_array())};
  json_t *entry = shk_wire_had(json_object()), *rows = shk_wire_had(json_array());
  const char *name = study->name ? study->name : "";
  char *title = report->title ? shk_print_text("%s, %s", report->title, name) : shk_copy_text(name);
  free(report->title);
  report->title = title;
  shk_wire_set(entry, "name", text_or_null(name));
  shk_wire_set(entry, "purpose", text_or_null(study->purpose));
  shk_wire_set(entry, "path", text_or_null(study->path));
  shk_wire_set(entry, "text", text_or_null(study->text));
  shk_wire_set(entry, "learnt", lessons_of(lessons, lesson_count));
  shk_wire_set(entry, "methods", methods_of(study, plan, &methods));
  shk_wire_set(entry, "tints", tints_of(methods.list));
  const size_t method_count = json_array_size(methods.list);
  shk_wire_set(entry, "findings", findings_of(analysis, &problems, &methods));
  bool ok = true, passed_over = false;
  int plain = MOST_RECORDS, left_out = 0;
  for (int i = 0; i < plan->count; i++)
    plain -= is_telling_record(records[i]);
  for (int i = 0; ok && i < plan->count; i++) {
    if ((!is_telling_record(records[i]) && --plain < 0) || json_array_size(rows) >= MOST_RECORDS)
      continue;
    shk_wire_append(rows, record_row(&plan->cells[i], records[i], &problems, &methods, &scalars));
    ok = !records[i] || add_provenance(report, records[i]->provenance, error);
  }
  shk_wire_set(entry, "records", rows);
  shk_wire_set(entry, "cells", shk_wire_had(json_integer(plan->count)));
  shk_wire_set(entry, "values", shk_wire_had(json_integer(analysis->finding_count)));
  json_t *figures = ok ? shk_report_figures(study, plan, records, parts, analysis, scratch,
                                            &left_out, &passed_over, error)
                       : NULL;
  shk_wire_set(entry, "chosen", shk_wire_had(json_boolean(passed_over)));
  shk_wire_set(entry, "undrawn", shk_wire_had(json_integer(left_out)));
  ok = ok && figures;
  if (figures)
    shk_wire_set(entry, "figures", figures);
  /* References are made by integrators that the study does not name. */
  json_t *others = shk_wire_had(json_array());
  for (size_t i = method_count; i < json_array_size(methods.list); i++)
    shk_wire_append(others, shk_wire_had(json_incref(json_array_get(methods.list, i))));
  shk_wire_set(entry, "others", others);
  shk_wire_set(entry, "problems", problems.list);
  shk_wire_set(entry, "scalars", scalars.list);
  shk_index_clear(&scalars.index);
  json_decref(methods.list);
  shk_index_clear(&problems.index);
  shk_index_clear(&methods.index);
  shk_wire_append(report->studies, entry);
  return ok;
}

/* ---- the page ---- */

/* JSON in which no "<" stands, so that nothing in it can end the element that holds it. */
static char *embedded(json_t *json)
{
  char *plain = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII), *text = NULL;
  size_t size = 0;
  FILE *out = plain ? open_memstream(&text, &size) : NULL;
  if (!out) {
    shk_out_of_memory();
    return NULL;
  }
  for (const char *at = plain; *at; at++)
    if (*at == '<')
      fputs("\\u003c", out);
    else
      putc(*at, out);
  fclose(out);
  free(plain);
  return text;
}

bool shk_report_write(struct shk_report *report, const char *folder, struct shk_message *error)
{
  json_t *data = shk_wire_had(json_object());
  shk_wire_set(data, "studies", shk_wire_had(json_incref(report->studies)));
  shk_wire_set(data, "provenance", shk_wire_had(json_incref(report->provenance)));
  char *text = embedded(data);
  json_decref(data);
  const XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
  char nonce[33];
  snprintf(nonce, sizeof nonce, "%016llx%016llx", (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
  const struct shk_page page = {.parts = report->parts,
                                .title = report->title ? report->title : "no study",
                                .nonce = nonce,
                                .data = text};
  const bool ok = shk_page_write(&page, folder, error);
  free(text);
  return ok;
}
