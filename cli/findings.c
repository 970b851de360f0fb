/* What an analysis finds, as a table. See findings.h. */
#include "cli/findings.h"

#include "cli/cli.h"
#include <math.h>
#include <string.h>

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
                           const struct shk_analysis *analysis, int digits, bool verdicts)
{
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *f = &analysis->findings[i];
    char value[64], uncertainty[64];
    if (verdicts && f->verdict == SHK_VERDICT_NONE)
      continue;
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

/* Whether an earlier finding of the same kind has the same reason for the same pair. */
static bool said_before(const struct shk_analysis *analysis, int index)
{
  const struct shk_finding *f = &analysis->findings[index];
  for (int i = index - 1; i >= 0 && i > index - 64; i--) {
    const struct shk_finding *earlier = &analysis->findings[i];
    if (earlier->verdict == f->verdict && earlier->reason != NULL &&
        strcmp(earlier->reason, f->reason) == 0 && strcmp(earlier->quantity, f->quantity) == 0 &&
        strcmp(earlier->problem, f->problem) == 0 &&
        strcmp(earlier->integrator, f->integrator) == 0)
      return true;
  }
  return false;
}

static void print_reason(const struct shk_finding *f)
{
  const enum shk_colour colour =
      f->verdict == SHK_VERDICT_FALSIFIED || f->verdict == SHK_VERDICT_FAILED ? SHK_RED
                                                                              : SHK_YELLOW;
  printf("%s%s%s ", shk_colour(stdout, colour), shk_verdict_word(f->verdict),
         shk_colour(stdout, SHK_PLAIN));
  shk_print_plain(stdout, f->integrator);
  fputs(" on ", stdout);
  shk_print_plain(stdout, f->problem);
  printf(", %s, ", f->precision);
  shk_print_plain(stdout, f->quantity);
  fputs(": ", stdout);
  shk_print_plain(stdout, f->reason);
  putchar('\n');
}

void shk_findings_print_reasons(const struct shk_analysis *analysis)
{
  static const enum shk_verdict order[] = {SHK_VERDICT_REFUSED, SHK_VERDICT_UNDECIDED,
                                           SHK_VERDICT_FAILED, SHK_VERDICT_FALSIFIED};
  int counts[SHK_VERDICT_FAILED + 1] = {0};
  bool blank = false;
  for (int i = 0; i < analysis->finding_count; i++)
    counts[analysis->findings[i].verdict]++;
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
    for (int i = 0; i < analysis->finding_count; i++) {
      const struct shk_finding *f = &analysis->findings[i];
      if (f->verdict != order[k] || f->reason == NULL || said_before(analysis, i))
        continue;
      if (!blank)
        putchar('\n');
      blank = true;
      print_reason(f);
    }
  const bool short_of = counts[SHK_VERDICT_FALSIFIED] > 0 || counts[SHK_VERDICT_FAILED] > 0;
  printf("\n%s%d held, %d falsified%s, %d undecided, %d refused, %d failed\n",
         shk_colour(stdout, short_of ? SHK_RED : SHK_GREEN), counts[SHK_VERDICT_HELD],
         counts[SHK_VERDICT_FALSIFIED], shk_colour(stdout, SHK_PLAIN),
         counts[SHK_VERDICT_UNDECIDED], counts[SHK_VERDICT_REFUSED], counts[SHK_VERDICT_FAILED]);
}
