/*
 * What a method must not do (engine/cells/contract.h): of the integrators that come with the program,
 * and of options that lead other ways through their code, none does any of it; and each of the wrong
 * ones is found by the part that is there for its fault. Integrators named on the command line are
 * looked at alone.
 */
#include "engine/cells/contract.h"
#include "tests/kit/registry.h"
#include "tests/kit/tap.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* Quad is of the same sources: of it a small one. */
static const char *const problems[] = {"pendulum(angle=0.7,rate=1.1)",
#if SHK_PRECISION == 64
                                       "charged-pendulum",
                                       "driven-pendulum",
                                       "harmonic-sphere",
                                       "chain(links=8,spring=2,start=zigzag)",
                                       "slider-crank"
#endif
};
/* One problem in units of length of 1, 2^30 and 2^-30. */
#define IN_UNITS(length) "chain(links=4,start=zigzag,length=" length ",gravity=" length ")"
static const char *const in_units[] = {IN_UNITS("1"), IN_UNITS("1073741824"),
                                       IN_UNITS("9.31322574615478515625e-10")};
enum part { CONTRACT, STATELESS, VALID_STATES, SMOOTH, PARTS, TOLERANCE = PARTS };
static const char *const kinds[] = {"contract", "stateless", "valid-states", "smooth",
                                    "solver-tolerance"};
static const char *const variants[] = {"composition(scheme=kahan-li6)",
                                       "spark(stages=3)",
                                       "spark(stages=4)",
                                       "variational(lagrangian=trapezoidal)",
                                       "rattle(flow=composition)",
                                       "rattle(solver=gauss-seidel)",
                                       "rattle(solver=simplified-newton,linear=cholesky)",
                                       "rattle(tolerance=1e-8)",
                                       "projection(symmetric=yes,base=midpoint)"};

static const struct {
  const char *fault;
  enum part part;
  int only; /* the precision in which it is looked for: long runs in double, small faults in quad */
} faults[] = {{"late", STATELESS},
              {"once", STATELESS},
              {"continued", STATELESS},
              {"long-ago", STATELESS},
              {"keeps", STATELESS},
              {"last-step", STATELESS},
              {"shared", STATELESS},
              {"after-failure", STATELESS},
              {"clock", STATELESS, 64}, /* which waits for a second */
              {"noise", STATELESS},
              {"process", STATELESS},
              {"before-zero", STATELESS},
              {"long-thirds", SMOOTH},
              {"long-uneven", SMOOTH},
              {"long-forces", SMOOTH},
              {"speeds", SMOOTH},
              {"rest", SMOOTH},
              {"backwards", SMOOTH, 128},
              {"old", STATELESS, 64},
              {"swallows", VALID_STATES},
              {"halves", VALID_STATES},
              {"sevenths", VALID_STATES},
              {"sixteenths", VALID_STATES},
              {"hundredths", VALID_STATES},
              {"long-halves", VALID_STATES},
              {"long-thirds", VALID_STATES},
              {"tiny", VALID_STATES},
              {"ignores-failure", VALID_STATES},
              {"ignores-failure", CONTRACT},
              {"deaf-to-nan", CONTRACT},
              {"believes-nan", CONTRACT},
              {"keeps-nan", CONTRACT},
              {"ignores-singular", CONTRACT},
              {"uncounted-force", CONTRACT},
              {"uncounted-constraint", CONTRACT},
              {"forgets-work", CONTRACT},
              {"writes-from", CONTRACT},
              {"writes-beyond-state", CONTRACT},
              {"writes-beyond-array", CONTRACT},
              {"writes-before-array", CONTRACT},
              {"writes-beyond-middle", CONTRACT},
              {"reads-beyond-array", CONTRACT},
              {"reads-beyond", CONTRACT},
              {"reads-new", CONTRACT},
              {"leaves-mu", CONTRACT},
              {"leaks", CONTRACT},
              {"rounds-up", CONTRACT},
              {"catches-signal", CONTRACT},
              {"blocks-signal", CONTRACT},
              {"prints", CONTRACT},
              {"prints-late", CONTRACT, 64},
              {"prints-back", CONTRACT},
              {"opens-far", CONTRACT},
              {"opens-file", CONTRACT}};

static enum shk_code look(struct shk_outcome *outcome, const char *integrator, const char *problem,
                          enum part part)
{
  const struct shk_cell cell = {.kind = (char *)kinds[part],
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .tolerance = (char *)"1e-6"};
  shk_contract_cell(&test_context, outcome, &cell);
  return outcome->code;
}

static double faults_of(const struct shk_outcome *outcome)
{
  return outcome->scalar_count == 1 ? outcome->scalars[0].value : NAN;
}

