/*
 * The scheduler. See scheduler.h.
 *
 * A single-threaded loop waits for records from the workers, stores them, and sends each worker its
 * next cell. Cells with many steps are sent first, so that no core is idle at the end. The number
 * of steps affects only the order of the cells and the estimate of the remaining time.
 *
 * Each cell that contains user code, or a solver that chooses its own steps, runs in a separate
 * process. Other cells can share a process if they have the same memory limit. If one of them
 * prints something or fails, another cell may be the cause, so the affected cell is run again on
 * its own. Records do not depend on which cells shared a process.
 */
#include "harness/run/scheduler.h"
#include "foundation/clock.h"
#include "foundation/memory.h"
#include "harness/plan/key.h"
#include "harness/run/progress.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 1024, MOST_AHEAD = 32, MOST_ARRIVED = 64 };

/* A cell of the plan. */
struct item {
  int index;
  char key[SHK_HASH_SIZE];
  double weight; /* estimated cost, in steps */
  bool alone;    /* true if the cell runs in its own process */
  int tries;     /* the number of processes that were killed before they started this cell */
};

struct slot {
  struct shk_worker worker;
  int count;
  /* the running cell, followed by the cells that are queued for the same process */
  struct item *items[1 + MOST_AHEAD];
  bool noted; /* true once the running cell has been reported as slow */
  /* the record of a cell that has its own process, held until that process has ended */
  char *record;
  size_t size;
};

/* Cost, in steps, of starting a process and reading its reply. */
static const double start_steps = 500;

/* A time in seconds. If a worker's last cell took less than this, the worker is sent additional
 * cells that share its process and take about this long in total. The worker then does not have to
 * wait while the scheduler stores records. After a longer cell, another worker may be available
 * sooner. */
static const double short_seconds = 0.2;

/* Maximum time, in s, for which a record is held so that it can be stored together with others. */
static const double a_moment = 0.05;

/* If a cell in a shared process fails within this time (s), another cell may be the cause. */
static const double doubtful_seconds = 1;

/* A record that has not been stored yet. The record's cell belongs to the plan. */
struct arrived {
  const struct item *item;
  struct shk_record record;
};

struct schedule {
  const struct shk_plan *plan;
  struct shk_store *store;
  const struct shk_schedule_options *options;
  struct shk_schedule_result *result;
  struct shk_message *error;
  struct item *items; /* all cells of the plan */
  /* cells to run, in order of decreasing weight; returned cells are inserted at the front */
  struct item **queue;
  int count, next;
  struct slot *slots;
  int slot_count;
  /* the number of workers that have ended before becoming ready, counted since a worker last became
   * ready */
  int stillborn;
  long provenance;
  double began; /* start time, on a monotonic clock */
  struct shk_progress progress;
  struct arrived arrived[MOST_ARRIVED];
  int arrived_count;
  double first_arrived; /* arrival time of the first record in `arrived` */
};

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
  interrupted = number;
}

/* ---- selection of cells ---- */

static int by_weight(const void *a, const void *b)
{
  const struct item *const x = *(struct item *const *)a, *const y = *(struct item *const *)b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  return x->index - y->index;
}

/* Returns the estimated cost of a cell, in units of one double-precision step of a small system. */
static double guess_steps(const struct shk_cell *cell)
{
  double steps = 3000; /* adaptive, or exact */
  if (cell->step && cell->numbers.step > 0)
    steps = cell->numbers.until / cell->numbers.step;
  const double members = cell->member_count > 0 ? cell->member_count : 1;
  return members * steps * shk_precision_named(cell->precision)->cost;
}

