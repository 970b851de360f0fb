/*
 * A solver for distance constraints that runs in another program, which can be written in any
 * language. It corresponds to a plug-in's solver (struct shk_rod_solver). Each solve is an exchange
 * of lines of text (docs/reference/line-protocol.md):
 *
 *     hello 1 PRECISION DIGITS                 shakedown-solver 1 name=… version=… [KEY=VALUE …]
 *     rods DIMENSION POINTS RODS FIXED         ready | refuse REASON
 *          MASSES  (A B SQUARE) of each rod  FIXED POINTS
 *     solve TOLERANCE ITERATIONS BEFORE AFTER  done TAKEN POSITIONS IMPULSES | fail CODE REASON
 */
#include "mechanics/outside/line_protocol.h"
#include "mechanics/solvers/kit/own.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/system/rods.h"
#include <shakedown/parts/rod_solver.h>

#include <stdlib.h>
#include <string.h>

static struct shk_status take_answer(struct shk_talk *talk, long *taken,
                                     const struct shk_rod_task *task)
{
  const char *text;
  char *end;
  SHK_TRY(shk_talk_expect(talk, "done"));
  SHK_TRY(shk_talk_word(&text, talk));
  *taken = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || *taken < 0 || *taken > task->iterations)
    return shk_talk_lose(talk, "expected the number of its iterations, found ", text);
  SHK_TRY(shk_talk_take_reals(talk, task->positions, task->points * task->dimension));
  SHK_TRY(shk_talk_take_reals(talk, task->impulse, task->rods));
  return shk_talk_line_ends(talk);
}

static struct shk_status ask_program(struct shk_talk *talk, long *taken,
                                     const struct shk_rod_task *task)
{
  const size_t n = (size_t)(task->points * task->dimension);
  SHK_TRY(shk_talk_request(talk, "solve"));
  shk_talk_put_reals(talk, &task->tolerance, 1);
  shk_talk_put_integer(talk, task->iterations);
  shk_talk_put_reals(talk, task->before, n);
  shk_talk_put_reals(talk, task->positions, n);
  SHK_TRY(shk_talk_send(talk));
  return take_answer(talk, taken, task);
}

static long solve_program(void *self, const struct shk_rod_task *task)
{
  long taken = -1;
  *task->why = ask_program(self, &taken, task);
  return task->why->code == SHK_OK ? taken : -1;
}

static const struct shk_rod_solver by_program = {.struct_size = sizeof by_program,
                                                 .solve = solve_program};

/* Sends the distance constraints to the program, which either accepts or refuses them. */
static struct shk_status introduce_program(struct shk_talk *talk, const struct shk_system *system)
{
  const struct shk_rods *const rods = system->rods;
  int fixed = 0;
  for (int i = 0; i < system->m; i++)
    fixed = -rods->rod[i].a > fixed ? -rods->rod[i].a : fixed;
  SHK_TRY(shk_talk_request(talk, "rods"));
  shk_talk_put_integer(talk, rods->dimension);
  shk_talk_put_integer(talk, system->n / rods->dimension);
  shk_talk_put_integer(talk, system->m);
  shk_talk_put_integer(talk, fixed);
  for (int i = 0; i < system->n; i += rods->dimension)
    shk_talk_put_reals(talk, &system->mass[i], 1);
  for (int i = 0; i < system->m; i++) {
    shk_talk_put_integer(talk, rods->rod[i].a);
    shk_talk_put_integer(talk, rods->rod[i].b);
    shk_talk_put_reals(talk, &rods->rod[i].square, 1);
  }
  if (fixed > 0)
    shk_talk_put_reals(talk, rods->fixed, (size_t)(fixed * rods->dimension));
  return shk_talk_introduce(talk, NULL);
}

struct shk_status shk_program_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  struct shk_talk *const talk = shk_memory(b->workspace, sizeof *talk);
  SHK_TRY(shk_allocated(talk));
  *talk = (struct shk_talk){.is = SHK_TALKER_SOLVER,
                            .options = shk_values_nested(b->options, "solver")};
  SHK_TRY(shk_solve_by(solver, &(struct shk_own_solver){&by_program, talk}, b));
  struct shk_greeting greeting;
  SHK_TRY(shk_talk_begin(talk, &greeting, b->workspace));
  return introduce_program(talk, b->evaluator->system);
}
