/* HTML elements from which the parts of a report are built. Private to plots/report/. */
#ifndef PLOTS_REPORT_ELEMENTS_H
#define PLOTS_REPORT_ELEMENTS_H

#include <stdbool.h>
#include <stdio.h>

/* Writes an element with escaped user text. If the text is empty or NULL, the element is written
 * only if it is a table cell. */
void shk_put_element(FILE *out, const char *tag, const char *text);
/* Writes a text as paragraphs. Writes nothing if the text is NULL. */
void shk_put_paragraphs(FILE *out, const char *text);
/* Writes a table cell that is sorted by its number. */
void shk_put_number(FILE *out, double value);

/* Begins a table with the columns whose bits are set in `columns`, and with the number and name of
 * its rows. The table is folded unless `open`. */
void shk_begin_table(FILE *out, bool open, int count, const char *what, const char *const *heads,
                     unsigned columns);
void shk_end_table(FILE *out);
/* Writes a note that the page contains only the first of `count` rows, with the command that shows
 * all of them. */
void shk_put_limit(FILE *out, int count, const char *what, const char *option);

#endif
