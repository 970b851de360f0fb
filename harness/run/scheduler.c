/*
 * The scheduler. See scheduler.h.
 *
 * One loop, one thread: it waits for replies of the cell servers, stores them and gives each
 * the next cell. Cells of many steps are given out first, so that no core idles at the end; nothing
 * but the order and the time left depends on their number.
 */
#include "harness/run/scheduler.h"
#include "foundation/clock.h"
#include "foundation/files/folder.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "foundation/specifications/precision.h"
#include "harness/plan/key.h"
#include "harness/run/link.h"
#include "harness/run/progress.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_JOBS = 1024, NO_CELL = -1, MOST_AHEAD = 16 };

/* Cells that wait behind another in the server's pipe. */
struct queue {
  int count, cells[MOST_AHEAD];
  size_t sizes[MOST_AHEAD]; /* bytes of each request */
};

struct slot {
  struct shk_server server; /* pid 0: not running */
  bool ready;
  int cell; /* index into the plan */
  struct queue ahead;
  double begun; /* when `cell` was begun, as far as is known here */
  double since; /* the same, or when the server was started, in seconds that we were awake */
};

/* What a server needs beside the time limit of its cell, to end it and to answer. */
static const double grace_seconds = 10;
/* The most that is sent to a server that is busy: it must fit into the pipe. */
static const size_t ahead_limit = 32768;

/* Bytes of a request beside the text of its cell: a path, as a rule short, and numbers. */
static const size_t request_room = 512;

/* What it takes to make a process and read what it says, in steps. */
static const double start_steps = 500;

/* A server whose last cell took less than this is given others ahead, which take about as long all
 * together: while this process stores, it need not wait, and several run in one process (server.h).
 * Behind longer ones a cell might have gone elsewhere sooner. */
static const double short_seconds = 0.2;

struct todo {
  int cell; /* in the plan */
  double weight;
  int tries;
};

struct schedule {
  const struct shk_plan *plan;
  struct shk_store *store;
  const struct shk_schedule_options *options;
  struct shk_schedule_result *result;
  struct shk_message *error;
  struct todo *todo; /* the heaviest first */
  int todo_count, next;
  int *again; /* cells whose server died, to be given out before the next */
  int again_count;
  int *place; /* cell -> its place in todo */
  char (*keys)[SHK_HASH_SIZE];
  struct slot *slots;
  int slot_count;
  int stillborn; /* servers killed before they were ready, since the last that was */
  long provenance;
  /* Seconds that this process was awake, and when it last counted them: while it was stopped, its
   * servers may have been stopped too. */
  double awake, counted;
  struct shk_progress progress;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
  interrupted = number;
}

/* ---- what there is to do ---- */

static int by_weight(const void *a, const void *b)
{
  const struct todo *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  return x->cell - y->cell;
}

static double limit_seconds(const struct shk_planned *planned)
{
  return planned->seconds > 0 ? planned->seconds : SHK_DEFAULT_SECONDS;
}

static double limit_megabytes(const struct shk_planned *planned)
{
  return planned->megabytes > 0 ? planned->megabytes : SHK_DEFAULT_MEGABYTES;
}

/* Whether what the store has of a cell may stand. */
static bool stands(const struct schedule *schedule, const struct shk_stored *stored, int cell)
{
  const struct shk_planned *planned = &schedule->plan->cells[cell];
  if (!stored->found)
    return false;
  switch (stored->end) {
  case SHK_END_FINISHED:
    return true;
  case SHK_END_TIMED_OUT:
    return !schedule->options->again && limit_seconds(planned) <= stored->limit_seconds;
  case SHK_END_OUT_OF_MEMORY:
    return !schedule->options->again && limit_megabytes(planned) <= stored->limit_megabytes;
  case SHK_END_CRASHED:
  case SHK_END_EXITED:
    return !schedule->options->again;
  }
  return false;
}

static bool is_ours(const struct schedule *schedule, const char *key)
{
  const struct shk_schedule_options *options = schedule->options;
  return options->parts == 0 || shk_key_part(key, options->parts) == options->part;
}

/* A guess of the cost, in double-precision steps of a small system. */
static double guess_steps(const struct shk_cell *cell)
{
  double steps = 3000; /* adaptive, or exact */
  if (cell->step && cell->numbers.step > 0)
    steps = cell->numbers.until / cell->numbers.step;
  const double members = cell->member_count > 0 ? cell->member_count : 1;
  return members * steps * shk_precision_named(cell->precision)->cost;
}

