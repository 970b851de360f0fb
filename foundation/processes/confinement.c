/* The sandbox. See confinement.h. */
#include "foundation/processes/confinement.h"

#include "foundation/files/folder.h"
#include "foundation/memory.h"
#include "foundation/processes/fence.h"

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

/* ---- files ---- */

/* Paths that programs and libraries need. They contain no personal files. /proc is safe because
 * Landlock protects the memory and the environment of other processes. */
static const char *const of_the_system[] = {
    "/usr", "/lib",  "/lib32", "/lib64",    "/bin",      "/sbin",       "/etc",        "/opt",
    "/nix", "/proc", "/sys",   "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"};

static bool limit_reading(const struct shk_access *access, const char *const *plugins,
                          int plugin_count)
{
  const struct landlock_ruleset_attr handled = {.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE |
                                                                     LANDLOCK_ACCESS_FS_READ_DIR |
                                                                     LANDLOCK_ACCESS_FS_EXECUTE};
  const int rules =
      (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
  if (rules < 0)
    return false;
  const uint64_t what =
      handled.handled_access_fs & ~(access->programs ? 0 : (uint64_t)LANDLOCK_ACCESS_FS_EXECUTE);
  for (size_t i = 0; i < sizeof of_the_system / sizeof of_the_system[0]; i++)
    shk_landlock_allow(rules, of_the_system[i], what);
  shk_landlock_allow(rules, ".", what);
  const char *const own[] = {access->folder, access->reads, getenv("TMPDIR")};
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (own[i] && *own[i] != '\0')
      shk_landlock_allow(rules, own[i], what);
  for (int i = 0; i < plugin_count; i++) {
    char *const folder = shk_folder_of(plugins[i]);
    shk_landlock_allow(rules, *folder != '\0' ? folder : ".", what);
    free(folder);
  }
  return shk_landlock_restrict(rules);
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
