/* What every method owes, in certificates. See contract.h. */
#include "harness/check/contract.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/check/certified.h"
#include "measures/quantity.h"
#include "results/export/export.h"

#include <stdlib.h>

#define BIT(measure) (1u << SHK_MEASURE_##measure)

/* A small problem, many coordinates, H(q,p), M(q), g(q,t), and multipliers that are large: the
 * features that methods support, each at little cost. */
static const char *const problems[] = {"pendulum(angle=0.7,rate=1.1)",
                                       "chain(links=8,spring=2,start=zigzag)",
                                       "charged-pendulum",
                                       "slider-crank",
                                       "disguised(driven-pendulum,shift=0.7)",
                                       "pendulum(gravity=1e6,angle=0.7)"};

/* Nearly singular: steps cannot all succeed, and those that fail have to say so. */
static const char *const singular[] = {"lemniscate(position=-1e-4)"};

static void print_list(FILE *out, const char *name, const char *const *specs, int count)
{
  fprintf(out, "%s:\n", name);
  for (int i = 0; i < count; i++) {
    fputs("      - ", out);
    shk_print_doubled(out, specs[i], '\'');
    putc('\n', out);
  }
}

void shk_contract_study(FILE *out, const struct shk_context *context,
                        const char *const *integrators, int count, bool in_quad, unsigned wanted)
{
  const char **const methods = shk_allocate((size_t)count + 1, sizeof *methods);
  int method_count = 0;
  for (int i = 0; i < count; i++) {
    const struct shk_integrator_info *const info = shk_find_integrator(context, integrators[i]);
    if (info && !info->exact)
      methods[method_count++] = integrators[i];
  }
  const struct {
    const char *const *problems;
    int count;
    unsigned measures;
  } runs[] = {{problems, (int)(sizeof problems / sizeof problems[0]),
               BIT(CONTRACT) | BIT(SAME_MAP) | BIT(GOOD_STATES) | BIT(SMOOTH)},
              {singular, (int)(sizeof singular / sizeof singular[0]), BIT(GOOD_STATES)}};
  for (size_t i = 0; method_count > 0 && i < sizeof runs / sizeof runs[0]; i++) {
    if ((runs[i].measures & wanted) == 0)
      continue;
    print_list(out, "  - problems", runs[i].problems, runs[i].count);
    print_list(out, "    integrators", methods, method_count);
    fprintf(out, "    until: 1\n    steps: [1]\n    precision: [double%s]\n",
            in_quad ? ", quad" : "");
    shk_print_measures(out, runs[i].measures & wanted);
    fputs("    limits: {seconds: 240}\n", out);
  }
  free(methods);
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
