/* The parent's side of worker processes. See worker.h. */
#include "harness/run/worker.h"

#include "foundation/clock.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "foundation/utf8.h"
#include "harness/run/spawn.h"
#include "harness/run/work.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time limit for loading plug-ins. It is the same as the limit for a program's greeting. Python and
 * its packages load in a second on an idle machine, but take half a minute if there are twenty
 * times as many processes as cores. */
static const double ready_seconds = 60;
static const double grace_seconds = 1;  /* time between SIGTERM and SIGKILL */
static const double longest_wait = 0.2; /* time between two polls of a worker */
/* Time between two counts of the user-code processes, for up to eight workers. With more workers,
 * the processes of each are counted less often, because a count takes about 20 µs. */
static const double census_wait = 0.004, longest_census_wait = 0.05;

enum { MOST_COUNTED = 4096 };

/* Time limit (s), after the first steps, of a cell that is not a run. It is constant because the
 * number of steps is unknown. */
enum { UNKNOWN_SECONDS = 600 };
/* The limit on elapsed time is the limit on processor time multiplied by this factor. */
enum { CLOCK_FACTOR = 5 };

/* Indices of the polled pipes. */
enum { ANSWERS, OUTPUT, NOTICES };

/* Processes that belong to these workers are not strays, and neither are the children that this
 * process had before it started any workers. */
static struct shk_worker *all;
static pid_t earlier[MOST_COUNTED];
static int earlier_count = -1;

/* Returns the number of seconds for which this process has not been suspended. A gap of more than
 * one second between two calls counts as one second. Workers may be suspended together with this
 * process, so their time limits use this clock. */
static double awake(void)
{
  static double total, last;
  const double now = shk_seconds();
  total += last > 0 ? fmin(now - last, 1) : 0;
  last = now;
  return total;
}

/* ---- the processes ---- */

static bool is_ours(pid_t process)
{
  for (const struct shk_worker *w = all; w; w = w->other)
    if (process == w->pid || process == w->next)
      return true;
  for (int i = 0; i < earlier_count; i++)
    if (process == earlier[i])
      return true;
  return false;
}

/* Returns the process ID of the process that serves the current request. */
static pid_t served_by(const struct shk_worker *worker)
{
  return worker->cell ? worker->cell : worker->pid;
}

static void send_signal(const struct shk_worker *worker, int number)
{
  const pid_t process = served_by(worker);
  if (process <= 0)
    return;
  kill(-process, number);
  kill(process, number); /* the process may have left its process group */
}

/* Stores the descendants of the serving process, except for the waiting copy. */
static int count_descendants(const struct shk_worker *worker, pid_t *found, int limit)
{
  int count = shk_descendants(worker->pid, found, limit);
  for (int i = 0; i < count; i++)
    if (found[i] == worker->next || found[i] == worker->cell)
      found[i--] = found[--count];
  return count;
}

/* Returns the processor time, in s, used by the serving process and its descendants. */
static double processor_seconds(const struct shk_worker *worker)
{
  pid_t found[8 * SHK_MOST_PROCESSES];
  int count = worker->user_code ? count_descendants(worker, found, 8 * SHK_MOST_PROCESSES - 1) : 0;
  double seconds = 0;
  if (served_by(worker) > 0)
    found[count++] = served_by(worker);
  for (int i = 0; i < count; i++) {
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(found[i], &clock) == 0 && clock_gettime(clock, &t) == 0)
      seconds += (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
  }
  return seconds;
}

/* Returns true if there are too many processes. Processes that have ended but have not been waited
 * for do not count. The state of processes is looked up only if their total number is too high. If
 * there are thousands of them, only the first few are looked up, to save time. */
static bool is_crowded(const struct shk_worker *worker)
{
  pid_t found[8 * SHK_MOST_PROCESSES];
  const int count = count_descendants(worker, found, 8 * SHK_MOST_PROCESSES);
  int alive = 0;
  for (int i = 0; i < count && count > SHK_MOST_PROCESSES && alive <= SHK_MOST_PROCESSES; i++) {
    const char state = shk_process_state(found[i]);
    alive += state != 0 && state != 'Z';
  }
  return alive > SHK_MOST_PROCESSES;
}

