/* What every method owes, in certificates. See contract.h. */
#include "harness/check/contract.h"

#include "engine/names.h"
#include "results/export/export.h"

/* A small problem, many coordinates, H(q,p), M(q), g(q,t), and multipliers that are large: the
 * features that methods support, each at little cost. */
static const char *const problems[] = {"pendulum(angle=0.7,rate=1.1)",
                                       "chain(links=8,spring=2,start=zigzag)",
                                       "charged-pendulum",
                                       "slider-crank",
                                       "driven-pendulum",
                                       "pendulum(gravity=1e6,angle=0.7)"};

void shk_contract_study(FILE *out, const struct shk_context *context,
                        const char *const *integrators, int count)
{
  bool any = false;
  for (int i = 0; i < count; i++) {
    const struct shk_integrator_info *const info = shk_find_integrator(context, integrators[i]);
    if (info == NULL || info->exact)
      continue;
    if (!any) {
      fputs("  - problems:\n", out);
      for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
        fputs("      - ", out);
        shk_print_doubled(out, problems[k], '\'');
        putc('\n', out);
      }
      fputs("    integrators:\n", out);
    }
    any = true;
    fputs("      - ", out);
    shk_print_doubled(out, integrators[i], '\'');
    putc('\n', out);
  }
  if (!any)
    return;
  fputs("    until: 1\n    steps: [1]\n    precision: [double, quad]\n    measures: [", out);
  bool several = false;
  for (int i = 0; i < SHK_MEASURES; i++)
    if (shk_measures[i].in == SHK_IN_CONDUCT) {
      fprintf(out, "%s%s", several ? ", " : "", shk_measures[i].name);
      several = true;
    }
  fputs("]\n    limits: {seconds: 60}\n", out);
}

const char *shk_contract_words(const struct shk_finding *finding)
{
  switch (finding->named.id) {
#define CONDUCT(id, name, words, meaning)                                                          \
  case SHK_QUANTITY_##id:                                                                          \
    return words;
#include "measures/conduct.def"
#undef CONDUCT
  default:
    return NULL;
  }
}
