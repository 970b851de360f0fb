/* The evidence of one claim. See certify_why.h. */
#include "cli/commands/certify_why.h"
#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "results/export/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct shk_certificate_row *row, const char *problem,
                  const char *integrator, const char *precision)
{
  return strcmp(row->problem, problem) == 0 && strcmp(row->integrator, integrator) == 0 &&
         strcmp(row->precision, precision) == 0;
}

/* Prints step, error, pairwise order, round-off and the reference's own error. */
static void print_curve(const struct shk_curve *curve)
{
  struct shk_table table;
  shk_columns(&table, ">step|>largest error|>pairwise order|>floor|>of the reference");
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *point = &curve->points[i], *before = i > 0 ? point - 1 : NULL;
    char step[32], error[32], order[32] = "", floor[32], reference[32];
    shk_number_text(step, sizeof step, point->step, 4);
    shk_number_text(error, sizeof error, point->error, 4);
    shk_number_text(floor, sizeof floor, point->floor, 2);
    shk_number_text(reference, sizeof reference, point->reference_error, 2);
    if (before && point->error > 0 && before->error > 0)
      snprintf(order, sizeof order, "%.4f",
               log(before->error / point->error) / log(before->step / point->step));
    shk_table_add(&table, (const char *const[]){step, error, order, floor, reference});
  }
  shk_show_and_clear(&table, SHK_FORMAT_TABLE);
}

/* Prints step, defect and floor of the cells of one step. */
static void print_defects(const struct shk_certificate_row *row, const char *kind,
                          const struct shk_plan *plan, const struct shk_record *const *records)
{
  struct shk_table table;
  shk_columns(&table, ">step|>defect|>floor|>ratio");
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *cell = &plan->cells[i].cell;
    if (strcmp(cell->kind, kind) != 0 || !records[i] ||
        !is_of(row, cell->problem, cell->integrator, cell->precision))
      continue;
    char defect[32], floor[32], ratio[32];
    const struct shk_outcome *const outcome = &records[i]->outcome;
    const double size = shk_recorded(outcome, SHK_QUANTITY_DEFECT_SIZE, kind),
                 least = shk_recorded(outcome, SHK_QUANTITY_DEFECT_FLOOR, kind);
    shk_number_text(defect, sizeof defect, size, 3);
    shk_number_text(floor, sizeof floor, least, 3);
    shk_number_text(ratio, sizeof ratio, size / least, 2);
    shk_table_add(&table, (const char *const[]){cell->step ? cell->step : cell->tolerance, defect,
                                                floor, ratio});
  }
  shk_show_and_clear(&table, SHK_FORMAT_TABLE);
}

static void print_row(const struct shk_certificate_row *row)
{
  char value[64];
  char *const where = row->problem ? shk_print_text(", on %s in %s", row->problem, row->precision)
                                   : shk_copy_text("");
  shk_number_text(value, sizeof value, row->value, 7);
  shk_say("%s: %s, stated %s%s: %s%s%s%s%s%s", row->integrator, row->claim, row->stated, where,
          row->word ? row->word : value, row->word || *value ? ", " : "",
          row->verdict == SHK_VERDICT_NONE ? "not claimed" : shk_verdict_word(row->verdict),
          row->expected ? " (" : "", row->expected ? row->expected : "", row->expected ? ")" : "");
  if (row->reason)
    shk_say("  %s", row->reason);
  free(where);
}

void shk_print_why(const struct shk_certificate *certificate, int about,
                   const struct shk_analysis *analysis, const struct shk_plan *plan,
                   const struct shk_record *const *records)
{
  const enum shk_measure_id measure = about == SHK_CERTIFIED_FIBRE
                                          ? SHK_MEASURE_FIBRE
                                          : shk_measure_deciding((enum shk_claim)about);
  const bool by_steps = shk_measures[measure].in == SHK_IN_STEPS;
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *row = &certificate->rows[i];
    if (row->about != about)
      continue;
    print_row(row);
    if (by_steps && row->problem)
      print_defects(row, shk_measures[measure].name, plan, records);
    for (int k = 0; !by_steps && row->problem && k < analysis->curve_count; k++) {
      const struct shk_curve *curve = &analysis->curves[k];
      if ((int)shk_blocks[curve->block].decides == about &&
          is_of(row, curve->problem, curve->integrator, curve->precision))
        print_curve(curve);
    }
    putchar('\n');
  }
}
