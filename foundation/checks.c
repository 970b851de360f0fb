/* The results of an audit. See checks.h. */
#include "foundation/checks.h"

#include <stdio.h>

void shk_checks_add(struct shk_checks *checks, const char *name, const char *what,
                    const char *fault)
{
  if (checks->count == SHK_CHECKS)
    return;
  struct shk_check *check = &checks->items[checks->count++];
  check->holds = !fault || fault[0] == '\0';
  snprintf(check->name, sizeof check->name, "%s: %s", name, what);
  snprintf(check->detail, sizeof check->detail, "%s", fault ? fault : "");
}
