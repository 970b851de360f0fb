/* Reads the bands that a study sets and the names of their values; see stated_bands.h. */
#include "harness/check/stated_bands.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Removes an ending such as " of rattle" from a name in place. Returns false if the name does not
 * have this ending. */
static bool cut_name(char *name, const char *word, const char *part)
{
  char *const end = shk_print_text(" %s %s", word, part);
  const size_t length = strlen(name), cut = strlen(end);
  const bool has = length > cut && strcmp(name + length - cut, end) == 0;
  if (has)
    name[length - cut] = '\0';
  free(end);
  return has;
}

/* Removes the study's precision, problem and integrator from the end of a name in place. */
static void cut_names(struct shk_stated_band *band, const struct shk_study *study)
{
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].precisions.count && !band->precision; i++)
      if (cut_name(band->quantity, "in", study->runs[r].precisions.texts[i]))
        band->precision = study->runs[r].precisions.texts[i];
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].problem_count && !band->problem; i++)
      if (cut_name(band->quantity, "on", study->runs[r].problems[i].problem))
        band->problem = study->runs[r].problems[i].problem;
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].integrators.count && !band->integrator; i++)
      if (cut_name(band->quantity, "of", study->runs[r].integrators.texts[i]))
        band->integrator = study->runs[r].integrators.texts[i];
}

/* Adds the name of a quantity, both on its own and combined with each integrator. */
static void add_name(struct shk_index *names, const struct shk_study *study, const char *name)
{
  shk_index_text(names, name);
  for (int r = 0; r < study->run_count; r++)
    for (int k = 0; k < study->runs[r].integrators.count; k++)
      shk_index_number(names, "%s of %s", name, study->runs[r].integrators.texts[k]);
}

/* Lists the names of all quantities that have no parameter or whose parameter is a block. */
static void list_names(struct shk_index *names, const struct shk_study *study)
{
  for (int i = 0; i < SHK_QUANTITIES; i++) {
    const struct shk_quantity *const entry = &shk_quantities[i];
    char name[96];
    if (entry->finding && entry->parameter == SHK_BY_NOTHING)
      add_name(names, study, entry->finding);
    for (int b = 0; entry->finding && entry->parameter == SHK_BY_BLOCK && b < SHK_BLOCKS; b++)
      add_name(names, study,
               shk_quantity_words(name, sizeof name, entry->finding, shk_blocks[b].name));
  }
}

static bool fail_name(const struct shk_study *study, const struct shk_study_band *stated,
                      struct shk_message *error)
{
  struct shk_index names = {0};
  char near[256];
  list_names(&names, study);
  shk_nearest(near, sizeof near, stated->of, names.texts, sizeof *names.texts, names.count);
  shk_message_set(error,
                  "%s:%d: bands: found \"%s\", expected a quantity of the baseline, with an "
                  "integrator, a problem and a precision of this study if they matter: \"QUANTITY "
                  "of INTEGRATOR on PROBLEM in PRECISION\"%s%s%s",
                  study->path, stated->line, stated->of, *near ? "; did you mean " : "", near,
                  *near ? "?" : "");
  shk_index_clear(&names);
  return false;
}

/* Returns true if a run with the band's integrator includes the measure that determines the
 * quantity. */
static bool is_measured(const struct shk_stated_band *band, const struct shk_study *study,
                        enum shk_measure_id measure)
{
  for (int r = 0; r < study->run_count; r++)
    if ((measure == SHK_MEASURES || shk_run_measures(&study->runs[r], measure)) &&
        (!band->integrator || shk_index_find(&study->runs[r].integrators, band->integrator) >= 0))
      return true;
  return false;
}

/* Returns true if the band applies to a remote integrator, which can count its own kinds of work
 * under any names that do not contain spaces. */
static bool may_count(const struct shk_stated_band *band, const struct shk_study *study,
                      const char *counter)
{
  bool any = false;
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].integrators.count; i++) {
      const char *const integrator = study->runs[r].integrators.texts[i];
      any = any || ((!band->integrator || strcmp(band->integrator, integrator) == 0) &&
                    shk_is_remote_integrator(&study->context, integrator));
    }
  return any && !strchr(counter, ' ');
}

/* ---- bands ---- */

