/* State of a client's session, and the guard around the library's calls. */
#ifndef CLIENT_SESSION_H
#define CLIENT_SESSION_H

#include "engine/context.h"
#include "engine/surface/handle.h"
#include "foundation/processes/environment.h"

#include <setjmp.h>

struct shakedown {
  struct shk_context context;
  struct own_methods *methods; /* private to client/methods.c */
};

void shk_methods_free(struct own_methods *methods);
/* Makes the library's symbols global, because plug-ins find them in the process, and a library may
 * have been opened with local symbols. */
void shk_offer_symbols(void);

#define SHK_NO_SUCH_SIZE "its struct_size does not match any version of the library"

/* Where a call returns to if a small allocation fails, since the functions called do not return
 * from that. Each call in progress has a guard; each thread has its own list of them. */
struct shk_guard {
  jmp_buf back;
  struct shk_guard *outer;
  locale_t locale; /* locale of the caller */
};
extern _Thread_local struct shk_guard *shk_innermost_guard;

/* Runs `statements` in the locale C, so that numbers have a decimal point whatever the process has
 * set. If memory runs out, reports an error and returns `failed`. */
#define SHK_GUARDED(error, failed, statements)                                                     \
  do {                                                                                             \
    struct shk_guard guard_ = {.outer = shk_innermost_guard, .locale = shk_locale_begin()};        \
    if (setjmp(guard_.back) != 0) {                                                                \
      uselocale(guard_.locale);                                                                    \
      shk_handle_say(error, SHK_NO_MEMORY, "no memory");                                           \
      return failed;                                                                               \
    }                                                                                              \
    shk_innermost_guard = &guard_;                                                                 \
    statements;                                                                                    \
    shk_innermost_guard = guard_.outer;                                                            \
    uselocale(guard_.locale);                                                                      \
  } while (0)

/* Sets the locale of the program that made the current call, for a function of the client. Returns
 * the previous locale, to be restored with uselocale afterwards. */
locale_t shk_locale_of_caller(void);

#endif
