/* Write protection and the sandbox. See sandbox.h. */
#include "foundation/processes/sandbox.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- writing ---- */

/* Constants of Landlock that older system headers lack: TRUNCATE is of version 3 of its
 * interface. */
enum { TRUNCATE = 1 << 14, SCOPE_SIGNAL = 1 << 1, SCOPED_VERSION = 6 };

static const uint64_t writes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                               LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                               LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                               LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                               LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/* Permits the accesses `what` below a path, if it exists. */
static void allow_sandbox(int rules, const char *path, uint64_t what)
{
  const int place = path ? open(path, O_PATH | O_CLOEXEC) : -1;
  struct landlock_path_beneath_attr rule = {.allowed_access = what, .parent_fd = place};
  if (place < 0)
    return;
  if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR; /* not a directory */
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(place);
}

/* Applies the rules to this process and closes them. False on failure, also for negative
 * `rules`. */
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

/* ---- reading ---- */

/* Paths that programs and libraries need. They contain no personal files. /proc is safe because
 * Landlock protects the memory and the environment of other processes. */
static const char *const of_the_system[] = {
    "/usr", "/lib",  "/lib32", "/lib64",    "/bin",      "/sbin",       "/etc",        "/opt",
    "/nix", "/proc", "/sys",   "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"};

static bool limit_reading(const struct shk_access *access, const char *const *plugins,
                          int plugin_count)
{
  const uint64_t handled =
      LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
  const uint64_t what = handled & ~(access->programs ? 0 : (uint64_t)LANDLOCK_ACCESS_FS_EXECUTE);
  const int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
  for (size_t i = 0; i < sizeof of_the_system / sizeof of_the_system[0]; i++)
    allow_sandbox(rules, of_the_system[i], what);
  const char *const own[] = {".", access->folder, access->reads, getenv("TMPDIR")};
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    allow_sandbox(rules, own[i], what);
  for (int i = 0; i < plugin_count; i++) {
    char *const folder = shk_folder_of(plugins[i]);
    allow_sandbox(rules, *folder != '\0' ? folder : ".", what);
    free(folder);
  }
  return restrict_to(rules);
}

/* ---- system calls ---- */

/* System calls that no integrator needs: the network, other processes, the kernel and its settings,
 * and operations on files that Landlock does not restrict. Calls unknown to a kernel release or
 * processor are skipped. */
static const char refused[] =
    "socket socketpair ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp "
    "perf_event_open bpf io_uring_setup userfaultfd keyctl add_key request_key mount umount2 "
    "move_mount open_tree fsopen fsmount pivot_root chroot unshare setns kexec_load "
    "kexec_file_load init_module finit_module delete_module reboot swapon swapoff "
    "sethostname setdomainname settimeofday clock_settime clock_adjtime adjtimex acct "
    "quotactl syslog open_by_handle_at personality shmget msgget semget mq_open chmod fchmod "
    "fchmodat fchmodat2 chown lchown fchown fchownat setxattr lsetxattr fsetxattr "
    "removexattr lremovexattr fremovexattr utime utimes futimesat utimensat";

static bool refuse_calls(void)
{
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  bool ok = filter != NULL;
  char *const names = shk_copy_text(refused), *rest = names;
  for (const char *name; ok && (name = strsep(&rest, " ")) != NULL;) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR)
      ok = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0) == 0;
  }
  free(names);
  /* Simulated terminal input (TIOCSTI); namespaces. The filter cannot see the flags of clone3, so
   * libraries are made to use clone instead. */
  static const unsigned long terminal[] = {TIOCSTI, TIOCLINUX, TIOCSETD};
  for (size_t i = 0; ok && i < sizeof terminal / sizeof terminal[0]; i++)
    ok = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                          SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, terminal[i])) == 0;
  static const unsigned long spaces[] = {CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,   CLONE_NEWUSER,
                                         CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP};
  for (size_t i = 0; ok && i < sizeof spaces / sizeof spaces[0]; i++)
    ok = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                          SCMP_A0(SCMP_CMP_MASKED_EQ, spaces[i], spaces[i])) == 0;
  ok = ok && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
       seccomp_load(filter) == 0;
  seccomp_release(filter);
  return ok;
}

bool shk_confine(const struct shk_access *access, const char *const *plugins, int plugin_count,
                 struct shk_message *error)
{
  if (!access->sandbox)
    return true;
  const bool ok = limit_reading(access, plugins, plugin_count) && refuse_calls();
  if (!ok)
    shk_message_set(error, "--sandbox: this kernel cannot confine a process: it lacks Landlock "
                           "(Linux 5.13) or filters of system calls");
  return ok;
}
