/* Versions of a baseline as a figure. See history.h. */
#include "plots/history.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/canvas/styles.h"

#include <stdlib.h>
#include <string.h>

/* Quantities, one panel each. */
static const enum shk_followed shown[] = {SHK_FOLLOWED_ORDER_Q, SHK_FOLLOWED_ERROR,
                                          SHK_FOLLOWED_WORK};
enum { PANELS = sizeof shown / sizeof shown[0] };

static void write_method(struct shk_chart *chart, const struct shk_version *versions, int count,
                         const char *name)
{
  shk_chart_block(chart, name, "version, order of q, error, evaluations");
  for (int v = 0; v < count; v++) {
    double row[PANELS + 1] = {v + 1};
    for (int i = 0; i < PANELS; i++)
      row[i + 1] = shk_version_mean(versions, v, shown[i], name);
    shk_chart_row(chart, row, PANELS + 1);
  }
}

/* Adds a note such as "bands left in version 3, 1f2e3d4: 2". */
static void tell_left(struct shk_chart *chart, const struct shk_version *versions, int count)
{
  for (int v = 1; v < count; v++) {
    if (versions[v].left == 0)
      continue;
    char *const text = shk_print_text("bands left in version %d, %s: %d", v + 1, versions[v].name,
                                      versions[v].left);
    shk_chart_legend(chart, 0, text, "");
    free(text);
  }
}

bool shk_plot_history(const struct shk_version *versions, int count, const char *svg_file,
                      struct shk_message *error)
{
  struct shk_index methods = {0};
  struct shk_chart chart;
  const struct shk_baseline *const first = &versions[0].baseline;
  for (int i = 0; i < first->count; i++)
    shk_index_text(&methods, first->values[i].integrator);
  int *const styles = shk_allocate((size_t)methods.count + 1, sizeof *styles);
  shk_choose_styles(styles, (const char *const *)methods.texts, methods.count);
  shk_chart_begin(&chart, shk_copy_text("history"), "history");
  shk_chart_head(&chart, "%s, versions 1 to %d: %s to %s", first->study, count, versions[0].name,
                 versions[count - 1].name);
  for (int m = 0; m < methods.count; m++) {
    shk_chart_method(&chart, m, styles[m]);
    shk_chart_legend(&chart, m + 1, methods.texts[m], "");
    write_method(&chart, versions, count, methods.texts[m]);
  }
  tell_left(&chart, versions, count);
  shk_chart_set(&chart, "versions", count);
  const bool ok = shk_chart_finish_file(&chart, svg_file, "svg", error);
  shk_index_clear(&methods);
  free(styles);
  return ok;
}
