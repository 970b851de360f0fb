/*
 * The scheduler. See scheduler.h.
 *
 * One loop in one thread waits for replies of the cell servers, stores them and sends each server
 * the next cell. Cells with many steps are sent first, so that no core is idle at the end. The
 * number of steps affects only the order and the estimate of the time left.
 */
#include "harness/run/scheduler.h"
#include "foundation/clock.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "harness/plan/key.h"
#include "harness/run/progress.h"
#include "harness/run/sandbox.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_JOBS = 1024, MOST_AHEAD = 32, MOST_ARRIVED = 64 };

/* A cell of the plan. */
struct item {
  int index;
  char key[SHK_HASH_SIZE];
  double weight; /* estimated cost, in steps */
  int tries;     /* servers that died with it */
};

struct slot {
  struct shk_server server; /* pid 0: not running */
  bool ready;
  int count;
  struct item *items[1 + MOST_AHEAD]; /* the running cell, then those waiting in the pipe */
  double since;                       /* estimated start of the first cell, on the clock `awake` */
};

/* Time (s) that a server has after the limit of its cell, to end the cell and to reply. */
static const double grace_seconds = 10;
/* Longest text (bytes) of a cell that is sent to a busy server: all waiting requests must fit into
 * a pipe. */
static const size_t ahead_limit = 2000;

/* Cost of starting a process and of reading its reply, in steps. */
static const double start_steps = 500;

/* Time (s): a server whose last cell took less is sent further cells in advance, for about this
 * time in total. It then need not wait while this process stores, and runs several cells in one
 * process (server.h). After longer cells another server might be free sooner. */
static const double short_seconds = 0.2;

/* Longest time (s) that a record waits for others, to be stored with them. */
static const double a_moment = 0.05;

/* A record that is not stored yet; its cell is the plan's. */
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
  struct item *items;  /* all cells of the plan */
  struct item **queue; /* cells to run, by decreasing weight; returned cells go in front */
  int count, next;
  struct slot *slots;
  int slot_count;
  int stillborn; /* servers that ended before they were ready, since the last ready one */
  long provenance;
  /* Seconds during which this process was not suspended, and the time of their last update. Servers
   * may be suspended with it; their time limits are therefore measured on this clock. */
  double awake, counted;
  struct shk_progress progress;
  struct arrived arrived[MOST_ARRIVED];
  int arrived_count;
  double first_arrived; /* when the first of them arrived */
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

/* Estimated cost, in double-precision steps of a small system. */
static double guess_steps(const struct shk_cell *cell)
{
  double steps = 3000; /* adaptive, or exact */
  if (cell->step && cell->numbers.step > 0)
    steps = cell->numbers.until / cell->numbers.step;
  const double members = cell->member_count > 0 ? cell->member_count : 1;
  return members * steps * shk_precision_named(cell->precision)->cost;
}

/* Collects the cells to run, and removes damaged records. */
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

/* ---- replies ---- */

/* Counts and reports a record that is stored. */
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

/* Stores the records that have arrived, in one transaction. */
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

/* Takes over the record of a cell. It is stored at once if the cell took long, otherwise together
 * with those that arrive within `a_moment`. */
static bool keep_record(struct schedule *schedule, struct shk_record *record,
                        const struct item *item)
{
  memcpy(record->key, item->key, sizeof record->key);
  record->cell = schedule->plan->cells[item->index].cell; /* owned by the plan */
  record->provenance = schedule->provenance;
  if (schedule->arrived_count == 0)
    schedule->first_arrived = shk_seconds();
  schedule->arrived[schedule->arrived_count++] = (struct arrived){item, *record};
  const bool together = record->seconds < a_moment && schedule->arrived_count < MOST_ARRIVED &&
                        schedule->arrived_count < schedule->result->left &&
                        shk_seconds() - schedule->first_arrived < a_moment;
  return together || store_arrived(schedule);
}

/* Stores the end of a cell whose server sent no record. */
static bool keep_end(struct schedule *schedule, const struct item *item, struct shk_record record)
{
  const struct shk_planned *const planned = &schedule->plan->cells[item->index];
  record.limit_seconds = planned->seconds;
  record.limit_megabytes = planned->megabytes;
  record.outcome = (struct shk_outcome){.code = SHK_STOPPED, .reached = NAN};
  shk_record_reason(record.outcome.reason, sizeof record.outcome.reason, &record);
  return keep_record(schedule, &record, item);
}

/* Handles a server that has died (killed from outside, or by a plug-in) or is silent (stopped by
 * its cell or from outside, or broken). Its slot becomes empty. Its cells return to the queue; the
 * running one does if the server died with it for the first time, else its end is stored. */