/* Collects the cells to run and removes damaged records. */
static bool collect_cells(struct schedule *schedule)
{
  const struct shk_schedule_options *const options = schedule->options;
  const struct shk_plan *const plan = schedule->plan;
  struct shk_schedule_result *const result = schedule->result;
  struct shk_key_series series = {0};
  schedule->items = shk_allocate((size_t)plan->count, sizeof *schedule->items);
  schedule->queue = shk_allocate((size_t)plan->count, sizeof(struct item *));
  shk_progress_begin(&schedule->progress, options->quiet);
  bool ok = shk_store_count_damaged(schedule->store, &result->damaged, true, schedule->error) &&
            shk_store_begin_reading(schedule->store, schedule->error);
  const bool reads = ok;
  for (int i = 0; ok && i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    struct item *const item = &schedule->items[i];
    char *const text = shk_cell_text(cell);
    const struct shk_raised raised = {options->again, plan->cells[i].seconds,
                                      plan->cells[i].megabytes};
    bool stands;
    shk_key_make(plan->context, &series, item->key, options->keys, cell, text);
    const bool ours =
        options->parts == 0 || shk_key_part(item->key, options->parts) == options->part;
    ok = !ours ||
         shk_store_look(schedule->store, &stands, item->key, text, &raised, schedule->error);
    free(text);
    result->planned += ok && ours;
    if (!ok || !ours || stands)
      continue;
    item->index = i;
    item->alone = options->setup.plugin_count > 0 || options->setup.context->access.programs ||
                  cell->tolerance != NULL;
    item->weight = start_steps + guess_steps(cell);
    schedule->progress.weight_total += item->weight;
    schedule->queue[schedule->count++] = item;
  }
  shk_key_series_clear(&series);
  if (reads)
    shk_store_end(schedule->store, false, NULL);
  qsort(schedule->queue, (size_t)schedule->count, sizeof(struct item *), by_weight);
  schedule->progress.total = schedule->count;
  if (ok) {
    result->kept = result->planned - schedule->count;
    result->left = schedule->count;
  }
  return ok;
}

/* ---- records ---- */

/* Counts a stored record and reports it as finished. */
static void count(struct schedule *schedule, const struct arrived *arrived)
{
  const struct shk_record *const record = &arrived->record;
  const bool finished = record->end == SHK_END_FINISHED;
  const bool ok = finished && record->outcome.code == SHK_OK;
  const bool refused = finished && record->outcome.code == SHK_REFUSED;
  schedule->result->ok += ok;
  schedule->result->refused += refused;
  schedule->result->failed += !ok && !refused;
  schedule->result->left--;
  shk_progress_step(&schedule->progress, arrived->item->weight, !ok && !refused);
}

/* Stores the records that have arrived in a single transaction. */
static bool store_arrived(struct schedule *schedule)
{
  if (schedule->arrived_count == 0)
    return true;
  bool ok = shk_store_begin(schedule->store, schedule->error);
  for (int i = 0; ok && i < schedule->arrived_count; i++)
    ok = shk_store_insert(schedule->store, &schedule->arrived[i].record, schedule->error);
  ok = shk_store_end(schedule->store, ok, schedule->error);
  for (int i = 0; i < schedule->arrived_count; i++) {
    struct arrived *const arrived = &schedule->arrived[i];
    if (ok)
      count(schedule, arrived);
    arrived->record.cell = (struct shk_cell){0};
    shk_record_clear(&arrived->record);
  }
  schedule->arrived_count = 0;
  return ok;
}

/* Takes ownership of a cell's record. If the cell took a long time, the record is stored at once;
 * otherwise, it is stored together with the records that arrive within `a_moment`. */
static bool keep_record(struct schedule *schedule, struct shk_record *record,
                        const struct item *item)
{
  memcpy(record->key, item->key, sizeof record->key);
  record->cell = schedule->plan->cells[item->index].cell; /* the cell is owned by the plan */
  record->provenance = schedule->provenance;
  if (schedule->arrived_count == 0)
    schedule->first_arrived = shk_seconds();
  schedule->arrived[schedule->arrived_count++] = (struct arrived){item, *record};
  const bool together = record->seconds < a_moment && schedule->arrived_count < MOST_ARRIVED &&
                        schedule->arrived_count < schedule->result->left &&
                        shk_seconds() - schedule->first_arrived < a_moment;
  return together || store_arrived(schedule);
}

