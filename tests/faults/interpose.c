/*
 * A library that is loaded in front of all others (LD_PRELOAD) and makes the system fail, so that a
 * test can see what the program makes of it. What fails, and when, is told by the environment:
 *
 *   FAULT_ROLE=WORD   only in processes of this role: "run" (the program's first argument), "server"
 *                     or "cell"
 *   FAULT_KILL=K      the K-th change of a file is done by half, and the process is killed by
 *                     SIGKILL
 *   FAULT_FULL=K      from the K-th change of a file on there is no space left on the disk
 *   FAULT_MEMORY=K    the K-th allocation fails
 *   FAULT_STARVE=K    the K-th allocation fails, and all after it
 *   FAULT_COUNT=FILE  how many changes of files and allocations there were, as two numbers
 *
 * Changes of a file are writes, truncations and syncs of regular files; pipes and terminals are
 * left alone. What it does not do: threads, of which the program has none.
 */
#undef _FILE_OFFSET_BITS /* write and write64 are two functions here */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t chosen;     /* the process it happens in; 0: none, or those of this name */
static const char *name; /* NULL: none */
static long kill_at, full_at, memory_at, starve_at, changes, allocations;
static const char *count_file;

static bool here(void)
{
  char call_name[16] = "";
  if (chosen > 0)
    return getpid() == chosen;
  return name && prctl(PR_GET_NAME, call_name) == 0 && strcmp(call_name, name) == 0;
}

static long number(const char *variable)
{
  const char *text = getenv(variable);
  return text ? atol(text) : 0;
}

__attribute__((constructor)) static void begin(void)
{
  char arguments[256] = "";
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? 0 : read(file, arguments, sizeof arguments - 2);
  if (file >= 0)
    close(file);
  const char *role = getenv("FAULT_ROLE"), *word = arguments;
  if (!role || size <= 0)
    return;
  word += strlen(word) + 1;
  kill_at = number("FAULT_KILL");
  full_at = number("FAULT_FULL");
  memory_at = number("FAULT_MEMORY");
  starve_at = number("FAULT_STARVE");
  count_file = getenv("FAULT_COUNT");
  if (strcmp(role, word) == 0) {
    chosen = getpid();
  } else if (strcmp(word, "worker") == 0 && strcmp(role, "cell") == 0) {
    name = "shk-cell";
  }
}

__attribute__((destructor)) static void end(void)
{
  if (!count_file || !here())
    return;
  const long counted[2] = {changes, allocations};
  kill_at = full_at = memory_at = starve_at = 0;
  FILE *file = fopen(count_file, "we");
  if (file) {
    fprintf(file, "%ld %ld\n", counted[0], counted[1]);
    fclose(file);
  }
}

/* ---- files ---- */

static void die(void)
{
  kill(getpid(), SIGKILL);
}

/* Says what is to become of the next change of a file: all, half and the end, or nothing. */
static enum fate { DONE, HALF, NOTHING } fate_of(int descriptor)
{
  struct stat file;
  if (!here() || (!kill_at && !full_at && !count_file) || fstat(descriptor, &file) != 0 ||
      !S_ISREG(file.st_mode))
    return DONE;
  changes++;
  if (kill_at && changes == kill_at)
    return HALF;
  return full_at && changes >= full_at ? NOTHING : DONE;
}

static ssize_t full(void)
{
  errno = ENOSPC;
  return -1;
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
  const enum fate fate = fate_of(descriptor);
  if (fate == NOTHING)
    return full();
  const ssize_t written = syscall(SYS_write, descriptor, bytes, fate == HALF ? count / 2 : count);
  if (fate == HALF)
    die();
  return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at)
{
  const enum fate fate = fate_of(descriptor);
  if (fate == NOTHING)
    return full();
  const ssize_t written =
      syscall(SYS_pwrite64, descriptor, bytes, fate == HALF ? count / 2 : count, at);
  if (fate == HALF)
    die();
  return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at)
{
  return pwrite64(descriptor, bytes, count, at);
}

int ftruncate64(int descriptor, off64_t length)
{
  const enum fate fate = fate_of(descriptor);
  struct stat file;
  /* A file can be made shorter on a full disk. */
  if (fate == NOTHING && fstat(descriptor, &file) == 0 && length > file.st_size)
    return (int)full();
  if (fate == HALF)
    die();
  return (int)syscall(SYS_ftruncate, descriptor, length);
}

int ftruncate(int descriptor, off_t length)
{
  return ftruncate64(descriptor, length);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length)
{
  const enum fate fate = fate_of(descriptor);
  if (fate == NOTHING)
    return (int)full();
  if (fate == HALF)
    die();
  return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int posix_fallocate64(int descriptor, off64_t offset, off64_t length)
{
  return fallocate64(descriptor, 0, offset, length) == 0 ? 0 : errno;
}

int posix_fallocate(int descriptor, off_t offset, off_t length)
{
  return posix_fallocate64(descriptor, offset, length);
}

int fsync(int descriptor)
{
  if (fate_of(descriptor) == HALF)
    die();
  return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor)
{
  if (fate_of(descriptor) == HALF)
    die();
  return (int)syscall(SYS_fdatasync, descriptor);
}

int unlink(const char *path)
{
  struct stat file;
  if (here() && (kill_at || count_file) && stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
      ++changes == kill_at)
    die();
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* ---- memory ---- */

/* glibc's own, under the names by which it exports them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool fails(void)
{
  if ((!memory_at && !starve_at && !count_file) || !here())
    return false;
  allocations++;
  if (allocations != memory_at && (!starve_at || allocations < starve_at))
    return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size)
{
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
  return fails() ? NULL : __libc_realloc(old, size);
}
