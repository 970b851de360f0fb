/* The time left of a run: what its steps take so far, on all workers, for the steps that are left. */
#include "harness/run/progress.h"
#include "tests/kit/tap.h"

enum { WORKERS = 2 };

int main(void)
{
  struct shk_progress progress = {.weight_total = 100, .started = 5};
  tap_ok(isnan(shk_progress_left(&progress, WORKERS, 6)), "nothing is known at first");
  shk_progress_step(&progress, 10, true);
  progress.seconds = 4;
  tap_ok(shk_progress_left(&progress, WORKERS, 7) == 18, "0.4 s a step, on two workers, less 2 s");
  tap_is_int(progress.failed, 1, "what fails is counted");
  return tap_done();
}
