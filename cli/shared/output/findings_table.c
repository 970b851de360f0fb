/* Creates a table of an analysis's findings. See findings_table.h. */
#include "cli/shared/output/findings_table.h"

#include "cli/shared/output/terminal.h"
#include "measures/quantity.h"

#include <string.h>

void shk_findings_init(struct shk_table *table, enum shk_format format)
{
#define PEOPLE "study|problem|integrator|precision|quantity|#value|#uncertainty|expected|verdict"
  const bool programs = format == SHK_FORMAT_CSV || format == SHK_FORMAT_JSON;
  shk_columns(table, programs ? PEOPLE "|expected_value|expected_band|reason" : PEOPLE);
}

static void add_findings_table(struct shk_table *table, enum shk_format format, const char *study,
                               const struct shk_finding *f)
{
  char value[64], half[64] = "", expected[32], band[32];
  const int digits = format == SHK_FORMAT_TABLE ? 4 : 17;
  /* The half-width of an order can have far more digits than a table needs. */
  const double least = shk_quantities[f->named.id].kind == SHK_KIND_ORDER ? 1e-4 : 0;
  if (format == SHK_FORMAT_LATEX) {
    shk_measured_text(value, sizeof value, f->value,
                      f->uncertainty < least ? least : f->uncertainty);
  } else {
    shk_number_text(value, sizeof value, f->value, digits);
    shk_number_text(half, sizeof half, f->uncertainty, 2);
  }
  /* for an order, `expected` contains a string such as "2 ± 0.1" instead of a word */
  const bool banded =
      f->expected && sscanf(f->expected, "%31[-0-9.] ± %31[0-9.]", expected, band) == 2;
  shk_table_add(table, (const char *const[]){
                           study, f->problem, f->integrator, f->precision, f->quantity,
                           f->word ? f->word : (*value != '\0' ? value : NULL),
                           *half != '\0' ? half : NULL, f->expected,
                           f->verdict == SHK_VERDICT_NONE ? NULL : shk_verdict_word(f->verdict),
                           banded ? expected : NULL, banded ? band : NULL, f->reason});
}

bool shk_quantity_is_asked(const struct shk_asked *asked, const char *quantity)
{
  for (int i = 0; i < asked->count; i++)
    if (strncmp(quantity, asked->beginnings[i], strlen(asked->beginnings[i])) == 0)
      return true;
  return false;
}

void shk_findings_add(struct shk_table *table, enum shk_format format, const char *study,
                      const struct shk_analysis *analysis, const struct shk_asked *asked)
{
  for (int i = 0; i < analysis->finding_count; i++)
    if (!asked || asked->count == 0 || shk_quantity_is_asked(asked, analysis->findings[i].quantity))
      add_findings_table(table, format, study, &analysis->findings[i]);
}
