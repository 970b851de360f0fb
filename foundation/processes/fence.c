/* Write protection of a process. See fence.h. */
#include "foundation/processes/fence.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in the kernel since version 6 of the interface; system headers may be older. */
struct ruleset {
  uint64_t files, network, scoped;
};

enum { TRUNCATE = 1 << 14, SCOPE_SIGNAL = 1 << 1, SCOPED_VERSION = 6 };

static const uint64_t writes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                               LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                               LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                               LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                               LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

void shk_landlock_allow(int rules, const char *path, uint64_t what)
{
  const int place = open(path, O_PATH | O_CLOEXEC);
  struct landlock_path_beneath_attr rule = {.allowed_access = what, .parent_fd = place};
  if (place < 0)
    return;
  if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR; /* not a directory */
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(place);
}

bool shk_landlock_restrict(int rules)
{
  const bool ok = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                  syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return ok;
}

/* The version of the kernel's Landlock interface; 0: none. */
static long version_of_kernel(void)
{
  static long version = -1; /* constant while the kernel runs */
  if (version < 0)
    version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0)
    version = 0;
  return version;
}

bool shk_fence(const char *folder)
{
  const long version = version_of_kernel();
  if (version < 1)
    return false;
  const uint64_t truncate = version >= 3 ? TRUNCATE : 0;
  const struct ruleset what = {.files = writes | truncate,
                               .scoped = version >= SCOPED_VERSION ? SCOPE_SIGNAL : 0};
  const size_t size = version >= SCOPED_VERSION ? sizeof what : sizeof what.files;
  const int rules = (int)syscall(SYS_landlock_create_ruleset, &what, size, 0);
  if (rules < 0)
    return false;
  shk_landlock_allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE | truncate);
  if (folder && *folder != '\0')
    shk_landlock_allow(rules, folder, writes | truncate);
  return shk_landlock_restrict(rules);
}

bool shk_fence_in(const char *folder)
{
  if (folder)
    setenv("TMPDIR", folder, 1);
  return shk_fence(folder);
}
