/* Declares the state of a client's session and the guard around calls to the library. */
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
/* Makes the library's symbols global. Plug-ins look them up in the process, but the library may
 * have been loaded with local symbols. */
void shk_offer_symbols(void);

#define SHK_NO_SUCH_SIZE "its struct_size does not match any version of the library"

/* The point to which a library call jumps if a small allocation fails, because the allocating
 * function cannot return in that case. Each call in progress has a guard, and each thread has its
 * own list of guards. */
struct shk_guard {
  jmp_buf back;
  struct shk_guard *outer;
  locale_t locale; /* locale of the caller */
};
extern _Thread_local struct shk_guard *shk_innermost_guard;

/* Runs `statements` in the C locale, so that numbers use a decimal point regardless of the
 * process's locale. If memory runs out, reports an error and returns `failed`. */
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

/* Restores the locale of the program that made the current call, in order to call one of the
 * client's functions. Returns the previous locale, which must be restored with uselocale
 * afterwards. */
locale_t shk_locale_of_caller(void);

#endif
