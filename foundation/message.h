/* An error message for the user. The code that detects an error writes it, and the command line
 * shows it. */
#ifndef FOUNDATION_MESSAGE_H
#define FOUNDATION_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { SHK_MESSAGE_SIZE = 1024 };

struct shk_message {
  char text[SHK_MESSAGE_SIZE];
};

/* Formats the message like shk_text_print. Always returns false, so that a failing function can
 * return the result. */
bool shk_message_set(struct shk_message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copies a text into `size` bytes. If the text is too long, " … " replaces its middle, because the
 * beginning tells the user what the message is about, and the end what to do. */
void shk_text_fit(char *to, size_t size, const char *from);
/* Formats a text into `size` bytes, shortened in the same way. */
void shk_text_print(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
