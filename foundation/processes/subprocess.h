/*
 * Starts child processes, which are forks of this program or other programs, connects them through
 * pipes, and waits for them to exit. A child is killed when this process ends, for whatever reason.
 * Descriptors that are not passed to a child are closed when the child executes another program.
 */
#ifndef FOUNDATION_PROCESSES_SUBPROCESS_H
#define FOUNDATION_PROCESSES_SUBPROCESS_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The two ends of a pipe, where -1 represents a closed end. */
struct shk_pipe {
  int read_end, write_end;
};
#define SHK_NO_PIPE ((struct shk_pipe){-1, -1})

/* Opens a pipe. On failure, returns false, sets the reason, and leaves both ends closed. */
bool shk_pipe_open(struct shk_pipe *pipe, struct shk_message *error);
/* Closes the ends that are open. */
void shk_pipe_close(struct shk_pipe *pipe);
/* Closes a descriptor if it is open, and sets it to -1. */
void shk_close(int *descriptor);

/* How to set up a child. A child has the signal settings of a newly started program, except that
 * the setting of SIGXFSZ (file size limit) is inherited. */
struct shk_child {
  int in, out, error;    /* standard descriptors; 0 selects ours, SHK_NOTHING selects /dev/null */
  int fourth;            /* descriptor 3; 0 if there is none */
  const char *folder;    /* working directory; NULL selects ours */
  const char *temporary; /* folder for temporary files (TMPDIR); NULL selects ours */
  int last_signal;       /* signal that the child receives when our process ends; 0 for SIGKILL */
  bool own_group;        /* whether the child becomes the leader of a new process group */
};
enum { SHK_NOTHING = -1 };

/* Forks this process. Returns 0 in the child, which must terminate with _exit. On failure, returns
 * -1 and sets the reason. Buffered output is flushed before the fork, because otherwise both
 * processes would print it. */
pid_t shk_child_fork(const struct shk_child *child, struct shk_message *error);
/* Starts a program, which is looked up in PATH if its name does not contain a slash. The array
 * `words` begins with the name and ends with NULL. The program inherits only the descriptors in
 * `child`. Returns -1 and sets errno if the program could not be started. */
pid_t shk_child_start(const struct shk_child *child, const char *program, char *const *words);

/* Waits for a child to exit and returns its status as in waitpid. */
int shk_child_wait(pid_t child);
/* Sends a signal (0 for none) to a child, and kills the child if it has not exited after `seconds`.
 * Returns the child's status as in waitpid. */
int shk_child_end(pid_t child, int signal, double seconds);

/* Store up to `limit` children or descendants of a process, respectively, and return their number.
 * A process whose parent has exited counts as a child of the nearest ancestor that adopts it
 * (PR_SET_CHILD_SUBREAPER). */
int shk_children(pid_t parent, pid_t *found, int limit);
int shk_descendants(pid_t ancestor, pid_t *found, int limit);
/* Returns the state of a process as a letter, as in /proc/PID/stat: 'R', 'S', 'T' for stopped, 't'
 * for traced, and so on. Returns 0 if there is no such process. */
char shk_process_state(pid_t process);

/* Moves an open file to a descriptor that is at least `least`, and closes the old descriptor. The
 * new one is outside the range that plug-ins open or close by number. On failure, returns the old
 * descriptor. */
int shk_descriptor_move(int descriptor, int least);

/* Writes all bytes, continuing after interruptions. Returns false on error. If the reader has
 * closed its end, this is an error but does not raise a signal. */
bool shk_write_all(int descriptor, const char *bytes, size_t count);

#endif
