/*
 * Completes the SVG that gnuplot drew: adds its own title, and dark colours for a reader's dark
 * screen. gnuplot writes each element at the beginning of a line.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "results/export/export.h"
#include <stdlib.h>
#include <string.h>

static const char dark[] = "<style>@media screen and (prefers-color-scheme: dark) "
                           "{ svg:root { filter: invert(.93) hue-rotate(180deg) brightness(1.5) } }"
                           "</style>\n";

bool shk_svg_finish(const struct shk_chart *chart, const char *directory, struct shk_message *error)
{
  static const char begins[] = "<title>Gnuplot</title>\n";
  char *const name = shk_print_text("%s.svg", chart->name);
  char *const path = shk_print_text("%s/%s", directory, name);
  size_t length, size = 0;
  char *const drawn = shk_read_file(path, 1 << 28, "figure", &length, error), *text = NULL;
  char *const title = drawn ? strstr(drawn, begins) : NULL;
  FILE *const out = drawn ? open_memstream(&text, &size) : NULL;
  bool ok = out != NULL;
  if (out) {
    char *const safe = shk_data_text(chart->title ? chart->title : chart->name);
    fwrite(drawn, 1, title ? (size_t)(title - drawn) : length, out);
    if (title) {
      fputs("<title>", out);
      shk_print_xml(out, safe);
      fprintf(out, "</title>\n%s%s", dark, title + sizeof begins - 1);
    }
    ok = fclose(out) == 0 && shk_write_text(directory, name, text, size, error);
    free(safe);
  }
  free(text);
  free(drawn);
  free(path);
  free(name);
  return ok;
}
