/*
 * The worker process. See worker.h.
 */
#include "harness/run/worker.h"
#include "engine/context.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/confinement.h"
#include "foundation/processes/fence.h"
#include "foundation/processes/subprocess.h"
#include "foundation/processes/surroundings.h"
#include "harness/run/lines.h"
#include "harness/run/remote_descriptors.h"
#include "harness/run/sandbox.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include "results/record/wire_scene.h"
#include "results/record/wire_text.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const double question_seconds = 60, question_megabytes = 4096;

struct worker {
  int in, out;
  struct shk_lines lines; /* requests that have arrived */
  char *next;             /* one that was looked at, and is to be served */
  char *temporary; /* the folder for temporary files of a cell, empty before each; NULL: none */
  struct shk_context context; /* of the process, with its plug-ins */
  int plugin_count;
  struct loaded {
    int problems, integrators, solvers; /* how many the engine knew before this plug-in */
  } * loaded;
};

static json_t *error_json(const char *text)
{
  json_t *json = shk_wire_had(json_object());
  shk_wire_set_text(json, "error", text);
  return json;
}

static char *error_line(const char *text)
{
  return shk_wire_line(error_json(text));
}

/* Sends one line, which it takes over. */
static bool answer(const struct worker *worker, char *owned)
{
  const bool ok = shk_write_all(worker->out, owned, strlen(owned));
  free(owned);
  return ok;
}

/* The next request; NULL at their end, or if none has arrived and it need not `wait`. */
static char *take_request(struct worker *worker, bool wait)
{
  char *line = worker->next;
  worker->next = NULL;
  while (!line && !(line = shk_lines_take(&worker->lines))) {
    struct pollfd watch = {worker->in, POLLIN, 0};
    if (!wait && poll(&watch, 1, 0) <= 0)
      return NULL;
    const ssize_t count = shk_lines_read(&worker->lines, worker->in);
    if (count == 0 || (count < 0 && errno != EINTR))
      return shk_lines_rest(&worker->lines);
  }
  return line;
}

/* What the specifications of a request are read in: files are found from the folder that it
 * names. */
static struct shk_context context_of(const struct worker *worker, const json_t *request)
{
  struct shk_context context = worker->context;
  context.access.folder = json_string_value(json_object_get(request, "folder"));
  context.untimed = json_is_true(json_object_get(request, "untimed"));
  return context;
}

/* ---- cells ---- */

/* Cells that run one after the other. */
enum { MOST_CELLS = 16 };
struct cells {
  const struct worker *worker;
  bool inside; /* in their process: what they must not touch is out of its reach */
  bool ok;     /* their answers find a reader */
  int count;
  struct one_cell {
    json_t *request; /* whose folder is the context's */
    struct shk_context context;
    struct shk_cell cell;
    struct shk_limits limits; /* the same for all */
  } all[MOST_CELLS];
};

/* The protocol is none of a plug-in's business, nor are files outside of this folder, nor other
 * processes. */
static void go_inside(const struct worker *worker)
{
  close(worker->in);
  close(worker->out);
  shk_fence_in(worker->temporary);
}

static void write_line(int descriptor, char *line)
{
  if (!shk_write_all(descriptor, line, strlen(line)))
    fputs("shakedown: the answer could not be written\n", stderr);
  free(line);
}

static void run_cell(void *user, int number, int descriptor)
{
  struct cells *const cells = user;
  const struct shk_cell *const cell = &cells->all[number].cell;
  if (!cells->inside)
    go_inside(cells->worker);
  cells->inside = true;
  bool leaves_changes = false;
  struct shk_outcome outcome = {0};
  struct shk_message error;
  const struct shk_engine *engine = shk_engine_named(cell->precision, &error);
  if (engine) {
    struct shk_settings settings;
    shk_settings_note(&settings);
    engine->run(&cells->all[number].context, &outcome, cell);
    const char *const change = shk_settings_change(&settings);
    leaves_changes = change != NULL;
    if (change && outcome.code == SHK_OK) {
      outcome.code = SHK_STOPPED;
      snprintf(outcome.reason, sizeof outcome.reason, "at the end of the cell %s", change);
    }
  } else {
    outcome.code = SHK_BAD_INPUT;
    snprintf(outcome.reason, sizeof outcome.reason, "%.255s", error.text);
  }
  if (outcome.code == SHK_NO_MEMORY)
    shk_out_of_memory(); /* noticed by the cell itself: no result either */
  struct shk_record record = {.outcome = outcome};
  size_t size;
  char *const bytes = shk_record_bytes(&record, &size);
  if (!shk_write_all(descriptor, bytes, size))
    fputs("shakedown: the answer could not be written\n", stderr);
  free(bytes);
  shk_record_clear(&record);
  if (leaves_changes) {
    fflush(NULL);
    _exit(0); /* those behind it begin as it did */
  }
}