/* Finds what there is to do, in the order of the plan. */
static bool look_through(struct schedule *schedule, double *weight)
{
  const struct shk_plan *plan = schedule->plan;
  struct shk_key_series series = {0};
  bool ok = true;
  *weight = 0;
  for (int i = 0; ok && i < plan->count; i++) {
    const struct shk_cell *cell = &plan->cells[i].cell;
    char *text = shk_cell_text(cell);
    struct shk_stored stored;
    shk_key_make_next(plan->context, &series, schedule->keys[i], schedule->options->keys, cell,
                      text);
    const bool ours = is_ours(schedule, schedule->keys[i]);
    ok =
        !ours || shk_store_look(schedule->store, &stored, schedule->keys[i], text, schedule->error);
    free(text);
    if (!ok)
      break;
    schedule->result->planned += ours;
    if (!ours || stands(schedule, &stored, i))
      continue;
    schedule->todo[schedule->todo_count] =
        (struct todo){.cell = i, .weight = start_steps + guess_steps(cell)};
    *weight += schedule->todo[schedule->todo_count++].weight;
  }
  shk_key_series_clear(&series);
  return ok;
}

static bool collect(struct schedule *schedule)
{
  const struct shk_plan *plan = schedule->plan;
  schedule->todo = shk_allocate((size_t)plan->count, sizeof *schedule->todo);
  schedule->place = shk_allocate((size_t)plan->count, sizeof *schedule->place);
  schedule->again = shk_allocate((size_t)plan->count, sizeof *schedule->again);
  schedule->keys = shk_allocate((size_t)plan->count, sizeof *schedule->keys);
  double weight;
  if (!shk_store_remove_damaged(schedule->store, &schedule->result->damaged, schedule->error))
    return false;
  if (!shk_store_begin_reading(schedule->store, schedule->error))
    return false;
  const bool ok = look_through(schedule, &weight);
  shk_store_end_reading(schedule->store);
  if (!ok)
    return false;
  qsort(schedule->todo, (size_t)schedule->todo_count, sizeof *schedule->todo, by_weight);
  for (int i = 0; i < schedule->todo_count; i++)
    schedule->place[schedule->todo[i].cell] = i;
  schedule->result->kept = schedule->result->planned - schedule->todo_count;
  schedule->result->left = schedule->todo_count;
  shk_progress_begin(&schedule->progress, schedule->todo_count, weight, schedule->options->quiet);
  return true;
}

static struct todo *todo_of(const struct schedule *schedule, int cell)
{
  return &schedule->todo[schedule->place[cell]];
}

/* ---- what comes back ---- */

static bool keep(struct schedule *schedule, struct shk_record *record, int cell)
{
  const struct shk_cell *planned = &schedule->plan->cells[cell].cell;
  snprintf(record->key, sizeof record->key, "%s", schedule->keys[cell]);
  shk_cell_copy(&record->cell, planned);
  record->provenance = schedule->provenance;
  char *text = shk_cell_text(planned);
  const bool kept = shk_store_put(schedule->store, record, text, schedule->error);
  free(text);
  if (!kept)
    return false;
  const bool finished = record->end == SHK_END_FINISHED;
  const bool ok = finished && record->outcome.code == SHK_OK;
  const bool refused = finished && record->outcome.code == SHK_REFUSED;
  schedule->result->ok += ok;
  schedule->result->refused += refused;
  schedule->result->failed += !ok && !refused;
  schedule->result->left--;
  shk_progress_step(&schedule->progress, todo_of(schedule, cell)->weight, !ok && !refused);
  if (schedule->options->done)
    schedule->options->done(schedule->options->user, cell, record);
  return true;
}

/* An answer to a cell. */
static bool take_answer(struct schedule *schedule, int cell, const char *reply, size_t size)
{
  struct shk_record record;
  if (!shk_record_read(&record, reply, size, schedule->error))
    return false;
  const bool ok = keep(schedule, &record, cell);
  shk_record_clear(&record);
  return ok;
}

