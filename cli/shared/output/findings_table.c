/* Findings of an analysis as a table. See findings_table.h. */
#include "cli/shared/output/findings_table.h"

#include "cli/shared/output/terminal.h"
#include "measures/quantity.h"

#include <string.h>

enum { MOST_COLUMNS = 12 };

void shk_findings_init(struct shk_table *table, enum shk_format format)
{
#define PEOPLE "study|problem|integrator|precision|quantity|#value|#uncertainty|expected|verdict"
  const bool programs = format == SHK_FORMAT_CSV || format == SHK_FORMAT_JSON;
  shk_columns(table, programs ? PEOPLE "|expected_value|expected_band|reason" : PEOPLE);
}

/* Splits "2 ± 0.1" into two numbers; empty if it is a word. */
static void read_expected(char value[32], char band[32], const char *expected)
{
  value[0] = band[0] = '\0';
  if (expected && sscanf(expected, "%31[-0-9.] ± %31[0-9.]", value, band) != 2)
    value[0] = band[0] = '\0';
}

static bool is_asked_for(const struct shk_finding *finding, const char *quantity)
{
  return !quantity || strncmp(finding->quantity, quantity, strlen(quantity)) == 0;
}

static void add(struct shk_table *table, const char *study, const struct shk_finding *f,
                const char *value, const char *uncertainty)
{
  const char *verdict = shk_verdict_word(f->verdict);
  char expected[32], band[32];
  read_expected(expected, band, f->expected);
  shk_table_add(table,
                (const char *const[MOST_COLUMNS]){
                    study, f->problem, f->integrator, f->precision, f->quantity,
                    f->word ? f->word : (*value != '\0' ? value : NULL),
                    *uncertainty != '\0' ? uncertainty : NULL, f->expected,
                    f->verdict == SHK_VERDICT_NONE ? NULL : verdict,
                    *expected != '\0' ? expected : NULL, *band != '\0' ? band : NULL, f->reason});
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

/* Smallest half-width shown: half-widths of orders can be far below the needs of a table. */
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
