/*
 * Cells that share a process: each has its own record, output and limits, and one that crashes,
 * hangs, exits or takes too much memory is the only one that is blamed. The workers are this program
 * (`worker`), whose engine has an integrator that misbehaves, as built-in code never should.
 */
#include "client/session.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/run/scheduler.h"
#include "harness/run/work.h"
#include "tests/kit/tap.h"

#include <shakedown/client.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { CELLS = 7, MIDDLE = 3 };

static int bound_here; /* cells that this process has run */

struct misfit {
  const struct shakedown_state *from;
  struct shakedown_state *to;
  const char *act;
};

static int bind_misfit(void *user, void **bound, struct shakedown_problem *problem,
                       const struct shakedown_state *from, struct shakedown_state *to,
                       struct shakedown_error *error)
{
  struct misfit *const self = calloc(1, sizeof *self);
  *self = (struct misfit){from, to, shakedown_option(problem, "act")};
  *bound = self;
  return SHAKEDOWN_CODE_OK;
}

static void misbehave(const char *act)
{
  if (strcmp(act, "abort") == 0)
    abort();
  while (strcmp(act, "loop") == 0)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  while (strcmp(act, "memory") == 0) /* asked for as the program's small things are */
    memset(shk_allocate(1, (size_t)1 << 24), 1, (size_t)1 << 24);
  while (strcmp(act, "any-memory") == 0) /* by what does not look at what it gets */
    memset(malloc((size_t)1 << 24), 1, (size_t)1 << 24);
  if (strcmp(act, "fragile") == 0 && bound_here > 0) /* crashes behind others only */
    abort();
  if (strcmp(act, "mute") == 0)
    _exit(0);
  if (strcmp(act, "print") == 0) {
    printf("it speaks"); /* into a buffer */
    fprintf(stderr, "!");
  }
}

static int step_misfit(void *bound, double h, struct shakedown_error *error)
{
  const struct misfit *const self = bound;
  if (self->from->t < 1e-9)
    misbehave(self->act);
  memcpy(self->to->q, self->from->q, (size_t)self->from->n * sizeof(double));
  memcpy(self->to->p, self->from->p, (size_t)self->from->n * sizeof(double));
  return SHAKEDOWN_CODE_OK;
}

static void unbind_misfit(void *bound)
{
  bound_here++;
  free(bound);
}

static struct shakedown *session_with_misfit(void)
{
  static const struct shakedown_method misfit = {.struct_size = sizeof misfit,
                                                 .name = "misfit",
                                                 .bind = bind_misfit,
                                                 .step = step_misfit,
                                                 .unbind = unbind_misfit,
                                                 .options = "act=well\nnumber=0"};
  struct shakedown_error error = {0};
  struct shakedown *const session = shakedown_open(&error);
  if (!session || shakedown_add_method(session, &misfit, &error) != SHAKEDOWN_CODE_OK)
    abort();
  return session;
}

/* ---- the schedule ---- */

static const char study_text[] = "study: shared\n"
                                 "runs:\n"
                                 "- problems: [pendulum]\n"
                                 "  integrators: [%s]\n"
                                 "  steps: [0.1]\n"
                                 "  until: 1\n"
                                 "  measures: [energy]\n"
                                 "  limits: {seconds: %s, memory: 256MiB}\n";

static bool is_well(const struct shk_record *record, int number)
{
  const bool well = shk_record_finished(record) && !record->output;
  if (!well)
    tap_diag("cell %d: %s, '%s'", number, shk_record_status(record),
             record && record->output ? record->output : "");
  return well;
}

/* Checks the records: the cell in the middle ended so, and no other has noticed. */
static void check_records(struct shk_records *records, const char *act, enum shk_end end,
                          int detail)
{
  int well = 0;
  for (int i = 0; i < CELLS; i++) {
    const struct shk_record *const record = records->take(records, i, 0);
    well += i != MIDDLE && is_well(record, i);
    if (i == MIDDLE && record) {
      tap_ok(record->end == end && record->end_detail == detail, "a cell whose act is %s: %s (%d)",
             act, shk_end_names[record->end], record->end_detail);
      tap_is_text(record->output ? record->output : "",
                  strcmp(act, "print") == 0 ? "!it speaks" : "", "... with its output");
    }
    records->put_back(records, i);
  }
  tap_is_int(well, CELLS - 1, "... and none of the others has noticed");
}

