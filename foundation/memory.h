/*
 * Memory for small things outside the numerics: texts, lists, records. These calls never return
 * NULL: there is no way to go on without a few bytes. If allocation fails they call
 * shk_out_of_memory, which by default says so on standard error and aborts; the process that runs a
 * cell sets its own, so that the record says so.
 */
#ifndef FOUNDATION_MEMORY_H
#define FOUNDATION_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Called when an allocation fails; must not return. */
extern void (*shk_out_of_memory)(void);

/* `count` elements of `size` bytes, zeroed. Freed by free(), as is all that follows. */
void *shk_allocate(size_t count, size_t size);
/* The same memory made larger or smaller; what is added is uninitialized. */
void *shk_reallocate(void *old, size_t count, size_t size);
/* Makes room for one element more in a list of `count` that began as NULL and is only ever grown by
 * this call. */
void *shk_grow(void *list, size_t count, size_t size);
/* A place for one element more at the end of such a list, whose count goes up. */
#define SHK_APPEND(list, count)                                                                    \
  ((list) = shk_grow((list), (size_t)(count), sizeof *(list)), &(list)[(count)++])
/* A copy; NULL of NULL. */
char *shk_copy_text(const char *text);
/* Frees each text of a list, and the list; NULL is none. */
void shk_free_texts(char **texts, int count);
/* Whether both are the same text, or both NULL. */
bool shk_same_text(const char *a, const char *b);
/* Whether a text ends so. */
bool shk_ends_with(const char *text, const char *ending);
/* printf into a newly allocated text. */
char *shk_print_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *shk_print_arguments(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
/* printf to the end of a text, which may move and begins as NULL or as any that free() takes. What
 * is printed may be part of it. */
void shk_append_text(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What a function prints of a thing, as a newly allocated text. */
char *shk_printed_text(void (*print)(FILE *file, const void *thing), const void *thing);

#endif