/* Stops the process group with a single call that no fork can escape. Then stops any descendants
 * that have left the group, until no new ones appear, and kills them all. If processes were killed
 * one at a time, each kill would make room for a new process. */
static void end_crowd(const struct shk_worker *worker)
{
  static pid_t found[MOST_COUNTED];
  int before = -1, count = 0;
  if (served_by(worker) > 0)
    kill(-served_by(worker), SIGSTOP);
  for (int round = 0; round < 1000 && count != before; round++) {
    before = count;
    count = count_descendants(worker, found, MOST_COUNTED);
    for (int i = 0; i < count; i++)
      kill(found[i], SIGSTOP);
  }
  if (served_by(worker) > 0)
    kill(-served_by(worker), SIGKILL);
  for (int i = 0; i < count; i++)
    kill(found[i], SIGKILL);
}

void shk_workers_go_first(bool first)
{
  static int before = SCHED_OTHER;
  if (first)
    before = sched_getscheduler(0);
  if (before == SCHED_OTHER || before == SCHED_BATCH)
    sched_setscheduler(0, first ? SCHED_RR | SCHED_RESET_ON_FORK : before,
                       &(struct sched_param){.sched_priority = first});
}

/* ---- start ---- */

/* Starts watching a process that now belongs to the worker, either a new process or the copy that
 * replaces the previous one. */
static void take_process(struct shk_worker *worker, pid_t process)
{
  shk_close(&worker->end);
  worker->pid = process;
  worker->next = worker->cell = 0;
  worker->end = process > 0 ? pidfd_open(process, 0) : -1;
  worker->status = 0;
  worker->alone = worker->cell_ended = worker->no_memory = worker->was_stopped = false;
  worker->fate = SHK_WELL;
  worker->deadline = worker->census = INFINITY;
  worker->printed_length = 0;
  worker->dropped = 0;
  worker->inbox.length = worker->unsent_length = 0;
  worker->closed = 0;
  worker->shares = false;
  worker->request = worker->steps_of = 0;
}

bool shk_worker_start(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_message *error)
{
  struct shk_pipe pipes[4] = {SHK_NO_PIPE, SHK_NO_PIPE, SHK_NO_PIPE, SHK_NO_PIPE};
  bool ok = true;
  *worker = (struct shk_worker){.started = true, .end = -1, .host = -1};
  for (int i = 0; ok && i < 4; i++)
    ok = shk_pipe_open(&pipes[i], error);
  if (earlier_count < 0)
    earlier_count = shk_children(getpid(), earlier, MOST_COUNTED);
  prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
  worker->user_code = setup->plugin_count > 0 || setup->context->access.programs;
  worker->sandboxed = setup->context->access.sandbox;
  worker->temporary = shk_scratch_make();
  worker->requests = pipes[0].write_end;
  worker->answers = pipes[1].read_end;
  worker->output = pipes[2].read_end;
  worker->notices = pipes[3].read_end;
  worker->other = all;
  all = worker;
  const struct shk_child child = {.in = pipes[0].read_end,
                                  .out = pipes[1].write_end,
                                  .error = pipes[2].write_end,
                                  .fourth = pipes[3].write_end,
                                  .temporary = worker->temporary,
                                  .own_group = true};
  pid_t process = -1;
  if (ok) {
    /* Most records fit into 1 MiB, so a worker can continue while the records of other workers are
     * being read. */
    fcntl(worker->answers, F_SETPIPE_SZ, 1 << 20);
    process = shk_spawn(setup, &child, &worker->host, error);
  }
  shk_close(&pipes[0].read_end);
  for (int i = 1; i < 4; i++)
    shk_close(&pipes[i].write_end);
  take_process(worker, process > 0 ? process : 0);
  if (process <= 0 && worker->host < 0) {
    shk_worker_end(worker);
    return false;
  }
  const int ends[] = {worker->requests, worker->answers, worker->output, worker->notices};
  for (int i = 0; i < 4; i++)
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  shk_worker_begin(worker, ready_seconds);
  worker->alone = true; /* constructors are user code, so the worker needs its own process */
  return true;
}

