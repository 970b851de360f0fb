/* An error message for the user: written where an error is detected, shown by the command line. */
#ifndef FOUNDATION_MESSAGE_H
#define FOUNDATION_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

struct shk_message {
  char text[1024];
};

/* Formats the message; a text that is too long is cut and ends in "…". Returns false, as functions
 * do that set it. */
bool shk_message_set(struct shk_message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copies a text into `size` bytes; a text that is too long is cut and ends in "…". */
void shk_text_fit(char *to, size_t size, const char *from);

#endif