/* Plans the cells, the one in the middle with an act, and runs them by one worker. */
static void run_cells(struct shakedown *session, const char *act, enum shk_end end, int detail)
{
  struct shk_message error = {""};
  struct shk_schedule_result result = {0};
  TEXT cells = shk_copy_text("");
  for (int i = 0; i < CELLS; i++)
    shk_append_text(&cells, "%s'misfit(act=%s,number=%d)'", i > 0 ? ", " : "",
                    i == MIDDLE ? act : "well", i);
  TEXT text = shk_print_text(study_text, cells, strcmp(act, "loop") == 0 ? "0.5" : "30");
  struct shk_study *const study =
      shk_study_parse(&session->context, text, strlen(text), "s.yaml", &error);
  struct shk_plan *const plan = study ? shk_plan_make(study, &error) : NULL;
  struct shk_store *const store = shk_store_open(NULL, SHK_STORE_WRITE, &error);
  const struct shk_schedule_options options = {
      .jobs = 1, .setup = {&session->context, NULL, 0}, .quiet = true, .untimed = true};
  struct shk_records *records = NULL;
  if (plan && store && shk_store_add_study(store, "shared", "s.yaml", text, &error) &&
      shk_schedule(plan, store, &options, &result, &error))
    records = shk_plan_open_records(store, plan, false, &error);
  tap_ok(records && result.planned == CELLS && result.left == 0, "%s: all cells have a record %s",
         act, error.text);
  if (records) {
    check_records(records, act, end, detail);
    shk_stored_records_close(records);
  }
  shk_plan_free(plan);
  shk_study_free(study);
  shk_store_close(store, &error);
}

/* Quick cells with long lists of sample times and large records are sent ahead: requests of a
 * batch and answers to it are each larger than a pipe, and neither side may wait for the other. */
static void run_wide(struct shakedown *session)
{
  enum { MANY = 160 };
  static const char wide[] = "study: wide\n"
                             "runs:\n"
                             "- problems: [chain]\n"
                             "  integrators: [%s]\n"
                             "  steps: [0.001]\n"
                             "  until: 1\n"
                             "  times: {even: 1000}\n"
                             "  measures: [energy]\n"
                             "  limits: {seconds: 30}\n";
  struct shk_message error = {""};
  struct shk_schedule_result result = {0};
  TEXT cells = shk_copy_text("");
  for (int i = 0; i < MANY; i++)
    shk_append_text(&cells, "%s'misfit(number=%d)'", i > 0 ? ", " : "", i);
  TEXT text = shk_print_text(wide, cells);
  struct shk_study *const study =
      shk_study_parse(&session->context, text, strlen(text), "w.yaml", &error);
  struct shk_plan *const plan = study ? shk_plan_make(study, &error) : NULL;
  struct shk_store *const store = shk_store_open(NULL, SHK_STORE_WRITE, &error);
  const struct shk_schedule_options options = {.jobs = 1,
                                               .setup = {&session->context, NULL, 0},
                                               .quiet = true,
                                               .untimed = true,
                                               .seconds = 60};
  const bool ok = plan && store && shk_store_add_study(store, "wide", "w.yaml", text, &error) &&
                  shk_schedule(plan, store, &options, &result, &error);
  tap_ok(ok && result.planned == MANY && result.left == 0,
         "requests and answers larger than a pipe: %d cells left %s", result.left, error.text);
  shk_plan_free(plan);
  shk_study_free(study);
  shk_store_close(store, &error);
}

int main(int argc, char **argv)
{
  struct shakedown *const session = session_with_misfit();
  int status = 0;
  if (argc > 1 && strcmp(argv[1], "worker") == 0) {
    status = shk_work(&session->context, &(struct shk_work_options){0});
  } else {
    run_cells(session, "well", SHK_END_FINISHED, 0);
#if !defined(__SANITIZE_ADDRESS__) /* which turns these into exits of its own */
    run_cells(session, "memory", SHK_END_OUT_OF_MEMORY, 0);
    run_cells(session, "any-memory", SHK_END_OUT_OF_MEMORY, 0);
#endif
    run_cells(session, "abort", SHK_END_CRASHED, SIGABRT);
    run_cells(session, "loop", SHK_END_TIMED_OUT, 0);
    run_cells(session, "mute", SHK_END_EXITED, 0);
    run_cells(session, "fragile", SHK_END_FINISHED, 0);
    run_cells(session, "print", SHK_END_FINISHED, 0);
    run_wide(session);
    status = tap_done();
  }
  shakedown_close(session);
  return status;
}
