/* Characters of UTF-8, and texts of arbitrary bytes such as the output of a plug-in. */
#ifndef FOUNDATION_UTF8_H
#define FOUNDATION_UTF8_H

#include <stddef.h>

/* Returns the length of the first character of `left` bytes, its code point in *number; 0 if it is
 * invalid (as NUL, overlong forms and surrogates are). */
size_t shk_utf8_character(const char *at, size_t left, unsigned *number);

/* Returns a text in UTF-8; invalid bytes and NUL become \xNN. The caller frees it. */
char *shk_utf8_text(const char *bytes, size_t length);

#endif
