/* Questions that are answered in a process of its own, where the code of plug-ins may crash, hang
 * or exit. */
#ifndef HARNESS_RUN_ISOLATED_H
#define HARNESS_RUN_ISOLATED_H

#include "harness/run/link.h"

/* The first member of every answer. */
struct shk_answered {
  bool answered; /* false: the process crashed, hung or exited */
  bool loaded;   /* false: a plug-in was not loaded, or the process could not be confined */
  bool ok;       /* the process answered, and `fill` returned true */
  char reason[sizeof((struct shk_message *)0)->text]; /* unless ok */
};

struct shk_isolated {
  struct shk_servers servers;           /* the plug-ins, and the context with their access */
  const struct shk_engine *engine;      /* of the precision in which plug-ins are loaded */
  const struct shk_generic_rank *ranks; /* as in the context; NULL: unknown */
  double seconds;                       /* time limit; 0: none */
  /* Fills the rest of the answer, in the process and with the plug-ins in the context. */
  bool (*fill)(const struct shk_context *context, const void *user, void *answer,
               struct shk_message *error);
  const void *user;
};

/* Asks. `answer` has `size` bytes; pointers in it must be to texts of the program. If the process
 * crashes, the answer has the members that were filled before. Output of the process goes to
 * standard error. */
void shk_ask_isolated(const struct shk_isolated *isolated, struct shk_answered *answer,
                      size_t size);

#endif
