/* What an analysis finds, as a table. See findings.h. */
#include "cli/findings.h"

void shk_findings_init(struct shk_table *table)
{
  static const char *const names[] = {"study", "problem",     "integrator", "precision", "quantity",
                                      "value", "uncertainty", "expected",   "verdict"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT,  SHK_ALIGN_LEFT, SHK_ALIGN_LEFT,
                                             SHK_ALIGN_LEFT,  SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT,
                                             SHK_ALIGN_RIGHT, SHK_ALIGN_LEFT, SHK_ALIGN_LEFT};
  shk_table_init(table, sizeof names / sizeof names[0], names, sides);
}

void shk_findings_add_rows(struct shk_table *table, const char *study,
                           const struct shk_analysis *analysis, int digits)
{
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    char value[64], uncertainty[64];
    shk_number_text(value, sizeof value, f->value, digits);
    shk_number_text(uncertainty, sizeof uncertainty, f->uncertainty, digits < 4 ? digits : 2);
    const char *verdict = shk_verdict_word(f->verdict);
    shk_table_add(table,
                  (const char *const[]){study, f->problem, f->integrator, f->precision, f->quantity,
                                        f->word != NULL ? f->word : (*value != '\0' ? value : NULL),
                                        *uncertainty != '\0' ? uncertainty : NULL, f->expected,
                                        f->verdict == SHK_VERDICT_NONE ? NULL : verdict});
  }
}
