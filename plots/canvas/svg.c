/*
 * The SVG that gnuplot drew, made fit for a page that holds several.
 *
 * gnuplot gives what it defines the same ids in every file, and calls each curve after the
 * expression that it is drawn from: `<g id="gnuplot_plot_3b" ><title>data index 4 using
 * 1:2</title>` is the third layer of the second plot. Both plots and layers are in the order of the
 * figure's, with the key as the last plot.
 */
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include "results/export/export.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The method that a layer is drawn in the style of, from 1; 0 if it is none. */
static int method_of(const char *layer)
{
  const char *style = strstr(layer, " linestyle ");
  return style ? atoi(style + strlen(" linestyle ")) : 0;
}

static int method_of_layer(const struct shk_figure *figure, int plot, int layer)
{
  if (plot < figure->panel_count)
    return layer < figure->panels[plot].layer_count ? method_of(figure->panels[plot].layers[layer])
                                                    : 0;
  /* The key: its texts, then a line and a mark for each sample. */
  const int sample = (layer - 1) / 2;
  return layer > 0 && sample < figure->sample_count ? figure->samples[sample].row->method + 1 : 0;
}

static void print_user_text(FILE *out, const char *text)
{
  char *const safe = shk_data_text(text);
  shk_print_xml(out, safe);
  free(safe);
}

/* Copies a line, ids and what refers to them with the figure's name before them. */
static void print_renamed(FILE *out, const char *line, const char *name)
{
  static const char *const before[] = {" id='", "href='#", "url(#"};
  while (*line) {
    size_t length = 0;
    for (size_t i = 0; i < sizeof before / sizeof *before && length == 0; i++)
      if (strncmp(line, before[i], strlen(before[i])) == 0)
        length = strlen(before[i]);
    if (length > 0)
      fprintf(out, "%.*s%s-", (int)length, line, name);
    else
      putc(*line, out);
    line += length > 0 ? length : 1;
  }
}

static void annotate_line(FILE *out, const struct shk_figure *figure, const char *line)
{
  static const char curve[] = "<g id=\"gnuplot_plot_";
  const char *at = line + strspn(line, " \t");
  const char *after = strstr(at, "</title>");
  int layer;
  char letter;
  if (strncmp(at, "<title>", 7) == 0) {
    fputs("<title>", out);
    print_user_text(out, figure->title ? figure->title : figure->name);
    /* Alone, not among what a page holds: that sees to its own. */
    fputs("</title>\n<style>@media screen and (prefers-color-scheme: dark) "
          "{ svg:root { filter: invert(.9) hue-rotate(180deg) } }</style>\n",
          out);
  } else if (strncmp(at, "<desc>", 6) == 0) {
    return; /* the drawing program's version */
  } else if (strncmp(at, "<g id=\"gnuplot_canvas\"", 22) == 0) {
    fprintf(out, "<g id=\"%s-canvas\">\n", figure->name);
  } else if (strncmp(at, curve, sizeof curve - 1) == 0 && after &&
             sscanf(at + sizeof curve - 1, "%d%c", &layer, &letter) == 2) {
    const int method = method_of_layer(figure, letter >= 'a' ? letter - 'a' : 0, layer - 1);
    fprintf(out, "<g id=\"%s-curve-%d%c\"", figure->name, layer, letter);
    if (method > 0)
      fprintf(out, " class=\"method method-%d\"", method);
    putc('>', out);
    if (method > 0 && figure->method_names) {
      fputs("<title>", out);
      print_user_text(out, figure->method_names[method - 1]);
      fputs("</title>", out);
    }
    print_renamed(out, after + strlen("</title>"), figure->name);
  } else {
    print_renamed(out, line, figure->name);
  }
}

bool shk_svg_annotate(const struct shk_figure *figure, const char *directory,
                      struct shk_message *error)
{
  char *const name = shk_print_text("%s.svg", figure->name);
  char *const path = shk_print_text("%s/%s", directory, name);
  char *text = NULL, *line = NULL;
  size_t size = 0, room = 0;
  FILE *const in = fopen(path, "r"), *const out = in ? open_memstream(&text, &size) : NULL;
  bool ok = out != NULL;
  if (!in)
    shk_message_set(error, "cannot read %s: %s", path, strerror(errno));
  while (ok && getline(&line, &room, in) > 0)
    annotate_line(out, figure, line);
  if (out)
    ok = fclose(out) == 0 && !ferror(in);
  if (in)
    fclose(in);
  ok = ok && shk_write_text(directory, name, text, size, error);
  free(line);
  free(text);
  free(path);
  free(name);
  return ok;
}
