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
/* Closes what is open of it. */
void shk_pipe_close(struct shk_pipe *pipe);
/* Closes a descriptor that is open, and sets it to -1. */
void shk_close(int *descriptor);

/* How a child begins. Its signals are as in a program that has just been started; SIGXFSZ, which
 * stands for a disk that is full, is left as it is. */
struct shk_child {
  int in, out, error;     /* its standard descriptors: 0 ours, SHK_NOTHING for /dev/null */
  const char *folder;     /* that it works in; NULL: ours */
  int last_signal;        /* which it gets when we end; 0: SIGKILL */
  bool ignores_interrupt; /* SIGINT, which a terminal sends to all that belong to it */
  bool own_group;         /* a process group of its own, of which it is the leader */
};
enum { SHK_NOTHING = -1 };

/* A fork: 0 in the child, which must end by _exit, -1 with the reason if there could be none. What
 * is buffered for printing is printed first, or both would print it. */
pid_t shk_child_fork(const struct shk_child *child, struct shk_message *error);
/* A program, looked up in PATH if its name has no slash; `words`, its own name the first, end with
 * NULL. -1 with errno set if it could not be started. */
pid_t shk_child_start(const struct shk_child *child, const char *program, char *const *words);

/* Waits for its end; the status is that of waitpid. */
int shk_child_wait(pid_t child);
/* Sends it a signal (0: none), gives it so many seconds to end and then kills it. */
int shk_child_end(pid_t child, int signal, double seconds);

/* The same open file under a number of at least `least`, far from those that a plug-in opens or
 * closes by number; the old one is closed. If there is none it stays what it is. */
int shk_descriptor_move(int descriptor, int least);

/* All of the bytes, through interruptions. False on an error, among them that nobody reads any more:
 * then no signal is raised. */
bool shk_write_all(int descriptor, const char *bytes, size_t count);

#endif
