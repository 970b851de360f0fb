/* Completes an SVG that gnuplot drew: its own title, and dark colours on a reader's dark screen. */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "results/export/export.h"
#include <stdlib.h>
#include <string.h>

bool shk_svg_finish(const char *path, const char *title, struct shk_message *error)
{
  static const char mark[] = "<title>Gnuplot</title>\n";
  size_t length;
  char *const drawn = shk_read_file(path, 1 << 28, "figure", &length, error);
  char *const place = drawn ? strstr(drawn, mark) : NULL;
  FILE *const out = place ? fopen(path, "w") : NULL;
  bool ok = drawn && (!place || out);
  if (out) {
    char *const safe = shk_data_text(title);
    fwrite(drawn, 1, (size_t)(place - drawn), out);
    fputs("<title>", out);
    shk_print_xml(out, safe);
    fprintf(out,
            "</title>\n<style>@media screen and (prefers-color-scheme: dark) "
            "{ svg:root { filter: invert(.93) hue-rotate(180deg) brightness(1.5) } }</style>\n%s",
            place + sizeof mark - 1);
    ok = fclose(out) == 0;
    free(safe);
  }
  if (!ok && drawn)
    shk_message_set(error, "cannot write %s", path);
  free(drawn);
  return ok;
}
