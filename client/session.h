/* What a client has open, and the guard around what it calls. */
#ifndef CLIENT_SESSION_H
#define CLIENT_SESSION_H

#include "engine/context.h"
#include "engine/surface/held.h"

#include <setjmp.h>

struct shakedown {
  struct shk_context context;
  struct own_methods *methods; /* client/methods.c */
};

void shk_methods_free(struct own_methods *methods);
/* Plug-ins take what they call from the process; a library may have been opened for its caller
 * alone. */
void shk_offer_symbols(void);

#define SHK_NO_SUCH_SIZE "its struct_size is of no version of the library"

/* Where to go when memory for something small is lacking, which the rooms below do not return from:
 * in each thread the call that it is in. */
struct shk_guard {
  jmp_buf back;
  struct shk_guard *outer;
};
extern _Thread_local struct shk_guard *shk_innermost_guard;

/* Runs `statements`, which may not return; or else reports want of memory and returns `failed`. */
#define SHK_GUARDED(error, failed, statements)                                                     \
  do {                                                                                             \
    struct shk_guard guard_ = {.outer = shk_innermost_guard};                                      \
    if (setjmp(guard_.back) != 0) {                                                                \
      shk_held_say(error, SHK_NO_MEMORY, "no memory");                                             \
      return failed;                                                                               \
    }                                                                                              \
    shk_innermost_guard = &guard_;                                                                 \
    statements;                                                                                    \
    shk_innermost_guard = guard_.outer;                                                            \
  } while (0)

#endif
