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
  const void *user;                      /* the readers' own data; set after opening */
  /* Returns a replacement for a value of a mapping before it is read, using `choices`; NULL on
   * failure. Without this function values are read unchanged. */
  struct fy_node *(*choose)(const struct shk_yaml *yaml, struct fy_node *value);
  void *choices;
  const struct shk_yaml_key *key; /* whose value is being read; NULL outside of a mapping */
};

/* A key of a mapping. `into` reads its value into the field at `offset` in the context (without an
 * offset: the context itself); `expected` is for its message. Readers return false after
 * shk_yaml_fail. */
struct shk_yaml_key {
  const char *name;
  bool required;
  bool (*into)(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
               void *field);
  const char *expected;
  size_t offset;
  /* For readers of words: those allowed, ended by NULL, and what they name. */
  const char *const *words, *what;
};

/* An entry of a table of keys whose values are stored in fields of a structure. */
#define SHK_YAML_FIELD(key, must, type, field, reader, what)                                       \
  {                                                                                                \
    .name = key, .required = must, .into = reader, .expected = what,                               \
    .offset = offsetof(type, field)                                                                \
  }

enum { SHK_YAML_LARGEST = 1 << 20 };

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
/* Two readers for tables of keys. The first stores the text of a scalar in a `char *` and frees the
 * old text. The second stores the value itself in a `struct fy_node *`, to be read later. */
bool shk_yaml_into_text(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *text);
bool shk_yaml_into_node(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *node);
/* Reads a mapping by its keys, in the order of the file. The error for an unknown key suggests the
 * nearest known keys. */
bool shk_yaml_mapping(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                      const struct shk_yaml_key *keys, int count, void *context);
/* Returns the number of items of a sequence, at least one; 0 with the message if there are none.
 * With `or_one` a scalar counts as a sequence of one item. */
int shk_yaml_items(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                   bool or_one);
/* Reads such a sequence. */
bool shk_yaml_sequence(
    const struct shk_yaml *yaml, struct fy_node *node, const char *expected, bool or_one,
    bool (*read)(const struct shk_yaml *yaml, struct fy_node *item, void *context), void *context);
/* Calls `read` for every pair of a mapping with arbitrary keys. */
bool shk_yaml_pairs(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    bool (*read)(const struct shk_yaml *yaml, const char *key,
                                 struct fy_node *key_node, struct fy_node *value, void *context),
                    void *context);

#endif
