/*
 * shakedown plugin build: compiles sources to a plug-in. The system's compiler compiles them once
 * per precision, as the program's own sources are; the objects of a precision are joined to one,
 * and all are linked to one shared object. Since all precisions are made from the same texts, their
 * private names clash; objcopy first makes all names local except the plug-in's entry points.
 */
#include "cli/commands/plugin.h"
#include "cli/shared/install_paths.h"

#include "engine/engine.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "foundation/specifications/precision.h"
#include "harness/run/said.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 512 };

/* ---- running tools ---- */

struct line {
  int count;
  char *words[MOST_ARGUMENTS];
};

static void add(struct line *line, char *owned)
{
  if (line->count < MOST_ARGUMENTS - 1)
    line->words[line->count++] = owned;
  else
    free(owned);
}

/* Adds every word of a text such as $CC = "ccache gcc". */
static void add_words(struct line *line, const char *text)
{
  char *copy = shk_copy_text(text), *rest = copy;
  for (char *word; (word = strsep(&rest, " \t")) != NULL;)
    if (*word != '\0')
      add(line, shk_copy_text(word));
  free(copy);
}

/* Runs a program, which prints its own errors on standard error, and clears the line. Returns false
 * after an error message. */
static bool execute(struct line *line)
{
  fflush(NULL);
  const struct shk_child as = {.out = STDERR_FILENO, .last_signal = SIGTERM};
  const pid_t child = shk_child_start(&as, line->words[0], line->words);
  if (child < 0)
    shk_complain("cannot start %s: %s", line->words[0], strerror(errno));
  const int status = child > 0 ? shk_child_wait(child) : -1;
  const bool ok = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (child > 0 && !ok)
    shk_complain("%s failed", line->words[0]);
  for (int i = 0; i < line->count; i++)
    free(line->words[i]);
  *line = (struct line){0};
  return ok;
}

/* Extension of a source's name, "" if it has none. */
static const char *ending(const char *source)
{
  const char *slash = strrchr(source, '/'), *dot = strrchr(source, '.');
  return !dot || (slash && dot < slash) ? "" : dot;
}

static bool is_cpp(const char *source)
{
  static const char *const endings[] = {".cc", ".cpp", ".cxx", ".C"};
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (strcmp(ending(source), endings[i]) == 0)
      return true;
  return false;
}

static void add_variable(struct line *line, const char *name)
{
  const char *const value = getenv(name);
  if (value)
    add_words(line, value);
}

static void add_compiler(struct line *line, bool cpp)
{
  const char *compiler = getenv(cpp ? "CXX" : "CC");
  add_words(line, compiler != NULL && *compiler != '\0' ? compiler : cpp ? "c++" : "cc");
}

/* ---- build ---- */

struct build {
  const struct shk_plugin_sources *sources;
  bool cpp;                     /* one of the sources is C++: the C++ compiler links all */
  char *include, *names;        /* folders of headers */
  char folder[64];              /* temporary folder of intermediate files */
  char *object[SHK_PRECISIONS]; /* one object for each precision of this build */
  char *made;                   /* the plug-in, until it has been loaded */
};

/* Name of the object of a source in a precision, in the temporary folder. The caller frees it. */
static char *part_of(const struct build *b, int index, int source)
{
  return shk_print_text("%s/%d-%d.o", b->folder, shk_engines[index]->bits, source);
}

static bool compile(const struct build *b, int index, int source)
{
  /* Flags that affect results are those of the program itself. They come last, so that the user's
   * cannot override them. */
  static const char flags[] = "-fPIC -ffp-contract=off -fno-math-errno -Wall -DSHK_PLUGIN "
                              "-D_GNU_SOURCE";
  const char *const file = b->sources->files[source];
  const bool cpp = is_cpp(file);
  struct line line = {0};
  add_compiler(&line, cpp);
  add_words(&line, "-O2 -g");
  add_words(&line, cpp ? "-std=gnu++20" : "-std=gnu17");
  add_variable(&line, cpp ? "CXXFLAGS" : "CFLAGS");
  add_words(&line, flags);
  add(&line, shk_print_text("-DSHK_PRECISION=%d", shk_engines[index]->bits));
  for (int i = 0; i < b->sources->includes.count; i++)
    add(&line, shk_print_text("-I%s", b->sources->includes.all[i]));
  add(&line, shk_print_text("-I%s", b->include));
  add(&line, shk_print_text("-I%s", b->names));
  add(&line, shk_copy_text("-c"));
  add(&line, shk_copy_text(file));
  add(&line, shk_copy_text("-o"));
  add(&line, part_of(b, index, source));
  return execute(&line);
}

/* Joins the objects of a precision; their private names become local. */
static bool join(const struct build *b, int index)
{
  struct line line = {0};
  add_compiler(&line, b->cpp);
  add_words(&line, "-r -nostdlib -o");
  add(&line, shk_copy_text(b->object[index]));
  for (int i = 0; i < b->sources->count; i++)
    add(&line, part_of(b, index, i));
  if (!execute(&line))
    return false;
  add(&line, shk_copy_text("objcopy"));
  add_words(&line, "--wildcard --keep-global-symbol=shk_plugin_*");
  add(&line, shk_copy_text(b->object[index]));
  return execute(&line);
}

static bool make_object(const struct build *b, int index)
{
  for (int i = 0; i < b->sources->count; i++)
    if (!compile(b, index, i))
      return false;
  return join(b, index);
}