/* The record of a cell whose server could tell nothing of it. */
static bool keep_end(struct schedule *schedule, int cell, enum shk_end end, int detail)
{
  const struct shk_planned *planned = &schedule->plan->cells[cell];
  struct shk_record record = {
      .end = end,
      .end_detail = detail,
      .limit_seconds = limit_seconds(planned),
      .limit_megabytes = limit_megabytes(planned),
      .outcome = {.code = SHK_STOPPED, .reached = NAN},
  };
  shk_record_reason(record.outcome.reason, sizeof record.outcome.reason, &record);
  const bool ok = keep(schedule, &record, cell);
  shk_record_clear(&record);
  return ok;
}

/* What was given to a server ahead of time, and not begun, is given out again. */
static void leave(struct schedule *schedule, struct slot *slot)
{
  slot->ready = false;
  slot->cell = NO_CELL;
  while (slot->ahead.count > 0)
    schedule->again[schedule->again_count++] = slot->ahead.cells[--slot->ahead.count];
}

/* Why a server did not become ready. */
static void blame(struct schedule *schedule, int status)
{
  shk_server_blame(schedule->error, &schedule->options->servers, status);
}

/* The server itself has died: someone killed it, or a plug-in broke it while it was loaded. */
static bool take_death(struct schedule *schedule, struct slot *slot)
{
  const bool was_ready = slot->ready;
  const int cell = slot->cell;
  const int status = shk_server_end(&slot->server, true);
  leave(schedule, slot);
  if (!was_ready) {
    /* Killed from outside, perhaps: another is tried, but a plug-in may kill each. */
    if (WIFSIGNALED(status) && ++schedule->stillborn < 3)
      return true;
    blame(schedule, status);
    return false;
  }
  if (cell == NO_CELL)
    return true;
  struct todo *const todo = todo_of(schedule, cell);
  if (++todo->tries < 2) {
    schedule->again[schedule->again_count++] = cell;
    return true;
  }
  return WIFSIGNALED(status) ? keep_end(schedule, cell, SHK_END_CRASHED, WTERMSIG(status))
                             : keep_end(schedule, cell, SHK_END_EXITED, WEXITSTATUS(status));
}

/* The server does not answer: stopped by its cell, or from outside, or broken. */
static bool take_silence(struct schedule *schedule, struct slot *slot)
{
  const bool was_ready = slot->ready;
  const int cell = slot->cell;
  const char state = shk_process_state(slot->server.pid);
  shk_server_kill(&slot->server);
  leave(schedule, slot);
  const bool was_stopped = state == 'T' || state == 't';
  if (was_ready)
    return keep_end(schedule, cell, SHK_END_TIMED_OUT,
                    was_stopped ? SHK_SILENT_STOPPED : SHK_SILENT);
  if (was_stopped && ++schedule->stillborn < 3)
    return true;
  blame(schedule, -1);
  return false;
}

static bool is_silent(const struct schedule *schedule, const struct slot *slot)
{
  if (!slot->server.pid || (slot->ready && slot->cell == NO_CELL))
    return false;
  const double allowed = slot->ready
                             ? limit_seconds(&schedule->plan->cells[slot->cell]) + grace_seconds
                             : SHK_READY_SECONDS;
  return schedule->awake - slot->since > allowed;
}

static bool open_cells(const struct schedule *schedule)
{
  return schedule->again_count || schedule->next < schedule->todo_count;
}

/* False if it does not fit. */
static bool push(struct queue *queue, int cell, size_t size)
{
  size_t all = size;
  for (int i = 0; i < queue->count; i++)
    all += queue->sizes[i];
  if (all > ahead_limit || queue->count == MOST_AHEAD)
    return false;
  queue->sizes[queue->count] = size;
  queue->cells[queue->count++] = cell;
  return true;
}

static int pop(struct queue *queue)
{
  if (queue->count == 0)
    return NO_CELL;
  const int cell = queue->cells[0];
  queue->count--;
  memmove(queue->cells, queue->cells + 1, (size_t)queue->count * sizeof *queue->cells);
  memmove(queue->sizes, queue->sizes + 1, (size_t)queue->count * sizeof *queue->sizes);
  return cell;
}

