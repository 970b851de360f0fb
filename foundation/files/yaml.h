/*
 * A reader for strict YAML. It is a thin layer on top of libfyaml that keeps track of the position
 * of every node, so that errors can report file:line:column, what was found and what was expected.
 * A file contains one document. Aliases, anchors and tags are rejected, because they give a file a
 * meaning that is not apparent from its text.
 */
#ifndef FOUNDATION_FILES_YAML_H
#define FOUNDATION_FILES_YAML_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

struct fy_node;

struct shk_yaml {
  const char *path; /* path of the file, used in messages */
  struct shk_message *error;
  void *parser, *document, *diagnostics; /* objects of libfyaml */
  /* data for the readers, which must be set after the file has been opened */
  const void *user;
  /* Called before a value in a mapping is read. Returns a replacement for the value, using
   * `choices`, or NULL on failure. If this function pointer is NULL, values are read unchanged. */
  struct fy_node *(*choose)(const struct shk_yaml *yaml, struct fy_node *value);
  void *choices;
  const struct shk_yaml_key *key; /* the key whose value is being read; NULL outside a mapping */
};

/* Reads a value into a field, or into the structure that contains the field. On failure, calls
 * shk_yaml_fail and returns false. */
typedef bool shk_yaml_reader(const struct shk_yaml *yaml, struct fy_node *value, void *field);

/* A key in a mapping. The key's value is read into the field at `offset` in the context or, if
 * there is no offset, into the context itself. The reader's error message contains `expected`. */
struct shk_yaml_key {
  const char *name;
  bool required;
  shk_yaml_reader *read; /* NULL if the value is read elsewhere */
  const char *expected;
  size_t offset;
  /* For readers of words, the allowed words, followed by NULL, and a noun that describes them in
   * messages. If the noun is NULL, messages contain `expected` instead. */
  const char *const *words, *what;
  int least, most; /* the bounds, used by readers of whole numbers */
  /* For shk_yaml_into_list, the reader for each item, and whether a single item is accepted in
   * place of a list. */
  shk_yaml_reader *item;
  bool or_one;
};

/* An entry in a table of keys. The value of the key is stored in a field of a structure. The last
 * arguments are `expected` and, for some readers, additional members. */
#define SHK_YAML_FIELD(key, must, type, field, reader, ...)                                        \
  {                                                                                                \
    .name = key, .required = must, .read = reader, .offset = offsetof(type, field),                \
    .expected = __VA_ARGS__                                                                        \
  }
/* A table of keys and its length, as two function arguments. */
#define SHK_YAML_KEYS(keys) keys, (int)(sizeof(keys) / sizeof(keys)[0])

enum { SHK_YAML_LARGEST = 1 << 20 }; /* maximum permitted file size, in bytes */

/* Parses a string, which must outlive `yaml`. The string must contain a single document that
 * consists of mappings, sequences and printable scalars. Call shk_yaml_close even if this fails. */
bool shk_yaml_open(struct shk_yaml *yaml, const char *path, const char *text, size_t length,
                   struct shk_message *error);
void shk_yaml_close(struct shk_yaml *yaml);
struct fy_node *shk_yaml_root(const struct shk_yaml *yaml);
/* Returns the value of a key as it is written in the file. Returns NULL if the node is not a
 * mapping or does not contain the key. */
struct fy_node *shk_yaml_value(const struct fy_node *mapping, const char *key);
/* Returns an item of a list by its index, starting from 0. If the node is not a list, returns the
 * node itself. */
struct fy_node *shk_yaml_item(const struct fy_node *list, int index);

int shk_yaml_line(const struct fy_node *node);

/* Sets the message, preceded by the position of the node. Always returns false. */
bool shk_yaml_fail(const struct shk_yaml *yaml, const struct fy_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Calls shk_yaml_fail with the message "found …, expected …". */
bool shk_yaml_fail_kind(const struct shk_yaml *yaml, const struct fy_node *node,
                        const char *expected);
/* Calls shk_yaml_fail with a message about an unknown name. The known names are passed in the same
 * way as to shk_nearest. */
bool shk_yaml_fail_name(const struct shk_yaml *yaml, const struct fy_node *node, const char *what,
                        const void *names, size_t stride, int count);

bool shk_yaml_is_mapping(const struct fy_node *node);

/* Returns the value of a nonempty scalar as a string, which the caller must free. For any other
 * node, sets the message and returns NULL. */
char *shk_yaml_text(const struct shk_yaml *yaml, const struct fy_node *node, const char *expected);
/* Like shk_yaml_text, but does not set a message. */
char *shk_yaml_scalar(const struct fy_node *node);
/* Readers for tables of keys. The first one stores a scalar as a string in a `char *`; the second
 * one reads a list, using the reader `item`. */
shk_yaml_reader shk_yaml_into_text, shk_yaml_into_list;
/* Reads the value with which `choose` has replaced the original one. A value that is NULL is
 * skipped. */
bool shk_yaml_read(const struct shk_yaml *yaml, struct fy_node *value,
                   const struct shk_yaml_key *key, void *context);
/* Reads the keys of a mapping in the order of the table. If the mapping does not contain a key, its
 * value is taken from the first mapping in `others` that does. The list `others` ends with NULL and
 * can itself be NULL. The error for an unknown key suggests the most similar known keys. */
bool shk_yaml_mapping(const struct shk_yaml *yaml, struct fy_node *node,
                      struct fy_node *const *others, const char *expected,
                      const struct shk_yaml_key *keys, int count, void *context);
/* Returns the number of items in a sequence. If there are none, sets the message and returns 0. If
 * `or_one` is true, a scalar counts as a sequence of one item. */
int shk_yaml_items(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                   bool or_one);
/* Calls `read` for each item of a sequence. A scalar counts as a sequence of one item. */
bool shk_yaml_sequence(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       bool or_one, shk_yaml_reader *read, void *context);
/* Calls `read` for every key-value pair of a mapping with arbitrary keys. */
bool shk_yaml_pairs(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    bool (*read)(const struct shk_yaml *yaml, const char *key,
                                 struct fy_node *key_node, struct fy_node *value, void *context),
                    void *context);

#endif
