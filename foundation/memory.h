/*
 * Memory for small objects outside the numerics: texts, lists, records. These functions never
 * return NULL. If allocation fails they call shk_out_of_memory, which by default prints a message
 * on standard error and aborts. The process that runs a cell replaces it, so that the record
 * reports the failure.
 */
#ifndef FOUNDATION_MEMORY_H
#define FOUNDATION_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Called if an allocation fails; must not return. */
extern void (*shk_out_of_memory)(void);

/* Allocates `count` elements of `size` bytes, zeroed. All results of this header are freed by
 * free(). */
void *shk_allocate(size_t count, size_t size);
/* Resizes a block; the added part is uninitialized. */
void *shk_reallocate(void *old, size_t count, size_t size);
/* Makes room for one more element in a list of `count`. The list begins as NULL and is grown by
 * this function only. */
void *shk_grow(void *list, size_t count, size_t size);
/* Adds an element at the end of such a list, increments its count and returns the address of the
 * element. */
#define SHK_APPEND(list, count)                                                                    \
  ((list) = shk_grow((list), (size_t)(count), sizeof *(list)), &(list)[(count)++])
/* Returns a copy; NULL for NULL. */
char *shk_copy_text(const char *text);
/* Frees each text of a list and the list. Accepts NULL. */
void shk_free_texts(char **texts, int count);
/* A list of texts with NULL behind the last one. Begins as {0}. */
struct shk_text_list {
  char **all;
  int count;
};
/* Adds a copy of a text. */
void shk_list_text(struct shk_text_list *list, const char *text);
/* The same, unless the list has the text. */
void shk_list_text_once(struct shk_text_list *list, const char *text);
void shk_list_clear(struct shk_text_list *list);
/* True if both texts are equal or both are NULL. */
bool shk_same_text(const char *a, const char *b);
/* True if a text ends in `ending`. */
bool shk_ends_with(const char *text, const char *ending);
/* Returns the next paragraph of a text as one line, and moves the text behind it; NULL at the end.
 * Paragraphs end at empty lines or, if there is none, at line ends: a folded text of YAML has one
 * line for each paragraph. The caller frees it. */
char *shk_take_paragraph(const char **text);
/* Prints to a newly allocated text. */
char *shk_print_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *shk_print_arguments(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
/* Prints at the end of a text, which may be NULL or must be one that free() accepts, and may move.
 * The arguments may be part of the text. */
void shk_append_text(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns a function's output for `thing` as a newly allocated text. */
char *shk_printed_text(void (*print)(FILE *file, const void *thing), const void *thing);

#endif
