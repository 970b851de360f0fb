/* A figure's settings: each must be read by a template, and user text is only text. */
#include "plots/canvas/chart.h"
#include "foundation/files/scratch.h"
#include "tests/kit/tap.h"

#include <stdlib.h>
#include <string.h>

/* Draws a panel with a setting of this name. False with the reason. */
static bool draw(const char *folder, const char *setting, struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  const struct shk_look look = {.colour = "blue", .mark = "circle", .line = "solid"};
  struct shk_chart chart;
  shk_chart_begin(&chart, shk_copy_text("figure"));
  shk_chart_panel(&chart, "parameter", "parameter", "it's `a` @problem");
  shk_chart_set(&chart, "zero", 0);
  shk_chart_words(&chart, "xlabel", "", "");
  shk_chart_words(&chart, "ylabel", "", "");
  shk_chart_method(&chart, 0, "method", &look, "");
  shk_chart_block(&chart, "method", "two rows");
  for (int i = 1; i < 3; i++) {
    SHK_CHART_ROW(&chart, i, i);
    shk_chart_point(&chart, 0, i, i);
  }
  if (setting)
    shk_chart_set(&chart, setting, 1);
  return shk_chart_finish(&chart, &(const struct shk_plot_files){folder, types, NULL}, error);
}

int main(void)
{
  struct shk_message error = {.text = ""};
  char *const folder = shk_scratch_make();
  if (system("gnuplot --version >/dev/null 2>&1") != 0) {
    tap_skip("gnuplot is not installed");
  } else {
    if (!tap_ok(draw(folder, NULL, &error), "a panel is drawn"))
      tap_diag("%s", error.text);
    tap_ok(draw(folder, "key_columns", &error), "a setting that a template reads is none too many");
    tap_ok(!draw(folder, "curve", &error) &&
               strcmp(error.text, "the template parameter.gp does not read the setting curve") == 0,
           "a setting that no template reads is an error, even a part of a word of it");
  }
  shk_scratch_remove(folder);
  free(folder);
  return tap_done();
}