static void not_finished(struct shk_record *record)
{
  record->outcome = (struct shk_outcome){.code = SHK_STOPPED, .reached = NAN};
  shk_record_reason(record->outcome.reason, sizeof record->outcome.reason, record);
}

/* The record of a task that has ended. If a plug-in shared its process, what it has answered need
 * not be one. */
static void make_record(struct shk_record *record, const struct shk_sandbox_result *result,
                        const struct shk_limits *limits)
{
  struct shk_message unused;
  *record = (struct shk_record){0};
  if (result->end == SHK_END_FINISHED &&
      !shk_record_read(record, result->answer, result->answer_length, &unused))
    record->end = SHK_END_EXITED;
  else
    record->end = result->end; /* whatever the task has said */
  record->end_detail = result->end_detail;
  record->output_dropped = result->output_dropped;
  record->seconds = result->seconds;
  record->limit_seconds = limits->seconds;
  record->limit_megabytes = limits->megabytes;
  free(record->output);
  record->output =
      result->output_length > 0 ? shk_utf8_text(result->output, result->output_length) : NULL;
  if (record->end != SHK_END_FINISHED)
    not_finished(record);
}

static void take_cell(void *user, int number, struct shk_sandbox_result *result, bool is_first)
{
  struct cells *const cells = user;
  (void)is_first;
  struct shk_record record;
  make_record(&record, result, &cells->all[number].limits);
  size_t size;
  char *const bytes = shk_record_bytes(&record, &size);
  shk_record_clear(&record);
  shk_scratch_empty(cells->worker->temporary);
  cells->ok = shk_write_all(cells->worker->out, bytes, size) && cells->ok;
  free(bytes);
}

/* Takes the request over; false, with the reason, if it is none. */
static bool add_cell(struct cells *cells, json_t *request, struct shk_message *error)
{
  struct one_cell *const one = &cells->all[cells->count];
  char *text = NULL;
  *one = (struct one_cell){.request = request, .context = context_of(cells->worker, request)};
  const bool ok = shk_wire_get_real(&one->limits.seconds, request, "seconds", error) &&
                  shk_wire_get_real(&one->limits.megabytes, request, "megabytes", error) &&
                  shk_wire_get_text(&text, request, "cell", error) &&
                  shk_cell_read(&one->cell, text ? text : "", error);
  free(text);
  cells->count += ok;
  return ok;
}

/* What is compiled in leaves nothing behind in its process, if it takes fixed steps and starts no
 * program; of plug-ins and other people's solvers nobody knows. */
static bool may_share(const struct worker *worker, const struct shk_cell *cell)
{
  return worker->plugin_count == 0 && !worker->context.access.programs && !cell->tolerance;
}

static bool same_limits(const json_t *a, const json_t *b)
{
  return json_equal(json_object_get(a, "seconds"), json_object_get(b, "seconds")) &&
         json_equal(json_object_get(a, "megabytes"), json_object_get(b, "megabytes"));
}

/* Adds those requests that have arrived and may share a process with the first. */
static void add_others(struct cells *cells, struct worker *worker, const json_t *first)
{
  while (cells->count < MOST_CELLS && (worker->next = take_request(worker, false)) != NULL) {
    struct shk_message error;
    json_t *const request = json_loads(worker->next, JSON_REJECT_DUPLICATES, NULL);
    const bool added = request && json_object_get(request, "cell") && same_limits(request, first) &&
                       add_cell(cells, request, &error);
    struct shk_cell *const cell = added ? &cells->all[cells->count - 1].cell : NULL;
    if (!cell || !may_share(worker, cell)) {
      if (cell) {
        shk_cell_clear(cell);
        cells->count--;
      }
      json_decref(request);
      return;
    }
    free(worker->next);
    worker->next = NULL;
  }
}

/* Takes the request over. False if an answer found no reader. */
static bool serve_cells(struct worker *worker, json_t *request)
{
  struct cells cells = {.worker = worker, .ok = true};
  struct shk_message error;
  if (!add_cell(&cells, request, &error)) {
    json_decref(request);
    return answer(worker, error_line(error.text));
  }
  if (may_share(worker, &cells.all[0].cell))
    add_others(&cells, worker, request);
  if (!shk_sandbox_run_all(run_cell, take_cell, &cells, cells.count, &cells.all[0].limits,
                           worker->out, &error))
    cells.ok = answer(worker, error_line(error.text));
  for (int i = 0; i < cells.count; i++) {
    shk_cell_clear(&cells.all[i].cell);
    json_decref(cells.all[i].request);
  }
  return cells.ok;
}

