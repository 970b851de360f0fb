/*
 * The gnuplot script of a figure. It holds fixed words, numbers and the figure's file name, which
 * is [a-z0-9-]; never a text of the user, not even as a comment.
 */
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double left_margin = 1.6, right_margin = 0.4, gap = 0.3, beside = 0.5,
                    title_text = 0.3, axis_text = 1.05;

const struct shk_extent shk_extent_of_nothing = {INFINITY, 0};

void shk_extent_add(struct shk_extent *extent, double value)
{
  if (value > 0 && isfinite(value)) {
    extent->low = fmin(extent->low, value);
    extent->high = fmax(extent->high, value);
  }
}

void shk_axis_range(struct shk_axis *axis, double low, double high, double room)
{
  axis->logarithmic = true;
  axis->low = low / room;
  axis->high = high * room;
}

void shk_axis_linear(struct shk_axis *axis, double low, double high)
{
  const double room = high > low ? 0.06 * (high - low) : fmax(fabs(high), 1e-300) / 10;
  axis->low = low - room;
  axis->high = high + room;
}

static void print_quoted(FILE *file, const char *text)
{
  shk_print_doubled(file, text, '\'');
}

/* An expression that is the one text or the other, as the type needs. */
static void print_label(FILE *file, const struct shk_label *label)
{
  if (strcmp(label->plain, label->latex) == 0) {
    print_quoted(file, label->plain);
    return;
  }
  fputs("latex ? ", file);
  print_quoted(file, label->latex);
  fputs(" : ", file);
  print_quoted(file, label->plain);
}

double shk_panel_width(const struct shk_figure *figure)
{
  return (figure->width - left_margin - right_margin - (figure->columns - 1) * beside) /
         figure->columns;
}

/* Above each row. */
static double title_height(const struct shk_figure *figure)
{
  for (int i = 0; i < figure->panel_count; i++)
    if (figure->panels[i].title.plain[0])
      return title_text;
  return 0;
}

/* Whether any panel of the row has an x axis of its own, and so needs room below. */
static bool has_axis_text(const struct shk_figure *figure, int row)
{
  for (int i = 0; i < figure->panel_count; i++)
    if (figure->panels[i].row == row && figure->panels[i].x.label.plain[0])
      return true;
  return false;
}

static double row_height(const struct shk_figure *figure, int row)
{
  return title_height(figure) + figure->panel_height +
         (has_axis_text(figure, row) ? axis_text : gap);
}

double shk_panels_height(const struct shk_figure *figure)
{
  double height = gap;
  for (int r = 0; r < figure->rows; r++)
    height += row_height(figure, r);
  return height;
}

double shk_figure_height(const struct shk_figure *figure)
{
  return shk_panels_height(figure) + figure->key_height;
}

static void print_head(FILE *file, const struct shk_figure *figure, const char *type)
{
  const double width = figure->width, height = shk_figure_height(figure);
  fprintf(file,
          "# Draws %s.dat. In this folder: gnuplot %s.gp\n"
          "# In another type: gnuplot -e \"type='svg'\" %s.gp   (pdf, svg, png or tex)\n"
          "if (!exists('type')) type = '%s'\n"
          "latex = type eq 'tex'\n"
          "data = '%s.dat'\n"
          "set encoding utf8\n"
          "set datafile separator \"\\t\"\n"
          "set datafile missing '?'\n\n",
          figure->name, figure->name, figure->name, type, figure->name);
  /* SVG counts in 1/96 inch, PNG is made for 300 dots an inch. Scaled by 0.75, pdfcairo's text has
   * its nominal size (measured; the default of 0.5 gives two thirds of it); LaTeX's has the size
   * that the header sets. */
  fprintf(
      file,
      "# %.1f cm wide in print, text of 8 and 7 points there\n"
      "small = 'Helvetica,7'\n"
      "text = latex ? 4 : 3\n"
      "if (type eq 'pdf') {\n"
      "  set terminal pdfcairo size %.2fcm,%.2fcm font 'Helvetica,8' fontscale 0.75 linewidth 0.8\n"
      "  set output '%s.pdf'\n"
      "} else { if (type eq 'svg') {\n"
      "  set terminal svg size %.0f,%.0f dynamic font 'Helvetica,10.67' linewidth 0.8 "
      "background rgb 'white'\n"
      "  set output '%s.svg'\n"
      "  small = 'Helvetica,9.33'\n"
      "} else { if (type eq 'png') {\n"
      "  set terminal pngcairo size %.0f,%.0f font 'Helvetica,8' fontscale 3.125 linewidth 2.5 "
      "pointscale 3.125\n"
      "  set output '%s.png'\n"
      "} else {\n"
      "  set terminal cairolatex pdf size %.2fcm,%.2fcm linewidth 1.1 "
      "header '\\fontsize{8}{9.5}\\selectfont'\n"
      "  set output '%s-latex.tex'\n"
      "}}}\n\n",
      width, width, height, figure->name, width / 2.54 * 96, height / 2.54 * 96, figure->name,
      width / 2.54 * 300, height / 2.54 * 300, figure->name, width, height, figure->name);
  shk_print_styles(file, figure);
  fputs("set border 15 linewidth 0.9\n"
        "set tics front scale 0.7,0.35\nset minussign\n"
        "set key off\n"
        "set style fill transparent solid 0.3 noborder\n"
        "set multiplot\n",
        file);
}

