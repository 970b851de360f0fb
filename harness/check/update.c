/* Rewrites lines of a baseline; see update.h. */
#include "harness/check/update.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line of the file and the changes to make to it. */
struct line {
  const char *text;
  int length;   /* in bytes, including the line break */
  bool removed; /* true if the line is removed or replaced */
  /* complete lines to print instead of this line, or after it if it is not removed; NULL if there
   * are none */
  char *instead;
};

struct updating {
  struct shk_update *update;
  FILE *log;
  const char *path;
  int count;
  struct line *lines;
  /* the line number, counted from 1, of the most recent old value; a new value is inserted after
   * this line */
  int at;
};

static void cut_lines(struct updating *u, const char *text, size_t length)
{
  for (const char *at = text, *const end = text + length; at < end;) {
    const char *const stop = memchr(at, '\n', (size_t)(end - at));
    const char *const next = stop ? stop + 1 : end;
    *SHK_APPEND(u->lines, u->count) = (struct line){.text = at, .length = (int)(next - at)};
    at = next;
  }
}

static void print_line(FILE *file, const void *value)
{
  shk_baseline_print_line(file, value);
}

/* Adds the line for a value to the lines that replace or follow the given line. The new line ends
 * with the same kind of line break. */
static void put_line(struct updating *u, int number, const struct shk_baseline_value *value)
{
  struct line *const line = &u->lines[number - 1];
  const bool returns = line->length > 1 && line->text[line->length - 2] == '\r';
  char *const text = shk_printed_text(print_line, value);
  shk_append_text(&line->instead, "%s%s\n", text, returns ? "\r" : "");
  free(text);
}

/* Prints the beginning of a message about a change, such as "base.txt:12: order of q of rattle on
 * pendulum in double ". */
static void say_value(const struct updating *u, int line, const struct shk_baseline_value *v)
{
  fprintf(u->log, "%s:%d: %s of %s on %s in %s ", u->path, line, v->quantity, v->integrator,
          v->problem, v->precision);
}

static bool left_band(const struct shk_compared *row)
{
  return shk_changes[row->change].fails ||
         (row->change == SHK_CHANGE_NOTED && !row->was->word && isnan(row->was->value));
}

/* Rewrites the line of a value that left its band or for which the study sets a different band. */
static void rewrite_value(struct updating *u, const struct shk_compared *row)
{
  const struct shk_baseline_value *const was = row->was, *const is = row->is;
  const bool left = left_band(row), words = isnan(was->value) || isnan(is->value);
  struct shk_baseline_value new = left ? *is : *was;
  char band[192], text[128];
  if (left && was->why == is->why && !words)
    new.band = was->band;
  u->lines[was->line - 1].removed = true;
  put_line(u, was->line, &new);
  say_value(u, was->line, was);
  if (left) {
    u->update->rewritten++;
    fprintf(u->log, "%s: ", row->moved);
    if (was->verdict != is->verdict)
      fprintf(u->log, "%s → %s, ", shk_verdict_word(was->verdict), shk_verdict_word(is->verdict));
    fprintf(u->log, "the band was %s\n", shk_compared_band(band, sizeof band, was, is));
  } else {
    u->update->restated++;
    fprintf(u->log, "has the band %s: %s\n", shk_band_text(text, sizeof text, &was->band),
            was->because ? was->because : "the study no longer states a different band");
  }
}

static void update_value(struct updating *u, const struct shk_compared *row)
{
  if (row->was)
    u->at = row->was->line;
  if (row->cells_failed && (row->incomplete || !row->is)) {
    u->update->kept += row->was != NULL;
  } else if (!row->is) {
    u->lines[row->was->line - 1].removed = true;
    u->update->removed++;
    say_value(u, row->was->line, row->was);
    fprintf(u->log, "is removed: %s\n", row->cause);
  } else if (!row->was) {
    put_line(u, u->at, row->is);
    u->update->added++;
    say_value(u, u->at, row->is);
    fprintf(u->log, "%s is new\n", row->moved);
  } else if (left_band(row) || row->was->restated) {
    rewrite_value(u, row);
  }
}

void shk_baseline_update(struct shk_update *update, FILE *log, const char *path, const char *text,
                         size_t length, const struct shk_comparison *comparison)
{
  struct updating u = {.update = update, .log = log, .path = path};
  *update = (struct shk_update){.text = shk_copy_text("")};
  cut_lines(&u, text, length);
  /* A new value that precedes all old ones is inserted just above the first old value. */
  for (int i = 0; i < comparison->count && u.at == 0; i++)
    if (comparison->rows[i].was)
      u.at = comparison->rows[i].was->line - 1;
  for (int i = 0; i < comparison->count; i++)
    update_value(&u, &comparison->rows[i]);
  for (int i = 0; i < u.count; i++) {
    const struct line *const line = &u.lines[i];
    if (!line->removed)
      shk_append_text(&update->text, "%.*s%s", line->length, line->text,
                      line->instead && line->text[line->length - 1] != '\n' ? "\n" : "");
    if (line->instead)
      shk_append_text(&update->text, "%s", line->instead);
    free(line->instead);
  }
  free(u.lines);
}