/* Stores a cell's record. The record describes how the cell's process ended and, if the process
 * finished, contains the data that it sent. These data may be invalid, because they may have been
 * written by user code. */
static bool keep_end(struct schedule *schedule, const struct item *item,
                     struct shk_worker_result *result, const char *bytes, size_t size)
{
  const struct shk_planned *const planned = &schedule->plan->cells[item->index];
  struct shk_record record = result->record, read = {0};
  struct shk_message unused;
  result->record.output = NULL;
  if (record.end != SHK_END_TIMED_OUT)
    record.limit_seconds = planned->seconds;
  record.limit_megabytes = planned->megabytes;
  if (record.end == SHK_END_FINISHED && !(bytes && shk_record_read(&read, bytes, size, &unused)))
    record.end = SHK_END_EXITED;
  free(read.output);
  record.outcome = read.outcome;
  if (record.end != SHK_END_FINISHED) {
    record.outcome = (struct shk_outcome){.code = SHK_STOPPED, .reached = NAN};
    shk_record_reason(record.outcome.reason, sizeof record.outcome.reason, &record);
  }
  return keep_record(schedule, &record, item);
}

/* ---- cells for the workers ---- */

/* Returns the cells of a slot to the queue in their original order. */
static void return_cells(struct schedule *schedule, struct slot *slot)
{
  while (slot->count > 0)
    schedule->queue[--schedule->next] = slot->items[--slot->count];
}

/* Removes the running cell from a slot and returns it. */
static struct item *shift_cell(struct slot *slot)
{
  struct item *const item = slot->items[0];
  slot->count--;
  for (int i = 0; i < slot->count; i++)
    slot->items[i] = slot->items[i + 1];
  return item;
}

static void begin_cell(const struct schedule *schedule, struct slot *slot)
{
  const struct shk_planned *const planned =
      slot->count > 0 ? &schedule->plan->cells[slot->items[0]->index] : NULL;
  slot->noted = false;
  if (planned && planned->seconds == 0)
    shk_worker_begin_probed(&slot->worker, shk_plan_first_seconds(&planned->cell));
  else
    shk_worker_begin(&slot->worker, planned ? planned->seconds : 0);
}

/* Reports, once per cell, that the first steps are taking a long time. A cell that hangs can then
 * be noticed before it reaches its limit. */
static void note_slow(struct schedule *schedule, struct slot *slot)
{
  char setting[64];
  if (slot->count == 0 || slot->noted || !shk_worker_is_slow(&slot->worker))
    return;
  const struct shk_cell *const cell = &schedule->plan->cells[slot->items[0]->index].cell;
  slot->noted = true;
  snprintf(setting, sizeof setting, cell->step || cell->tolerance ? " at %s %s" : "",
           cell->step ? "step" : "tolerance", cell->step ? cell->step : cell->tolerance);
  char *const text = shk_print_text(
      "%s on %s in %s%s (%s): its first steps have taken %d s so far; the limit is %g s",
      cell->integrator, cell->problem, cell->precision, setting, cell->kind, SHK_PROBE_LOG_SECONDS,
      slot->worker.limit);
  shk_progress_say(&schedule->progress, text);
  free(text);
}

/* Returns true if a cell can run in the same process as the cells of the slot. */
static bool may_follow(const struct schedule *schedule, const struct slot *slot,
                       const struct item *item)
{
  const struct shk_planned *const cells = schedule->plan->cells;
  return slot->count == 0 ||
         (!item->alone && !slot->items[0]->alone &&
          cells[item->index].megabytes == cells[slot->items[0]->index].megabytes);
}