/* Whether tics of a logarithmic axis stand at powers of ten: where there are three of them, or two and
 * plain numbers would be long. */
static bool has_decades(const struct shk_axis *axis)
{
  const int first = (int)ceil(log10(axis->low) - 1e-9), last = (int)floor(log10(axis->high) + 1e-9);
  return last - first >= (axis->low >= 1e-3 && axis->high < 2e4 ? 2 : 1);
}

/* The power of ten by which the numbers at an axis are divided; 0 where they are short. */
static int power_of(const struct shk_axis *axis)
{
  const double size = fmax(fabs(axis->low), fabs(axis->high));
  if (!(axis->low < axis->high))
    return 0;
  if (axis->logarithmic) {
    const int first = (int)ceil(log10(axis->low) - 1e-9);
    return has_decades(axis) || (axis->low >= 1e-3 && axis->high < 2e4) ? 0
           : axis->high >= pow(10, first)                               ? first
                                                                        : first - 1;
  }
  return size >= 0.1 && size < 1e4 ? 0 : (int)floor(log10(size) + 1e-9);
}

/* Every tic by its place: what a start, a step and an end mean on a logarithmic axis depends on gnuplot's
 * version. Multiples of the stride, so that panels of other ranges have the same tics. */
static void print_decades(FILE *file, char name, const struct shk_axis *axis, int stride)
{
  const int first = (int)floor(log10(axis->low)), last = (int)floor(log10(axis->high) + 1e-9);
  const int digits = stride == 1 ? 9 : 1;
  const char *comma = "";
  fprintf(file, "unset m%ctics\nset %ctics (", name, name);
  for (int decade = first; decade <= last; decade++)
    for (int digit = 1; digit <= digits && decade % stride == 0; digit++) {
      const double at = digit * pow(10, decade);
      if (at < axis->low * (1 - 1e-9) || at > axis->high * (1 + 1e-9))
        continue;
      if (digit == 1)
        fprintf(file, "%s1e%d", comma, decade);
      else
        fprintf(file, "%s'' %de%d 1", comma, digit, decade);
      comma = ", ";
    }
  fputs(")\n", file);
}

/* Tics of a logarithmic axis that is `length` cm long: at powers of ten, as many as there is room
 * for; otherwise at 1, 2 and 5 times those. */
static void print_log_tics(FILE *file, char name, const struct shk_axis *axis, double length,
                           bool numbered)
{
  const int first = (int)ceil(log10(axis->low) - 1e-9), last = (int)floor(log10(axis->high) + 1e-9);
  const double spacing = name == 'x' ? 1.0 : 0.55;
  int stride = 1;
  while ((last - first) / stride > length / spacing)
    stride++;
  fprintf(file, "set logscale %c\n", name);
  if (has_decades(axis)) {
    if (!numbered)
      fprintf(file, "set format %c ''\n", name);
    else
      fprintf(file, "set format %c (latex ? '$10^{%%T}$' : '10^{%%T}')\n", name);
    print_decades(file, name, axis, stride);
    return;
  }
  static const int digits[3][3] = {{1, 2, 5}, {1, 3, 0}, {1, 0, 0}};
  const double decade_length = length / log10(axis->high / axis->low);
  const int dense = decade_length * log10(2) > 0.8 * spacing   ? 0
                    : decade_length * log10(3) > 0.8 * spacing ? 1
                                                               : 2;
  const char *comma = "";
  const double unit = pow(10, power_of(axis));
  fprintf(file, "unset m%ctics\nset %ctics (", name, name);
  for (int decade = first - 1; decade <= last; decade++)
    for (int i = 0; i < 3; i++) {
      const double at = digits[dense][i] * pow(10, decade);
      if (at > 0 && at >= axis->low && at <= axis->high) {
        if (numbered)
          fprintf(file, "%s'%g' %.3g", comma, at / unit, at);
        else
          fprintf(file, "%s'' %.3g", comma, at);
        comma = ", ";
      }
    }
  fputs(")\n", file);
}

