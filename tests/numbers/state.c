/*
 * Whether a state is finite: one entry that is not is found wherever it stands, whatever the others
 * are, and large ones whose sum is not finite are no such entry.
 */
#include "mechanics/system/state.h"
#include "tests/kit/tap.h"

/* Memory of a method is part of a state: copied, summed, found not finite. */
static void memory(void)
{
  STATE s = {0}, copy = {0};
  if (!shk_state_init(&s, 3, 2))
    abort();
  s.q[2] = 5;
  s.mu[1] = 7;
  if (!shk_state_add_memory(&s, 3) || !shk_state_init_like(&copy, &s))
    abort();
  tap_ok(s.q[2] == 5 && s.mu[1] == 7 && s.memory_count == 3 && s.memory[2] == 0,
         "a state gets memory, which is zero, and keeps the rest");
  s.memory[2] = 9;
  const uint64_t sum = shk_state_sum(&copy);
  shk_state_copy(&copy, &s);
  tap_ok(copy.memory_count == 3 && copy.memory[2] == 9 && shk_state_sum(&copy) != sum &&
             shk_state_sum(&copy) == shk_state_sum(&s),
         "a copy has it, and so has the sum");
  s.memory[0] = (real)NAN;
  tap_ok(!shk_state_is_finite(&s) && shk_state_is_finite(&copy), "it is to be finite");
}

/* `value` in each place of q, p, lambda and mu in turn, infinite ones with their negative beside
 * them: how often the state is told to be finite. */
static int told_finite(int n, int m, real value)
{
  STATE s = {0};
  int finite = 0;
  if (!shk_state_init(&s, n, m))
    abort();
  real *const parts[] = {s.q, s.p, s.lambda, s.mu};
  for (int k = 0; k < 4; k++)
    for (int i = 0, count = k < 2 ? n : m; i < count; i++) {
      parts[k][i] = value;
      parts[k][(i + 1) % count] = count > 1 ? -value : value;
      finite += shk_state_is_finite(&s);
      parts[k][i] = parts[k][(i + 1) % count] = 1;
    }
  return finite;
}

int main(void)
{
  const real infinite = (real)INFINITY, none = (real)NAN;
  for (int n = 1; n <= 19; n += 3) { /* around the number of sums at once */
    const int m = n + 1, places = 2 * n + 2 * m;
    tap_is_int(told_finite(n, m, 2), places, "%d and %d entries: finite", n, m);
    tap_is_int(told_finite(n, m, infinite), 0, "%d and %d entries: one is infinite", n, m);
    tap_is_int(told_finite(n, m, none), 0, "%d and %d entries: one is no number", n, m);
  }
  memory();
  STATE s = {0};
  if (!shk_state_init(&s, 16, 1))
    abort();
  for (int i = 0; i < 16; i++)
    s.q[i] = s.p[i] = 1 / REAL_SMALLEST; /* a quarter of the largest number */
  tap_ok(shk_state_is_finite(&s), "a sum that overflows is no entry");
  s.p[7] = infinite;
  tap_ok(!shk_state_is_finite(&s), "and hides none");
  return tap_done();
}
