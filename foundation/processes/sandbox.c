/* Implements the fence and the sandbox. See sandbox.h. */
#include "foundation/processes/sandbox.h"

#include "foundation/files/file.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the fence ---- */

/* Landlock constants that are missing from older system headers. TRUNCATE belongs to version 3 of
 * the Landlock interface. */
enum { TRUNCATE = 1 << 14, SCOPE_SIGNAL = 1 << 1, SCOPED_VERSION = 6 };

static const uint64_t writes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                               LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                               LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                               LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                               LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/* Permits the accesses in `what` below a path, if the path exists. */
static void allow_sandbox(int rules, const char *path, uint64_t what)
{
  const int place = path ? open(path, O_PATH | O_CLOEXEC) : -1;
  struct landlock_path_beneath_attr rule = {.allowed_access = what, .parent_fd = place};
  if (place < 0)
    return;
  if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    /* this right is invalid if `path` is not a directory */
    rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(place);
}

/* Applies the rules to this process and closes their descriptor. Returns false on failure or if
 * `rules` is negative. */
static bool restrict_to(int rules)
{
  const bool ok = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                  syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return ok;
}

bool shk_write_protect(const char *folder)
{
  if (folder)
    setenv("TMPDIR", folder, 1);
  const long version =
      syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  const uint64_t truncate = version >= 3 ? TRUNCATE : 0;
  const uint64_t files_network_scope[] = {writes | truncate, 0, SCOPE_SIGNAL};
  const size_t size = version >= SCOPED_VERSION ? sizeof files_network_scope : sizeof(uint64_t);
  const int rules = (int)syscall(SYS_landlock_create_ruleset, files_network_scope, size, 0);
  allow_sandbox(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE | truncate);
  allow_sandbox(rules, folder, writes | truncate);
  return restrict_to(rules);
}

/* ---- bubblewrap ---- */

/* Folders that programs and libraries need. They do not contain personal files. */
static const char *const of_the_system[] = {"/usr",  "/lib", "/lib32", "/lib64", "/bin",
                                            "/sbin", "/etc", "/opt",   "/nix",   "/sys"};
/* Prefixes of the environment variables that programs need. Other variables may contain secrets. */
static const char *const of_the_environment[] = {
    "PATH=",         "LANG=",         "LC_ALL=",          "LD_LIBRARY_PATH=",
    "PYTHONPATH=",   "SHAKEDOWN",     "OMP_NUM_THREADS=", "OPENBLAS_NUM_THREADS=",
    "ASAN_OPTIONS=", "UBSAN_OPTIONS="};

static void add_words(struct shk_text_list *list, const char *const *words, int count)
{
  for (int i = 0; i < count; i++)
    shk_list_text(list, words[i]);
}

/* Makes a folder readable if it exists. */
static void show_folder(struct shk_text_list *words, const char *path)
{
  char *const real = path && *path != '\0' ? realpath(path, NULL) : NULL;
  if (real)
    add_words(words, (const char *[]){"--ro-bind-try", real, real}, 3);
  free(real);
}

static void show_folder_of(struct shk_text_list *words, const char *file, const char *beside)
{
  char *const folder = shk_folder_of(file);
  char *const path = shk_print_text("%s%s", *folder != '\0' ? folder : ".", beside);
  show_folder(words, path);
  free(path);
  free(folder);
}

/* `variable` is NAME=VALUE. */
static bool is_shown(const char *variable)
{
  for (size_t i = 0; i < sizeof of_the_environment / sizeof of_the_environment[0]; i++)
    if (strncmp(variable, of_the_environment[i], strlen(of_the_environment[i])) == 0)
      return strchr(variable, '=') != NULL;
  return false;
}

void shk_sandbox_words(struct shk_text_list *words, const struct shk_access *access,
                       const char *const *plugins, int plugin_count, const char *program,
                       const char *runs, const char *temporary)
{
  static const char *const head[] = {"bwrap",         "--unshare-all", "--die-with-parent",
                                     "--new-session", "--clearenv",    "--tmpfs",
                                     "/tmp"};
  add_words(words, head, sizeof head / sizeof head[0]);
  show_folder(words, ".");
  show_folder(words, access->folder);
  show_folder(words, access->reads);
  for (int i = 0; i < plugin_count; i++)
    show_folder_of(words, plugins[i], "");
  show_folder_of(words, program, "");
  if (strchr(runs, '/'))
    show_folder_of(words, runs, "/.."); /* the folder of a Python virtual environment */
  char *const packages = shk_copy_text(getenv("PYTHONPATH") ? getenv("PYTHONPATH") : "");
  for (char *rest = packages, *one; (one = strsep(&rest, ":")) != NULL;)
    show_folder(words, one);
  free(packages);
  for (size_t i = 0; i < sizeof of_the_system / sizeof of_the_system[0]; i++)
    add_words(words, (const char *[]){"--ro-bind-try", of_the_system[i], of_the_system[i]}, 3);
  add_words(words, (const char *[]){"--proc", "/proc", "--dev", "/dev"}, 4);
  if (temporary)
    add_words(words,
              (const char *[]){"--bind", temporary, temporary, "--setenv", "TMPDIR", temporary}, 6);
  for (char **variable = environ; *variable; variable++)
    if (is_shown(*variable)) {
      const size_t length = strcspn(*variable, "=");
      char *const name = shk_print_text("%.*s", (int)length, *variable);
      add_words(words, (const char *[]){"--setenv", name, *variable + length + 1}, 3);
      free(name);
    }
  char *const here = realpath(".", NULL);
  if (here)
    add_words(words, (const char *[]){"--chdir", here}, 2);
  free(here);
  shk_list_text(words, "--");
}