/* ---- questions about plug-ins ---- */

/* Every descriptor says by `plugin` which plug-in it is from, counted from 0. */
static json_t *describe(const struct worker *worker)
{
  json_t *json = shk_wire_had(json_object());
  json_t *problems = shk_wire_had(json_array()), *integrators = shk_wire_had(json_array());
  json_t *solvers = shk_wire_had(json_array());
  for (int k = 0; k < worker->plugin_count; k++) {
    const struct loaded *from = &worker->loaded[k], *to = from + 1;
    for (int i = from->problems; i < to->problems; i++) {
      json_t *one = shk_wire_problem_info(shk_engine_f64.problem(&worker->context, i));
      shk_wire_set(one, "plugin", json_integer(k));
      shk_wire_append(problems, one);
    }
    for (int i = from->integrators; i < to->integrators; i++) {
      json_t *one = shk_wire_integrator_info(shk_engine_f64.integrator(&worker->context, i));
      shk_wire_set(one, "plugin", json_integer(k));
      shk_wire_append(integrators, one);
    }
    for (int i = from->solvers; i < to->solvers; i++) {
      json_t *one = shk_wire_integrator_info(shk_engine_f64.solver(&worker->context, i));
      shk_wire_set(one, "plugin", json_integer(k));
      shk_wire_append(solvers, one);
    }
  }
  shk_wire_set(json, "problems", problems);
  shk_wire_set(json, "integrators", integrators);
  shk_wire_set(json, "solvers", solvers);
  return json;
}

struct question {
  const struct worker *worker;
  struct shk_context context;
  const struct shk_engine *engine;
  const char *claims, *inspect; /* one of them, or a scene is asked for */
  const json_t *request;
};

static void ask(void *user, int descriptor)
{
  const struct question *question = user;
  go_inside(question->worker);
  struct shk_message error = {""};
  json_t *json = NULL;
  if (question->claims) {
    struct shk_claims claims;
    if (question->engine->claims(&question->context, &claims, question->claims, &error)) {
      json = shk_wire_had(json_object());
      shk_wire_set(json, "claims", shk_wire_claims(&claims));
    }
  } else if (!question->inspect) {
    json_t *scene =
        shk_wire_answer_scene(&question->context, question->engine, question->request, &error);
    if (scene) {
      json = shk_wire_had(json_object());
      shk_wire_set(json, "scene", scene);
    }
  } else {
    struct shk_inspection inspection;
    if (question->engine->inspect(&question->context, &inspection, question->inspect, &error)) {
      json = shk_wire_had(json_object());
      shk_wire_set(json, "inspection", shk_wire_inspection(&inspection));
    }
  }
  write_line(descriptor, json ? shk_wire_line(json) : error_line(error.text));
}

static json_t *question_answer(const struct worker *worker, const json_t *request)
{
  const char *precision = json_string_value(json_object_get(request, "precision"));
  struct shk_message error = {.text = "expected a specification and a precision"};
  struct question question = {
      .worker = worker,
      .context = context_of(worker, request),
      .engine = precision ? shk_engine_named(precision, &error) : NULL,
      .claims = json_string_value(json_object_get(request, "claims")),
      .inspect = json_string_value(json_object_get(request, "inspect")),
      .request = request,
  };
  const char *scene = json_string_value(json_object_get(request, "scene"));
  if (!question.engine || (!question.claims && !question.inspect && !scene))
    return error_json(error.text);
  struct shk_limits limits = {question_seconds, question_megabytes};
  if (json_object_get(request, "seconds") &&
      !shk_wire_get_real(&limits.seconds, request, "seconds", &error))
    return error_json(error.text);
  struct shk_sandbox_result result;
  const bool asked = shk_sandbox_run(&result, ask, &question, &limits, worker->out, &error);
  shk_scratch_empty(worker->temporary);
  if (!asked)
    return error_json(error.text);
  json_t *json = NULL;
  if (result.end == SHK_END_FINISHED)
    json = json_loadb(result.answer, result.answer_length, 0, NULL);
  if (!json) {
    struct shk_record record = {.end = result.end,
                                .end_detail = result.end_detail,
                                .limit_seconds = limits.seconds,
                                .limit_megabytes = limits.megabytes};
    char reason[256];
    shk_record_reason(reason, sizeof reason, &record);
    char *text = shk_print_text("%s: %s",
                                question.claims    ? question.claims
                                : question.inspect ? question.inspect
                                                   : scene,
                                reason[0] ? reason : "the answer does not read");
    json = error_json(text);
    free(text);
  }
  shk_sandbox_clear(&result);
  return json;
}

