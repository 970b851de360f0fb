/*
 * The key: a table with a row for each method, its sample, its name and values beside it, and notes
 * above and below. Kinds say what is in it; here it gets its place, when all of it is known.
 *
 * Columns of values are as wide as the widest in them, and stand at the right; names take what is
 * left. Names without values stand side by side, in blocks of their own widths, as far as there is
 * room. A figure that would be higher
 * than two thirds of a page is given the next width of a journal's columns, then lower panels, then
 * loses the end of its key, and says so.
 */
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double line = 0.345, margin = 0.2, sample = 0.95, between = 0.3, indent = 0.2,
                    least_name = 2.4, least_panel = 1.9;
enum { MOST_SIDE_BY_SIDE = 4 };

/* ---- what is in it ---- */

static struct shk_key_row *add_row(struct shk_figure *figure, enum shk_key_row_kind kind)
{
  figure->key = shk_grow(figure->key, (size_t)figure->row_count, sizeof *figure->key);
  struct shk_key_row *const row = &figure->key[figure->row_count++];
  *row = (struct shk_key_row){.kind = kind};
  return row;
}

void shk_key_name(struct shk_figure *figure, int method, const char *name)
{
  struct shk_key_row *const row = add_row(figure, SHK_KEY_NAME);
  row->method = method;
  row->text = shk_data_text(name);
}

void shk_key_place(struct shk_figure *figure, int style, char letter, bool filled, const char *name)
{
  shk_key_name(figure, style, name);
  struct shk_key_row *const row = &figure->key[figure->row_count - 1];
  row->letter = letter;
  row->filled = filled;
}

void shk_key_method(struct shk_figure *figure, int method)
{
  shk_key_name(figure, method,
               (figure->key_names ? figure->key_names : figure->method_names)[method]);
}

void shk_key_note(struct shk_figure *figure, const char *text)
{
  add_row(figure, SHK_KEY_NOTE)->text = shk_data_text(text);
}

void shk_key_note_more(struct shk_figure *figure, const char *before, const char *text)
{
  if (figure->row_count == 0)
    shk_key_note(figure, "");
  char *const more = shk_print_text("%s%s", before, text), *const safe = shk_data_text(more);
  shk_append_text(&figure->key[0].text, "%s", safe);
  free(safe);
  free(more);
}

void shk_key_under(struct shk_figure *figure, struct shk_label label)
{
  add_row(figure, SHK_KEY_UNDER)->under = label;
}

void shk_key_value(struct shk_figure *figure, int column, struct shk_label label)
{
  figure->key[figure->row_count - 1].values[column] = label;
}

void shk_key_head(struct shk_figure *figure, int column, struct shk_label label)
{
  figure->heads[column] = label;
}

/* ---- its places ---- */

struct layout {
  double left, width;                      /* cm */
  double names;                            /* the widest name or line under it */
  double columns[SHK_KEY_COLUMNS], values; /* the width of each, and of all */
  bool has_heads;
  int side_by_side;
  double lefts[MOST_SIDE_BY_SIDE]; /* of the blocks */
};

static void add_text(struct shk_figure *figure, double x, double y, const char *plain,
                     const char *latex)
{
  figure->texts = shk_grow(figure->texts, (size_t)figure->text_count, sizeof *figure->texts);
  figure->texts[figure->text_count++] =
      (struct shk_key_text){.x = x,
                            .y = y,
                            .plain = shk_copy_text(plain),
                            .latex = latex ? shk_copy_text(latex) : shk_latex_text(plain)};
}

/* A text over as many lines as it needs, those after the first set in. Returns how many; places none
 * without a figure. */
static int add_lines(struct shk_figure *figure, double x, double y, double width, const char *text)
{
  int lines = 0;
  do {
    const double in = lines > 0 ? indent : 0;
    const size_t length = shk_text_part(text, width - in);
    char *const part = shk_print_text("%.*s", (int)length, text);
    if (figure)
      add_text(figure, x + in, y + lines * line, part, NULL);
    free(part);
    text += length;
    lines++;
  } while (*text);
  return lines;
}

static bool has_values(const struct shk_key_row *row)
{
  for (int c = 0; c < SHK_KEY_COLUMNS; c++)
    if (row->values[c].plain[0])
      return true;
  return false;
}

