/*
 * The parent's side of worker processes. A worker is a new process that runs this program, or
 * Python with the library. Because the parent may have a store open, a worker inherits neither its
 * memory nor any descriptors except four pipes. The worker loads the plug-ins, waits, and serves
 * requests (work.h).
 *
 * User code runs in its own process. Before a worker runs user code, it forks a copy of itself.
 * When the worker exits, the copy replaces it, so plug-ins are loaded only once. The worker adopts
 * all processes that user code starts and leaves behind. Once the worker has ended, this process
 * adopts them in turn and kills them.
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
  pid_t pid;   /* the process that waits for requests or serves one; 0 if there is none */
  pid_t next;  /* the copy that will replace the process `pid`; 0 if there is none */
  bool ready;  /* true once the worker has loaded its plug-ins */
  bool alone;  /* true if the process is serving a request that needs its own process */
  bool shares; /* true if the process has served requests that can share a process */
  /* The following fields are private to worker.c. */
  /* descriptor that becomes readable when the process ends; if -1, the process is polled every 20
   * ms instead */
  int end;
  /* this process's ends of the pipes: `requests` is written, all others are read */
  int requests, answers;
  int output, notices;
  struct shk_inbox inbox;
  char *unsent; /* request data (unsent_length bytes) that do not fit into the pipe yet */
  size_t unsent_length;
  char *temporary; /* folder for the worker's temporary files */
  unsigned closed; /* bit mask of the pipes whose other ends are closed */
  bool user_code;  /* true if the worker has plug-ins or runs programs */
  bool sandboxed;  /* true if the exit status comes from bubblewrap */
  /* connection to the Python interpreter that owns the process; -1 if the process is a child of
   * this one */
  int host;
  pid_t cell; /* the process that runs user code, if different from `pid` */
  int status; /* wait status of the process that runs user code */
  bool cell_ended, no_memory;
  double begun; /* start of the request, by the clock of shk_seconds */
  /* times at which the request is late and at which the processes are counted next, both in s on
   * the clock of `awake` */
  double deadline, census;
  double limit; /* time limit of the request, in s */
  /* true if the limit is based on the probe and applies only to processor time used after
   * `since` */
  bool probed;
  /* start of the time limit, on the clock of `awake`, and the processor time used before it */
  double since, spent;
  /* number of requests that the process has begun, including the current one */
  int request;
  int steps_of;    /* number of the latest request whose first steps are done */
  double expected; /* predicted total time of that request, in s; negative if unknown */
  /* reason why the parent ended the worker; SHK_WELL if it did not */
  enum { SHK_WELL, SHK_LATE, SHK_CROWD } fate;
  /* true if the process was found stopped, by a signal or a debugger, when it was late */
  bool was_stopped;
  char *printed; /* output since `begun` */
  size_t printed_length;
  long dropped;             /* number of output bytes that were discarded */
  struct shk_worker *other; /* next worker in the list of all workers */
};

/* The possible results of polling a worker. */
enum shk_worker_event { SHK_EVENT_NONE, SHK_EVENT_ANSWER, SHK_EVENT_END };
struct shk_worker_result {
  char *answer; /* a message (results/record/frame.h), which the caller frees */
  size_t size;
  /* If the process has ended, the only fields that are set are its output, its run time in seconds,
   * and those that describe how it ended. FINISHED means that the process exited on its own after
   * sending complete messages. The caller clears the record. */
  struct shk_record record;
  bool entered; /* false if the process was killed before it started to serve its request */
};

/* Starts a worker without waiting for it to become ready. A Python plug-in is loaded by `python3 -m
 * shakedown worker`. With --sandbox, the program runs under bubblewrap. On failure, returns false
 * and sets the reason. */
bool shk_worker_start(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_message *error);
/* Sends a request without waiting. Data that do not fit into the pipe are sent when the worker is
 * polled, because a worker may not read a request until its previous answer has been read. A
 * request that needs its own process must be sent to a process that has not served any requests.
 * Other requests can be sent one after another. Returns false if the worker has ended. */
