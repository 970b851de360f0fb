/*
 * Allocates memory for small objects outside the numerics, such as strings, lists and records.
 * Allocations never return NULL. If an allocation fails, shk_out_of_memory is called, which by
 * default prints a message to standard error and aborts. The process that runs a cell replaces this
 * handler, so that the cell's record reports the failure.
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
/* Resizes a block of memory. Added memory is uninitialized. */
void *shk_reallocate(void *old, size_t count, size_t size);
/* Makes room for one more element in a list of `count` elements. The list is initially NULL and
 * must be enlarged only by this function. */
void *shk_grow(void *list, size_t count, size_t size);
/* Appends an element to a list that is enlarged by shk_grow, increments the count and returns the
 * address of the new element. */
#define SHK_APPEND(list, count)                                                                    \
  ((list) = shk_grow((list), (size_t)(count), sizeof *(list)), &(list)[(count)++])
/* Returns a copy of a string, or NULL if the argument is NULL. */
char *shk_copy_text(const char *text);
/* Frees a list and every string in it. Accepts NULL. */
void shk_free_texts(char **texts, int count);
/* A list of strings that ends with NULL. It must be initialized with {0}. */
struct shk_text_list {
  char **all;
  int count;
};
/* Adds a copy of a string to the list. */
void shk_list_text(struct shk_text_list *list, const char *text);
/* Adds a copy of a string unless the list already contains it. */
void shk_list_text_once(struct shk_text_list *list, const char *text);
void shk_list_clear(struct shk_text_list *list);
/* Returns true if both strings are equal or both are NULL. */
bool shk_same_text(const char *a, const char *b);
/* Returns true if a string ends with `ending`. */
bool shk_ends_with(const char *text, const char *ending);
/* Returns the next paragraph of a text as one line and advances *text past it. Returns NULL at the
 * end of the text. Paragraphs are separated by empty lines. If the text contains no empty lines,
 * every line is a paragraph, as in a folded YAML string. The caller must free the paragraph. */
char *shk_take_paragraph(const char **text);
/* Prints to a newly allocated string. */
char *shk_print_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *shk_print_arguments(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
/* Appends formatted output to a string. The string must be NULL or a block that free() accepts, and
 * its address can change. Arguments can point into the string. */
void shk_append_text(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns, as a newly allocated string, the output that `print` writes for `thing`. */
char *shk_printed_text(void (*print)(FILE *file, const void *thing), const void *thing);

#endif
