/*
 * Memory for small objects outside the numerics, such as texts, lists and records. These functions
 * never return NULL. If an allocation fails, they call shk_out_of_memory, which by default prints a
 * message to standard error and aborts. The process that runs a cell replaces shk_out_of_memory, so
 * that the record reports the failure.
 */
#ifndef FOUNDATION_MEMORY_H
#define FOUNDATION_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Called if an allocation fails. Must not return. */
extern void (*shk_out_of_memory)(void);

/* Allocates `count` zeroed elements of `size` bytes. Free the results of all functions in this
 * header with free(). */
void *shk_allocate(size_t count, size_t size);
/* Resizes a block. The added part is uninitialized. */
void *shk_reallocate(void *old, size_t count, size_t size);
/* Makes room for one more element in a list of `count` elements. The list starts as NULL, and only
 * this function may enlarge it. */
void *shk_grow(void *list, size_t count, size_t size);
/* Adds an element at the end of such a list, increments the count and returns the address of the
 * element. */
#define SHK_APPEND(list, count)                                                                    \
  ((list) = shk_grow((list), (size_t)(count), sizeof *(list)), &(list)[(count)++])
/* Returns a copy of a text, or NULL for NULL. */
char *shk_copy_text(const char *text);
/* Frees the list and each text in it. Accepts NULL. */
void shk_free_texts(char **texts, int count);
/* A list of texts that is terminated by NULL. Initialize it with {0}. */
struct shk_text_list {
  char **all;
  int count;
};
/* Adds a copy of a text. */
void shk_list_text(struct shk_text_list *list, const char *text);
/* Adds a copy of a text unless the list contains the text already. */
void shk_list_text_once(struct shk_text_list *list, const char *text);
void shk_list_clear(struct shk_text_list *list);
/* Returns true if both texts are equal or both are NULL. */
bool shk_same_text(const char *a, const char *b);
/* Returns true if a text ends in `ending`. */
bool shk_ends_with(const char *text, const char *ending);
/* Returns the next paragraph of a text as one line and advances the text beyond it, or returns NULL
 * at the end of the text. Paragraphs end at empty lines. If the text contains no empty lines, every
 * line is a paragraph, as in a folded YAML text. The caller frees the paragraph. */
char *shk_take_paragraph(const char **text);
/* Prints to a newly allocated text. */
char *shk_print_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *shk_print_arguments(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
/* Appends formatted output to a text. The text must be NULL or a block that free() accepts, and it
 * may move. The arguments may point into the text. */
void shk_append_text(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns what `print` writes for `thing`, as a newly allocated text. */
char *shk_printed_text(void (*print)(FILE *file, const void *thing), const void *thing);

#endif
