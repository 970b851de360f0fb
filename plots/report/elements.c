/* HTML elements. See elements.h. */
#include "plots/report/elements.h"
#include "foundation/memory.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void shk_put_element(FILE *out, const char *tag, const char *text)
{
  const bool cell = strcmp(tag, "td") == 0;
  if (!cell && (!text || !*text))
    return;
  fprintf(out, "<%s>", tag);
  shk_print_xml(out, text ? text : "");
  fprintf(out, "</%s>", tag);
}

void shk_put_paragraphs(FILE *out, const char *text)
{
  char *paragraph;
  while (text && (paragraph = shk_take_paragraph(&text)) != NULL) {
    shk_put_element(out, "p", paragraph);
    putc('\n', out);
    free(paragraph);
  }
}

void shk_put_number(FILE *out, double value)
{
  if (isnan(value))
    fputs("<td></td>", out);
  else
    fprintf(out, "<td class=\"number\" data-value=\"%.17g\">%.4g</td>", value, value);
}

void shk_begin_table(FILE *out, bool open, int count, const char *what, const char *const *heads,
                     unsigned columns)
{
  fprintf(out,
          "<details%s><summary class=\"%s\">%d %s</summary><div class=\"scroll\">"
          "<table data-name=\"%s\"><thead><tr>",
          open ? " open" : "", count > 0 ? what : "", count, what, what);
  for (int i = 0; heads[i]; i++)
    if (columns >> i & 1)
      shk_put_element(out, "th", heads[i]);
  fputs("</tr></thead><tbody>\n", out);
}

void shk_end_table(FILE *out)
{
  fputs("</tbody></table></div></details>\n", out);
}

void shk_put_limit(FILE *out, int count, const char *what, const char *option)
{
  fprintf(out,
          "<p>There are %d %s in all. These are the first, beginning with those that went wrong; "
          "<code>shakedown show STORE --%s</code> prints all of them.</p>\n",
          count, what, option);
}