static bool link_objects(const struct build *b)
{
  struct line line = {0};
  add_compiler(&line, b->cpp);
  add(&line, shk_copy_text("-shared"));
  add(&line, shk_copy_text("-o"));
  add(&line, shk_copy_text(b->made));
  for (int i = 0; shk_engines[i]; i++)
    add(&line, shk_copy_text(b->object[i]));
  add_variable(&line, "LDFLAGS");
  for (int i = 0; i < b->sources->libraries.count; i++)
    add(&line, shk_print_text("-l%s", b->sources->libraries.all[i]));
  add(&line, shk_copy_text("-lm"));
  return execute(&line);
}

/* Name of the plug-in for a source: FILE.c, FILE.cpp, … -> FILE.so. */
static char *target_of(const char *source)
{
  const bool known = is_cpp(source) || strcmp(ending(source), ".c") == 0;
  const size_t length = strlen(source) - (known ? strlen(ending(source)) : 0);
  return shk_print_text("%.*s.so", (int)length, source);
}

static bool make_places(struct build *b)
{
  const char *top = getenv("TMPDIR");
  snprintf(b->folder, sizeof b->folder, "%s/shakedown-XXXXXX",
           top != NULL && *top != '\0' && strlen(top) < 40 ? top : "/tmp");
  if (!mkdtemp(b->folder)) {
    shk_complain("%s: %s", b->folder, strerror(errno));
    return false;
  }
  for (int i = 0; shk_engines[i]; i++)
    b->object[i] = shk_print_text("%s/%d.o", b->folder, shk_engines[i]->bits);
  b->made = shk_print_text("%s/plugin.so", b->folder);
  return true;
}

static void clear_places(struct build *b)
{
  for (int i = 0; b->made && shk_engines[i]; i++)
    for (int k = 0; k < b->sources->count; k++) {
      char *const part = part_of(b, i, k);
      remove(part);
      free(part);
    }
  for (int i = 0; i < SHK_PRECISIONS; i++) {
    if (b->object[i])
      remove(b->object[i]);
    free(b->object[i]);
  }
  if (b->made) {
    remove(b->made);
    rmdir(b->folder);
  }
  free(b->made);
  free(b->include);
  free(b->names);
}

/* Replaces the old file by the new one by renaming: a program that has loaded the old one keeps
 * it. */
static bool install(const char *from, const char *to)
{
  char *beside = shk_print_text("%s.new", to);
  struct shk_message error;
  bool ok = shk_copy_file(from, beside, &error);
  if (!ok) {
    shk_complain("%s", error.text);
  } else if (chmod(beside, 0755) != 0 || rename(beside, to) != 0) {
    shk_complain("%s: %s", to, strerror(errno));
    ok = false;
  }
  if (!ok)
    remove(beside);
  free(beside);
  return ok;
}

/* Prints the contents of a plug-in, one line each, after a cell server has loaded it. Returns false
 * after an error message. */
static bool show_offer(const char *path)
{
  struct shk_message error = {.text = ""};
  fflush(stdout);
  const struct shk_context context = {0};
  struct shk_host *const host = shk_host_start(&(struct shk_servers){&context, &path, 1}, &error);
  if (!host) {
    shk_complain("%s", error.text);
    return false;
  }
  struct shk_said *const said = shk_said_new(host);
  const struct shk_remote_provider *const offer = shk_said_provider(said);
  for (int i = 0; i < offer->integrator_count; i++) {
    printf("  integrator %s: ", offer->integrators[i].name);
    shk_print_plain(stdout, offer->integrators[i].summary);
    putchar('\n');
  }
  for (int i = 0; i < offer->problem_count; i++) {
    printf("  problem %s: ", offer->problems[i].name);
    shk_print_plain(stdout, offer->problems[i].summary);
    putchar('\n');
  }
  for (int i = 0; i < offer->solver_count; i++) {
    printf("  solver %s: ", offer->solvers[i].name);
    shk_print_plain(stdout, offer->solvers[i].summary);
    putchar('\n');
  }
  const bool some = offer->integrator_count + offer->problem_count + offer->solver_count > 0;
  if (!some)
    shk_complain("%s: offers neither integrators nor problems nor solvers", path);
  shk_said_free(said);
  shk_host_stop(host);
  return some;
}

int shk_plugin_build(const struct shk_plugin_sources *sources, const char *output)
{
  struct build b = {
      .sources = sources, .include = shk_include_folder(), .names = shk_names_folder()};
  char *target = output ? shk_copy_text(output) : target_of(sources->files[0]);
  bool ok = false;
  const char *missing = NULL;
  for (int i = 0; i < sources->count; i++) {
    b.cpp = b.cpp || is_cpp(sources->files[i]);
    if (!missing && access(sources->files[i], R_OK) != 0)
      missing = sources->files[i];
  }
  if (missing)
    shk_complain("%s: %s", missing, strerror(errno));
  else if (!b.include || !b.names)
    shk_complain("the header shakedown/%s.h is neither in ../include beside the program nor in the "
                 "%s",
                 b.include ? "names" : "plugin",
                 b.include ? "folder it was built in" : "source tree it was built from");
  else if (make_places(&b)) {
    ok = true;
    for (int i = 0; ok && shk_engines[i]; i++)
      ok = make_object(&b, i);
    ok = ok && link_objects(&b) && install(b.made, target);
    if (ok) {
      printf("%s offers\n", target);
      ok = show_offer(target);
      if (!ok)
        remove(target); /* does not load */
    }
    if (ok) {
      puts("try next:");
      printf("  shakedown plugin check %s%s\n", strchr(target, '/') ? "" : "./", target);
    }
  }
  clear_places(&b);
  free(target);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}
