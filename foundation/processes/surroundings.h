/*
 * What a computation must leave alone in the process that it runs in: the rounding mode, subnormal
 * numbers and traps of its arithmetic, the locale, signals, open files, standard output and error,
 * and, from step to step, the memory in use.
 */
#ifndef FOUNDATION_PROCESSES_SURROUNDINGS_H
#define FOUNDATION_PROCESSES_SURROUNDINGS_H

#include <fenv.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Of these the arithmetic, the locale and the signals: no more than to be compared. */
struct shk_settings {
  fenv_t arithmetic;
  int rounding, traps;
  bool flushes;
  char locale[256];
  sigset_t mask;
  struct sigaction actions[NSIG];
};

void shk_settings_note(struct shk_settings *settings);
/* What has changed since, as below, and is then restored; NULL: nothing. */
const char *shk_settings_change(const struct shk_settings *settings);

struct shk_surroundings; /* as they were */

/* Notes them, and has what is printed from now on kept aside. NULL if that is impossible. */
struct shk_surroundings *shk_surroundings_note(void);
/* What has changed since, as in "the rounding mode is another one"; NULL: nothing. Each change is
 * told once. With `may_open` files that are open now are taken for opened with good reason. */
const char *shk_surroundings_change(struct shk_surroundings *noted, bool may_open);
/* Undoes what was noted, and drops what was printed. Accepts NULL. */
void shk_surroundings_forget(struct shk_surroundings *noted);

/* Bytes allocated now, by anyone; 0 where the system does not tell. */
size_t shk_memory_in_use(void);

#endif