/* Sends a worker its next cells until it has `wanted` of them. If the next cell must run alone and
 * the worker's process was shared, the worker is stopped first. */
static void give_cells(struct schedule *schedule, struct slot *slot, int wanted)
{
  while (slot->count < wanted && schedule->next < schedule->count) {
    struct item *const item = schedule->queue[schedule->next];
    const struct shk_planned *const planned = &schedule->plan->cells[item->index];
    const struct shk_cell *const cell = &planned->cell;
    if (slot->count == 0 && item->alone && slot->worker.shares)
      shk_worker_end(&slot->worker);
    if (!slot->worker.started || !may_follow(schedule, slot, item))
      return;
    char *const text = shk_cell_text(cell);
    const struct shk_request request = {.cell = text,
                                        .step_count = cell->step_counts ? cell->time_count : 0,
                                        .step_counts = cell->step_counts,
                                        .alone = item->alone,
                                        .folder = schedule->plan->context->access.folder,
                                        .seconds = planned->seconds,
                                        .megabytes = planned->megabytes,
                                        .untimed = schedule->options->untimed};
    schedule->next++;
    slot->items[slot->count++] = item;
    /* if the worker has ended, the next poll will report this */
    shk_worker_send(&slot->worker, &request);
    free(text);
    if (slot->count == 1)
      begin_cell(schedule, slot);
  }
}

/* Returns the number of cells that may be queued after the next one, based on the run time (s) of
 * the last cell. The number decreases to 0 towards the end of the plan, so that all workers finish
 * at about the same time. */
static int wanted_ahead(const struct schedule *schedule, double seconds)
{
  const int left = (schedule->count - schedule->next) / (2 * schedule->slot_count + 1);
  const int most = left < MOST_AHEAD ? left : MOST_AHEAD;
  return seconds * most < short_seconds ? most : (int)(short_seconds / seconds);
}

/* ---- messages from the workers ---- */

/* Schedules the cell to be run again on its own, and the cells after it to be run in another
 * process. */
static void doubt_cell(struct schedule *schedule, struct slot *slot)
{
  slot->items[0]->alone = true;
  return_cells(schedule, slot);
  shk_worker_end(&slot->worker);
}

/* Accepts the record of the running cell, whose process is shared. The next cells are sent before
 * the record is stored, so that the worker does not have to wait. */
static bool take_shared(struct schedule *schedule, struct slot *slot, const char *bytes,
                        size_t size)
{
  if (shk_worker_printed(&slot->worker) > 0) {
    doubt_cell(schedule, slot);
    return true;
  }
  const double seconds = shk_seconds() - slot->worker.begun;
  struct shk_worker_result result = {.record = {.end = SHK_END_FINISHED, .seconds = seconds}};
  const struct item *const item = shift_cell(slot);
  schedule->progress.seconds += seconds;
  begin_cell(schedule, slot);
  give_cells(schedule, slot, 1 + wanted_ahead(schedule, seconds));
  return keep_end(schedule, item, &result, bytes, size);
}

/* Handles the exit of a cell's process. */
static bool take_end(struct schedule *schedule, struct slot *slot, struct shk_worker_result *result)
{
  const bool shared = slot->count > 0 && !slot->items[0]->alone;
  if (slot->count == 0)
    return true; /* it was waiting */
  if (shared && result->record.end != SHK_END_TIMED_OUT &&
      (result->record.output || result->record.seconds < doubtful_seconds)) {
    doubt_cell(schedule, slot);
    return true;
  }
  if (!shared && !result->entered && ++slot->items[0]->tries < 3) {
    return_cells(schedule, slot);
    return true;
  }
  const struct item *const item = shift_cell(slot);
  schedule->progress.seconds += result->record.seconds;
  return_cells(schedule, slot);
  if (shared)
    shk_worker_end(&slot->worker);
  char *const bytes = slot->record;
  slot->record = NULL;
  give_cells(schedule, slot, slot->worker.pid && slot->worker.ready);
  const bool ok = keep_end(schedule, item, result, bytes, slot->size);
  free(bytes);
  return ok;
}