/* Sets a time limit that starts now; 0 means no limit. */
static void set_limit(struct shk_worker *worker, double seconds)
{
  worker->limit = seconds;
  worker->since = awake();
  worker->spent = seconds > 0 ? processor_seconds(worker) : 0;
  worker->deadline = seconds > 0 ? worker->since + seconds : INFINITY;
}

/* Starts the time limit for the remaining steps of a request whose first steps are done. */
static void begin_rest(struct shk_worker *worker)
{
  if (worker->probed && worker->fate == SHK_WELL)
    set_limit(worker, worker->expected < 0
                          ? UNKNOWN_SECONDS
                          : fmax(SHK_PROBE_SECONDS, SHK_PROBE_FACTOR * worker->expected));
}

static void begin_request(struct shk_worker *worker, double seconds, bool probed)
{
  worker->begun = shk_seconds();
  worker->census = worker->user_code ? 0 : INFINITY;
  worker->probed = probed;
  worker->request += seconds > 0;
  set_limit(worker, seconds);
  if (worker->steps_of == worker->request)
    begin_rest(worker);
}

void shk_worker_begin(struct shk_worker *worker, double seconds)
{
  begin_request(worker, seconds, false);
}

void shk_worker_begin_probed(struct shk_worker *worker, double first)
{
  begin_request(worker, first, true);
}

/* Writes as much as fits into the pipe. Returns false if its other end has been closed. */
static bool send_unsent(struct shk_worker *worker)
{
  size_t sent = 0;
  bool room = true;
  while (room && sent < worker->unsent_length) {
    const size_t left = worker->unsent_length - sent, piece = left < PIPE_BUF ? left : PIPE_BUF;
    /* writes either the whole piece or nothing */
    room = shk_write_all(worker->requests, worker->unsent + sent, piece);
    sent += room ? piece : 0;
  }
  const bool ok = room || errno == EAGAIN;
  worker->unsent_length = ok ? worker->unsent_length - sent : 0;
  if (worker->unsent_length > 0)
    memmove(worker->unsent, worker->unsent + sent, worker->unsent_length);
  return ok;
}

bool shk_worker_send(struct shk_worker *worker, const struct shk_request *request)
{
  size_t size;
  char *const bytes = shk_request_bytes(request, &size);
  worker->alone = request->alone;
  worker->shares = worker->shares || !request->alone;
  worker->unsent = shk_reallocate(worker->unsent, worker->unsent_length + size, 1);
  memcpy(worker->unsent + worker->unsent_length, bytes, size);
  worker->unsent_length += size;
  free(bytes);
  return send_unsent(worker);
}

/* ---- what the worker reports ---- */

void shk_worker_watch(const struct shk_worker *worker, struct pollfd watch[SHK_WORKER_WATCHES])
{
  const int ends[] = {worker->answers, worker->output, worker->notices, worker->end};
  for (int i = 0; i < SHK_WORKER_WATCHES - 1; i++)
    watch[i] =
        (struct pollfd){worker->started && !(worker->closed & 1u << i) ? ends[i] : -1, POLLIN, 0};
  watch[SHK_WORKER_WATCHES - 1] = (struct pollfd){
      worker->started && worker->unsent_length > 0 ? worker->requests : -1, POLLOUT, 0};
}

double shk_worker_longest_wait(const struct shk_worker *worker)
{
  if (!worker->started)
    return longest_wait;
  const double most = worker->end < 0 && worker->pid ? 0.02 : longest_wait;
  return fmax(fmin(most, fmin(worker->deadline, worker->census) - awake()), 0);
}

/* Determines from the result of a read whether the other end of a pipe is closed, and records this
 * fact. */
static void note_closed(struct shk_worker *worker, int pipe, ssize_t count)
{
  worker->closed |= count == 0 ? 1u << pipe : 0;
}

