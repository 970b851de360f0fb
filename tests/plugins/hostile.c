/*
 * A plug-in for the tests of workers: an integrator that misbehaves on purpose, in its third step, or
 * in its first.
 * Until then, and with act=rest, it stands still. It moves nothing and solves nothing.
 */
#include <pthread.h>
#include <shakedown/plugin.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum act {
  REST,
  CRASH,
  ABORT,
  HANG,
  DEAF,
  PRINT,
  LEAVE,
  KILLED,
  NOT_A_NUMBER,
  MEMORY,
  OFFSPRING,
  DAEMON,
  SCRIBBLE,
  FLOOD,
  BOMB,
  LITTER,
  DESCRIPTORS,
  EVERYWHERE,
  THREAD,
  AT_ONCE
};

struct hostile {
  struct shk_evaluator *evaluator;
  int n, m;
  int act, steps;
};

/* Without an answer from malloc that it looks at, as careless code is. */
static void eat_memory(void)
{
  for (;;) {
    char *piece = malloc(1 << 24);
    memset(piece, 1, 1 << 24);
  }
}

/* Writes into every descriptor but the standard ones, and closes it. */
static void spoil_descriptors(void)
{
  static const char garbage[4096];
  for (int i = 3; i < 1024; i++) {
    const ssize_t written = write(i, garbage, sizeof garbage);
    (void)written;
    close(i);
  }
}

/* Writes over all memory that can be written, its own last. */
static void write_everywhere(void)
{
  static char text[1 << 20];
  FILE *const maps = fopen("/proc/self/maps", "r");
  const size_t length = fread(text, 1, sizeof text - 1, maps);
  text[length] = '\0';
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    unsigned long begin, end;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[1] == 'w' &&
        ((unsigned long)text < begin || (unsigned long)text >= end))
      memset((void *)begin, 0xA5, end - begin);
  }
}

static void *work_on(void *nothing)
{
  for (;;)
    sleep(1000);
  return nothing;
}

static void misbehave(int act)
{
  static bool printed; /* a run may be repeated to measure its time: some do it once */
  switch (act) {
  case CRASH:
    *(volatile int *)(size_t)(act - CRASH) = 1;
    break;
  case ABORT:
    abort();
  case DEAF:
    signal(SIGTERM, SIG_IGN);
    __attribute__((fallthrough));
  case HANG:
    for (volatile int forever = 1; forever;)
      continue;
    break;
  case PRINT:
    if (printed)
      break;
    printed = true;
    for (int i = 0; i < 16384; i++)
      printf("%063d\n", i);
    fputs("\x1b[31m\xff end", stdout);
    break;
  case LEAVE:
    exit(7);
  case KILLED:
    raise(SIGKILL);
    break;
  case MEMORY:
    eat_memory();
    break;
  case OFFSPRING:
    /* A grandchild that holds the pipes open and never ends by itself. */
    if (!printed && fork() == 0) {
      printf("%d\n", (int)getpid());
      fflush(stdout);
      for (;;)
        sleep(1000);
    }
    usleep(100000);
    printed = true;
    break;
  case DAEMON:
    /* Away from its parent, its group and its session; it is known by its name. */
    if (!printed && fork() == 0) {
      setsid();
      if (fork() != 0)
        _exit(0);
      prctl(PR_SET_PDEATHSIG, 0);
      prctl(PR_SET_NAME, "shk-daemon");
      signal(SIGTERM, SIG_IGN);
      for (;;)
        sleep(1000);
    }
    usleep(100000);
    printed = true;
    break;
  case SCRIBBLE: {
    /* Over all of the heap that there is, and on. */
    volatile char *heap = malloc(64);
    for (;;)
      *heap++ = (char)0xA5;
  }
  case LITTER:
    /* Processes that end at once, and for which nobody waits. */
    for (int i = 0; i < 200 && !printed; i++) {
      if (fork() == 0)
        _exit(0);
      usleep(1000);
    }
    usleep(100000);
    printed = true;
    break;
  case DESCRIPTORS:
    spoil_descriptors();
    break;
  case EVERYWHERE:
    write_everywhere();
    break;
  case THREAD: {
    pthread_t thread;
    pthread_create(&thread, NULL, work_on, NULL);
    break;
  }
  case BOMB:
    /* Each process makes others without end: for two seconds, should nobody stop them. */
    prctl(PR_SET_NAME, "shk-bomb");
    for (const time_t until = time(NULL) + 2; time(NULL) <= until;)
      if (fork() == 0)
        prctl(PR_SET_PDEATHSIG, 0);
    _exit(0);
  case FLOOD:
    for (;;)
      puts("a line that never ends to be one of many");
  default:
    break;
  }
}

