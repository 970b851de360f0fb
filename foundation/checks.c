/* Stores the results of an audit. See checks.h. */
#include "foundation/checks.h"

void shk_checks_add(struct shk_checks *checks, const char *name, const char *what,
                    const char *fault)
{
  if (checks->count == SHK_CHECKS)
    return;
  struct shk_check *check = &checks->items[checks->count++];
  check->holds = !fault || fault[0] == '\0';
  shk_text_print(check->name, sizeof check->name, "%s: %s", name, what);
  shk_text_fit(check->detail, sizeof check->detail, fault ? fault : "");
}
