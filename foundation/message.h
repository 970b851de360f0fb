/* An error text for people, written by whoever finds the fault, shown by the command line. */
#ifndef FOUNDATION_MESSAGE_H
#define FOUNDATION_MESSAGE_H

#include <stddef.h>

struct shk_message {
  char text[1024];
};

/* printf into the message; what does not fit is cut and ends in "…". */
void shk_message_set(struct shk_message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A copy of a text into `size` bytes; what does not fit is cut and ends in "…", as above. */
void shk_text_fit(char *to, size_t size, const char *from);

#endif