/* Takes the line over. False if an answer found no reader. */
static bool serve(struct worker *worker, char *line)
{
  json_error_t fault;
  json_t *request = json_loads(line, JSON_REJECT_DUPLICATES, &fault);
  free(line);
  char *says;
  if (!request) {
    char *text = shk_print_text("not a line of JSON: %s", fault.text);
    says = error_line(text);
    free(text);
    return answer(worker, says);
  }
  if (json_object_get(request, "cell"))
    return serve_cells(worker, request);
  if (json_is_true(json_object_get(request, "describe")))
    says = shk_wire_line(describe(worker));
  else if (json_object_get(request, "claims") || json_object_get(request, "inspect") ||
           json_object_get(request, "scene"))
    says = shk_wire_line(question_answer(worker, request));
  else
    says = error_line("expected a member \"cell\", \"describe\", \"claims\", \"inspect\" or "
                      "\"scene\"");
  json_decref(request);
  return answer(worker, says);
}

/* ---- the process ---- */

static void terminated(int number)
{
  shk_sandbox_kill();
  signal(number, SIG_DFL);
  raise(number);
}

/* The protocol moves to descriptors that no plug-in guesses; standard input is empty, and what goes
 * to standard output is not mistaken for an answer. */
static bool take_descriptors(struct worker *worker, int in, int out)
{
  worker->in = fcntl(in, F_DUPFD_CLOEXEC, 100);
  worker->out = fcntl(out, F_DUPFD_CLOEXEC, 100);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (worker->in < 0 || worker->out < 0 || nothing < 0)
    return false;
  dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  if (in > STDERR_FILENO)
    close(in);
  if (out > STDERR_FILENO)
    close(out);
  if (nothing > STDERR_FILENO)
    close(nothing);
  return true;
}

/* Loads every plug-in in every precision; says so or what is wrong. */
static bool load(struct worker *worker, const char *const *plugins, int plugin_count)
{
  worker->plugin_count = plugin_count;
  worker->loaded = shk_allocate((size_t)plugin_count + 1, sizeof *worker->loaded);
  for (int i = 0; i <= plugin_count; i++) {
    worker->loaded[i].problems = shk_engine_f64.problem_count(&worker->context);
    worker->loaded[i].integrators = shk_engine_f64.integrator_count(&worker->context);
    worker->loaded[i].solvers = shk_engine_f64.solver_count(&worker->context);
    if (i == plugin_count)
      break;
    for (int j = 0; shk_engines[j]; j++) {
      struct shk_message error;
      if (!shk_engines[j]->load_plugin(&worker->context, plugins[i], &error)) {
        answer(worker, error_line(error.text));
        return false;
      }
    }
  }
  json_t *ready = shk_wire_had(json_object());
  shk_wire_set_text(ready, "ready", "shakedown");
  shk_wire_set(ready, "protocol", json_integer(SHK_PROTOCOL));
  return answer(worker, shk_wire_line(ready));
}

int shk_worker(const struct shk_context *context, int in, int out, const char *const *plugins,
               int plugin_count)
{
  struct worker worker = {.context = *context};
  signal(SIGTERM, terminated);
  signal(SIGHUP, terminated);
  signal(SIGINT, SIG_IGN); /* Ctrl-C is for the scheduler, which then ends its workers */
  signal(SIGPIPE, SIG_IGN);
  if (!take_descriptors(&worker, in, out)) {
    fprintf(stderr, "shakedown: worker: cannot take its descriptors: %s\n", strerror(errno));
    return 3;
  }
  shk_sandbox_adopt();
  worker.temporary = shk_scratch_make();
  /* Before a plug-in is loaded, whose constructors run here. */
  if (!shk_fence(getenv("TMPDIR")))
    prctl(PR_SET_DUMPABLE, 0); /* then cells of the same user cannot trace it either */
  int status = 2;
  struct shk_message error;
  if (!shk_confine(&context->access, plugins, plugin_count, &error)) {
    answer(&worker, error_line(error.text));
  } else if (load(&worker, plugins, plugin_count)) {
    status = 0;
    for (char *line; status == 0 && (line = take_request(&worker, true)) != NULL;)
      if (!serve(&worker, line))
        status = 3;
    free(worker.next);
    free(worker.lines.buffer);
  }
  close(worker.in);
  close(worker.out);
  shk_scratch_remove(worker.temporary);
  free(worker.temporary);
  free(worker.loaded);
  return status;
}
