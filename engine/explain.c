/* Explains why a problem is ill-posed. The reasons are found in quad precision and added to a
 * refusal. */
#include "engine/engine.h"

#include <stdio.h>
#include <string.h>

/* Lists the coordinates that each differentiation adds, as in "on q2, then on q1". The list ends
 * when space runs out. */
static void list_chain(char *text, size_t size, const struct shk_chain *chain)
{
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k <= chain->last && used < size; k++)
    if (chain->conditions[k] > 0)
      used += (size_t)snprintf(text + used, size - used, "%son %s", k == 0 ? "" : ", then ",
                               chain->coordinates[k]);
}

void shk_explain(const struct shk_context *context, struct shk_message *reason, const char *problem,
                 const char *q, const char *p, bool project)
{
  struct shk_diagnosis d;
  struct shk_message error;
  const struct shk_engine *engine = shk_engine_named("quad", &error);
  char before[sizeof reason->text], chain[sizeof d.chain.coordinates + 64];
  if (!engine || !engine->diagnose(context, &d, problem, q, p, project, &error))
    return; /* the reason remains unchanged */
  memcpy(before, reason->text, sizeof before);
  list_chain(chain, sizeof chain, &d.chain);
  if (d.chain.index == 0)
    shk_message_set(reason,
                    "%s: the multiplier is undetermined and there are infinitely many solutions "
                    "(constraints %s, and further differentiation gives no new one)",
                    before, chain);
  else if (d.chain.index > 3)
    shk_message_set(reason, "%s: index %d, with a chain of constraints %s", before, d.chain.index,
                    chain);
}
