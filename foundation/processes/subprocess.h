/*
 * Child processes: forks of this program and programs of others, the pipes to them, and their end.
 * A child ends with us, whatever becomes of us; descriptors that are not handed to it are closed
 * when it becomes another program.
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

/* False with the reason, and nothing open. */
bool shk_pipe_open(struct shk_pipe *pipe, struct shk_message *error);
/* Closes the ends that are open. */
void shk_pipe_close(struct shk_pipe *pipe);
/* Closes a descriptor if it is open, and sets it to -1. */
void shk_close(int *descriptor);

/* How a child begins. Its signals are as in a newly started program, but for SIGXFSZ (the disk is
 * full), which is left as it is. */
struct shk_child {
  int in, out, error;     /* its standard descriptors: 0 ours, SHK_NOTHING for /dev/null */
  const char *folder;     /* its working directory; NULL: ours */
  const char *temporary;  /* its folder for temporary files, TMPDIR; NULL: ours */
  int last_signal;        /* sent to it when we end; 0: SIGKILL */
  bool ignores_interrupt; /* SIGINT, which a terminal sends to its whole process group */
  bool own_group;         /* it leads a process group of its own */
};
enum { SHK_NOTHING = -1 };

/* A fork: 0 in the child, which must end by _exit; -1 with the reason on failure. Buffered output
 * is flushed first, or both would print it. */
pid_t shk_child_fork(const struct shk_child *child, struct shk_message *error);
/* A program, looked up in PATH if its name has no slash; `words` begin with its name and end with
 * NULL. -1 with errno set if it could not be started. */
pid_t shk_child_start(const struct shk_child *child, const char *program, char *const *words);

/* Waits for its end; the status is that of waitpid. */
int shk_child_wait(pid_t child);
/* Sends it a signal (0: none) and kills it if it has not ended after so many seconds. */
int shk_child_end(pid_t child, int signal, double seconds);

/* Kills the children that a process has now, and the groups that they lead; returns how many lived.
 * Theirs that are left become those of whoever adopts them. */
int shk_children_kill(pid_t parent);
/* What a process does now, by the letter of /proc/PID/stat: 'R', 'S', 'T' stopped, 't' traced, …;
 * 0: there is none. */
char shk_process_state(pid_t process);

/* Moves an open file to a descriptor of at least `least`, far from those that a plug-in opens or
 * closes by number, and closes the old one; returns the old one if that fails. */
int shk_descriptor_move(int descriptor, int least);

/* All of the bytes, through interruptions. False on an error; that nobody reads any more is one and
 * raises no signal. */
bool shk_write_all(int descriptor, const char *bytes, size_t count);

#endif