/* Reads printed text, but at most 32 buffers, because the process may continue to print. */
static void read_output(struct shk_worker *worker)
{
  char buffer[65536];
  for (int i = 0; i < 32; i++) {
    const ssize_t count = read(worker->output, buffer, sizeof buffer);
    note_closed(worker, OUTPUT, count);
    if (count <= 0)
      return;
    size_t kept = SHK_OUTPUT_LIMIT - worker->printed_length;
    kept = kept > (size_t)count ? (size_t)count : kept;
    if (!worker->printed)
      worker->printed = shk_allocate(SHK_OUTPUT_LIMIT, 1);
    memcpy(worker->printed + worker->printed_length, buffer, kept);
    worker->printed_length += kept;
    worker->dropped += (long)count - (long)kept;
  }
}

size_t shk_worker_printed(struct shk_worker *worker)
{
  read_output(worker);
  return worker->printed_length;
}

static void read_notices(struct shk_worker *worker)
{
  struct shk_notice notice;
  ssize_t count;
  while ((count = read(worker->notices, &notice, sizeof notice)) == sizeof notice) {
    if (notice.kind == SHK_NOTICE_NEXT)
      worker->next = notice.value;
    else if (notice.kind == SHK_NOTICE_NO_MEMORY)
      worker->no_memory = true;
    else if (notice.kind == SHK_NOTICE_PROBED) {
      worker->steps_of = notice.value;
      worker->expected = notice.seconds;
      if (notice.value == worker->request)
        begin_rest(worker);
    } else if (notice.kind == SHK_NOTICE_HELD && worker->host >= 0 && worker->pid == 0)
      take_process(worker, notice.value);
    else if (notice.kind == SHK_NOTICE_CELL && worker->host >= 0)
      worker->cell = notice.value;
    else if (notice.kind == SHK_NOTICE_STATUS && worker->host >= 0) {
      worker->status = notice.value;
      worker->cell_ended = true;
    }
  }
  note_closed(worker, NOTICES, count);
}

/* Reads answers until one is complete or no more can be read. */
static char *read_answer(struct shk_worker *worker, size_t *size)
{
  char *answer;
  ssize_t count = 1;
  while (!(answer = shk_inbox_take(&worker->inbox, size)) && (count > 0 || errno == EINTR))
    count = shk_inbox_read(&worker->inbox, worker->answers);
  note_closed(worker, ANSWERS, count);
  return answer;
}

/* Returns true if the process has ended. The process is not reaped yet, so that its process ID and
 * group ID are not reused. */