static void measure_columns(struct layout *layout, const struct shk_figure *figure)
{
  layout->values = layout->names = 0;
  for (int i = 0; i < figure->row_count; i++) {
    const struct shk_key_row *const row = &figure->key[i];
    const double under = shk_text_width(row->under.plain) + indent;
    if (row->kind == SHK_KEY_NAME)
      layout->names = fmax(layout->names, shk_text_width(row->text));
    else if (row->kind == SHK_KEY_UNDER && has_values(row))
      layout->names = fmax(layout->names, under);
  }
  for (int c = 0; c < SHK_KEY_COLUMNS; c++) {
    double width = shk_text_width(figure->heads[c].plain);
    layout->has_heads = layout->has_heads || width > 0;
    for (int i = 0; i < figure->row_count; i++)
      width = fmax(width, shk_text_width(figure->key[i].values[c].plain));
    layout->columns[c] = width;
    layout->values += width > 0 ? width + between : 0;
  }
}

static double block_width(const struct layout *layout)
{
  return layout->width / layout->side_by_side;
}

static double name_width(const struct layout *layout)
{
  return block_width(layout) - sample - layout->values - 0.2;
}

/* Where the first column of values begins: beside the names. */
static double values_at(const struct layout *layout)
{
  return sample + fmin(layout->names, name_width(layout)) + between + 0.1;
}

/* Places a row at (x, y); returns its lines. Values stand beside the first. */
static int add_row_at(struct shk_figure *figure, const struct layout *layout,
                      const struct shk_key_row *row, double x, double y)
{
  /* In a block of its own width a name has room. */
  const double width = layout->side_by_side > 1 ? layout->width : name_width(layout);
  int lines = 1;
  if (row->kind == SHK_KEY_NAME) {
    lines = add_lines(figure, x + sample, y, width, row->text);
    if (figure) {
      figure->samples =
          shk_grow(figure->samples, (size_t)figure->sample_count, sizeof *figure->samples);
      figure->samples[figure->sample_count++] = (struct shk_key_sample){x, y, row};
    }
  } else if (figure && row->under.plain[0]) {
    add_text(figure, x + sample + indent, y, row->under.plain, row->under.latex);
  }
  double at = x + values_at(layout);
  for (int c = 0; figure && c < SHK_KEY_COLUMNS; c++) {
    const struct shk_label *const value = &row->values[c];
    if (value->plain[0])
      add_text(figure, at, y, value->plain, value->latex);
    at += layout->columns[c] > 0 ? layout->columns[c] + between : 0;
  }
  return lines;
}

/* The end of the rows that belong to the name at `from`. */
static int end_of_entry(const struct shk_figure *figure, int from)
{
  int end = from + 1;
  while (end < figure->row_count && figure->key[end].kind == SHK_KEY_UNDER)
    end++;
  return end;
}

static int lines_of_entry(const struct shk_figure *figure, const struct layout *layout, int from)
{
  int lines = 0;
  for (int i = from; i < end_of_entry(figure, from); i++)
    lines += add_row_at(NULL, layout, &figure->key[i], 0, 0);
  return lines;
}

static int next_name(const struct shk_figure *figure, int from)
{
  while (from < figure->row_count && figure->key[from].kind != SHK_KEY_NAME)
    from++;
  return from;
}

/* The lines of all names one below the other, or, with a block's limit, the blocks that they fill;
 * `longest` is of one. */
static int count_lines(const struct shk_figure *figure, const struct layout *layout, int *longest)
{
  int lines = 0;
  *longest = 0;
  for (int i = next_name(figure, 0); i < figure->row_count; i = next_name(figure, i + 1)) {
    const int its = lines_of_entry(figure, layout, i);
    lines += its;
    *longest = its > *longest ? its : *longest;
  }
  return lines;
}

/* How many lines a block has when they are side by side. */
static int block_lines(const struct shk_figure *figure, const struct layout *layout)
{
  int longest, limit = count_lines(figure, layout, &longest);
  limit = (limit + layout->side_by_side - 1) / layout->side_by_side;
  for (limit = limit > longest ? limit : longest;; limit++) {
    int blocks = 1, used = 0;
    for (int i = next_name(figure, 0); i < figure->row_count; i = next_name(figure, i + 1)) {
      const int its = lines_of_entry(figure, layout, i);
      if (used + its > limit) {
        blocks++;
        used = 0;
      }
      used += its;
    }
    if (blocks <= layout->side_by_side)
      return limit;
  }
}

static double names_height(const struct shk_figure *figure, const struct layout *layout)
{
  if (next_name(figure, 0) == figure->row_count)
    return 0;
  return (block_lines(figure, layout) + layout->has_heads) * line;
}

