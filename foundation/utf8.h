/* Characters of UTF-8, and texts of any bytes, such as what a plug-in has printed. */
#ifndef FOUNDATION_UTF8_H
#define FOUNDATION_UTF8_H

#include <stddef.h>

/* Returns how many of the `left` bytes are the character that begins here, and its number; 0 if
 * there is none: NUL, overlong forms and surrogates are none. */
size_t shk_utf8_character(const char *at, size_t left, unsigned *number);

/* A text in UTF-8: what is not UTF-8, and NUL, becomes \xNN. The caller frees it. */
char *shk_utf8_text(const char *bytes, size_t length);

#endif
