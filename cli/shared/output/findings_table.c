/* What an analysis finds, as a table. See findings_table.h. */
#include "cli/shared/output/findings_table.h"

#include "measures/quantity.h"

#include <string.h>

void shk_findings_init(struct shk_table *table)
{
  static const char *const names[] = {"study", "problem",     "integrator", "precision", "quantity",
                                      "value", "uncertainty", "expected",   "verdict"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT,   SHK_ALIGN_LEFT, SHK_ALIGN_LEFT,
                                             SHK_ALIGN_LEFT,   SHK_ALIGN_LEFT, SHK_ALIGN_NUMBER,
                                             SHK_ALIGN_NUMBER, SHK_ALIGN_LEFT, SHK_ALIGN_LEFT};
  shk_table_init(table, sizeof names / sizeof names[0], names, sides);
}

static bool is_asked_for(const struct shk_finding *finding, const char *quantity)
{
  return !quantity || strncmp(finding->quantity, quantity, strlen(quantity)) == 0;
}

static void add(struct shk_table *table, const char *study, const struct shk_finding *f,
                const char *value, const char *uncertainty)
{
  const char *verdict = shk_verdict_word(f->verdict);
  shk_table_add(table,
                (const char *const[]){study, f->problem, f->integrator, f->precision, f->quantity,
                                      f->word ? f->word : (*value != '\0' ? value : NULL),
                                      *uncertainty != '\0' ? uncertainty : NULL, f->expected,
                                      f->verdict == SHK_VERDICT_NONE ? NULL : verdict});
}

void shk_findings_add_rows(struct shk_table *table, const char *study,
                           const struct shk_analysis *analysis, const char *quantity, int digits)
{
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    if (!is_asked_for(f, quantity))
      continue;
    char value[64], uncertainty[64];
    shk_number_text(value, sizeof value, f->value, digits);
    shk_number_text(uncertainty, sizeof uncertainty, f->uncertainty, digits < 4 ? digits : 2);
    add(table, study, f, value, uncertainty);
  }
}

/* Half-widths of orders can be far below what a table needs. */
static const double order_decimals = 1e-4;

void shk_findings_add_measured(struct shk_table *table, const char *study,
                               const struct shk_analysis *analysis, const char *quantity)
{
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    if (!is_asked_for(f, quantity))
      continue;
    char value[64];
    const bool is_order = shk_quantities[f->named.id].kind == SHK_KIND_ORDER;
    shk_measured_text(value, sizeof value, f->value,
                      is_order && f->uncertainty < order_decimals ? order_decimals
                                                                  : f->uncertainty);
    add(table, study, f, value, "");
  }
}
