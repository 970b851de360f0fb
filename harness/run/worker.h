/*
 * Worker processes from the point of view of their parent. A worker is a new process of this
 * program, or of Python with the library. It inherits four pipes but no other descriptors and no
 * memory of its parent, which may have a store open. It loads the plug-ins, waits, and serves
 * requests (work.h).
 *
 * User code has its own process. Before a worker runs user code, it leaves behind a copy of itself.
 * The copy replaces the worker after its end, so plug-ins are loaded only once. The worker adopts
 * all processes that user code starts and leaves behind. When the worker has ended, this process
 * adopts them and ends them.
 */
#ifndef HARNESS_RUN_WORKER_H
#define HARNESS_RUN_WORKER_H

#include "harness/run/requests.h"
#include "harness/run/spawn.h"
#include "results/record/record.h"
#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

struct shk_worker {
  bool started;
  pid_t pid;   /* the process that waits or serves; 0 if there is none */
  pid_t next;  /* the copy that will replace it; 0 if there is none */
  bool ready;  /* true once it has loaded its plug-ins */
  bool alone;  /* true if it serves a request that has its own process */
  bool shares; /* true if it has served requests that share its process */
  /* The following fields are for worker.c. */
  int end; /* readable once the process has ended; -1: must be polled every 20 ms */
  /* our ends of the pipes: the one for requests is written, all others are read */
  int requests, answers;
  int output, notices;
  struct shk_inbox inbox;
  char *unsent; /* unsent_length bytes of requests that do not fit into the pipe yet */
  size_t unsent_length;
  char *temporary; /* folder for temporary files */
  unsigned closed; /* bits of the pipes whose other ends are closed */
  bool user_code;  /* true if it has plug-ins or runs programs */
  bool sandboxed;  /* true if the exit status comes from bubblewrap */
  /* connection to the running Python that owns the process; -1: the process is our child */
  int host;
  pid_t cell; /* the process of user code, if that is not `pid` */
  int status; /* wait status of that process */
  bool cell_ended, no_memory;
  double begun; /* start of the request, by the clock of shk_seconds */
  /* the time at which it is late, and the time at which to count its processes next: in seconds
   * awake */
  double deadline, census;
  double limit; /* time limit of the request in s */
  /* true if the limit comes from the probe and applies to the processor time from `since` on */
  bool probed;
  double since, spent; /* in seconds awake; processor time used until then */
  int request;         /* number of requests that the process has begun, including this one */
  int steps_of;        /* number of the last request whose first steps are done */
  double expected;     /* predicted time of this request in s; negative if unknown */
  enum { SHK_WELL, SHK_LATE, SHK_CROWD } fate; /* why this process has ended the worker */
  /* true if it was stopped by a signal or a debugger when it was late */
  bool was_stopped;
  char *printed; /* output since `begun` */
  size_t printed_length;
  long dropped;             /* number of bytes of output that were discarded */
  struct shk_worker *other; /* next in the list of all workers */
};

/* The possible results of polling a worker. */
enum shk_worker_event { SHK_EVENT_NONE, SHK_EVENT_ANSWER, SHK_EVENT_END };
struct shk_worker_result {
  char *answer; /* a message (results/record/frame.h), which the caller frees */
  size_t size;
  /* When the process has ended: how it ended, its output and its seconds, but nothing else.
   * FINISHED means that it ended by itself after complete messages. The caller clears the
   * record. */
  struct shk_record record;
  bool entered; /* false if the process was killed before it started with its request */
};

/* Starts a worker without waiting for it. A Python plug-in is loaded by `python3 -m shakedown
 * worker`. With --sandbox, bubblewrap runs the program. On failure returns false and sets the
 * reason. */
bool shk_worker_start(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_message *error);
/* Sends a request without waiting. The part that does not fit into the pipe is sent when the worker
 * is polled, because a worker may not read a request before its answer is read. A request that
 * needs its own process is sent to a process that has not served any requests. Other requests can
 * follow each other. Returns false if the worker has ended. */