static bool take_loss(struct schedule *schedule, struct slot *slot, bool silent)
{
  const char state = silent ? shk_process_state(slot->server.pid) : 0;
  struct shk_record record = {.end = SHK_END_TIMED_OUT, .end_detail = SHK_SILENT};
  if (state == 'T' || state == 't')
    record.end_detail = SHK_SILENT_STOPPED;
  if (silent)
    shk_server_kill(&slot->server);
  else
    shk_ended_with(&record, shk_server_end(&slot->server, true));
  struct item *const item = slot->count > 0 ? slot->items[0] : NULL;
  while (slot->count > 1)
    schedule->queue[--schedule->next] = slot->items[--slot->count];
  slot->count = 0;
  slot->ready = false;
  if (!item)
    return true;
  if (silent || ++item->tries == 2)
    return keep_end(schedule, item, record);
  schedule->queue[--schedule->next] = item;
  return true;
}

static bool is_silent(const struct schedule *schedule, const struct slot *slot)
{
  return slot->count > 0 &&
         schedule->awake - slot->since >
             schedule->plan->cells[slot->items[0]->index].seconds + grace_seconds;
}

/* Sends a server its next cells, until it has `wanted` of them. */
static bool give_cells(struct schedule *schedule, struct slot *slot, int wanted)
{
  bool ok = true, fits = true;
  while (ok && fits && slot->server.pid && slot->count < wanted &&
         schedule->next < schedule->count) {
    struct item *const item = schedule->queue[schedule->next];
    const struct shk_planned *const planned = &schedule->plan->cells[item->index];
    const struct shk_cell *const cell = &planned->cell;
    char *const text = shk_cell_text(cell);
    const struct shk_request request = {.cell = text,
                                        .step_count = cell->step_counts ? cell->time_count : 0,
                                        .step_counts = cell->step_counts,
                                        .folder = schedule->plan->context->access.folder,
                                        .seconds = planned->seconds,
                                        .megabytes = planned->megabytes,
                                        .untimed = schedule->options->untimed};
    fits = slot->count == 0 || strlen(text) <= ahead_limit;
    if (slot->count == 0)
      slot->since = schedule->awake;
    if (fits) {
      schedule->next++;
      slot->items[slot->count++] = item;
      ok = shk_server_send(&slot->server, &request) || take_loss(schedule, slot, false);
    }
    free(text);
  }
  return ok;
}

/* Advances the clock. A gap of more than 1 s between two calls means that this process was
 * suspended: 1 s is added. */
static void count_time(struct schedule *schedule)
{
  const double time = shk_seconds();
  schedule->awake += fmin(time - schedule->counted, 1);
  schedule->counted = time;
}

/* Returns the number of cells to send in advance, from the run time (s) of the last cell. It falls
 * to 0 towards the end of the plan, so that all servers end at about the same time. */
static int wanted_ahead(const struct schedule *schedule, double seconds)
{
  const int left = (schedule->count - schedule->next) / (2 * schedule->slot_count + 1);
  const int most = left < MOST_AHEAD ? left : MOST_AHEAD;
  return seconds * most < short_seconds ? most : (int)(short_seconds / seconds);
}

/* Takes the record of the running cell from a reply. Sends the next cells before the record is
 * stored, so that the server need not wait. */
static bool take_turn(struct schedule *schedule, struct slot *slot, const char *reply, size_t size)
{
  const struct item *const item = slot->items[0];
  struct shk_record record;
  count_time(schedule);
  const double seconds = schedule->awake - slot->since;
  schedule->progress.seconds += seconds;
  memmove(slot->items, slot->items + 1, (size_t)--slot->count * sizeof(struct item *));
  slot->since = schedule->awake;
  return give_cells(schedule, slot, 1 + wanted_ahead(schedule, seconds)) &&
         shk_record_read(&record, reply, size, schedule->error) &&
         keep_record(schedule, &record, item);
}

static bool listen_to_server(struct schedule *schedule, struct slot *slot)
{
  char *reply;
  size_t size;
  bool ok = true;
  /* The slot is empty if the server had ended when its next cell was sent. */
  while (ok && slot->server.pid && (reply = shk_server_receive(&slot->server, &size)) != NULL) {
    /* A reply without a request is ignored. */
    ok = slot->count == 0 || take_turn(schedule, slot, reply, size);
    free(reply);
  }
  return ok && (!slot->server.ended || take_loss(schedule, slot, false));
}

/* ---- the loop ---- */

/* Waits until a server is ready. A server that ends before may have been killed: another is
 * started. False after three of them in a row, since a plug-in may be the cause. */
static bool greet_server(struct schedule *schedule, struct slot *slot)
{
  struct shk_stream unused;
  size_t size;
  char *const reply =
      shk_server_greet(&slot->server, &schedule->options->servers, &size, schedule->error);
  if (!reply)
    return ++schedule->stillborn < 3;
  schedule->stillborn = 0;
  slot->ready = shk_reply_open(&unused, reply, size, schedule->error);
  free(reply);
  return slot->ready;
}

