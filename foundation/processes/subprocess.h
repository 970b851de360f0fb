/*
 * Child processes: forks of this program and other programs, their pipes, and waiting for their
 * end. A child is killed when this process ends in any way. Descriptors not passed to a child are
 * closed when it executes another program.
 */
#ifndef FOUNDATION_PROCESSES_SUBPROCESS_H
#define FOUNDATION_PROCESSES_SUBPROCESS_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Both ends of a pipe; -1: closed. */
struct shk_pipe {
  int read_end, write_end;
};
#define SHK_NO_PIPE ((struct shk_pipe){-1, -1})

/* Opens a pipe. False with the reason, and both ends closed. */
bool shk_pipe_open(struct shk_pipe *pipe, struct shk_message *error);
/* Closes the ends that are open. */
void shk_pipe_close(struct shk_pipe *pipe);
/* Closes a descriptor if it is open, and sets it to -1. */
void shk_close(int *descriptor);

/* Setup of a child. Its signals are set as in a newly started program, except SIGXFSZ (file size
 * limit), which is inherited. */
struct shk_child {
  int in, out, error;    /* its standard descriptors; 0: ours, SHK_NOTHING: /dev/null */
  int fourth;            /* its descriptor 3; 0: none */
  const char *folder;    /* its working directory; NULL: ours */
  const char *temporary; /* its folder for temporary files, TMPDIR; NULL: ours */
  int last_signal;       /* sent to it when we end; 0: SIGKILL */
  bool own_group;        /* it leads a process group of its own */
};
enum { SHK_NOTHING = -1 };

/* Forks: 0 in the child, which must end by _exit; -1 with the reason on failure. Buffered output is
 * flushed first, since both processes would print it. */
pid_t shk_child_fork(const struct shk_child *child, struct shk_message *error);
/* Starts a program, looked up in PATH if its name has no slash; `words` begins with its name and
 * ends with NULL. It inherits no descriptor but those of `child`. -1 with errno set if it could not
 * be started. */
pid_t shk_child_start(const struct shk_child *child, const char *program, char *const *words);

/* Waits for a child to end; returns the status of waitpid. */
int shk_child_wait(pid_t child);
/* Sends a child a signal (0: none) and kills it if it has not ended after `seconds`; returns the
 * status of waitpid. */
int shk_child_end(pid_t child, int signal, double seconds);

/* Store the children of a process, or all its descendants, at most `limit`, and return their number.
 * Those whose parents have ended are children of the next ancestor that adopts them
 * (PR_SET_CHILD_SUBREAPER). */
int shk_children(pid_t parent, pid_t *found, int limit);
int shk_descendants(pid_t ancestor, pid_t *found, int limit);
/* Returns the state of a process, the letter in /proc/PID/stat: 'R', 'S', 'T' stopped, 't' traced,
 * …; 0 if there is no such process. */
char shk_process_state(pid_t process);

/* Moves an open file to a descriptor of at least `least`, out of the range that plug-ins open or
 * close by number, and closes the old one. Returns the old one on failure. */
int shk_descriptor_move(int descriptor, int least);

/* Writes all bytes, also after interruptions. False on an error; a closed reader is an error and
 * raises no signal. */
bool shk_write_all(int descriptor, const char *bytes, size_t count);

#endif
