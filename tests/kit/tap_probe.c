/* A TAP program that behaves as its argument says, and no test by itself: with it
 * tests/whole/count.sh checks the output of tap.c and the counting of count.awk. */
#include "tests/kit/tap.h"

#include <math.h>
#include <signal.h>
#include <string.h>

int main(int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "nothing") == 0)
    return tap_done();
  tap_ok(true, "first");
  if (strcmp(mode, "crash") == 0)
    raise(SIGSEGV);
  if (strcmp(mode, "no-plan") == 0)
    return 0;
  if (strcmp(mode, "leave-early") == 0)
    return 3;
  if (strcmp(mode, "lie") == 0) {
    tap_done();
    return 3;
  }
  if (strcmp(mode, "skip") == 0)
    tap_skip("there is no %s", "moon");
  if (strcmp(mode, "without") == 0)
    tap_skip_without("the-moon", "there is no moon");
  if (strcmp(mode, "near") == 0) {
    tap_is_near(1, 1.5, 0.5, "at the edge");
    tap_is_near(INFINITY, INFINITY, 0, "same infinity");
    tap_is_near(1, 2, 0.5, "apart");
    tap_is_near(NAN, 1, INFINITY, "NaN got");
    tap_is_near(NAN, NAN, 1, "NaN wanted");
    tap_is_near(1, 1, NAN, "equal, NaN allowed");
  }
  if (strcmp(mode, "text") == 0) {
    tap_is_text("a", "a", "equal");
    tap_is_text(NULL, NULL, "both null");
    tap_is_text("a", "b", "differ");
    tap_is_text(NULL, "a", "null got");
    tap_is_text("a", NULL, "null wanted");
    tap_is_int(3, 3, "equal integers");
    tap_is_int(3, 4, "different integers");
  }
  if (strcmp(mode, "name") == 0)
    tap_ok(false, "two\nlines # SKIP not a directive");
  if (strcmp(mode, "seed") == 0)
    tap_ok(tap_seed(7) == 7, "seed");
  return tap_done();
}