/* Handles a worker's first message. If the worker ended before sending it, the worker may have been
 * killed, so another one is started. Returns false if this happens three times in a row, because a
 * plug-in may then be the cause. */
static bool greet_worker(struct schedule *schedule, struct slot *slot, enum shk_worker_event event,
                         struct shk_worker_result *result)
{
  if (shk_worker_greeted(&slot->worker, event, &schedule->options->setup, result,
                         schedule->error)) {
    schedule->stillborn = 0;
    return true;
  }
  const bool killed = !slot->worker.ready;
  shk_worker_end(&slot->worker);
  return killed && ++schedule->stillborn < 3;
}

static bool listen_to(struct schedule *schedule, struct slot *slot)
{
  struct shk_worker_result result;
  enum shk_worker_event event;
  bool ok = true;
  while (ok && (event = shk_worker_poll(&slot->worker, &result)) != SHK_EVENT_NONE) {
    if (!slot->worker.ready) {
      ok = greet_worker(schedule, slot, event, &result);
    } else if (event == SHK_EVENT_END) {
      ok = take_end(schedule, slot, &result);
    } else if (slot->count > 0 && slot->items[0]->alone) {
      free(slot->record);
      slot->record = result.answer;
      slot->size = result.size;
      result.answer = NULL;
    } else if (slot->count > 0) {
      ok = take_shared(schedule, slot, result.answer, result.size);
    }
    shk_worker_result_clear(&result);
  }
  return ok;
}

/* ---- the loop ---- */

/* Gives every slot a worker and a cell as long as there are cells left. */
static bool fill_slots(struct schedule *schedule)
{
  bool ok = true;
  for (int i = 0; ok && i < schedule->slot_count && schedule->next < schedule->count; i++) {
    struct slot *const slot = &schedule->slots[i];
    if (!slot->worker.started || (slot->worker.pid == 0 && slot->worker.host < 0)) {
      shk_worker_end(&slot->worker);
      ok = shk_worker_start(&slot->worker, &schedule->options->setup, schedule->error);
    }
    if (ok && slot->worker.ready && slot->count == 0)
      give_cells(schedule, slot, 1);
  }
  return ok;
}

/* Waits until a worker has something to report, a time limit expires, a display update is due, or a
 * signal arrives. Signals are unblocked only here, so none is lost between the check and the
 * wait. */
static void wait_for_workers(const struct schedule *schedule, struct pollfd *watch,
                             const sigset_t *unblocked)
{
  double wait = schedule->arrived_count > 0 ? 0.02 : 0.2;
  for (int i = 0; i < schedule->slot_count; i++) {
    shk_worker_watch(&schedule->slots[i].worker, watch + SHK_WORKER_WATCHES * i);
    wait = fmin(wait, shk_worker_longest_wait(&schedule->slots[i].worker));
  }
  const struct timespec time = {0, (long)(1e9 * wait)};
  ppoll(watch, (nfds_t)(SHK_WORKER_WATCHES * schedule->slot_count), &time, unblocked);
}

static bool run_loop(struct schedule *schedule, const sigset_t *unblocked)
{
  struct pollfd *watch =
      shk_allocate((size_t)(SHK_WORKER_WATCHES * schedule->slot_count), sizeof *watch);
  bool ok = true;
  const double most = schedule->options->seconds > 0 ? schedule->options->seconds : INFINITY;
  while (ok && !interrupted && shk_seconds() - schedule->began < most &&
         schedule->result->left > 0) {
    ok = fill_slots(schedule);
    shk_progress_draw(&schedule->progress, schedule->slot_count);
    if (ok)
      wait_for_workers(schedule, watch, unblocked);
    for (int i = 0; ok && i < schedule->slot_count; i++) {
      ok = listen_to(schedule, &schedule->slots[i]);
      note_slow(schedule, &schedule->slots[i]);
    }
    ok = ok && (schedule->arrived_count == 0 ||
                shk_seconds() - schedule->first_arrived < a_moment || store_arrived(schedule));
    if (!shk_store_in_place(schedule->store)) {
      if (store_arrived(schedule))
        shk_store_rescue(schedule->store, schedule->error);
      ok = false;
    }
  }
  free(watch);
  return store_arrived(schedule) && ok;
}

