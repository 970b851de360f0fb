/*
 * Reading YAML with care: a thin layer over libfyaml that keeps the place of every node, so that
 * errors say file:line:column, what was found and what was expected. One document a file; no
 * aliases, anchors or tags: a file means what is written in it, and no more.
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
  const void *user;                      /* for readers of values; set after opening it */
  /* Replaces a value of a mapping before it is read, with `choices` of its own; NULL if it fails.
   * No function: values are read as they stand. */
  struct fy_node *(*choose)(const struct shk_yaml *yaml, struct fy_node *value);
  void *choices;
};

/* What a key of a mapping may be, and what reads its value: `into` puts it into the field at this
 * offset of the context and says what was expected; without an offset the field is the context
 * itself. Readers return false after shk_yaml_fail. */
struct shk_yaml_key {
  const char *name;
  bool required;
  bool (*into)(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
               void *field);
  const char *expected;
  size_t offset;
};

/* A line of a table of keys whose values land in the fields of a structure. */
#define SHK_YAML_FIELD(key, must, type, field, reader, what)                                       \
  {                                                                                                \
    .name = key, .required = must, .into = reader, .expected = what,                               \
    .offset = offsetof(type, field)                                                                \
  }

enum { SHK_YAML_LARGEST = 1 << 20 };

/* Parses a text (kept by the caller until shk_yaml_close) and checks that it is one document of
 * nothing but mappings, sequences and printable scalars. Close it whatever this returns. */
bool shk_yaml_open(struct shk_yaml *yaml, const char *path, const char *text, size_t length,
                   struct shk_message *error);
void shk_yaml_close(struct shk_yaml *yaml);
struct fy_node *shk_yaml_root(const struct shk_yaml *yaml);
/* Returns the value of a key of a mapping, as it stands; NULL: no mapping, or none of that key. */
struct fy_node *shk_yaml_value(const struct fy_node *mapping, const char *key);
/* Returns how many items a list has, and one of them, from 0; of anything else 0 and NULL. */
int shk_yaml_count(const struct fy_node *list);
struct fy_node *shk_yaml_item(const struct fy_node *list, int index);

int shk_yaml_line(const struct fy_node *node);

/* Sets the message, with the place of the node in front. Returns false. */
bool shk_yaml_fail(const struct shk_yaml *yaml, const struct fy_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for "found …, expected …". */
bool shk_yaml_fail_kind(const struct shk_yaml *yaml, const struct fy_node *node,
                        const char *expected);
/* The same for an unknown name; the known ones as in shk_nearest. */
bool shk_yaml_fail_name(const struct shk_yaml *yaml, const struct fy_node *node, const char *what,
                        const void *names, size_t stride, int count);

bool shk_yaml_is_mapping(const struct fy_node *node);

/* A scalar's text, not empty; NULL with the message if the node is anything else. The caller frees
 * it. */
char *shk_yaml_text(const struct shk_yaml *yaml, const struct fy_node *node, const char *expected);
/* The same without a message; NULL for anything else. */
char *shk_yaml_scalar(const struct fy_node *node);
/* Two readers for such tables: a scalar's text into a `char *`, which is freed if it has one; and
 * the value itself into a `struct fy_node *`, to be read later. */
bool shk_yaml_into_text(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *text);
bool shk_yaml_into_node(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *node);
/* Reads a mapping by its keys, in the file's order; for unknown keys the error suggests the
 * nearest. */
bool shk_yaml_mapping(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                      const struct shk_yaml_key *keys, int count, void *context);
/* Reads a sequence of at least one item. With `or_one` a scalar stands for a sequence of itself. */
bool shk_yaml_sequence(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       bool or_one, bool (*read)(void *context, struct fy_node *item),
                       void *context);
/* Calls `read` for every pair of a mapping whose keys are free. */
bool shk_yaml_pairs(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    bool (*read)(void *context, const char *key, struct fy_node *key_node,
                                 struct fy_node *value),
                    void *context);

#endif
