/* The main program: finds the command, runs it, and exits with its status. */
#include "cli/shared/command.h"
#include "cli/shared/output/terminal.h"

#include "engine/engine.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/processes/environment.h"
#include "foundation/specifications/spec.h"
#include "harness/run/work.h"
#include "results/record/provenance.h"
#include <errno.h>
#include <jansson.h>
#include <shakedown/plugin.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SHK_LISTED(name) extern const struct shk_command shk_command_##name;
#include "cli/commands/commands.def"
#undef SHK_LISTED

#define SHK_LISTED(name) &shk_command_##name,
static const struct shk_command *const commands[] = {
#include "cli/commands/commands.def"
};
#undef SHK_LISTED
enum { COMMANDS = sizeof commands / sizeof commands[0], EVERYDAY = 11 };

static int show_uses(void)
{
  puts("Shakedown benchmarks and verifies integrators of constrained mechanical systems.\n"
       "\n"
       "  convergence studies   shakedown run quick\n"
       "  checks in CI          shakedown check mine.yaml --baseline mine.txt\n"
       "  figures for a paper   shakedown plot quick.db -o figures\n"
       "  your own method       shakedown try mine.c\n"
       "\n"
       "`shakedown --help` shows all commands, `shakedown list` all methods and problems.");
  return SHK_EXIT_HELD;
}

static int show_commands(void)
{
  puts("usage: shakedown COMMAND …\n");
  for (int i = 0; i < COMMANDS; i++)
    printf("%s  %-10s  %s\n", i == EVERYDAY ? "\nmore:\n" : "", commands[i]->name,
           commands[i]->summary);
  puts(
      "\n"
      "`shakedown COMMAND --help` shows the options of a command. Every command accepts --plugin "
      "FILE,\n"
      "--allow-external and --sandbox. `shakedown --version` shows versions and libraries.\n"
      "\n"
      "exit status: 0 all held, 1 a claim falsified or a value changed, 2 bad input, 3 incomplete");
  return SHK_EXIT_HELD;
}

static void show_precisions(void)
{
  for (int i = 0; shk_engines[i]; i++)
    printf("%s%s (%d digits)", i == 0 ? "precisions   " : ", ", shk_engines[i]->precision,
           shk_engines[i]->digits);
  struct shk_message missing = {""};
  if (!shk_engine_named("quad", &missing))
    printf("; %s", missing.text);
  putchar('\n');
}

static int show_version(void)
{
  struct shk_provenance built;
  shk_provenance_collect(&built, NULL, NULL);
  printf("shakedown %s (%s)\n\n", built.version, built.revision);
  show_precisions();
  printf("plug-ins     binary interface %d\n", SHK_ABI_VERSION);
  printf("protocols    external programs %d\n", SHK_PROGRAM_PROTOCOL);
  printf("numerics     %s\n", built.source);
  printf("compiler     %s, %s\n", built.compiler, built.flags);
  printf("libraries    %s\n", built.libraries);
  shk_provenance_clear(&built);
  return SHK_EXIT_HELD;
}

static int unknown_command(const char *word)
{
  const char *names[COMMANDS];
  char near[256];
  for (int i = 0; i < COMMANDS; i++)
    names[i] = commands[i]->name;
  shk_nearest(near, sizeof near, word, names, sizeof *names, COMMANDS);
  if (near[0] != '\0')
    return shk_bad_input("there is no command '%s'; did you mean %s?", word, near);
  return shk_bad_input("there is no command '%s'; `shakedown --help` shows all", word);
}

static int dispatch_main(int argc, char **argv)
{
  const char *word = argv[1];
  if (argc < 2)
    return show_uses();
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
    return show_commands();
  if (strcmp(word, "--version") == 0)
    return show_version();
  if (strcmp(word, "worker") == 0)
    return shk_work_as_told(argc - 1, argv + 1);
  for (int i = 0; i < COMMANDS; i++)
    if (strcmp(word, commands[i]->name) == 0)
      return shk_run_command(commands[i], argc - 1, argv + 1);
  return unknown_command(word);
}

/* Prints a message and exits, because nothing else can be done reliably once memory has run out.
 * Records that have already been written remain in the store. */
static void out_of_memory(void)
{
  static const char words[] = "shakedown: out of memory\n";
  const ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
  (void)written;
  _exit(SHK_EXIT_INCOMPLETE);
}

/* Allocator for jansson, which would otherwise report running out of memory as an error in its
 * input. */
static void *allocate_json(size_t size)
{
  return shk_reallocate(NULL, size, 1);
}

/* Raises the limits on open files and stack size, as far as the system allows, for this process and
 * its children. If a limit is still too low, prints an error message and returns false, because
 * runs would otherwise stop, or cells would crash, without an explanation. */
static bool has_limits(void)
{
  enum { KIBIBYTE = 1024 };
  static const struct {
    int resource;
    rlim_t unit, needed, useful;
    const char *what, *option;
  } limits[] = {{RLIMIT_NOFILE, 1, 600, 1024, "open files", "n"},
                {RLIMIT_STACK, KIBIBYTE, 512, 8192, "KiB of stack", "s"}};
  for (int i = 0; i < 2; i++) {
    struct rlimit limit;
    const rlim_t unit = limits[i].unit, useful = limits[i].useful * unit;
    if (getrlimit(limits[i].resource, &limit) != 0)
      continue;
    if (limit.rlim_cur < useful && limit.rlim_cur < limit.rlim_max) {
      limit.rlim_cur = limit.rlim_max < useful ? limit.rlim_max : useful;
      setrlimit(limits[i].resource, &limit);
      getrlimit(limits[i].resource, &limit);
    }
    if (limit.rlim_cur < limits[i].needed * unit)
      return shk_complain("the limit of %lu %s is too low: at least %lu are needed (`ulimit -%s`)",
                          (unsigned long)(limit.rlim_cur / unit), limits[i].what,
                          (unsigned long)limits[i].needed, limits[i].option);
  }
  return true;
}

int main(int argc, char **argv)
{
  if (!has_limits())
    return SHK_EXIT_BAD_INPUT;
  shk_out_of_memory = out_of_memory;
  shk_locale_begin(); /* a plug-in's constructor may change the locale of the process */
  json_set_alloc_funcs(allocate_json, free);
  signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit then fails, as on a full disk */
  const int status = dispatch_main(argc, argv);
  /* This check ensures that incomplete output is not mistaken for results. */
  errno = 0;
  if ((fflush(stdout) != 0 || ferror(stdout)) && status != SHK_EXIT_BAD_INPUT)
    return shk_incomplete("standard output: %s",
                          errno != 0 ? strerror(errno) : "cannot be written");
  return status;
}
