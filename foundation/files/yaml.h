/*
 * Strict YAML: a thin layer over libfyaml that keeps the position of every node, so that errors
 * report file:line:column, what was found and what was expected. One document per file. Aliases,
 * anchors and tags are refused: they give a file a meaning that its text does not show.
 */
#ifndef FOUNDATION_FILES_YAML_H
#define FOUNDATION_FILES_YAML_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

struct fy_node;

struct shk_yaml {
  const char *path; /* for messages */
  struct shk_message *error;
  void *parser, *document, *diagnostics; /* libfyaml's */
  const void *user;                      /* data for the readers; set after opening */
  /* Returns a replacement for a value of a mapping before it is read, using `choices`; NULL on
   * failure. Without this function values are read unchanged. */
  struct fy_node *(*choose)(const struct shk_yaml *yaml, struct fy_node *value);
  void *choices;
  const struct shk_yaml_key *key; /* the key whose value is being read; NULL outside of a mapping */
};

/* Reads a value into a field, or into the structure that has it. False after shk_yaml_fail. */
typedef bool shk_yaml_reader(const struct shk_yaml *yaml, struct fy_node *value, void *field);

/* A key of a mapping, whose value is read into the field at `offset` in the context (without an
 * offset: into the context itself). `expected` is for the reader's message. */
struct shk_yaml_key {
  const char *name;
  bool required;
  shk_yaml_reader *read; /* NULL: the value is read elsewhere */
  const char *expected;
  size_t offset;
  /* For readers of words: the words allowed, ended by NULL, and a noun for them in messages; NULL:
   * messages have `expected`. */
  const char *const *words, *what;
  int least, most; /* for readers of whole numbers */
  /* For shk_yaml_into_list: the reader of an item; true if a single item may stand without a
   * list. */
  shk_yaml_reader *item;
  bool or_one;
};

/* An entry of a table of keys, whose value is stored in a field of a structure. The last arguments
 * are `expected` and, for some readers, further members. */
#define SHK_YAML_FIELD(key, must, type, field, reader, ...)                                        \
  {                                                                                                \
    .name = key, .required = must, .read = reader, .offset = offsetof(type, field),                \
    .expected = __VA_ARGS__                                                                        \
  }
/* A table of keys and their number, as arguments. */
#define SHK_YAML_KEYS(keys) keys, (int)(sizeof(keys) / sizeof(keys)[0])

enum { SHK_YAML_LARGEST = 1 << 20 }; /* the largest file, in bytes */

/* Parses a text, which must outlive `yaml`. Accepts one document of mappings, sequences and
 * printable scalars only. shk_yaml_close must be called even if this fails. */
bool shk_yaml_open(struct shk_yaml *yaml, const char *path, const char *text, size_t length,
                   struct shk_message *error);
void shk_yaml_close(struct shk_yaml *yaml);
struct fy_node *shk_yaml_root(const struct shk_yaml *yaml);
/* Returns the value of a key as written; NULL if this is no mapping or has no such key. */
struct fy_node *shk_yaml_value(const struct fy_node *mapping, const char *key);
/* Returns an item of a list by its index from 0; for any other node the node itself. */
struct fy_node *shk_yaml_item(const struct fy_node *list, int index);

int shk_yaml_line(const struct fy_node *node);

/* Sets the message, preceded by the position of the node. Returns false. */
bool shk_yaml_fail(const struct shk_yaml *yaml, const struct fy_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the message "found …, expected …". */
bool shk_yaml_fail_kind(const struct shk_yaml *yaml, const struct fy_node *node,
                        const char *expected);
/* The same for an unknown name; the known names are given as to shk_nearest. */
bool shk_yaml_fail_name(const struct shk_yaml *yaml, const struct fy_node *node, const char *what,
                        const void *names, size_t stride, int count);

bool shk_yaml_is_mapping(const struct fy_node *node);

/* Returns the text of a scalar that is not empty; NULL with the message for any other node. The
 * caller frees it. */
char *shk_yaml_text(const struct shk_yaml *yaml, const struct fy_node *node, const char *expected);
/* The same without a message. */
char *shk_yaml_scalar(const struct fy_node *node);
/* Readers for tables of keys: store a scalar's text in a `char *`; read a list by its `item`. */
shk_yaml_reader shk_yaml_into_text, shk_yaml_into_list;
/* Reads a value, after the choice of its replacement. A value that is NULL is not read. */
bool shk_yaml_read(const struct shk_yaml *yaml, struct fy_node *value,
                   const struct shk_yaml_key *key, void *context);
/* Reads a mapping by its keys, in the order of the table. A key that it lacks is read from the
 * first mapping of `more` that has it (ended by NULL; NULL: none). The error for an unknown key
 * suggests the nearest known keys. */
bool shk_yaml_mapping(const struct shk_yaml *yaml, struct fy_node *node,
                      struct fy_node *const *others, const char *expected,
                      const struct shk_yaml_key *keys, int count, void *context);
/* Returns the number of items of a sequence, at least one; 0 with the message if there are none.
 * With `or_one` a scalar is taken as a sequence of one item. */
int shk_yaml_items(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                   bool or_one);
/* Calls `read` for each item of such a sequence. */
bool shk_yaml_sequence(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       bool or_one, shk_yaml_reader *read, void *context);
/* Calls `read` for every pair of a mapping with arbitrary keys. */
bool shk_yaml_pairs(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    bool (*read)(const struct shk_yaml *yaml, const char *key,
                                 struct fy_node *key_node, struct fy_node *value, void *context),
                    void *context);

#endif