/* Gives every slot a server and a cell, as long as there are cells. All servers are started before
 * the first is awaited, so that they load their plug-ins at the same time. */
static bool fill_slots(struct schedule *schedule)
{
  const int count = schedule->slot_count;
  bool ok = true;
  for (int i = 0; ok && i < count && schedule->next < schedule->count; i++)
    ok = schedule->slots[i].server.pid ||
         shk_server_start(&schedule->slots[i].server, &schedule->options->servers, schedule->error);
  for (int i = 0; ok && i < count; i++) {
    struct slot *const slot = &schedule->slots[i];
    ok = (!slot->server.pid || slot->ready || greet_server(schedule, slot)) &&
         (!slot->ready || slot->count > 0 || give_cells(schedule, slot, 1));
  }
  return ok;
}

static bool run_loop(struct schedule *schedule, const sigset_t *unblocked)
{
  struct pollfd *watch = shk_allocate((size_t)schedule->slot_count, sizeof *watch);
  bool ok = true;
  const double most = schedule->options->seconds > 0 ? schedule->options->seconds : INFINITY;
  while (ok && !interrupted && schedule->awake < most && schedule->result->left > 0) {
    ok = fill_slots(schedule);
    shk_progress_draw(&schedule->progress, schedule->slot_count);
    for (int i = 0; i < schedule->slot_count; i++)
      watch[i] =
          (struct pollfd){.fd = schedule->slots[i].server.pid ? schedule->slots[i].server.from : -1,
                          .events = POLLIN};
    /* Signals are unblocked only in this call: none is lost between the check and the wait. */
    const struct timespec wait = {0, schedule->arrived_count > 0 ? 20000000 : 200000000};
    const int ready = ok ? ppoll(watch, (nfds_t)schedule->slot_count, &wait, unblocked) : -1;
    if (ready < 0)
      continue;
    count_time(schedule);
    ok = ready > 0 || store_arrived(schedule);
    if (!shk_store_in_place(schedule->store)) {
      if (store_arrived(schedule))
        shk_store_rescue(schedule->store, schedule->error);
      ok = false;
    }
    for (int i = 0; ok && i < schedule->slot_count; i++) {
      struct slot *const slot = &schedule->slots[i];
      ok = (!watch[i].revents || listen_to_server(schedule, slot)) &&
           (!is_silent(schedule, slot) || take_loss(schedule, slot, true));
    }
  }
  free(watch);
  return store_arrived(schedule) && ok;
}

/* Takes the servers that wait, as far as there are slots for them. */
static void take_idle(struct schedule *schedule)
{
  struct shk_idle_servers *const idle = schedule->options->idle;
  for (int i = 0; idle && i < schedule->slot_count && idle->count > 0; i++)
    schedule->slots[i] = (struct slot){.server = idle->all[--idle->count], .ready = true};
}

/* Leaves the servers to the next plan. */
static void keep_idle(struct schedule *schedule)
{
  struct shk_idle_servers *const idle = schedule->options->idle;
  for (int i = 0; idle && i < schedule->slot_count; i++)
    if (schedule->slots[i].ready) {
      *SHK_APPEND(idle->all, idle->count) = schedule->slots[i].server;
      schedule->slots[i].server.pid = 0;
    }
}

void shk_idle_servers_end(struct shk_idle_servers *idle)
{
  for (int i = 0; i < idle->count; i++)
    shk_server_end(&idle->all[i], true);
  free(idle->all);
}

static bool run_scheduler(struct schedule *schedule, const sigset_t *unblocked)
{
  struct shk_provenance provenance;
  shk_provenance_collect(&provenance, schedule->options->plugin_text,
                         schedule->options->study_text);
  schedule->provenance = shk_store_add_provenance(schedule->store, &provenance, schedule->error);
  shk_provenance_clear(&provenance);
  if (!schedule->provenance)
    return false;
  cpu_set_t cores;
  int jobs = schedule->options->jobs > 0                       ? schedule->options->jobs
             : sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores)
                                                               : 1;
  jobs = jobs < schedule->count ? jobs : schedule->count;
  schedule->slot_count = jobs < MOST_JOBS ? jobs : MOST_JOBS;
  schedule->slots = shk_allocate((size_t)schedule->slot_count, sizeof *schedule->slots);
  schedule->counted = shk_seconds();
  take_idle(schedule);
  const bool ok = run_loop(schedule, unblocked);
  const bool politely = ok && schedule->result->left == 0;
  if (politely)
    keep_idle(schedule);
  /* Signal all servers before waiting for the first. */
  for (int i = 0; !politely && i < schedule->slot_count; i++)
    if (schedule->slots[i].server.pid)
      kill(schedule->slots[i].server.pid, SIGTERM);
  for (int i = 0; i < schedule->slot_count; i++)
    if (schedule->slots[i].server.pid)
      shk_server_end(&schedule->slots[i].server, politely);
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
