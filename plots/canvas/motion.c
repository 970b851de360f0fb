/* A mechanism in motion. See motion.h. */
#include "plots/canvas/motion.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Maximum numbers of rows and states in the data, and the number of states that motion.gp draws. */
enum { MOST_ROWS = 60000, MOST_STATES = 400, STILLS = 5 };

/* Adds the point at which a part of the mechanism is drawn. Three-dimensional systems are projected
 * as in motion.gp. */
static void add_place(struct shk_chart *chart, const struct shk_bodies *bodies, const double *at,
                      int method)
{
  const double sin30 = 0.5, cos30 = sqrt(0.75), sin20 = sin(acos(-1) / 9),
               cos20 = cos(acos(-1) / 9);
  const double x = at[0], y = at[1], z = at[2];
  if (method < 0)
    return;
  shk_chart_point(chart, method, bodies->in_space ? y * cos30 - x * sin30 : x,
                  bodies->in_space ? z * cos20 - (x * cos30 + y * sin30) * sin20 : y);
}

/* Writes every k-th state, and also the last state of the longest run. k is large enough to respect
 * the limits. Returns the number of states written, and moves their times to the front of
 * `times`. */
static int write_states(struct shk_chart *chart, const struct shk_bodies *bodies, double *times,
                        int longest, int method)
{
  const int fitting = MOST_ROWS / bodies->parts;
  const int most = fitting > MOST_STATES ? MOST_STATES : fitting > 2 ? fitting : 2;
  const int each = (longest + most - 2) / (most - 1);
  int count = 0;
  for (int i = 0; i < bodies->count; i++) {
    if (i % each != 0 && i + 1 < longest)
      continue;
    const double *part = bodies->rows + (size_t)i * (size_t)bodies->parts * SHK_PART_NUMBERS;
    for (int k = 0; k < bodies->parts; k++, part += SHK_PART_NUMBERS) {
      double row[1 + SHK_PART_NUMBERS] = {times[i]};
      memcpy(row + 1, part, SHK_PART_NUMBERS * sizeof *part);
      shk_chart_row(chart, row, 1 + SHK_PART_NUMBERS);
      add_place(chart, bodies, part, method);
    }
    times[count++] = times[i];
  }
  return count;
}

/* Adds the panel settings and the note that depend on the first run. */
static void begin_motion(struct shk_chart *chart, const struct shk_bodies *bodies, int states,
                         const double *times, bool si)
{
  const int stills = states >= STILLS ? STILLS : states > 2 ? states : 2;
  char *text = NULL;
  for (int s = 0; s < stills; s++)
    shk_append_text(&text, "%s%.3g", s > 0 ? ", " : "", times[s * (states - 1) / (stills - 1)]);
  struct shk_panel *const panel = &chart->panels[chart->panel_count - 1];
  shk_chart_part(chart, "motion", "motion");
  panel->labelled = panel->equal = true;
  if (!panel->x.fixed)
    panel->x.from = panel->x.to = NAN;
  const char *const unit = si ? " (m)" : "", *const space[] = {"across the line of sight",
                                                               "upwards"};
  for (int k = 0; k < 2; k++)
    shk_chart_words(chart, k == 0 ? "xlabel" : "ylabel",
                    (bodies->in_space ? shk_phrase("%s%s", space[k], unit)
                                      : shk_phrase("{/:Italic %s}%s", k == 0 ? "x" : "y", unit))
                        .text,
                    (bodies->in_space ? shk_phrase("%s%s", space[k], unit)
                                      : shk_phrase("$%s$%s", k == 0 ? "x" : "y", unit))
                        .text);
  if (bodies->in_space)
    shk_chart_note(chart, "Seen from 30° to the side and 20° above");
  shk_chart_note(chart, "States, from light to dark, at the times %s after the start", text);
  shk_chart_set(chart, "stills", stills);
  shk_chart_set(chart, "space", bodies->in_space);
  shk_chart_set(chart, "parts", bodies->parts);
  free(text);
}

bool shk_motion_add(struct shk_chart *chart, const struct shk_context *context,
                    const struct shk_motion *run, struct shk_message *error)
{
  struct shk_bodies bodies;
  struct shk_message why = {.text = ""};
  const bool ok =
      shk_bodies_of(context, &bodies, run->problem, run->count, run->times, run->n, run->q, &why) &&
      run->count > 1;
  if (ok) {
    double *const kept = shk_allocate((size_t)run->count, sizeof *kept);
    memcpy(kept, run->times, (size_t)run->count * sizeof *kept);
    shk_chart_block(chart, run->name,
                    "time; x, y, z; dx, dy, dz; 0 a rod, 1 a spring, 2 a fixed point, 3 a point");
    const int states = write_states(chart, &bodies, kept, run->longest,
                                    run->first || run->finished ? run->method : -1);
    if (run->first)
      begin_motion(chart, &bodies, states, kept, run->si);
    shk_chart_list(chart, "states", states);
    free(kept);
  } else {
    shk_message_set(error, "motion: %s %s", run->problem,
                    why.text[0] ? why.text : "has fewer than two states to show");
  }
  free(bodies.rows);
  return ok;
}