/* Names without values in so many blocks, each as wide as its widest name; whether they have room. */
static bool fit_blocks(const struct shk_figure *figure, struct layout *layout, int blocks)
{
  int names = 0, seen = 0;
  double left = layout->left, widest = 0;
  for (int i = 0; i < figure->row_count; i++) {
    names += figure->key[i].kind == SHK_KEY_NAME;
    if (figure->key[i].kind == SHK_KEY_UNDER)
      return false;
  }
  const int each = (names + blocks - 1) / blocks;
  for (int i = 0; i < figure->row_count; i++) {
    if (figure->key[i].kind != SHK_KEY_NAME)
      continue;
    if (seen > 0 && seen % each == 0) {
      left += sample + widest + 2 * between;
      widest = 0;
    }
    layout->lefts[seen++ / each] = left;
    widest = fmax(widest, shk_text_width(figure->key[i].text));
  }
  layout->side_by_side = (names + each - 1) / (each > 0 ? each : 1);
  return names > 1 && layout->values == 0 && left + sample + widest <= layout->left + layout->width;
}

/* Whether all names have room on one line each. */
static bool all_fit(const struct shk_figure *figure, const struct layout *layout)
{
  for (int i = 0; i < figure->row_count; i++) {
    const struct shk_key_row *const row = &figure->key[i];
    if ((row->kind == SHK_KEY_NAME && shk_text_width(row->text) > name_width(layout)) ||
        (row->kind == SHK_KEY_UNDER &&
         shk_text_width(row->under.plain) + indent + (has_values(row) ? 0 : -layout->values) >
             name_width(layout)))
      return false;
  }
  return true;
}

static int count_names(const struct shk_figure *figure)
{
  int count = 0;
  for (int i = 0; i < figure->row_count; i++)
    count += figure->key[i].kind == SHK_KEY_NAME;
  return count;
}

static struct layout layout_of(const struct shk_figure *figure, double left, double width)
{
  struct layout layout = {.left = left, .width = width};
  measure_columns(&layout, figure);
  layout.side_by_side = 1;
  layout.lefts[0] = left;
  for (int most = MOST_SIDE_BY_SIDE; most > 1; most--) {
    struct layout tried = layout;
    if (fit_blocks(figure, &tried, most))
      return tried;
    tried.side_by_side = most;
    if (count_names(figure) < most || !all_fit(figure, &tried))
      continue;
    for (int i = 0; i < most; i++)
      tried.lefts[i] = left + i * block_width(&tried);
    return tried;
  }
  return layout;
}

/* Notes before the names, or those after them; returns their lines. */
static int add_notes(struct shk_figure *figure, const struct shk_figure *of, bool after, double y)
{
  const int first = next_name(of, 0);
  int lines = 0;
  for (int i = after ? first : 0; i < (after ? of->row_count : first); i++)
    if (of->key[i].kind == SHK_KEY_NOTE)
      lines += add_lines(figure, margin, y + lines * line, of->width - 2 * margin, of->key[i].text);
  return lines;
}

static struct layout layout_in(const struct shk_figure *figure)
{
  return layout_of(figure, margin, figure->width - 1.5 * margin);
}

static double height_below(const struct shk_figure *figure)
{
  if (figure->key_place == SHK_KEY_IN_CAPTION)
    return 0.15;
  const struct layout layout = layout_in(figure);
  const int notes = add_notes(NULL, figure, false, 0) + add_notes(NULL, figure, true, 0);
  return notes * line + (figure->key_place == SHK_KEY_INSIDE ? 0 : names_height(figure, &layout)) +
         0.15;
}

static void add_names(struct shk_figure *figure, const struct layout *layout, double y)
{
  const int limit = next_name(figure, 0) < figure->row_count ? block_lines(figure, layout) : 0;
  int used = 0, at = 0;
  for (int block = 0; layout->has_heads && block < layout->side_by_side; block++) {
    double x = layout->lefts[block] + values_at(layout);
    for (int c = 0; c < SHK_KEY_COLUMNS; c++) {
      if (figure->heads[c].plain[0])
        add_text(figure, x, y, figure->heads[c].plain, figure->heads[c].latex);
      x += layout->columns[c] > 0 ? layout->columns[c] + between : 0;
    }
  }
  y += layout->has_heads ? line : 0;
  for (int i = next_name(figure, 0); i < figure->row_count; i = next_name(figure, i + 1)) {
    const int its = lines_of_entry(figure, layout, i);
    if (used + its > limit) {
      at++;
      used = 0;
    }
    for (int k = i; k < end_of_entry(figure, i); k++)
      used += add_row_at(figure, layout, &figure->key[k], layout->lefts[at], y + used * line);
  }
}

