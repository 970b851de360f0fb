/*
 * Worker processes, as their parent sees them. A worker is this program, or Python with the library,
 * started anew: it inherits four pipes and nothing else, no descriptor and no memory of its parent,
 * which may have a store open. It loads the plug-ins, waits, and serves requests (work.h).
 *
 * User code has a process to itself. Before a worker enters it, it leaves a copy of itself behind,
 * which waits for its end and takes its place: plug-ins are loaded once. All processes that user
 * code starts and leaves are adopted by the worker, and after its end by this process, which ends
 * them.
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
  pid_t pid;   /* the process that waits or serves; 0: none */
  pid_t next;  /* the copy of it that will take its place; 0: none */
  bool ready;  /* it has loaded its plug-ins */
  bool alone;  /* it serves a request that has a process to itself, */
  bool shares; /* or it has served others */
  /* The rest is for worker.c. */
  int end;               /* readable when the process has ended; -1: ask every 20 ms */
  int requests, answers; /* the request pipe's end for writing, the others' for reading */
  int output, notices;
  struct shk_inbox inbox;
  char *unsent; /* requests for which the pipe has no room yet: unsent_length bytes */
  size_t unsent_length;
  char *temporary; /* its folder for temporary files */
  unsigned closed; /* bits of the pipes whose other ends are closed */
  bool user_code;  /* plug-ins, or programs */
  bool sandboxed;  /* its exit status is bubblewrap's */
  int host;        /* a Python that runs holds the process: connection to it; -1: it is our child */
  pid_t cell;      /* the process of user code, if it is not `pid` */
  int status;      /* its wait status */
  bool cell_ended, no_memory;
  double begun;            /* of the request, on the clock of shk_seconds */
  double deadline, census; /* end of its time, next count of its processes: in seconds awake */
  double limit;            /* of the time of the request, in s */
  bool probed;             /* the limit is by its probe: of processor time from `since` on, */
  double since, spent;     /* in seconds awake; of the processor, by then */
  int request;             /* number of requests that the process has begun, of which this is */
  int steps_of;            /* the last one whose first steps are done, */
  double expected;         /* which should take so many s; negative: unknown */
  enum { SHK_WELL, SHK_LATE, SHK_CROWD } fate; /* why this process has ended it */
  bool was_stopped;                            /* by a signal or a debugger, when it was late */
  char *printed;                               /* output since `begun` */
  size_t printed_length;
  long dropped;             /* bytes of output that were not kept */
  struct shk_worker *other; /* in the list of all */
};

/* What a worker may have to say. */
enum shk_worker_event { SHK_EVENT_NONE, SHK_EVENT_ANSWER, SHK_EVENT_END };
struct shk_worker_result {
  char *answer; /* a message (results/record/frame.h), which the caller frees */
  size_t size;
  /* At the end of a process: how it ended (FINISHED: of itself, after whole messages), with its
   * output, seconds and nothing else. The caller clears it. */
  struct shk_record record;
  bool entered; /* the process had begun with its request, not been killed while it waited */
};

/* Starts a worker, without waiting for it. A plug-in in Python is loaded by `python3 -m shakedown
 * worker`; with --sandbox bubblewrap runs the program. False with the reason. */
bool shk_worker_start(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_message *error);
/* Sends a request, without waiting: what the pipe has no room for is sent when the worker is
 * polled, as a worker may read no request before its answer is read. One that is alone goes to a
 * process that has served nothing; others may follow each other. False if the worker has ended. */
bool shk_worker_send(struct shk_worker *worker, const struct shk_request *request);
/* Begins the time of the request that is served now, in s; 0: no limit. */
void shk_worker_begin(struct shk_worker *worker, double seconds);
/* The same with a limit by the probe of its method (foundation/probe.h): `first` s of processor time
 * for the first steps, then SHK_PROBE_FACTOR times what they predict, at least
 * SHK_PROBE_SECONDS. */
enum { SHK_PROBE_SECONDS = 30, SHK_PROBE_FACTOR = 20, SHK_PROBE_LOG_SECONDS = 10 };
void shk_worker_begin_probed(struct shk_worker *worker, double first);
/* True if the request's first steps have taken SHK_PROBE_LOG_SECONDS of processor time, or five times
 * that by the clock, and are not done. */
bool shk_worker_is_slow(const struct shk_worker *worker);

/* The descriptors that tell of a worker, -1 where there is none. */
enum { SHK_WORKER_WATCHES = 5 };
void shk_worker_watch(const struct shk_worker *worker, struct pollfd watch[SHK_WORKER_WATCHES]);
/* Returns how long (s) one may wait before polling the worker again, at most 0.2. */
double shk_worker_longest_wait(const struct shk_worker *worker);
/* Takes what a worker has to say, without waiting, and keeps its limits: a process that is late or has
 * too many processes is ended. After an end the next process has taken its place, or pid is 0. */
enum shk_worker_event shk_worker_poll(struct shk_worker *worker, struct shk_worker_result *result);
/* Returns what a worker that serves several requests has printed since it began, and how much. */
size_t shk_worker_printed(struct shk_worker *worker);

/* Waits for a worker to load its plug-ins, at most 60 s; takes its first message. False with the
 * reason, which names the plug-ins, since their constructors run; the worker has then ended. */
bool shk_worker_greet(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_worker_result *result, struct shk_message *error);
/* The same for an event of a worker that is not ready. */
bool shk_worker_greeted(struct shk_worker *worker, enum shk_worker_event event,
                        const struct shk_workers *setup, struct shk_worker_result *result,
                        struct shk_message *error);
/* Sends a request that has a process to itself, and waits for its end; starts the worker if need be.
 * `seconds` is the limit; `take` (NULL: the last one is the result) gets each message as it comes and
 * returns a new limit for what follows, negative: the same. False with the reason if no process could
 * be had; otherwise *result says how it ended. */
typedef double shk_take_message(void *user, const char *bytes, size_t size);
bool shk_worker_ask(struct shk_worker *worker, const struct shk_workers *setup,
                    const struct shk_request *request, shk_take_message *take, void *user,
                    struct shk_worker_result *result, struct shk_message *error);

/* True if a process that was asked ended of itself, after an answer; false with the reason. */
bool shk_worker_finished(struct shk_worker_result *result, struct shk_message *error);

/* Asks a query, to be answered in a process of its own, and fills its answer (engine/context.h).
 * Anything but SHK_ANSWERED comes with the reason. */
enum shk_query_status {
  SHK_ANSWERED,
  SHK_DENIED,    /* the engine has no answer */
  SHK_DIED,      /* the process crashed, hung or exited */
  SHK_NOT_LOADED /* a plug-in was not loaded, or there is no process */
};
enum shk_query_status shk_worker_query(struct shk_worker *worker, const struct shk_workers *setup,
                                       const struct shk_request *request, void *answer,
                                       struct shk_message *error);
/* Moves a worker; what it leaves is not started. */
void shk_worker_move(struct shk_worker *to, struct shk_worker *from);
/* Ends a worker with all its processes; one that waits, by closing its requests. */
void shk_worker_end(struct shk_worker *worker);
void shk_worker_result_clear(struct shk_worker_result *result);

/* Makes this process serve before all others, where that is permitted: what counts processes must not
 * wait in a queue with thousands. Children do not inherit it. */
void shk_workers_go_first(bool first);

#endif