static struct shk_status hostile_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  struct hostile *it = method;
  (void)h;
  memcpy(to->q, from->q, (size_t)to->n * sizeof(real));
  memcpy(to->p, from->p, (size_t)to->n * sizeof(real));
  memset(to->lambda, 0, (size_t)to->m * sizeof(real));
  memset(to->mu, 0, (size_t)to->m * sizeof(real));
  memset(to->q_carry, 0, (size_t)to->n * sizeof(real));
  memset(to->p_carry, 0, (size_t)to->n * sizeof(real));
  if (++it->steps == (it->act == AT_ONCE ? 1 : 3)) {
    misbehave(it->act == AT_ONCE ? HANG : it->act);
    if (it->act == NOT_A_NUMBER)
      to->q[0] = (to->q[0] - to->q[0]) / (to->q[0] - to->q[0]);
  }
  return shk_ok();
}

static const struct shk_option colours[] = {
    {.name = "depth",
     .kind = SHK_OPTION_REAL,
     .fallback = "0.5",
     .minimum = "0",
     .maximum = "1",
     .positive = true,
     .meaning = "of the colour"},
    {0},
};

static const struct shk_choice acts[] = {
    {.name = "rest", .meaning = "nothing"},
    {.name = "crash", .meaning = "writes through a null pointer"},
    {.name = "abort", .meaning = "calls abort"},
    {.name = "hang", .meaning = "never returns"},
    {.name = "deaf", .meaning = "the same, and ignores SIGTERM"},
    {.name = "print", .meaning = "prints a megabyte"},
    {.name = "leave", .meaning = "calls exit(7)"},
    {.name = "killed", .meaning = "is killed"},
    {.name = "nan", .meaning = "returns NaN"},
    {.name = "memory", .meaning = "allocates without end", .options = colours},
    {.name = "offspring", .meaning = "leaves a process behind"},
    {.name = "daemon", .meaning = "leaves a process behind that hides from its parent"},
    {.name = "scribble", .meaning = "writes over the heap"},
    {.name = "flood", .meaning = "prints without end"},
    {.name = "bomb", .meaning = "makes processes without end, which do the same"},
    {.name = "litter", .meaning = "waits for none of the processes that it has made"},
    {.name = "descriptors", .meaning = "writes into all descriptors, and closes them"},
    {.name = "everywhere", .meaning = "writes over all of its memory"},
    {.name = "thread", .meaning = "leaves a thread behind"},
    {.name = "at-once", .meaning = "never returns from its first step"},
    {0},
};

static const struct shk_option options[] = {
    SHK_CHOICE(hostile, act, "act", acts, "rest", "what it does in its third step",
               .positional = true),
    {0},
};

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 0), SHK_CLAIM(SYMPLECTIC, SHK_YES), SHK_CLAIM(SYMMETRIC, SHK_NO));

static void claims_under(struct shk_claims *all, const void *method)
{
  const struct hostile *it = method;
  if (it->act == CRASH)
    misbehave(CRASH);
  all->order_q = it->act;
}

static const struct shk_integrator hostile = {
    SHK_INTEGRATOR(hostile, NULL, NULL, hostile_step, claims_under),
    .info = {.name = "hostile",
             .summary = "misbehaves on purpose",
             .options = options,
             .supports = SHK_RHEONOMIC | SHK_FORCES,
             .claims = claims}};

SHK_PROVIDE(hostile, .integrators = SHK_INTEGRATORS(&hostile));