/* Its next cell for a server, ahead of time where it has one. */
static bool give(struct schedule *schedule, struct slot *slot)
{
  int cell;
  if (schedule->again_count)
    cell = schedule->again[--schedule->again_count];
  else if (schedule->next < schedule->todo_count)
    cell = schedule->todo[schedule->next++].cell;
  else
    return true;
  const struct shk_planned *planned = &schedule->plan->cells[cell];
  char *const text = shk_cell_text(&planned->cell);
  const struct shk_request request = {.cell = text,
                                      .folder = schedule->plan->context->access.folder,
                                      .seconds = limit_seconds(planned),
                                      .megabytes = limit_megabytes(planned),
                                      .untimed = schedule->options->untimed};
  if (slot->cell == NO_CELL) {
    slot->cell = cell;
    slot->begun = shk_seconds();
    slot->since = schedule->awake;
  } else if (!push(&slot->ahead, cell, strlen(text) + request_room)) {
    schedule->again[schedule->again_count++] = cell;
    free(text);
    return true;
  }
  const bool sent = shk_server_send(&slot->server, &request);
  free(text);
  return sent || take_death(schedule, slot);
}

/* How many cells a server may have ahead, by how long its last one took. Towards the end of the
 * plan ever fewer, and then none, so that it ends on all servers at a time. */
static int wanted_ahead(const struct schedule *schedule, double seconds)
{
  const int left = (schedule->todo_count - schedule->next) / (2 * schedule->slot_count + 1);
  const int most = left < MOST_AHEAD ? left : MOST_AHEAD;
  return seconds * most < short_seconds ? most : (int)(short_seconds / seconds);
}

/* The server gets its next cells before the record of the last is stored, and need not wait. */
static bool take_turn(struct schedule *schedule, struct slot *slot, const char *reply, size_t size)
{
  const int cell = slot->cell;
  const double time = shk_seconds();
  const int wanted = wanted_ahead(schedule, time - slot->begun);
  schedule->progress.seconds += time - slot->begun;
  slot->cell = pop(&slot->ahead);
  slot->begun = time;
  slot->since = schedule->awake;
  if (slot->cell == NO_CELL && !give(schedule, slot))
    return false;
  for (int before = -1; slot->cell != NO_CELL && slot->ahead.count < wanted &&
                        slot->ahead.count > before && open_cells(schedule);) {
    before = slot->ahead.count;
    if (!give(schedule, slot))
      return false;
  }
  return take_answer(schedule, cell, reply, size);
}

/* What a server says before it is ready. */
static bool take_greeting(struct schedule *schedule, struct slot *slot, const char *reply,
                          size_t size)
{
  struct shk_stream unused;
  char *offer;
  int plugin;
  const bool ok = shk_greeting_open(&unused, &offer, &plugin, reply, size, schedule->error);
  slot->ready = ok && !offer;
  free(offer);
  schedule->stillborn = 0;
  return ok;
}

static bool listen(struct schedule *schedule, struct slot *slot)
{
  char *reply;
  size_t size;
  for (;;) {
    switch (shk_server_receive(&slot->server, &reply, &size)) {
    case SHK_RECEIVED_NOTHING:
      return true;
    case SHK_RECEIVED_END:
      return take_death(schedule, slot);
    case SHK_RECEIVED_REPLY:
      break;
    }
    bool ok = true; /* or nobody asked */
    if (!slot->ready)
      ok = take_greeting(schedule, slot, reply, size);
    else if (slot->cell != NO_CELL)
      ok = take_turn(schedule, slot, reply, size);
    free(reply);
    if (!ok)
      return false;
    if (slot->server.pid == 0)
      return true; /* it was gone when it was given its next cell */
  }
}

/* ---- what goes out ---- */

/* Every slot gets a server and a cell, as far as there are cells. */
static bool fill(struct schedule *schedule)
{
  const struct shk_schedule_options *options = schedule->options;
  for (int i = 0; i < schedule->slot_count; i++) {
    struct slot *slot = &schedule->slots[i];
    slot->since = slot->server.pid == 0 ? schedule->awake : slot->since;
    if (slot->server.pid == 0 && open_cells(schedule) &&
        !shk_server_start(&slot->server, &options->servers, schedule->error))
      return false;
    if (slot->server.pid && slot->ready && slot->cell == NO_CELL && !give(schedule, slot))
      return false;
  }
  return true;
}

/* Of a longer time between two looks we were stopped for the rest. */
static void count_time(struct schedule *schedule)
{
  const double time = shk_seconds();
  schedule->awake += fmin(time - schedule->counted, 1);
  schedule->counted = time;
}

