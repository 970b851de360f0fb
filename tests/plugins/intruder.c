/*
 * A plug-in for the tests of cells: an integrator that reaches out of its cell on purpose, in its
 * third step, to the scheduler, other processes or files, or leaves its process other than it found it.
 * Otherwise it moves as symplectic Euler would without constraints.
 *
 * SHAKEDOWN_INTRUDED names the file that it attacks; SHAKEDOWN_INTRUDER what its constructor does.
 */
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <netinet/in.h>
#include <shakedown/plugin.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum act {
  REST,
  STOP_COPY,
  TRACE_SCHEDULER,
  STOP_SCHEDULER,
  STOP_ITSELF,
  UNLINK,
  OVERWRITE,
  WRITE_HERE,
  WRITE_TEMPORARY,
  ROUND,
  FLUSH,
  LOCALE,
  HANDLER,
  START,
  READ,
  CONNECT,
  EXECUTE,
  PERMIT
};

struct intruder {
  struct shk_evaluator *evaluator;
  int n, m;
  int act, steps;
};

/* A process that this one has made without knowing: the copy of it that waits. 0: there is none. */
static pid_t copy_of_this(void)
{
  char path[64];
  int child = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "re");
  if (!file || fscanf(file, "%d", &child) != 1)
    child = 0;
  if (file)
    fclose(file);
  return child;
}

static void write_to(const char *path, int flags)
{
  const int file = path ? open(path, O_WRONLY | O_CLOEXEC | flags, 0644) : -1;
  if (file < 0 || write(file, "overwritten", 11) != 11)
    puts("could not write");
  if (file >= 0)
    close(file);
}

static void write_temporary(void)
{
  char path[4096];
  const char *folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/intruder", folder ? folder : "/tmp");
  write_to(path, O_CREAT);
}

static void flush_to_zero(void)
{
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
  unsigned long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  control |= 1UL << 24;
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
}

static void report(const char *what, bool done)
{
  printf("%s%s\n", done ? "" : "not ", what);
}

/* True if whoever listens at SHAKEDOWN_INTRUDED_PORT of this machine can be reached. */
static int connected(void)
{
  const char *const port = getenv("SHAKEDOWN_INTRUDED_PORT");
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)atoi(port ? port : "0")),
                                 .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return line >= 0 && connect(line, (const struct sockaddr *)&to, sizeof to) == 0;
}

static void reach_out(int act)
{
  const char *const target = getenv("SHAKEDOWN_INTRUDED");
  switch (act) {
  case STOP_COPY:
    kill(copy_of_this(), SIGSTOP);
    break;
  case TRACE_SCHEDULER:
    if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0)
      ptrace(PTRACE_INTERRUPT, getppid(), NULL, NULL);
    pause();
    break;
  case STOP_SCHEDULER:
    kill(getppid(), SIGSTOP);
    break;
  case STOP_ITSELF:
    raise(SIGSTOP);
    break;
  case UNLINK:
    if (target && unlink(target))
      puts("could not unlink");
    break;
  case OVERWRITE:
    write_to(target, O_TRUNC);
    break;
  case WRITE_HERE:
    write_to("intruder.txt", O_CREAT);
    break;
  case WRITE_TEMPORARY:
    write_temporary();
    break;
  case ROUND:
    fesetround(FE_UPWARD);
    break;
  case FLUSH:
    flush_to_zero();
    break;
  case LOCALE:
    setlocale(LC_ALL, "C.UTF-8");
    break;
  case READ:
    report("read", target && open(target, O_RDONLY | O_CLOEXEC) >= 0);
    break;
  case CONNECT:
    report("connected", connected());
    break;
  case EXECUTE:
    report("executed", system("exit 7") >> 8 == 7);
    break;
  case PERMIT:
    report("permitted", target && chmod(target, 0777) == 0);
    break;
  case HANDLER:
    signal(SIGFPE, SIG_IGN);
    break;
  default:
    break;
  }
}

static struct shk_status intruder_step(void *method, struct shk_state *to,
                                       const struct shk_state *from, real h)
{
  struct intruder *it = method;
  for (int i = 0; i < to->n; i++) {
    to->p[i] = from->p[i];
    to->q[i] = from->q[i] + h * from->p[i] / 3;
  }
  memset(to->lambda, 0, (size_t)to->m * sizeof(real));
  memset(to->mu, 0, (size_t)to->m * sizeof(real));
  memset(to->q_carry, 0, (size_t)to->n * sizeof(real));
  memset(to->p_carry, 0, (size_t)to->n * sizeof(real));
  if (++it->steps == 3)
    reach_out(it->act);
  if (it->act == START && it->steps >= 3)
    ((real *)from->p)[0] += h / 16;
  return shk_ok();
}

static const struct shk_choice acts[] = {
    {.name = "rest", .meaning = "nothing"},
    {.name = "stop-copy", .meaning = "stops the copy of its process that waits"},
    {.name = "trace-scheduler", .meaning = "stops its parent as a debugger does"},
    {.name = "stop-scheduler", .meaning = "stops its parent"},
    {.name = "stop-itself", .meaning = "stops its own process"},
    {.name = "unlink", .meaning = "removes the file that it attacks"},
    {.name = "overwrite", .meaning = "overwrites it"},
    {.name = "write-here", .meaning = "writes a file into the working directory"},
    {.name = "write-temporary", .meaning = "writes a file where temporary files belong"},
    {.name = "round", .meaning = "rounds upwards from then on"},
    {.name = "flush", .meaning = "flushes small numbers to zero"},
    {.name = "locale", .meaning = "sets another locale"},
    {.name = "handler", .meaning = "ignores a signal"},
    {.name = "start", .meaning = "writes the state that it was given"},
    {.name = "read", .meaning = "reads the file that it attacks"},
    {.name = "connect", .meaning = "makes a socket"},
    {.name = "execute", .meaning = "runs a shell"},
    {.name = "permit", .meaning = "changes who may write the file"},
    {0},
};

static const struct shk_option options[] = {
    SHK_CHOICE(intruder, act, "act", acts, "rest", "what it does in its third step",
               .positional = true),
    {0},
};

static const struct shk_integrator intruder = {
    SHK_INTEGRATOR(intruder, NULL, NULL, intruder_step, NULL),
    .info = {.name = "intruder",
             .summary = "reaches out of its cell on purpose",
             .options = options,
             .supports = SHK_RHEONOMIC | SHK_FORCES}};

SHK_PROVIDE(intruder, .integrators = SHK_INTEGRATORS(&intruder));

/* In the object of one precision only. */
__attribute__((constructor)) static void construct(void)
{
  const char *const what = getenv("SHAKEDOWN_INTRUDER");
  if (what && strcmp(what, "loop") == 0)
    for (;;)
      usleep(100000);
  if (what && strcmp(what, "crash") == 0)
    raise(SIGSEGV);
  if (what && strcmp(what, "leave") == 0)
    _exit(0);
  if (what && strcmp(what, "stop") == 0)
    raise(SIGSTOP);
  if (what && strcmp(what, "read") == 0) {
    const int file = open(getenv("SHAKEDOWN_INTRUDED"), O_RDONLY | O_CLOEXEC);
    fprintf(stderr, "constructor: %sread\n", file < 0 ? "not " : "");
    close(file);
  }
  if (what && strcmp(what, "unlink") == 0 && getenv("SHAKEDOWN_INTRUDED"))
    unlink(getenv("SHAKEDOWN_INTRUDED"));
}
