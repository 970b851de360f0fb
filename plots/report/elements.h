/* Elements of HTML that the parts of a report consist of. Private to plots/report/. */
#ifndef PLOTS_REPORT_ELEMENTS_H
#define PLOTS_REPORT_ELEMENTS_H

#include <stdbool.h>
#include <stdio.h>

/* Writes an element with a user's text, escaped. If the text is empty or NULL, only a cell of a
 * table is written. */
void shk_put_element(FILE *out, const char *tag, const char *text);
/* Writes a text as paragraphs; nothing for NULL. */
void shk_put_paragraphs(FILE *out, const char *text);
/* Writes a cell of a table that sorts by its number. */
void shk_put_number(FILE *out, double value);

/* Begins a table whose columns are those with a bit in `columns`, folded unless `open`, with the
 * number and the name of its rows. */
void shk_begin_table(FILE *out, bool open, int count, const char *what, const char *const *heads,
                     unsigned columns);
void shk_end_table(FILE *out);
/* Writes that the page has only the first of `count` rows, and the command that shows all. */
void shk_put_limit(FILE *out, int count, const char *what, const char *option);

#endif