bool shk_worker_send(struct shk_worker *worker, const struct shk_request *request);
/* Starts the time limit, in s, of the current request; 0 means no limit. */
void shk_worker_begin(struct shk_worker *worker, double seconds);
/* Starts a time limit that is based on probing the method (foundation/probe.h). The first steps may
 * take `first` s of processor time. The limit for the remaining steps is then SHK_PROBE_FACTOR
 * times the run time that the first steps predict, but at least SHK_PROBE_SECONDS. */
enum { SHK_PROBE_SECONDS = 30, SHK_PROBE_FACTOR = 20, SHK_PROBE_LOG_SECONDS = 10 };
void shk_worker_begin_probed(struct shk_worker *worker, double first);
/* Returns true if the first steps of the request have not finished after SHK_PROBE_LOG_SECONDS of
 * processor time, or after five times that in elapsed time. */
bool shk_worker_is_slow(const struct shk_worker *worker);

/* Stores the descriptors to poll for a worker's events. Descriptors that do not exist are stored as
 * -1. */
enum { SHK_WORKER_WATCHES = 5 };
void shk_worker_watch(const struct shk_worker *worker, struct pollfd watch[SHK_WORKER_WATCHES]);
/* Returns the time, in s, after which the worker must be polled again (at most 0.2). */
double shk_worker_longest_wait(const struct shk_worker *worker);
/* Returns a worker's next event without waiting, and enforces the worker's limits by ending a
 * process that is late or has too many descendants. Once the process has ended, either the next
 * process has replaced it or pid is 0. */
enum shk_worker_event shk_worker_poll(struct shk_worker *worker, struct shk_worker_result *result);
/* Returns the number of bytes that a worker has printed since it started serving several
 * requests. */
size_t shk_worker_printed(struct shk_worker *worker);

/* Waits up to 60 s for a worker to load its plug-ins, and reads its first message. If this fails,
 * ends the worker, returns false and sets the reason. The reason names the plug-ins, because their
 * constructors have run. */
bool shk_worker_greet(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_worker_result *result, struct shk_message *error);
/* Like the function above, but handles an event of a worker that is not ready, without waiting. */
bool shk_worker_greeted(struct shk_worker *worker, enum shk_worker_event event,
                        const struct shk_workers *setup, struct shk_worker_result *result,
                        struct shk_message *error);
/* Sends a request that needs its own process and waits for that process to end. Starts the worker
 * if necessary. The time limit is `seconds`. `take` receives each message as it arrives and returns
 * a new limit for the remaining time, or a negative number to leave the limit unchanged. If `take`
 * is NULL, the last message is the result. Returns false and sets the reason if no process could be
 * started. Otherwise, *result describes how the process ended. */
typedef double shk_take_message(void *user, const char *bytes, size_t size);
bool shk_worker_ask(struct shk_worker *worker, const struct shk_workers *setup,
                    const struct shk_request *request, shk_take_message *take, void *user,
                    struct shk_worker_result *result, struct shk_message *error);

/* Returns true if a process that had been sent a query exited on its own after answering.
 * Otherwise, sets the reason. */
bool shk_worker_finished(struct shk_worker_result *result, struct shk_message *error);

/* Sends a query, which is answered in its own process, and stores the answer (engine/context.h).
 * The reason is set unless the status is SHK_ANSWERED. */
enum shk_query_status {
  SHK_ANSWERED,
  SHK_DENIED,    /* the engine has no answer */
  SHK_DIED,      /* the process crashed, hung, or exited without answering */
  SHK_NOT_LOADED /* a plug-in could not be loaded, or there is no process */
};
enum shk_query_status shk_worker_query(struct shk_worker *worker, const struct shk_workers *setup,
                                       const struct shk_request *request, void *answer,
                                       struct shk_message *error);
/* Moves a worker. Afterwards, `from` counts as not started. */
void shk_worker_move(struct shk_worker *to, struct shk_worker *from);
/* Ends a worker and all its processes. A waiting worker is ended by closing its request pipe. */
void shk_worker_end(struct shk_worker *worker);
void shk_worker_result_clear(struct shk_worker_result *result);

/* Raises the priority of this process above all others if permitted. A process that counts other
 * processes must be able to run even if there are thousands of them. Children do not inherit the
 * priority. */
void shk_workers_go_first(bool first);

#endif
