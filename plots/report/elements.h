/* HTML elements used to build reports. Private to plots/report/. */
#ifndef PLOTS_REPORT_ELEMENTS_H
#define PLOTS_REPORT_ELEMENTS_H

#include <stdbool.h>
#include <stdio.h>

/* Writes an HTML element that contains escaped user text. If the text is empty or NULL, nothing is
 * written unless the element is a table cell. */
void shk_put_element(FILE *out, const char *tag, const char *text);
/* Writes a string as HTML paragraphs, or nothing if it is NULL. */
void shk_put_paragraphs(FILE *out, const char *text);
/* Writes a table cell that contains a number and is sorted numerically. */
void shk_put_number(FILE *out, double value);

/* Begins a table. Only columns whose bits are set in `columns` are included. The summary line
 * contains `count`, the number of rows, and `what`, a description of them. The table is collapsed
 * unless `open`. */
void shk_begin_table(FILE *out, bool open, int count, const char *what, const char *const *heads,
                     unsigned columns);
void shk_end_table(FILE *out);
/* Writes a note that the page omits some of the `count` rows. The note contains the command that
 * shows all of them. */
void shk_put_limit(FILE *out, int count, const char *what, const char *option);

#endif