/* Tics of a linear axis: 1, 2 or 5 times a power of ten apart, as many as there is room for. */
static void print_linear_tics(FILE *file, char name, const struct shk_axis *axis, double length,
                              bool numbered)
{
  const double range = axis->high - axis->low, least = (name == 'x' ? 1.15 : 0.7) / length * range;
  const double decade = pow(10, floor(log10(least)));
  const double step = decade * (least <= 2 * decade ? 2 : least <= 5 * decade ? 5 : 10);
  const double unit = pow(10, power_of(axis));
  const char *comma = "";
  fprintf(file, "unset logscale %c\nset m%ctics default\nset format %c '%%h'\nset %ctics (", name,
          name, name, name);
  for (double i = ceil(axis->low / step - 1e-9); i * step <= axis->high + 1e-9 * range; i++) {
    const double at = i == 0 ? 0 : i * step; /* no "-0" */
    char text[32];
    snprintf(text, sizeof text, "%.6g", at / unit);
    const char *const size = text[0] == '-' ? text + 1 : text;
    if (numbered)
      fprintf(file, "%s(latex ? '$%s$' : '%s%s') %.9g", comma, text, size == text ? "" : "−", size,
              at);
    else
      fprintf(file, "%s'' %.9g", comma, at);
    comma = ", ";
  }
  fputs(")\n", file);
}

/* With the power by which its numbers are divided. */
static struct shk_label label_of(const struct shk_axis *axis)
{
  const int power = axis->label.plain[0] ? power_of(axis) : 0;
  if (power == 0)
    return axis->label;
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "10^{%s%d} × %.120s", power > 0 ? "−" : "", abs(power),
           axis->label.plain);
  snprintf(label.latex, sizeof label.latex, "$10^{%d}\\times{}$%.120s", -power, axis->label.latex);
  return label;
}

static void print_axis(FILE *file, char name, const struct shk_axis *axis, double length)
{
  const bool numbered = axis->label.plain[0] != '\0';
  if (axis->logarithmic)
    print_log_tics(file, name, axis, length, numbered);
  else if (axis->low < axis->high)
    print_linear_tics(file, name, axis, length, numbered);
  else
    fprintf(file, "unset logscale %c\nset %ctics autofreq\nset m%ctics default\nset format %c %s\n",
            name, name, name, name, numbered ? "(latex ? '$%h$' : '%h')" : "''");
  if (axis->low < axis->high)
    fprintf(file, "set %crange [%.6g:%.6g]\n", name, axis->low, axis->high);
  else
    fprintf(file, "set autoscale %c\nset offsets 0,0,graph 0.06,graph 0.06\n", name);
  if (name == 'x') {
    const struct shk_label label = label_of(axis);
    fputs("set xlabel ", file);
    print_label(file, &label);
    /* SVG's lines are taller. */
    fputs(" offset 0,(type eq 'svg' ? 0.7 : 0.3)\n", file);
  }
}

static double panel_left(const struct shk_figure *figure, const struct shk_panel *panel)
{
  return panel->bare ? gap : left_margin + panel->column * (shk_panel_width(figure) + beside);
}

/* From the figure's lower edge. */
static double panel_top(const struct shk_figure *figure, const struct shk_panel *panel)
{
  double top = shk_figure_height(figure) - gap - title_height(figure);
  for (int r = 0; r < panel->row; r++)
    top -= row_height(figure, r);
  return top;
}

