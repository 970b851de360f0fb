/* Saves, compares and restores the process environment of a computation. See environment.h. */
#include "foundation/processes/environment.h"

#include "foundation/processes/subprocess.h"

#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* Descriptors are not checked if they are DESCRIPTORS or larger. Our own descriptors are at least
 * FAR, so that they cannot be mistaken for those of a plug-in. */
enum { DESCRIPTORS = 256, FAR = 500, STREAMS = 2, MOST_WORDS = 1 << 16 };

struct shk_environment {
  struct shk_settings settings;
  bool open[DESCRIPTORS];
  int kept[STREAMS]; /* saved copies of standard output and standard error */
  /* the file that receives printed output from the time the environment is saved until it is
   * restored */
  int aside;
};

/* the environment whose printed output is shown after a crash */
static const struct shk_environment *noted;

void shk_environment_show(void)
{
  off_t first = 0;
  if (noted)
    sendfile(noted->kept[1], noted->aside, &first, MOST_WORDS);
}

static bool flushes_subnormal(void)
{
  volatile double least = DBL_MIN;
  return least / 2 == 0;
}

static bool is_open(int descriptor)
{
  return fcntl(descriptor, F_GETFD) != -1;
}

locale_t shk_locale_begin(void)
{
  /* in glibc, this locale is a static object, so it does not use additional memory and is not
   * freed */
  return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void print_locale(char *text, size_t size)
{
  const char *const name = setlocale(LC_ALL, NULL);
  snprintf(text, size, "%s", name ? name : "");
}

void shk_settings_note(struct shk_settings *s)
{
  *s = (struct shk_settings){
      .rounding = fegetround(), .traps = fegetexcept(), .flushes = flushes_subnormal()};
  fegetenv(&s->arithmetic);
  print_locale(s->locale, sizeof s->locale);
  s->of_thread = uselocale((locale_t)0);
  sigprocmask(SIG_SETMASK, NULL, &s->mask);
  for (int i = 1; i < NSIG; i++)
    sigaction(i, NULL, &s->actions[i]);
}

struct shk_environment *shk_environment_note(void)
{
  struct shk_environment *const s = calloc(1, sizeof *s);
  const int file = s ? memfd_create("printed", MFD_CLOEXEC) : -1;
  if (file < 0) {
    free(s);
    return NULL;
  }
  s->aside = shk_descriptor_move(file, FAR);
  fflush(stdout);
  fflush(stderr);
  for (int i = 0; i < STREAMS; i++) {
    s->kept[i] = fcntl(STDOUT_FILENO + i, F_DUPFD_CLOEXEC, FAR);
    dup2(s->aside, STDOUT_FILENO + i);
  }
  static bool registered;
  registered = registered || atexit(shk_environment_show) == 0;
  noted = s;
  shk_settings_note(&s->settings);
  for (int i = 0; i < DESCRIPTORS; i++)
    s->open[i] = is_open(i);
  return s;
}

/* If several settings have changed, returns the one that comes last in the order locale, signals,
 * arithmetic. */
const char *shk_settings_change(const struct shk_settings *s)
{
  const char *change = NULL;
  char locale[sizeof s->locale];
  print_locale(locale, sizeof locale);
  if (strcmp(locale, s->locale) != 0 || uselocale((locale_t)0) != s->of_thread) {
    change = "the locale has changed";
    uselocale(s->of_thread);
    setlocale(LC_ALL, s->locale);
  }
  sigset_t mask = {0};
  sigprocmask(SIG_SETMASK, NULL, &mask);
  if (memcmp(&mask, &s->mask, sizeof mask) != 0) {
    change = "the mask of blocked signals has changed";
    sigprocmask(SIG_SETMASK, &s->mask, NULL);
  }
  for (int i = 1; i < NSIG; i++) {
    struct sigaction action;
    if (sigaction(i, NULL, &action) == 0 && (action.sa_handler != s->actions[i].sa_handler ||
                                             action.sa_flags != s->actions[i].sa_flags)) {
      change = "the handling of a signal has changed";
      sigaction(i, &s->actions[i], NULL);
    }
  }
  const char *const of_arithmetic =
      fegetround() != s->rounding         ? "the rounding mode has changed"
      : flushes_subnormal() != s->flushes ? "the handling of subnormal numbers has changed"
      : fegetexcept() != s->traps         ? "the floating-point exception traps have changed"
                                          : NULL;
  if (of_arithmetic)
    fesetenv(&s->arithmetic);
  return of_arithmetic ? of_arithmetic : change;
}

bool shk_environment_discard(struct shk_environment *s)
{
  struct stat printed;
  fflush(stdout);
  fflush(stderr);
  if (fstat(s->aside, &printed) != 0 || printed.st_size == 0)
    return false;
  if (ftruncate(s->aside, 0) == 0)
    lseek(s->aside, 0, SEEK_SET);
  return true;
}

static const char *change_of_files(struct shk_environment *s, bool may_open)
{
  const char *change = NULL;
  for (int i = 0; i < DESCRIPTORS; i++)
    if (is_open(i) != s->open[i]) {
      s->open[i] = !s->open[i];
      if (!s->open[i])
        change = "a file opened by other code has been closed";
      else if (!may_open)
        change = "a file has been left open";
    }
  return shk_environment_discard(s)
             ? "something has been printed to standard output or standard error"
             : change;
}

const char *shk_environment_change(struct shk_environment *s, bool may_open)
{
  const char *const of_settings = shk_settings_change(&s->settings);
  const char *const of_files = change_of_files(s, may_open);
  return of_settings ? of_settings : of_files;
}

void shk_environment_forget(struct shk_environment *s)
{
  if (!s)
    return;
  shk_environment_change(s, true);
  noted = NULL;
  for (int i = 0; i < STREAMS; i++) {
    if (s->kept[i] >= 0)
      dup2(s->kept[i], STDOUT_FILENO + i);
    shk_close(&s->kept[i]);
  }
  shk_close(&s->aside);
  free(s);
}

size_t shk_memory_in_use(void)
{
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
