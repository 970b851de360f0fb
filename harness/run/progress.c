/* Shows progress on standard error. See progress.h. */
#include "harness/run/progress.h"
#include "foundation/clock.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { bar_width = 30 };
static const double bar_interval = 0.1, line_interval = 10;

void shk_progress_begin(struct shk_progress *progress, bool quiet)
{
  const char *const term = getenv("TERM");
  *progress = (struct shk_progress){
      .shown = !quiet,
      .terminal = term && strcmp(term, "dumb") != 0 && isatty(STDERR_FILENO),
      .started = shk_seconds(),
      .what = "cells",
  };
  progress->drawn = progress->terminal ? 0 : progress->started;
}

void shk_progress_step(struct shk_progress *progress, double weight, bool failed)
{
  progress->done++;
  progress->failed += failed;
  progress->weight_done += weight;
}

/* Writes ", about 3 s left" or ", about 12 min left", or an empty string if the estimate is not
 * positive. */
static void describe_left(char *buffer, size_t size, double left)
{
  const char *const unit = left < 100 ? "s" : left < 6000 ? "min" : "h";
  const double amount = left < 100 ? ceil(left) : left < 6000 ? left / 60 : left / 3600;
  buffer[0] = '\0';
  if (left > 0)
    snprintf(buffer, size, ", about %.*f %s left", left < 6000 ? 0 : 1, amount, unit);
}

double shk_progress_left(const struct shk_progress *progress, int servers, double now)
{
  const double mean = progress->weight_done > 0 ? progress->seconds / progress->weight_done : NAN;
  return mean * progress->weight_total / servers - (now - progress->started);
}

void shk_progress_draw(struct shk_progress *progress, int servers)
{
  const double interval = progress->terminal ? bar_interval : line_interval;
  if (!progress->shown || shk_seconds() - progress->drawn < interval ||
      shk_seconds() - progress->started < progress->delay)
    return;
  progress->drawn = shk_seconds();
  char left[64], failed[64] = "";
  describe_left(left, sizeof left, shk_progress_left(progress, servers, progress->drawn));
  if (progress->failed)
    snprintf(failed, sizeof failed, ", %d not ok", progress->failed);
  if (progress->terminal) {
    const double part = progress->weight_total > 0 ? progress->weight_done / progress->weight_total
                                                   : (double)progress->done / progress->total;
    const int full = (int)(bar_width * fmin(part, 1));
    fprintf(stderr, "\r\033[K[%.*s%.*s] ", full, "##############################", bar_width - full,
            "..............................");
  }
  fprintf(stderr, "%d of %d %s%s%s%s", progress->done, progress->total, progress->what, failed,
          left, progress->terminal ? "" : "\n");
  fflush(stderr);
}

void shk_progress_say(struct shk_progress *progress, const char *line)
{
  fprintf(stderr, "%s%s\n", progress->shown && progress->terminal ? "\r\033[K" : "", line);
  progress->drawn = 0;
}

void shk_progress_end(struct shk_progress *progress)
{
  if (progress->shown && progress->terminal && progress->drawn > 0) {
    fputs("\r\033[K", stderr);
    fflush(stderr);
  }
  progress->shown = false;
}