/* Moves as many idle workers as possible into the slots. */
static void take_idle(struct schedule *schedule)
{
  struct shk_idle_workers *const idle = schedule->options->idle;
  for (int i = 0; idle && i < schedule->slot_count && idle->count > 0; i++)
    shk_worker_move(&schedule->slots[i].worker, &idle->all[--idle->count]);
}

/* Saves the workers for the next plan. */
static void keep_idle(struct schedule *schedule)
{
  struct shk_idle_workers *const idle = schedule->options->idle;
  for (int i = 0; idle && i < schedule->slot_count; i++)
    if (schedule->slots[i].worker.ready && idle->count < SHK_MOST_IDLE)
      shk_worker_move(&idle->all[idle->count++], &schedule->slots[i].worker);
}

void shk_idle_workers_end(struct shk_idle_workers *idle)
{
  while (idle->count > 0)
    shk_worker_end(&idle->all[--idle->count]);
}

static bool run_scheduler(struct schedule *schedule, const sigset_t *unblocked)
{
  const struct shk_schedule_options *const options = schedule->options;
  struct shk_provenance provenance;
  shk_provenance_collect(&provenance, options->plugin_text, options->study_text);
  schedule->provenance = shk_store_add_provenance(schedule->store, &provenance, schedule->error);
  shk_provenance_clear(&provenance);
  if (!schedule->provenance)
    return false;
  cpu_set_t cores;
  int jobs = options->jobs > 0                                 ? options->jobs
             : sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores)
                                                               : 1;
  jobs = jobs < schedule->count ? jobs : schedule->count;
  schedule->slot_count = jobs < MOST_JOBS ? jobs : MOST_JOBS;
  schedule->slots = shk_allocate((size_t)schedule->slot_count, sizeof *schedule->slots);
  schedule->began = shk_seconds();
  take_idle(schedule);
  const bool counts = options->setup.plugin_count > 0 || options->setup.context->access.programs;
  if (counts)
    shk_workers_go_first(true);
  const bool ok = run_loop(schedule, unblocked);
  if (ok && schedule->result->left == 0)
    keep_idle(schedule);
  for (int i = 0; i < schedule->slot_count; i++) {
    shk_worker_end(&schedule->slots[i].worker);
    free(schedule->slots[i].record);
  }
  if (counts)
    shk_workers_go_first(false);
  return ok;
}

bool shk_schedule(const struct shk_plan *plan, struct shk_store *store,
                  const struct shk_schedule_options *options, struct shk_schedule_result *result,
                  struct shk_message *error)
{
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  enum { CAUGHT = sizeof caught / sizeof caught[0] };
  struct sigaction old[CAUGHT];
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
    sigaction(caught[i],
              &(struct sigaction){.sa_handler = caught[i] == SIGPIPE ? SIG_IGN : note_interrupt},
              &old[i]);

  bool ok = collect_cells(&schedule);
  if (ok && schedule.count > 0)
    ok = run_scheduler(&schedule, &unblocked);
  result->interrupted = interrupted != 0;

  shk_progress_end(&schedule.progress);
  for (int i = 0; i < CAUGHT; i++)
    sigaction(caught[i], &old[i], NULL);
  sigprocmask(SIG_SETMASK, &unblocked, NULL);
  free(schedule.items);
  free(schedule.queue);
  free(schedule.slots);
  return ok;
}
