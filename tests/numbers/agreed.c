/*
 * The rule by which digits are agreed, on records made by hand: components that agree by chance,
 * times at which all do, kinds that disagree, the condition of the motion.
 */
#include "foundation/memory.h"
#include "harness/references/reference.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"
#include "tests/kit/vectors.h"

/* What a made-up computation is off by, relative to 1, at the times 1 and 2: in q1 and in q2. */
struct made {
  bool finished;
  double off[2][2];
};

static const char *const times[] = {"1", "2"};
static double values[] = {1, 2};

static struct shk_record *record_of(const struct made *made, const char *tolerance)
{
  struct shk_record *record = shk_allocate(1, sizeof *record);
  const struct shk_cell like = {.kind = (char *)"run",
                                .problem = (char *)"pendulum",
                                .integrator = (char *)"reference",
                                .precision = (char *)"quad",
                                .tolerance = (char *)tolerance,
                                .until = (char *)"2",
                                .time_count = 2,
                                .times = (char **)times,
                                .numbers = {.until = 2, .times = values}};
  shk_cell_copy(&record->cell, &like);
  record->end = SHK_END_FINISHED;
  record->outcome.code = made->finished ? SHK_OK : SHK_REFUSED;
  for (int i = 0; i < 2; i++) {
    struct shk_sample *sample = shk_outcome_add_sample(&record->outcome, times[i], values[i]);
    /* 1 and 1/100, to as many places as 1e-32 needs. */
    const double a = made->off[i][0], b = made->off[i][1];
    shk_sample_add_block(
        sample, "q", vector_of_owned(shk_print_text("1.%034.0f 0.01%032.0f", a * 1e34, b * 1e34)));
  }
  return record;
}

/* Digits of q1 at the time 2 from computations that are off by these. */
static int digits_of(const struct made made[SHK_REFERENCE_CELLS], const char *only)
{
  struct shk_record *records[SHK_REFERENCE_CELLS] = {NULL};
  struct shk_reference reference;
  struct shk_message error = {.text = ""};
  const struct shk_inspection inspection = {.n = 2, .time_scale = 1};
  const struct shk_numbers asked = {.count = 1, .texts = (char *[]){(char *)only}};
  for (int i = 0; i < SHK_REFERENCE_CELLS; i++)
    if (made[i].finished)
      records[i] = record_of(&made[i], "1e-31");
  int digits = -1;
  if (shk_reference_make(&test_context, &reference, (const struct shk_record *const *)records,
                         &asked, &inspection, &error)) {
    digits = reference.row_count == 2 && reference.rows[0].digits == reference.rows[1].digits
                 ? reference.rows[0].digits
                 : -2;
    shk_reference_clear(&reference);
  } else {
    tap_diag("%s", error.text);
  }
  for (int i = 0; i < SHK_REFERENCE_CELLS; i++)
    if (records[i]) {
      shk_record_clear(records[i]);
      free(records[i]);
    }
  return digits;
}

/* Both components off by as much at both times. */
#define ALL(off)                                                                                   \
  {                                                                                                \
    true,                                                                                          \
    {                                                                                              \
      {off, off},                                                                                  \
      {                                                                                            \
        off, off                                                                                   \
      }                                                                                            \
    }                                                                                              \
  }

static const struct made calm[SHK_REFERENCE_CELLS] = {[SHK_REFERENCE_BEST] = ALL(0),
                                                      [SHK_REFERENCE_AGAINST] = ALL(2e-30),
                                                      [SHK_REFERENCE_LONGER] = ALL(1.8e-30),
                                                      [SHK_REFERENCE_NUDGED] = ALL(1e-18),
                                                      [SHK_REFERENCE_NUDGED_AGAIN] = ALL(2e-18),
                                                      [SHK_REFERENCE_COMPOSITION] = ALL(1e-25),
                                                      [SHK_REFERENCE_COARSER] = ALL(1e-22)};

int main(void)
{
  struct made made[SHK_REFERENCE_CELLS];
#define BEGIN memcpy(made, calm, sizeof made)
  tap_is_int(digits_of(calm, "2"), 29,
             "a neighbouring setting that is 2e-30 away, twice that: 29 digits");

  BEGIN;
  made[SHK_REFERENCE_AGAINST].off[0][0] = made[SHK_REFERENCE_AGAINST].off[1][0] = 0;
  tap_is_int(digits_of(made, "2"), 29, "the larger component agrees by chance: no more of them");

  BEGIN;
  memset(made[SHK_REFERENCE_AGAINST].off[1], 0, sizeof made->off[1]);
  tap_is_int(digits_of(made, "2"), 29, "both do at this time: nor more, for the time before");
  memset(made[SHK_REFERENCE_AGAINST].off, 0, sizeof made->off);
  tap_is_int(digits_of(made, "2"), 30, "at both times: the other table still says half of 1.8e-30");
  memset(made[SHK_REFERENCE_LONGER].off, 0, sizeof made->off);
  tap_is_int(digits_of(made, "2"), 32, "and both tables: no more than rounding allows");

  BEGIN;
  made[SHK_REFERENCE_NUDGED].off[1][1] = 1e-8;
  tap_is_int(digits_of(made, "2"), 23, "a motion that amplifies 1e10 times takes as many from 33");

  BEGIN;
  made[SHK_REFERENCE_COARSER] = (struct made)ALL(3e-25);
  tap_is_int(digits_of(made, "2"), 29,
             "a composition that is away by no more than by its own two "
             "steps says nothing");
  made[SHK_REFERENCE_COMPOSITION].off[1][0] = 1e-20;
  made[SHK_REFERENCE_COARSER].off[1][0] = 1.0001e-20;
  tap_is_int(digits_of(made, "2"), 20, "if it is away by more, the kinds agree on so many only");

  BEGIN;
  for (int i = SHK_REFERENCE_AGAINST; i <= SHK_REFERENCE_COARSER; i++)
    made[i].finished = false;
  tap_is_int(digits_of(made, "2"), 0, "nothing to compare with: none");
  made[SHK_REFERENCE_RADAU5] = (struct made)ALL(1e-9);
  tap_is_int(digits_of(made, "2"), 9, "only a solver in double: as many as it agrees to");
  return tap_done();
}