static bool loop(struct schedule *schedule, const sigset_t *unblocked)
{
  struct pollfd *watch = shk_allocate((size_t)schedule->slot_count, sizeof *watch);
  bool ok = true;
  while (ok && !interrupted && schedule->result->left > 0) {
    ok = fill(schedule);
    shk_progress_draw(&schedule->progress, schedule->slot_count);
    for (int i = 0; i < schedule->slot_count; i++)
      watch[i] =
          (struct pollfd){.fd = schedule->slots[i].server.pid ? schedule->slots[i].server.from : -1,
                          .events = POLLIN};
    /* Signals arrive here and nowhere else, so none is missed between a look and a wait. */
    const struct timespec a_moment = {0, 200000000};
    if (!ok || ppoll(watch, (nfds_t)schedule->slot_count, &a_moment, unblocked) < 0)
      continue;
    count_time(schedule);
    if (!shk_store_in_place(schedule->store)) {
      shk_store_rescue(schedule->store, schedule->error);
      ok = false;
    }
    for (int i = 0; ok && i < schedule->slot_count; i++) {
      struct slot *const slot = &schedule->slots[i];
      ok = (!watch[i].revents || listen(schedule, slot)) &&
           (!is_silent(schedule, slot) || take_silence(schedule, slot));
    }
  }
  free(watch);
  return ok;
}

static int usable_cores(void)
{
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

static bool run(struct schedule *schedule, const sigset_t *unblocked)
{
  struct shk_provenance provenance;
  shk_provenance_collect(&provenance, schedule->options->plugin_text,
                         schedule->options->study_text);
  schedule->provenance = shk_store_add_provenance(schedule->store, &provenance, schedule->error);
  shk_provenance_clear(&provenance);
  if (!schedule->provenance)
    return false;
  int jobs = schedule->options->jobs > 0 ? schedule->options->jobs : usable_cores();
  if (jobs > schedule->todo_count)
    jobs = schedule->todo_count;
  schedule->slot_count = jobs < MOST_JOBS ? jobs : MOST_JOBS;
  schedule->slots = shk_allocate((size_t)schedule->slot_count, sizeof *schedule->slots);
  for (int i = 0; i < schedule->slot_count; i++)
    schedule->slots[i] = (struct slot){.server = {.to = -1, .from = -1}, .cell = NO_CELL};
  schedule->counted = shk_seconds();
  const bool ok = loop(schedule, unblocked);
  const bool politely = ok && !interrupted;
  /* All are asked to end before any is waited for. */
  for (int i = 0; !politely && i < schedule->slot_count; i++)
    if (schedule->slots[i].server.pid)
      kill(schedule->slots[i].server.pid, SIGTERM);
  for (int i = 0; i < schedule->slot_count; i++)
    shk_server_end(&schedule->slots[i].server, politely);
  return ok;
}

bool shk_schedule(const struct shk_plan *plan, struct shk_store *store,
                  const struct shk_schedule_options *options, struct shk_schedule_result *result,
                  struct shk_message *error)
{
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
  enum { CAUGHT = sizeof caught / sizeof caught[0] };
  struct sigaction old[CAUGHT], old_pipe;
  sigset_t blocked, unblocked;
  *result = (struct shk_schedule_result){0};
  struct schedule schedule = {
      .plan = plan, .store = store, .options = options, .result = result, .error = error};
  interrupted = 0;
  sigemptyset(&blocked);
  for (int i = 0; i < CAUGHT; i++)
    sigaddset(&blocked, caught[i]);
  sigprocmask(SIG_BLOCK, &blocked, &unblocked);
  for (int i = 0; i < CAUGHT; i++)
    sigaction(caught[i], &(struct sigaction){.sa_handler = interrupt}, &old[i]);
  sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &old_pipe);

  bool ok = collect(&schedule);
  if (ok && schedule.todo_count > 0)
    ok = run(&schedule, &unblocked);
  result->interrupted = interrupted != 0;

  shk_progress_end(&schedule.progress);
  sigaction(SIGPIPE, &old_pipe, NULL);
  for (int i = 0; i < CAUGHT; i++)
    sigaction(caught[i], &old[i], NULL);
  sigprocmask(SIG_SETMASK, &unblocked, NULL);
  free(schedule.todo);
  free(schedule.place);
  free(schedule.again);
  free(schedule.keys);
  free(schedule.slots);
  return ok;
}