static bool read_band(struct shk_stated_band *band, const struct shk_study *study,
                      const struct shk_study_band *stated, struct shk_message *error)
{
  *band = (struct shk_stated_band){
      .quantity = shk_copy_text(stated->of), .because = stated->because, .line = stated->line};
  cut_names(band, study);
  const struct shk_named_quantity named = shk_named_finding(band->quantity);
  if (named.id == SHK_QUANTITIES ||
      (named.id == SHK_QUANTITY_OWN_WORK && !may_count(band, study, band->quantity)))
    return fail_name(study, stated, error);
  if (!is_measured(band, study, named.entry->measure))
    return shk_message_set(error,
                           "%s:%d: bands: found \"%s\", expected a quantity that the study "
                           "measures: no run of it has the measure \"%s\"",
                           study->path, stated->line, stated->of,
                           shk_measures[named.entry->measure].name);
  return shk_band_read(&band->band, stated->within) ||
         shk_message_set(error, "%s:%d: within: found \"%.64s\", expected %s", study->path,
                         stated->line, stated->within, SHK_BAND_WORDS);
}

bool shk_stated_bands_read(struct shk_stated_bands *bands, const struct shk_study *study,
                           struct shk_message *error)
{
  bool ok = true;
  for (int i = 0; i < study->band_count && ok; i++)
    ok = read_band(SHK_APPEND(bands->all, bands->count), study, &study->bands[i], error);
  return ok;
}

/* Returns true if a value has this name, whether or not the name is followed by a run in
 * parentheses. */
static bool is_quantity(const char *name, const char *of)
{
  const char *const detail = shk_named_finding(name).detail;
  const size_t length = strlen(of);
  return strcmp(name, of) == 0 ||
         (*detail && strncmp(name, of, length) == 0 && name + length + 1 == detail);
}

static bool is_for(const struct shk_stated_band *band, const struct shk_baseline_value *v)
{
  return (!band->integrator || strcmp(band->integrator, v->integrator) == 0) &&
         (!band->problem || strcmp(band->problem, v->problem) == 0) &&
         (!band->precision || strcmp(band->precision, v->precision) == 0) &&
         is_quantity(v->quantity, band->quantity);
}

/* Replaces the band of a value. Bands are compared as strings, because baselines store them in this
 * form. */
static void set_band(struct shk_baseline_value *v, const struct shk_band *band,
                     enum shk_band_reason why, const char *because)
{
  char before[128], after[128];
  v->restated = v->restated || v->why != why ||
                strcmp(shk_band_text(before, sizeof before, &v->band),
                       shk_band_text(after, sizeof after, band)) != 0;
  v->band = *band;
  v->why = why;
  free(v->because);
  v->because = shk_copy_text(because);
}

static void state_bands(struct shk_stated_bands *bands, struct shk_baseline *baseline)
{
  for (int i = 0; i < bands->count; i++)
    for (int k = 0; k < baseline->count; k++) {
      struct shk_stated_band *const band = &bands->all[i];
      struct shk_baseline_value *const v = &baseline->values[k];
      if (!is_for(band, v))
        continue;
      band->used = true;
      /* Only for numbers is the difference between two values defined. */
      if (!isnan(v->value) || band->band.kind == SHK_BAND_NONE || band->band.kind == SHK_BAND_EQUAL)
        set_band(v, &band->band, SHK_BECAUSE_STUDY, band->because);
    }
}

void shk_stated_bands_apply(struct shk_stated_bands *bands, struct shk_baseline *older,
                            struct shk_baseline *newer)
{
  state_bands(bands, newer);
  if (!older)
    return;
  state_bands(bands, older);
  for (int i = 0; i < older->count; i++) {
    struct shk_baseline_value *const was = &older->values[i];
    const struct shk_baseline_value *const is =
        bsearch(was, newer->values, (size_t)newer->count, sizeof *is, shk_baseline_order);
    if (was->why == SHK_BECAUSE_STUDY && !was->because && is)
      set_band(was, &is->band, is->why, NULL);
  }
}

void shk_stated_bands_clear(struct shk_stated_bands *bands)
{
  for (int i = 0; i < bands->count; i++)
    free(bands->all[i].quantity);
  free(bands->all);
  *bands = (struct shk_stated_bands){0};
}