static bool has_ended(struct shk_worker *worker)
{
  siginfo_t info = {0};
  if (worker->cell_ended)
    return true;
  if (worker->host >= 0) {
    const bool silent = worker->closed & 1u << ANSWERS; /* no process has the other end open */
    if (!silent && poll(&(struct pollfd){worker->end, POLLIN, 0}, 1, 0) <= 0)
      return false;
    /* the process is not a child of this one, and the process that created it no longer exists */
    worker->status = SIGKILL;
    return true;
  }
  if (waitid(P_PID, (id_t)worker->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    worker->status = SIGKILL;
    return true; /* other code has already waited for this process */
  }
  if (info.si_pid == worker->pid)
    worker->status = info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status;
  return info.si_pid == worker->pid;
}

static int count_workers(void)
{
  int count = 0;
  for (const struct shk_worker *w = all; w; w = w->other)
    count++;
  return count;
}

/* Returns true if a process that has reached its deadline has not yet used its limit of processor
 * time, because a method is not to blame for a busy machine. The limit on elapsed time, for a
 * process that waits, sleeps, or runs on a heavily overloaded machine, is CLOCK_FACTOR times as
 * long. Sets the new deadline, or the limit that was reached. */
static bool has_more(struct shk_worker *worker)
{
  const double now = awake(), waited = now - worker->since, least = 0.1,
               most = CLOCK_FACTOR * worker->limit,
               used = fmin(processor_seconds(worker) - worker->spent, waited);
  if (used >= worker->limit)
    return false;
  if (waited >= most) {
    worker->limit = most;
    return false;
  }
  worker->deadline = fmin(now + fmax(worker->limit - used, least), worker->since + most);
  return true;
}

bool shk_worker_is_slow(const struct shk_worker *worker)
{
  const double waited = awake() - worker->since, least = SHK_PROBE_LOG_SECONDS;
  return worker->steps_of != worker->request && waited >= least &&
         (waited >= CLOCK_FACTOR * least || processor_seconds(worker) - worker->spent >= least);
}

/* Ends a process that has exceeded its time limit or has created too many other processes. */
static void keep_limits(struct shk_worker *worker)
{
  const double now = awake();
  if (now >= worker->census) {
    worker->census = now + fmin(census_wait * fmax(1, count_workers() / 8.0), longest_census_wait);
    if (worker->alone && is_crowded(worker)) {
      end_crowd(worker);
      send_signal(worker, SIGKILL);
      worker->fate = SHK_CROWD;
      worker->census = INFINITY;
    }
  }
  if (now >= worker->deadline &&
      !(worker->probed && worker->fate == SHK_WELL && has_more(worker))) {
    if (served_by(worker) <= 0)
      /* the running Python interpreter did not create a process in time */
      worker->closed |= 1u << ANSWERS;
    const char state = shk_process_state(served_by(worker));
    worker->was_stopped = worker->was_stopped || state == 'T' || state == 't';
    send_signal(worker, worker->fate == SHK_LATE ? SIGKILL : SIGTERM);
    worker->fate = SHK_LATE;
    worker->deadline = now + grace_seconds;
  }
}

/* Sets the fields of a record that describe how its process ended. */
static void conclude(const struct shk_worker *worker, struct shk_record *record)
{
  const int status = worker->status, code = WEXITSTATUS(status);
  const bool signalled = WIFSIGNALED(status) || (worker->sandboxed && code > 128);
  record->seconds = shk_seconds() - worker->begun;
  record->output_dropped = worker->dropped;
  record->output =
      worker->printed_length > 0 ? shk_utf8_text(worker->printed, worker->printed_length) : NULL;
  record->end = SHK_END_FINISHED;
  if (worker->fate == SHK_LATE) {
    record->end = SHK_END_TIMED_OUT;
    record->limit_seconds = worker->limit;
    record->end_detail = worker->was_stopped                   ? SHK_WAS_STOPPED
                         : !worker->probed                     ? 0
                         : worker->steps_of != worker->request ? SHK_IN_PROBE
                                                               : SHK_BY_PROBE;
  } else if (worker->fate == SHK_CROWD) {
    record->end = SHK_END_CRASHED;
    record->end_detail = SHK_CROWDED;
  } else if (worker->no_memory) {
    record->end = SHK_END_OUT_OF_MEMORY;
  } else if (status != 0 || worker->inbox.length > 0) {
    record->end = signalled ? SHK_END_CRASHED : SHK_END_EXITED;
    record->end_detail = !signalled ? code : WIFSIGNALED(status) ? WTERMSIG(status) : code - 128;
  }
}

/* Kills the processes that user code has left behind and that are now children of this process.
 * This can take several rounds, because killing one process can create new orphans. */
static void end_strays(void)
{
  static pid_t found[MOST_COUNTED];
  for (struct shk_worker *w = all; w; w = w->other)
    /* if a worker has ended, its copy is a child of this process but not a stray */
    read_notices(w);
  for (int round = 0; round < 1000; round++) {
    const int count = shk_children(getpid(), found, MOST_COUNTED);
    int strays = 0;
    for (int i = 0; i < count; i++)
      if (!is_ours(found[i])) {
        strays++;
        if (getpgid(found[i]) == found[i])
          kill(-found[i], SIGKILL);
        kill(found[i], SIGKILL);
        shk_child_wait(found[i]);
      }
    if (strays == 0)
      return;
  }
}

/* Reaps the process that has ended and kills all processes that it has left behind. The waiting
 * copy then replaces it. */
static void replace_process(struct shk_worker *worker)
{
  const pid_t next = worker->next;
  if (worker->host >= 0 && worker->cell_ended) {
    const pid_t holder = worker->pid;
    take_process(worker, holder);
  } else if (worker->host >= 0) {
    shk_close(&worker->host);
    take_process(worker, 0);
  } else {
    kill(-worker->pid, SIGKILL);
    shk_child_wait(worker->pid);
    take_process(worker, next);
    if (next)
      kill(next, SIGCONT); /* continues the process in case it has been stopped */
    end_strays();
  }
  if (worker->user_code)
    shk_scratch_empty(worker->temporary);
}

enum shk_worker_event shk_worker_poll(struct shk_worker *worker, struct shk_worker_result *result)
{
  *result = (struct shk_worker_result){0};
  if (!worker->started || (worker->pid == 0 && worker->host < 0))
    return SHK_EVENT_NONE;
  send_unsent(worker);
  read_notices(worker);
  keep_limits(worker);
  /* This must be checked before the answers are read. No answers arrive once the process has ended,
   * so none can be missed. */
  const bool ended = has_ended(worker);
  read_output(worker);
  if ((result->answer = read_answer(worker, &result->size)))
    return SHK_EVENT_ANSWER;
  if (!ended)
    return SHK_EVENT_NONE;
  read_notices(worker);
  conclude(worker, &result->record);
  result->entered = worker->next != 0 || worker->sandboxed || worker->host >= 0 || worker->shares;
  replace_process(worker);
  return SHK_EVENT_END;
}

/* ---- waiting for one worker ---- */

static enum shk_worker_event wait_for(struct shk_worker *worker, const struct shk_workers *setup,
                                      struct shk_worker_result *result)
{
  struct pollfd watch[SHK_WORKER_WATCHES];
  enum shk_worker_event event;
  while ((event = shk_worker_poll(worker, result)) == SHK_EVENT_NONE &&
         (worker->pid || worker->host >= 0)) {
    shk_worker_watch(worker, watch);
    poll(watch, SHK_WORKER_WATCHES, (int)ceil(1e3 * shk_worker_longest_wait(worker)));
    if (setup->waits)
      setup->waits(setup->user);
  }
  return event;
}

bool shk_worker_greeted(struct shk_worker *worker, enum shk_worker_event event,
                        const struct shk_workers *setup, struct shk_worker_result *result,
                        struct shk_message *error)
{
  struct shk_stream unused;
  char reason[SHK_MESSAGE_SIZE], *names = shk_copy_text(setup->plugin_count > 0 ? "" : "a worker");
  worker->ready = event == SHK_EVENT_ANSWER;
  if (worker->printed_length > 0)
    fwrite(worker->printed, 1, worker->printed_length, stderr); /* output of constructors */
  worker->printed_length = 0;
  worker->alone = false;
  worker->request = 0;
  worker->deadline = worker->census = INFINITY;
  for (int i = 0; i < setup->plugin_count; i++)
    shk_append_text(&names, "%s%s", i > 0 ? ", " : "", setup->plugins[i]);
  if (!worker->ready) {
    result->record.limit_seconds = ready_seconds;
    if (result->record.end == SHK_END_FINISHED)
      result->record.end = SHK_END_EXITED;
    shk_record_reason(reason, sizeof reason, &result->record);
    shk_message_set(error, "%s: while it was being loaded, %s", names, reason);
  }
  free(names);
  return worker->ready && shk_reply_open(&unused, result->answer, result->size, error);
}

bool shk_worker_greet(struct shk_worker *worker, const struct shk_workers *setup,
                      struct shk_worker_result *result, struct shk_message *error)
{
  const bool ok = shk_worker_greeted(worker, wait_for(worker, setup, result), setup, result, error);
  if (!ok)
    shk_worker_end(worker);
  return ok;
}

/* Makes sure that a process is waiting for requests, because the previous one may have been killed
 * in the meantime. */
static bool has_process(struct shk_worker *worker, const struct shk_workers *setup,
                        struct shk_message *error)
{
  struct shk_worker_result idle, greeting = {0};
  shk_worker_poll(worker, &idle);
  shk_worker_result_clear(&idle);
  if (worker->started && worker->pid && worker->ready)
    return true;
  shk_worker_end(worker);
  const bool ok =
      shk_worker_start(worker, setup, error) && shk_worker_greet(worker, setup, &greeting, error);
  shk_worker_result_clear(&greeting);
  return ok;
}

bool shk_worker_ask(struct shk_worker *worker, const struct shk_workers *setup,
                    const struct shk_request *request, shk_take_message *take, void *user,
                    struct shk_worker_result *result, struct shk_message *error)
{
  struct shk_request alone = *request;
  char *last = NULL;
  size_t size = 0;
  alone.alone = true;
  *result = (struct shk_worker_result){0};
  if (!has_process(worker, setup, error))
    return false;
  shk_worker_begin(worker, request->seconds);
  if (!shk_worker_send(worker, &alone)) {
    shk_worker_end(worker); /* the waiting process has ended or was stopped */
    return shk_message_set(error, "a worker process ended while it was idle");
  }
  while (wait_for(worker, setup, result) == SHK_EVENT_ANSWER) {
    free(last);
    last = result->answer;
    size = result->size;
    const double limit = take ? take(user, last, size) : -1;
    if (limit >= 0)
      shk_worker_begin(worker, limit);
  }
  result->answer = last;
  result->size = size;
  result->record.limit_seconds = request->seconds;
  result->record.limit_megabytes = request->megabytes;
  return true;
}

bool shk_worker_finished(struct shk_worker_result *result, struct shk_message *error)
{
  char reason[SHK_MESSAGE_SIZE];
  if (result->record.end == SHK_END_FINISHED && !result->answer)
    result->record.end = SHK_END_EXITED;
  if (result->record.end == SHK_END_FINISHED)
    return true;
  shk_record_reason(reason, sizeof reason, &result->record);
  return shk_message_set(error, "%s", reason);
}

enum shk_query_status shk_worker_query(struct shk_worker *worker, const struct shk_workers *setup,
                                       const struct shk_request *request, void *answer,
                                       struct shk_message *error)
{
  struct shk_worker_result result;
  struct shk_stream reply;
  enum shk_query_status status = SHK_ANSWERED;
  if (!shk_worker_ask(worker, setup, request, NULL, NULL, &result, error))
    return SHK_NOT_LOADED;
  if (result.record.output)
    fputs(result.record.output, stderr);
  if (!shk_worker_finished(&result, error)) {
    status = SHK_DIED;
  } else if (!shk_reply_open(&reply, result.answer, result.size, error)) {
    status = SHK_DENIED;
  } else {
    shk_pass_answer(&reply, request->query.kind, answer);
    if (!shk_frame_done(&reply)) {
      status = SHK_DIED;
      shk_message_set(error, "the process returned a damaged answer");
    }
  }
  shk_worker_result_clear(&result);
  return status;
}

/* ---- shutdown ---- */

static void forget_worker(const struct shk_worker *worker)
{
  struct shk_worker **at = &all;
  while (*at && *at != worker)
    at = &(*at)->other;
  if (*at)
    *at = worker->other;
}

void shk_worker_move(struct shk_worker *to, struct shk_worker *from)
{
  *to = *from;
  for (struct shk_worker **at = &all; *at; at = &(*at)->other)
    if (*at == from) {
      *at = to;
      break;
    }
  *from = (struct shk_worker){.end = -1, .host = -1};
}

void shk_worker_end(struct shk_worker *worker)
{
  if (!worker->started)
    return;
  shk_close(&worker->requests); /* closing this pipe also ends the waiting copy */
  if (worker->pid && (worker->alone || worker->deadline < INFINITY)) {
    end_crowd(worker);
    send_signal(worker, SIGKILL);
  }
  read_notices(worker);
  if (worker->host >= 0)
    shk_close(&worker->host); /* closing the connection makes its other end terminate the worker */
  else if (worker->pid)
    shk_child_end(worker->pid, 0, grace_seconds);
  if (worker->next)
    shk_child_end(worker->next, 0, grace_seconds);
  forget_worker(worker);
  end_strays();
  shk_close(&worker->end);
  shk_close(&worker->answers);
  shk_close(&worker->output);
  shk_close(&worker->notices);
  shk_scratch_remove(worker->temporary);
  free(worker->temporary);
  free(worker->inbox.buffer);
  free(worker->unsent);
  free(worker->printed);
  *worker = (struct shk_worker){.end = -1, .host = -1};
}

void shk_worker_result_clear(struct shk_worker_result *result)
{
  free(result->answer);
  free(result->record.output);
  *result = (struct shk_worker_result){0};
}
