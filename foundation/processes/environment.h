/*
 * Checks the parts of the process environment that a computation must not change: the arithmetic
 * (rounding mode, subnormal numbers and traps), the locale, signals, open files, standard output,
 * standard error, and the memory in use from one step to the next.
 */
#ifndef FOUNDATION_PROCESSES_ENVIRONMENT_H
#define FOUNDATION_PROCESSES_ENVIRONMENT_H

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Settings of the arithmetic, the locale and the signals, saved for comparison. */
struct shk_settings {
  fenv_t arithmetic;
  int rounding, traps;
  bool flushes;
  char locale[256];
  locale_t of_thread;
  sigset_t mask;
  struct sigaction actions[NSIG];
};

/* Sets the locale of this thread to C, in which numbers have a decimal point, regardless of the
 * locale of the process. Returns the previous locale, which the caller must restore with
 * uselocale. */
locale_t shk_locale_begin(void);

void shk_settings_note(struct shk_settings *settings);
/* Returns a description of a change since shk_settings_note, worded as in shk_environment_change,
 * or NULL if nothing has changed. Restores all settings. */
const char *shk_settings_change(const struct shk_settings *settings);

struct shk_environment; /* the saved environment */

/* Saves the environment and redirects printed output to a temporary file. Returns NULL on
 * failure. */
struct shk_environment *shk_environment_note(void);
/* Returns a description of a change since the environment was saved, for example "the rounding mode
 * has changed", or NULL if nothing has changed. Each change is reported once. If `may_open` is
 * true, newly opened files are accepted. */
const char *shk_environment_change(struct shk_environment *noted, bool may_open);
/* Discards all output printed since the environment was saved, so that it does not count as a
 * change. Returns true if anything was printed. */
bool shk_environment_discard(struct shk_environment *noted);
/* Prints the redirected output of a process that ends before calling shk_environment_forget. `exit`
 * calls this function, and a signal handler for crashes must also call it. */
void shk_environment_show(void);
/* Restores the environment and discards the printed output. Accepts NULL. */
void shk_environment_forget(struct shk_environment *noted);

/* Returns the number of bytes that the entire process currently has allocated. */
size_t shk_memory_in_use(void);

#endif