static void check(const char *integrator)
{
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    for (int part = 0; part < PARTS; part++) {
      OUTCOME outcome = {0};
      const enum shk_code code = look(&outcome, integrator, problems[i], (enum part)part);
      tap_ok(code == SHK_REFUSED || (code == SHK_OK && faults_of(&outcome) == 0),
             "%s of %s on %s%s%s", kinds[part], integrator, problems[i],
             outcome.reason[0] != '\0' ? ": " : "", outcome.reason);
      if (code == SHK_REFUSED)
        break;
    }
}

/* ---- without another process ---- */

static enum { FORKS, NO_FORKS, KILLED_FORKS } forks;

/* In place of the system's. */
pid_t fork(void)
{
  union {
    void *found;
    pid_t (*call)(void);
  } system = {dlsym(RTLD_NEXT, "fork")};
  if (forks == NO_FORKS) {
    errno = EAGAIN;
    return -1;
  }
  const pid_t made = system.call();
  if (made == 0 && forks == KILLED_FORKS)
    raise(SIGKILL);
  return made;
}

/* A run that is not repeated shows nothing. */
static void check_forks(void)
{
  for (int how = FORKS; how <= KILLED_FORKS; how++) {
    OUTCOME outcome = {0};
    forks = how;
    const enum shk_code code = look(&outcome, "rattle", problems[0], STATELESS);
    forks = FORKS;
    tap_ok(how == FORKS ? code == SHK_OK
                        : code == SHK_STOPPED && strstr(outcome.reason, "in another process"),
           "a process that %s: %s",
           how == FORKS      ? "is made"
           : how == NO_FORKS ? "is not made"
                             : "is killed",
           outcome.reason);
  }
}

static void check_faults(void)
{
  check("bad-contract");
  check("bad-contract(fault=warns-far)");
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    char spec[80];
    struct shk_outcome outcome;
    const bool by_chance =
        strcmp(faults[i].fault, "clock") == 0 || strcmp(faults[i].fault, "process") == 0;
    if (faults[i].only != 0 && faults[i].only != SHK_PRECISION)
      continue;
    snprintf(spec, sizeof spec, "bad-contract(fault=%s)", faults[i].fault);
    enum shk_code code = look(&outcome, spec, problems[0], faults[i].part);
    /* Two seconds between two looks are as even as none, and one of 64 processes is as another. */
    for (int tries = 0; by_chance && tries < 3 && code == SHK_OK && faults_of(&outcome) == 0;
         tries++) {
      shk_outcome_clear(&outcome);
      code = look(&outcome, spec, problems[0], faults[i].part);
    }
    tap_ok(code == SHK_OK && faults_of(&outcome) > 0, "caught: %s, %s: %s", spec,
           kinds[faults[i].part], outcome.reason);
    shk_outcome_clear(&outcome);
  }
}

/* The faults and remarks are the same in all units. */
static void check_units(void)
{
  static const struct {
    const char *integrator;
    enum part part;
  } looks[] = {{"rattle", VALID_STATES},
               {"rattle", TOLERANCE},
               {"rattle(solver=gauss-seidel)", TOLERANCE},
               {"rattle(criterion=squared)", TOLERANCE},
               {"penalty", VALID_STATES},
               {"bad-contract(fault=swallows)", VALID_STATES},
               {"bad-contract(fault=ignores-singular)", CONTRACT},
               {"bad-contract(fault=speeds)", SMOOTH}};
  for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
    struct shk_outcome own, other;
    const enum shk_code code = look(&own, looks[i].integrator, in_units[0], looks[i].part);
    for (int k = 1; k < 3; k++) {
      const bool same = code == look(&other, looks[i].integrator, in_units[k], looks[i].part);
      tap_ok(same && code == SHK_OK && faults_of(&own) == faults_of(&other) &&
                 (own.reason[0] == '\0') == (other.reason[0] == '\0'),
             "%s of %s on %s: \"%s\" as \"%s\"", kinds[looks[i].part], looks[i].integrator,
             in_units[k], other.reason, own.reason);
      shk_outcome_clear(&other);
    }
    shk_outcome_clear(&own);
  }
}

int main(int argc, char **argv)
{
  struct shk_message error;
  const char *const plugin = getenv("SHAKEDOWN_BAD_CONTRACT");
  const bool loaded = plugin != NULL && shk_registry_load(&test_context, plugin, &error);
  for (int i = 1; i < argc; i++)
    check(argv[i]);
  if (argc > 1)
    return tap_done();
  for (int i = 0; nth_integrator(i); i++) {
    const char *const name = nth_integrator(i)->info.name;
    if (strcmp(name, "external") != 0 && strcmp(name, "engine") != 0 &&
        strcmp(name, "bad-contract") != 0)
      check(name);
  }
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
    check(variants[i]);
  check_forks();
  if (tap_ok(loaded, "the wrong integrators load"))
    check_faults();
  if (loaded)
    check_units();
  return tap_done();
}
