/* A worker process. See work.h. */
#include "harness/run/work.h"

#include "engine/names.h"
#include "engine/surface/handle.h"
#include "foundation/clock.h"
#include "foundation/memory.h"
#include "foundation/probe.h"
#include "foundation/processes/environment.h"
#include "foundation/processes/sandbox.h"
#include "foundation/processes/subprocess.h"
#include "harness/run/requests.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not NULL if the program was built with the address sanitizer, whose shadow memory occupies
 * terabytes of address space. */
extern void __asan_init(void) __attribute__((weak));

struct work {
  /* the original standard input and output, which have been moved to descriptors that user code is
   * unlikely to find */
  int requests, answers;
  struct shk_inbox inbox;
  struct shk_context context; /* contains the plug-ins */
  bool once, guard;
  bool serves;                  /* true once this process has begun to serve its first request */
  struct shk_settings settings; /* process settings before the first request */
  struct rlimit memory;         /* the memory limit with which this process was started */
};

/* Used by signal handlers and by shk_out_of_memory, which take no arguments. */
static int notices = -1;
static size_t limit_bytes; /* the memory limit of the request, in bytes; 0 means no limit */

/* The probe of the current request (foundation/probe.h): the clock and processor times at its
 * start, in seconds, and the number of steps since then. */
static struct {
  double clock, processor;
  int steps, request;
} probe;

static void tell_seconds(enum shk_notice_kind kind, int value, double seconds)
{
  const struct shk_notice notice = {kind, value, seconds};
  const ssize_t written = write(notices, &notice, sizeof notice);
  (void)written;
}

static void tell(enum shk_notice_kind kind, int value)
{
  tell_seconds(kind, value, 0);
}

/* ---- limits of a request ---- */

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin_probe(void)
{
  probe.clock = shk_seconds();
  probe.processor = processor_seconds();
  probe.steps = 0;
}

/* Predicts the run time from the first steps. Because the parent is waiting, a prediction is also
 * made after each step that ends at least a second after the start. The prediction uses elapsed
 * time as well as processor time, because a method may run in another process. */
static void note_step(double part)
{
  const double a_while = 1;
  if (part == 0)
    begin_probe();
  if (part == 0 || ++probe.steps > SHK_PROBE_STEPS)
    return;
  const double spent = fmax(shk_seconds() - probe.clock, processor_seconds() - probe.processor);
  if (probe.steps == SHK_PROBE_STEPS || part >= 1 || (spent > a_while && !isnan(part)))
    tell_seconds(SHK_NOTICE_PROBED, probe.request, isnan(part) ? -1 : spent / part);
}

static void end_without_memory(void)
{
  tell(SHK_NOTICE_NO_MEMORY, 0);
  _exit(1); /* terminates only the process that serves the request, not the program */
}