/* ---- the height of the figure ---- */

static bool is_too_high(const struct shk_figure *figure)
{
  return shk_panels_height(figure) + height_below(figure) > SHK_MOST_HEIGHT + 1e-3;
}

static bool is_crowded(const struct shk_figure *figure)
{
  const struct layout layout = layout_in(figure);
  return layout.values > 0 && name_width(&layout) < least_name && !all_fit(figure, &layout);
}

static void widen(struct shk_figure *figure)
{
  static const double widths[] = {SHK_COLUMN_WIDTH, SHK_MIDDLE_WIDTH, SHK_PAGE_WIDTH};
  for (int i = 0; i < 3 && !figure->sized && (is_too_high(figure) || is_crowded(figure)); i++)
    figure->width = fmax(figure->width, widths[i]);
}

static void lower(struct shk_figure *figure)
{
  const double over = shk_panels_height(figure) + height_below(figure) - SHK_MOST_HEIGHT;
  if (over > 0 && !figure->sized)
    figure->panel_height =
        fmax(fmin(figure->panel_height, least_panel), figure->panel_height - over / figure->rows);
}

/* Takes names from the end until the rest has room; what is left out is in the data. */
static void shorten(struct shk_figure *figure)
{
  int left_out = 0;
  while (is_too_high(figure)) {
    int last = figure->row_count;
    while (last > 0 && figure->key[last - 1].kind != SHK_KEY_NAME)
      last--;
    if (last <= next_name(figure, 0) + 1)
      break;
    const int from = last - 1, to = end_of_entry(figure, from);
    if (left_out++ == 0)
      shk_key_note(figure, "");
    for (int i = from; i < to; i++)
      free(figure->key[i].text);
    memmove(figure->key + from, figure->key + to,
            (size_t)(figure->row_count - to) * sizeof *figure->key);
    figure->row_count -= to - from;
    free(figure->key[figure->row_count - 1].text);
    figure->key[figure->row_count - 1].text =
        shk_print_text("%d more are named in the figure's data", left_out);
  }
}

/* ---- the whole ---- */

static struct layout layout_inside(const struct shk_figure *figure)
{
  const struct shk_place place = shk_panel_place(figure, &figure->panels[0]);
  return layout_of(figure, place.left + 0.15, place.width - 0.3);
}

/* How much of the first panel's height the names take. */
static double share_inside(const struct shk_figure *figure, const struct layout *layout)
{
  return (names_height(figure, layout) + 0.15) / figure->panel_height;
}

/* Whether the first panel has a frame, an axis whose range can be extended, and room. */
static bool can_be_inside(const struct shk_figure *figure)
{
  if (figure->panel_count == 0 || figure->panels[0].bare || figure->sized ||
      !(figure->panels[0].y.low < figure->panels[0].y.high))
    return false;
  const struct layout layout = layout_inside(figure);
  return all_fit(figure, &layout) && share_inside(figure, &layout) <= 0.5;
}

/* Room at the top of the first panel for the names. */
static void lay_out_inside(struct shk_figure *figure)
{
  struct shk_panel *const panel = &figure->panels[0];
  const struct shk_place place = shk_panel_place(figure, panel);
  const struct layout layout = layout_inside(figure);
  const double share = share_inside(figure, &layout);
  struct shk_axis *const y = &panel->y;
  if (y->logarithmic)
    y->high *= pow(y->high / y->low, share / (1 - share));
  else
    y->high += (y->high - y->low) * share / (1 - share);
  add_names(figure, &layout, place.top + 0.3);
}

void shk_key_lay_out(struct shk_figure *figure)
{
  if (figure->key_place == SHK_KEY_INSIDE && !can_be_inside(figure))
    figure->key_place = SHK_KEY_BELOW;
  if (figure->key_place == SHK_KEY_BELOW) {
    widen(figure);
    lower(figure);
    shorten(figure);
  }
  figure->key_height = height_below(figure);
  if (figure->key_place == SHK_KEY_IN_CAPTION)
    return;
  double y = shk_panels_height(figure) + 0.5 * line;
  y += line * add_notes(figure, figure, false, y);
  if (figure->key_place == SHK_KEY_INSIDE) {
    lay_out_inside(figure);
  } else {
    const struct layout layout = layout_in(figure);
    add_names(figure, &layout, y);
    y += names_height(figure, &layout);
  }
  add_notes(figure, figure, true, y);
}
