/* Texts of any bytes, such as what a plug-in has printed. */
#ifndef RESULTS_RECORD_UTF8_H
#define RESULTS_RECORD_UTF8_H

#include <stddef.h>

/* A text in UTF-8: what is not UTF-8, and NUL, becomes \xNN. The caller frees it. */
char *shk_utf8_text(const char *bytes, size_t length);

#endif