struct shk_place shk_panel_place(const struct shk_figure *figure, const struct shk_panel *panel)
{
  const double width = panel->bare ? figure->width - 2 * gap : shk_panel_width(figure);
  return (struct shk_place){.left = panel_left(figure, panel),
                            .top = shk_figure_height(figure) - panel_top(figure, panel),
                            .width = width,
                            .height = figure->panel_height};
}

static void print_panel(FILE *file, const struct shk_figure *figure, const struct shk_panel *panel)
{
  const double height = shk_figure_height(figure);
  const double width = panel->bare ? figure->width - 2 * gap : shk_panel_width(figure);
  const double left = panel_left(figure, panel), top = panel_top(figure, panel);
  fprintf(file, "\nset lmargin at screen %.4f\nset rmargin at screen %.4f\n", left / figure->width,
          (left + width) / figure->width);
  fprintf(file, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", top / height,
          (top - figure->panel_height) / height);
  fputs("set offsets\n", file);
  print_axis(file, 'x', &panel->x, width);
  print_axis(file, 'y', &panel->y, figure->panel_height);
  fputs(panel->bare ? "unset label\nunset tics\nunset border\n"
                    : "unset label\nset border 15 linewidth 0.9\n",
        file);
  /* Placed by hand: gnuplot would place it by the width of the tics' texts, which it does not know
   * when LaTeX sets them. */
  if (panel->y.label.plain[0]) {
    const struct shk_label label = label_of(&panel->y);
    fputs("set label ", file);
    print_label(file, &label);
    fprintf(file, " at screen %.4f,graph 0.5 center rotate by 90\n", 0.27 / figure->width);
  }
  if (panel->title.plain[0]) {
    fputs("set label ", file);
    print_label(file, &panel->title);
    fprintf(file, " at screen %.4f,screen %.4f\n", left / figure->width, (top + 0.22) / height);
  }
  for (int i = 0; i < panel->mark_count; i++) {
    fputs("set label ", file);
    print_label(file, &panel->marks[i].label);
    fprintf(file, " at %.6g,%.6g font small textcolor rgb '#606060' front\n", panel->marks[i].x,
            panel->marks[i].y);
  }
  for (int i = 0; i < panel->layer_count; i++)
    fprintf(file, "%sdata %s", i == 0 ? "plot " : ", \\\n     ", panel->layers[i]);
  putc('\n', file);
}

static void print_key(FILE *file, const struct shk_figure *figure, int texts, int samples)
{
  if (figure->text_count == 0)
    return;
  fprintf(file,
          "\n# the key: cm from the left and the upper edges\n"
          "set lmargin at screen 0\nset rmargin at screen 1\n"
          "set tmargin at screen 1\nset bmargin at screen 0\n"
          "unset logscale\nunset label\nunset border\nunset tics\nunset xlabel\n"
          "set xrange [0:%.2f]\nset yrange [%.4f:0]\n",
          figure->width, shk_figure_height(figure));
  fprintf(file,
          "plot data index %d using 1:2:text with labels left noenhanced "
          "font small",
          texts);
  for (int i = 0; i < figure->sample_count; i++) {
    const struct shk_key_row *const row = figure->samples[i].row;
    const int style = row->method + 1;
    if (row->letter) /* two layers each, on which the names in an SVG rely */
      fprintf(
          file,
          ", \\\n     data index %d every ::%d::%d using ($1+0.4):2:(0.25):(0.15) with boxxyerror "
          "linestyle %d fillstyle solid %.2f noborder, \\\n"
          "     data index %d every ::%d::%d using ($1+0.4):2:3 with labels center noenhanced "
          "font small",
          samples, i, i, style, row->filled ? 0.45 : 0.0, samples, i, i);
    else
      fprintf(file,
              ", \\\n     data index %d every ::%d::%d using 1:2:(0.8):(0) with vectors nohead "
              "linestyle %d, \\\n"
              "     data index %d every ::%d::%d using ($1+0.4):2 with points linestyle %d",
              samples, i, i, style, samples, i, i, style);
  }
  putc('\n', file);
}

void shk_print_script(FILE *file, const struct shk_figure *figure, const char *type, int key_block,
                      int sample_block)
{
  print_head(file, figure, type);
  for (int i = 0; i < figure->panel_count; i++)
    print_panel(file, figure, &figure->panels[i]);
  print_key(file, figure, key_block, sample_block);
  fputs("unset multiplot\nset output\n", file);
}
