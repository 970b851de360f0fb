/*
 * Prints the largest energy error in 10,000 steps of RATTLE, using libshakedown. The file is valid
 * C and C++:
 *
 *     cc drift.c -o drift $(pkg-config --cflags --libs libshakedown)
 */
#include <shakedown/client.h>

#include <stdio.h>

static int fail(const struct shakedown_error *error)
{
  fprintf(stderr, "drift: %s\n", error->text);
  return 1;
}

int main(void)
{
  struct shakedown_error error;
  struct shakedown_request request = {
      sizeof request, "double-pendulum", "rattle", "double", "0.01", NULL, NULL, NULL};
  struct shakedown *session = shakedown_open(&error);
  struct shakedown_run *run = session ? shakedown_run_open(session, &request, &error) : NULL;
  if (!run)
    return fail(&error);
  double q[4], p[4], energy, first = 0, worst = 0;
  for (int k = 0; k <= 10000; k++) {
    if (k > 0 && shakedown_run_steps(run, 1, &error) != 0)
      return fail(&error);
    shakedown_run_state(run, NULL, q, p, NULL, NULL);
    if (shakedown_evaluate(shakedown_run_problem(run), SHAKEDOWN_HAMILTONIAN, &energy, 0, q, p,
                           NULL, &error) != 0)
      return fail(&error);
    if (k == 0)
      first = energy;
    const double change = energy < first ? first - energy : energy - first;
    worst = change > worst ? change : worst;
  }
  printf("energy error %.1e\n", worst);
  shakedown_run_close(run);
  shakedown_close(session);
  return 0;
}
