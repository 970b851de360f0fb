/* Handles UTF-8 characters and converts arbitrary bytes, such as the output of a plug-in, to
 * UTF-8. */
#ifndef FOUNDATION_UTF8_H
#define FOUNDATION_UTF8_H

#include <stddef.h>

/* Returns the length of the first character in `left` bytes and stores the code point in *number.
 * Returns 0 if the character is invalid. NUL, overlong forms and surrogates are considered
 * invalid. */
size_t shk_utf8_character(const char *at, size_t left, unsigned *number);

/* Returns the bytes as a UTF-8 string in which invalid bytes and NUL are written as \xNN. The
 * caller must free the string. */
char *shk_utf8_text(const char *bytes, size_t length);

#endif