bool shk_worker_send(struct shk_worker *worker, const struct shk_request *request);
/* Starts the time limit, in s, of the current request; 0 means no limit. */
void shk_worker_begin(struct shk_worker *worker, double seconds);
/* Starts a time limit that is determined by probing the method (foundation/probe.h): `first` s of
 * processor time for the first steps, and then SHK_PROBE_FACTOR times the time that these steps
 * predict, but at least SHK_PROBE_SECONDS. */
enum { SHK_PROBE_SECONDS = 30, SHK_PROBE_FACTOR = 20, SHK_PROBE_LOG_SECONDS = 10 };
void shk_worker_begin_probed(struct shk_worker *worker, double first);
/* Returns true if the first steps of the request are not done after SHK_PROBE_LOG_SECONDS of
 * processor time, or after five times as long according to the clock. */
bool shk_worker_is_slow(const struct shk_worker *worker);

/* Stores the descriptors to poll for events of a worker, with -1 for those that do not exist. */
enum { SHK_WORKER_WATCHES = 5 };
void shk_worker_watch(const struct shk_worker *worker, struct pollfd watch[SHK_WORKER_WATCHES]);
/* Returns the time in s after which the worker must be polled again, at most 0.2. */
double shk_worker_longest_wait(const struct shk_worker *worker);
/* Returns the next event of a worker without waiting, and enforces the worker's limits: a process
 * that is late or has too many processes is ended. After an end, the next process has replaced it,
 * or pid is 0. */
enum shk_worker_event shk_worker_poll(struct shk_worker *worker, struct shk_worker_result *result);
/* Returns the number of bytes that a worker that serves several requests has printed since its
 * start. */
size_t shk_worker_printed(struct shk_worker *worker);

/* Waits at most 60 s for a worker to load its plug-ins, and reads its first message. If this fails,
 * the worker has ended. In this case returns false and sets the reason, which names the plug-ins
 * because their constructors have run. */
bool shk_worker_greet(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_worker_result *result, struct shk_message *error);
/* Does the same for an event of a worker that is not ready, but without waiting. */
bool shk_worker_greeted(struct shk_worker *worker, enum shk_worker_event event,
                        const struct shk_workers *setup, struct shk_worker_result *result,
                        struct shk_message *error);
/* Sends a request that needs its own process, and waits for the process to end. Starts the worker
 * if necessary. `seconds` is the time limit. `take` receives each message as it arrives and returns
 * a new limit for the rest, or a negative number to keep the limit. If `take` is NULL, the last
 * message is the result. Returns false and sets the reason if no process could be started.
 * Otherwise *result describes how the process ended. */
typedef double shk_take_message(void *user, const char *bytes, size_t size);
bool shk_worker_ask(struct shk_worker *worker, const struct shk_workers *setup,
                    const struct shk_request *request, shk_take_message *take, void *user,
                    struct shk_worker_result *result, struct shk_message *error);

/* Returns true if a process that was sent a query ended by itself after an answer. Otherwise sets
 * the reason. */
bool shk_worker_finished(struct shk_worker_result *result, struct shk_message *error);

/* Sends a query, which is answered in its own process, and stores the answer (engine/context.h).
 * For any status but SHK_ANSWERED the reason is set. */
enum shk_query_status {
  SHK_ANSWERED,
  SHK_DENIED,    /* the engine has no answer */
  SHK_DIED,      /* the process crashed, hung or exited */
  SHK_NOT_LOADED /* a plug-in could not be loaded, or there is no process */
};
enum shk_query_status shk_worker_query(struct shk_worker *worker, const struct shk_workers *setup,
                                       const struct shk_request *request, void *answer,
                                       struct shk_message *error);
/* Moves a worker. `from` is then considered not started. */
void shk_worker_move(struct shk_worker *to, struct shk_worker *from);
/* Ends a worker and all its processes. If the worker is waiting, it is ended by closing the pipe
 * for requests. */
void shk_worker_end(struct shk_worker *worker);
void shk_worker_result_clear(struct shk_worker_result *result);

/* Gives this process priority over all others if permitted. A process that counts processes must
 * not wait in a queue behind thousands of them. Children do not inherit the priority. */
void shk_workers_go_first(bool first);

#endif
