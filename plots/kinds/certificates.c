/*
 * The certificate matrix: every claim of every integrator of a study, and its verdict.
 *
 * A place has the stated claim and the colour of its verdict: held on every problem that decided;
 * falsified on at least one, with an exclamation mark; undecided on all; white if the integrator
 * does not apply to any of the problems, or its runs failed. It is empty if there is no claim.
 * Columns follow the order of claims in certificates; many integrators are split over several
 * figures.
 */
#include "foundation/memory.h"
#include "harness/check/certify.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/matrix.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 28 }; /* for two thirds of a page */

/* Colours of a place, in the order of their precedence. */
enum verdict { NOT_MEASURED, UNDECIDED, HELD, FALSIFIED, VERDICTS };
static const struct {
  int colour;
  const char *meaning;
} verdicts[VERDICTS] = {{0xffffff, "not measured"},
                        {0xe3e3e3, "undecided"},
                        {0xa9d1ea, "held on every problem that decided"},
                        {0xf0a878, "!: falsified"}};

struct claims {
  int rows, columns;
  int abouts[SHK_CERTIFIED_CLAIMS]; /* the claims of the columns, and their texts */
  const char *heads[SHK_CERTIFIED_CLAIMS];
  struct entry {
    const char *stated; /* NULL: the integrator makes no such claim */
    enum verdict verdict;
  } * entries; /* rows × SHK_CERTIFIED_CLAIMS */
};

static int column_of(struct claims *claims, const struct shk_certificate_row *row)
{
  for (int i = 0; i < claims->columns; i++)
    if (claims->abouts[i] == row->about)
      return i;
  claims->abouts[claims->columns] = row->about;
  claims->heads[claims->columns] = row->claim;
  return claims->columns++;
}

static enum verdict verdict_of(enum shk_verdict verdict)
{
  return verdict == SHK_VERDICT_FALSIFIED                                       ? FALSIFIED
         : verdict == SHK_VERDICT_HELD                                          ? HELD
         : verdict == SHK_VERDICT_UNDECIDED || verdict == SHK_VERDICT_NOT_SHOWN ? UNDECIDED
                                                                                : NOT_MEASURED;
}

/* Returns whether any claim was decided. */
static bool fill(struct claims *claims, const struct shk_certificate *certificate,
                 const char *const *methods)
{
  bool decided = false;
  claims->entries =
      shk_allocate((size_t)claims->rows * SHK_CERTIFIED_CLAIMS + 1, sizeof *claims->entries);
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *const row = &certificate->rows[i];
    if (row->about >= SHK_CERTIFIED_CLAIMS || row->verdict == SHK_VERDICT_NONE)
      continue;
    const int column = column_of(claims, row);
    const enum verdict verdict = verdict_of(row->verdict);
    decided = decided || verdict >= HELD;
    for (int m = 0; m < claims->rows; m++) {
      struct entry *const entry = &claims->entries[m * SHK_CERTIFIED_CLAIMS + column];
      if (strcmp(methods[m], row->integrator) != 0)
        continue;
      entry->stated = row->stated;
      entry->verdict = verdict > entry->verdict ? verdict : entry->verdict;
    }
  }
  return decided;
}

/* Draws some of the rows, numbered `number` if that is not 0. */
static bool draw_rows(struct shk_drawing *drawing, const struct claims *claims, int first, int rows,
                      int number, const char *const *methods, const char *const *names)
{
  struct shk_chart chart;
  struct shk_place *const places =
      shk_allocate((size_t)(rows * claims->columns) + 1, sizeof *places);
  char *const texts = shk_allocate((size_t)(rows * claims->columns) + 1, 16);
  shk_drawing_chart_of_study(drawing, &chart, number > 0 ? shk_phrase("%d", number).text : NULL);
  for (int i = 0; i < rows; i++) {
    shk_chart_say(&chart, "integrator", methods[first + i]);
    for (int c = 0; c < claims->columns; c++) {
      const struct entry *const entry = &claims->entries[(first + i) * SHK_CERTIFIED_CLAIMS + c];
      char *const text = texts + 16 * (i * claims->columns + c);
      snprintf(text, 16, "%s%s", entry->stated ? entry->stated : "",
               entry->verdict == FALSIFIED ? "!" : "");
      places[i * claims->columns + c] =
          (struct shk_place){entry->stated != NULL, verdicts[entry->verdict].colour, text};
    }
  }
  const struct shk_matrix matrix = {rows,          claims->columns, places,
                                    names + first, claims->heads,   ""};
  shk_matrix_write(drawing, &chart, &matrix);
  for (int v = VERDICTS - 1; v >= 0; v--)
    shk_matrix_legend(&chart, verdicts[v].colour, verdicts[v].meaning);
  free(texts);
  free(places);
  return shk_drawing_draw(drawing, &chart);
}

static bool draw(struct shk_drawing *drawing)
{
  const char **const names = shk_allocate((size_t)drawing->method_count + 1, sizeof *names);
  const char **const shown = shk_allocate((size_t)drawing->method_count + 1, sizeof *shown);
  struct claims claims = {0};
  for (int m = 0; m < drawing->method_count; m++)
    if (!drawing->asked || shk_selects(drawing->asked->integrators,
                                       drawing->asked->integrator_count, drawing->methods[m])) {
      shown[claims.rows] = drawing->shown[m];
      names[claims.rows++] = drawing->methods[m];
    }
  struct shk_certificate certificate = {0};
  shk_certify(&certificate, names, claims.rows, drawing->analysis, drawing->plan, drawing->records);
  bool ok = true;
  if (fill(&claims, &certificate, names)) {
    const int parts = (claims.rows + MOST_ROWS - 1) / MOST_ROWS,
              each = (claims.rows + parts - 1) / parts;
    for (int k = 0, first; ok && (first = k * each) < claims.rows; k++)
      ok = draw_rows(drawing, &claims, first,
                     claims.rows - first < each ? claims.rows - first : each, parts > 1 ? k + 1 : 0,
                     names, shown);
  }
  shk_certificate_clear(&certificate);
  free(claims.entries);
  free(shown);
  free(names);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_certificates = {
    .template = "matrix",
    .shows = "claims and verdicts, a row for each integrator",
    .of_study = draw};