/* Returns the number of bytes of address space in use, or 0 if it is unknown. */
static size_t address_space(void)
{
  unsigned long pages = 0;
  FILE *const file = fopen("/proc/self/statm", "re");
  if (file && fscanf(file, "%lu", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Handles a crash. Code that does not check the result of malloc crashes when an allocation fails.
 * A crash is therefore recorded as out of memory if less than a quarter of the limit was left. */
static void note_crash(int number)
{
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (limit_bytes && mmap(NULL, limit_bytes / 4, PROT_NONE, kind, -1, 0) == MAP_FAILED)
    tell(SHK_NOTICE_NO_MEMORY, 0);
  shk_environment_show();
  signal(number, SIG_DFL);
  raise(number);
}

/* Sets a resource's soft limit to `value`, or restores the limit `given` if that is lower. */
static void set_limit(int resource, struct rlimit given, rlim_t value)
{
  if (given.rlim_cur > value)
    given.rlim_cur = value;
  setrlimit(resource, &given);
}

static void limit_memory(const struct work *work, double megabytes)
{
  limit_bytes = __asan_init ? 0 : (size_t)(megabytes * 1048576.0);
  set_limit(RLIMIT_AS, work->memory, limit_bytes ? address_space() + limit_bytes : RLIM_INFINITY);
}

/* Limits the user's processes and threads to the current number plus a thousand. This helps if the
 * parent, on a busy machine, counts the processes of a cell too late. The limit has no effect for
 * root. */
static void limit_processes(void)
{
  enum { MORE = 1024 };
  rlim_t count = MORE;
  struct rlimit given;
  DIR *const processes = geteuid() != 0 ? opendir("/proc") : NULL;
  for (struct dirent *one; processes && (one = readdir(processes));) {
    struct stat owner;
    char path[64];
    if (one->d_name[0] < '1' || one->d_name[0] > '9')
      continue;
    snprintf(path, sizeof path, "/proc/%.20s/task", one->d_name);
    if (stat(path, &owner) == 0 && owner.st_uid == getuid())
      /* each thread has its own working directory */
      count += owner.st_nlink > 2 ? owner.st_nlink - 2 : 1;
  }
  if (processes && getrlimit(RLIMIT_NPROC, &given) == 0)
    set_limit(RLIMIT_NPROC, given, count);
  if (processes)
    closedir(processes);
}

static void handle_crashes(void)
{
  static char stack[65536];
  static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  const struct sigaction action = {.sa_handler = note_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  if (__asan_init)
    return;
  sigaltstack(&alternative, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    sigaction(signals[i], &action, NULL);
}

/* ---- serving ---- */

static bool send_answer(const struct work *work, void *owned, size_t size)
{
  fflush(NULL); /* this ensures that printed text arrives before the answer */
  const bool ok = shk_write_all(work->answers, owned, size);
  free(owned);
  return ok;
}

/* Runs a cell and returns its record in serialized form. A cell that has its own process must not
 * change the settings of that process. */
static void *run_cell(const struct work *work, const struct shk_context *context,
                      const struct shk_cell *cell, bool alone, size_t *size)
{
  struct shk_record record = {0};
  struct shk_outcome *const outcome = &record.outcome;
  struct shk_message error;
  const struct shk_engine *const engine = shk_engine_named(cell->precision, &error);
  if (engine) {
    engine->run(context, outcome, cell);
    const char *const change = alone ? shk_settings_change(&work->settings) : NULL;
    if (change && outcome->code == SHK_OK) {
      outcome->code = SHK_STOPPED;
      snprintf(outcome->reason, sizeof outcome->reason, "at the end of the cell %s", change);
    }
  } else {
    outcome->code = SHK_BAD_INPUT;
    shk_text_fit(outcome->reason, sizeof outcome->reason, error.text);
  }
  if (outcome->code == SHK_NO_MEMORY)
    shk_out_of_memory(); /* a cell that reports this itself has no result either */
  void *const bytes = shk_record_bytes(&record, size);
  shk_record_clear(&record);
  return bytes;
}

/* Returns the names of the joint columns as CSV fields, each after a comma, or NULL if there are
 * none. */
static char *joint_names(const struct shk_engine *engine, const struct shakedown_run *run)
{
  char *names = NULL, *name;
  for (int i = 0; (name = engine->held->run_column_name(run, i)); i++) {
    shk_append_text(&names, strpbrk(name, ",\"\n\r") ? ",\"" : ",");
    for (const char *at = name; *at; at++)
      shk_append_text(&names, *at == '"' ? "\"\"" : "%c", *at);
    shk_append_text(&names, strpbrk(name, ",\"\n\r") ? "\"" : "");
    free(name);
  }
  return names;
}

static void *row_bytes(struct shk_row *row, size_t *size)
{
  struct shk_stream s = shk_reply_begin(NULL);
  shk_pass_row(&s, row);
  *size = shk_frame_end(&s);
  return s.bytes;
}

/* Integrates and sends each row immediately, so that earlier rows are not lost if a step
 * crashes. */
static void *run_trajectory(const struct work *work, const struct shk_context *context,
                            const struct shk_cell *cell, const struct shk_request *request,
                            size_t *size)
{
  struct shk_message error;
  struct shakedown_error failure = {0};
  struct shk_row end = {.reached = NAN};
  const struct shk_engine *const engine = shk_engine_named(cell->precision, &error);
  struct shakedown_run *const run = engine->held->run_begin(context, cell, &failure);
  const struct shakedown_sizes *const sizes =
      run ? &((const struct shakedown_problem *)run)->sizes : NULL;
  struct shk_row row = {.n = sizes ? sizes->n : 0, .m = sizes ? sizes->m : 0};
  for (long left = request->rows.steps, next;
       run && (row.text = engine->held->run_row_text(run, request->rows.of_state, &failure));
       left -= next) {
    size_t length;
    row.names = left == request->rows.steps ? joint_names(engine, run) : NULL;
    void *const bytes = row_bytes(&row, &length);
    free(row.names);
    free(row.text);
    if (!send_answer(work, bytes, length))
      _exit(1); /* no process is reading the rows any longer */
    next = left < request->rows.every ? left : request->rows.every;
    if (next == 0 || engine->held->run_steps(run, next, &failure) != SHK_OK)
      break;
  }
  end.code = (enum shk_code)failure.code;
  end.reason = failure.text;
  if (run) {
    engine->held->run_state(run, &end.reached, NULL, NULL, NULL, NULL);
    end.reached -= sizes->initial_time;
    engine->held->run_close(run);
  }
  return row_bytes(&end, size);
}

static bool serve(const struct work *work, const struct shk_request *request)
{
  struct shk_context context = work->context;
  struct shk_cell cell = {0};
  struct shk_message fault;
  size_t size;
  void *answer;
  context.access.folder = request->folder; /* file names are relative to this folder */
  context.untimed = request->untimed;
  context.trial = request->trial;
  context.known = request->known;
  limit_memory(work, request->megabytes);
  probe.request++;
  begin_probe();
  if (request->cell && !shk_cell_read(&cell, request->cell, &fault)) {
    answer = shk_error_reply(fault.text, &size);
  } else if (request->cell) {
    if (request->step_count == cell.time_count)
      cell.step_counts = request->step_counts;
    answer = request->rows.every > 0 ? run_trajectory(work, &context, &cell, request, &size)
                                     : run_cell(work, &context, &cell, request->alone, &size);
    cell.step_counts = NULL;
  } else {
    answer = shk_answer(&context, &request->query, &size);
  }
  shk_cell_clear(&cell);
  return send_answer(work, answer, size);
}

/* ---- processes ---- */

/* Waits until the process that created this one has ended. This process receives no notice of
 * that. */
static void await_parent(pid_t parent)
{
  int end = pidfd_open(parent, 0);
  while (getppid() == parent)
    poll(&(struct pollfd){end, POLLIN, 0}, 1, end >= 0 ? 1000 : 2);
  shk_close(&end);
}

/* Forks a copy of this process. In the copy, returns true when it is the copy's turn to serve
 * requests. */
static bool leave_copy(struct work *work)
{
  const pid_t here = getpid(), copy = fork();
  if (copy > 0) {
    setpgid(copy, copy);
    tell(SHK_NOTICE_NEXT, copy);
  }
  if (copy != 0)
    return false; /* if fork fails, the process continues without a copy */
  setpgid(0, 0);
  await_parent(here);
  work->inbox.length = 0;
  return true;
}

/* Creates a process for a request and waits for it to end. In the new process, returns false. Any
 * processes that it leaves behind are adopted by this process and killed. */
static bool guard_process(void)
{
  static pid_t found[4096];
  const pid_t cell = fork();
  int status = 0;
  if (cell == 0)
    return false;
  setpgid(cell, cell);
  tell(SHK_NOTICE_CELL, cell);
  while (cell > 0 && waitpid(cell, &status, 0) < 0 && errno == EINTR)
    continue;
  for (int count; (count = shk_children(getpid(), found, 4096)) > 0;)
    for (int i = 0; i < count; i++) {
      kill(found[i], SIGKILL);
      shk_child_wait(found[i]);
    }
  tell(SHK_NOTICE_STATUS, cell > 0 ? status : 256);
  return true;
}

/* Prepares a process for its first request. Gives up everything that plug-ins could misuse: access
 * to the requests, to files and to other processes. */
static void enter(struct work *work, bool alone)
{
  struct pollfd parent = {work->requests, 0, 0};
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (poll(&parent, 1, 0) > 0)
    _exit(1); /* the parent's end of the pipe is closed, so the parent has already ended */
  prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
  prctl(PR_SET_NAME, "shk-cell");
  work->serves = true;
  if (alone)
    shk_close(&work->requests);
  shk_write_protect(getenv("TMPDIR"));
  handle_crashes();
  shk_out_of_memory = end_without_memory;
  shk_step_done = note_step;
  shk_settings_note(&work->settings);
}

/* Reads the next request. Returns false if there are no more. */
static bool read_request(struct work *work, struct shk_request *request)
{
  size_t size;
  char *bytes;
  while (!(bytes = shk_inbox_take(&work->inbox, &size))) {
    const ssize_t count = shk_inbox_read(&work->inbox, work->requests);
    if (count == 0 || (count < 0 && errno != EINTR))
      return false;
  }
  const bool ok = shk_request_read(request, bytes, size);
  free(bytes);
  if (!ok)
    shk_arena_clear(&request->arena);
  return ok;
}

static int serve_requests(struct work *work)
{
  struct shk_request request;
  bool ok = true;
  while (ok && read_request(work, &request)) {
    const bool waits = !work->serves && (work->guard                    ? guard_process()
                                         : work->once || !request.alone ? false
                                                                        : leave_copy(work));
    if (!waits) {
      if (!work->serves)
        enter(work, request.alone);
      ok = serve(work, &request);
      if (request.alone)
        _exit(ok ? 0 : 1);
    }
    shk_arena_clear(&request.arena);
  }
  return ok ? 0 : 3;
}

/* ---- startup ---- */

/* Moves the pipes to descriptors that plug-ins are unlikely to guess. Makes standard input empty
 * and redirects standard output to standard error, so that printed text is not mistaken for an
 * answer. */
static bool take_descriptors(struct work *work)
{
  work->requests = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 200);
  work->answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 200);
  notices = fcntl(STDERR_FILENO + 1, F_DUPFD_CLOEXEC, 200);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (work->requests < 0 || work->answers < 0 || notices < 0 || nothing < 0)
    return false;
  dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  close(STDERR_FILENO + 1);
  if (nothing != STDERR_FILENO + 1)
    shk_close(&nothing);
  /* this ensures that the last line printed before a crash is not lost */
  setvbuf(stdout, NULL, _IOLBF, 0);
  return true;
}

/* Passes the items that a plug-in has added to the context since its state `before`. */
static void offer(struct shk_stream *s, const struct shk_context *context,
                  const struct shk_context *before, int plugin)
{
  for (int k = 0; k < SHK_OFFERED_KINDS; k++) {
    struct shk_offer offer = {.kind = shk_offered_kinds[k], .plugin = plugin};
    for (int i = 0; (offer.item = shk_engine_item(context, offer.kind, i)).name != NULL; i++)
      if (!shk_is_known(before, offer.kind, offer.item.name))
        shk_pass_offer(s, &offer);
  }
}

/* Loads every plug-in in every precision, then sends the worker's first answer. */
static int load_plugins(struct work *work, const struct shk_work_options *options)
{
  struct shk_message error;
  struct shk_stream s = shk_reply_begin(NULL);
  size_t size;
  for (int i = 0; i < options->plugin_count; i++) {
    const struct shk_context before = work->context;
    for (int j = 0; shk_engines[j]; j++)
      if (!shk_engines[j]->load_plugin(&work->context, options->plugins[i], &error)) {
        free(s.bytes);
        void *const reply = shk_error_reply(error.text, &size);
        send_answer(work, reply, size);
        return 2;
      }
    offer(&s, &work->context, &before, i);
  }
  size = shk_frame_end(&s);
  return send_answer(work, s.bytes, size) ? 0 : 3;
}

int shk_work(const struct shk_context *context, const struct shk_work_options *options)
{
  /* The function `system` sets and restores the last two signals. If they were not set here, this
   * would look like a change. */
  static const int set_here[] = {SIGXFSZ, SIGTERM, SIGHUP, SIGINT, SIGQUIT};
  struct work work = {.context = *context, .once = options->once, .guard = options->guard};
  work.context.remote = NULL;
  prctl(PR_SET_NAME, "shk-worker");
  signal(SIGPIPE, SIG_IGN);
  for (size_t i = 0; i < sizeof set_here / sizeof set_here[0]; i++)
    signal(set_here[i], SIG_DFL);
  if (!take_descriptors(&work)) {
    fprintf(stderr, "shakedown: a worker cannot receive its descriptors: %s\n", strerror(errno));
    return 3;
  }
  setrlimit(RLIMIT_CORE, &(struct rlimit){0});
  getrlimit(RLIMIT_AS, &work.memory);
  if (options->plugin_count > 0 || context->access.programs)
    limit_processes();
  if (work.guard) {
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
    tell(SHK_NOTICE_HELD, getpid());
  }
  /* This must happen before plug-ins are loaded, because their constructors run in this process. */
  if (!shk_write_protect(getenv("TMPDIR")))
    /* without a fence, the user's other cells could otherwise trace this process */
    prctl(PR_SET_DUMPABLE, 0);
  int status = load_plugins(&work, options);
  if (status == 0)
    status = serve_requests(&work);
  free(work.inbox.buffer);
  return status;
}

int shk_work_as_told(int count, char **words)
{
  struct shk_context context = {0};
  struct shk_text_list plugins = {0};
  struct shk_work_options options = {0};
  for (int i = 1; i < count; i++) {
    const char *const word = words[i];
    if (strcmp(word, "--plugin") == 0 && i + 1 < count)
      shk_list_text(&plugins, words[++i]);
    context.access.programs = context.access.programs || strcmp(word, "--allow-external") == 0;
    options.once = options.once || strcmp(word, "--once") == 0;
  }
  options.plugins = (const char *const *)plugins.all;
  options.plugin_count = plugins.count;
  const int status = shk_work(&context, &options);
  shk_list_clear(&plugins);
  return status;
}
