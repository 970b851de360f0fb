/* Reads strict YAML. See yaml.h. libfyaml provides the line and column of a node only through its
 * diagnostics, so a node's position is determined by reporting an error there and parsing the
 * report. */
#include "foundation/files/yaml.h"

#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/utf8.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
  int line, column;
};

static struct fy_diag *make_diagnostics(void)
{
  struct fy_diag_cfg configuration;
  fy_diag_cfg_default(&configuration);
  configuration.fp = NULL;
  configuration.colorize = false;
  struct fy_diag *const diagnostics = fy_diag_create(&configuration);
  if (!diagnostics)
    shk_out_of_memory();
  fy_diag_set_collect_errors(diagnostics, true);
  return diagnostics;
}

/* Returns the key that belongs to a value or, for any other node, the node that contains it.
 * Returns NULL for the root. */
static struct fy_node *key_or_parent(struct fy_node *node)
{
  struct fy_node *const parent = fy_node_get_parent(node);
  void *iterator = NULL;
  struct fy_node_pair *pair;
  if (parent && fy_node_is_mapping(parent))
    while ((pair = fy_node_mapping_iterate(parent, &iterator)))
      if (fy_node_pair_value(pair) == node)
        return fy_node_pair_key(pair);
  return parent;
}

static struct place place_of(const struct fy_node *node)
{
  /* A missing value has no position. The check for aliases comes first because libfyaml 0.8 would
   * mistake an alias for a missing value. */
  if (!fy_node_is_alias((struct fy_node *)node) && fy_node_is_scalar((struct fy_node *)node) &&
      fy_node_is_null((struct fy_node *)node)) {
    struct fy_node *const before = key_or_parent((struct fy_node *)node);
    if (before)
      return place_of(before);
  }
  struct place place = {1, 1};
  struct fy_diag *const diagnostics = make_diagnostics();
  fy_diag_node_report(diagnostics, (struct fy_node *)node, FYET_ERROR, "%s", "here");
  void *iterator = NULL;
  const struct fy_diag_error *const report = fy_diag_errors_iterate(diagnostics, &iterator);
  if (report && report->line > 0)
    place = (struct place){report->line, report->column};
  /* libfyaml reports the position after the quotation mark or the asterisk. */
  const enum fy_node_style style = fy_node_get_style((struct fy_node *)node);
  if ((style == FYNS_SINGLE_QUOTED || style == FYNS_DOUBLE_QUOTED || style == FYNS_ALIAS) &&
      place.column > 1)
    place.column--;
  fy_diag_destroy(diagnostics);
  return place;
}

int shk_yaml_line(const struct fy_node *node)
{
  return place_of(node).line;
}

bool shk_yaml_fail(const struct shk_yaml *yaml, const struct fy_node *node, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const text = shk_print_arguments(format, arguments);
  va_end(arguments);
  const struct place place = place_of(node);
  shk_message_set(yaml->error, "%s:%d:%d: %s", yaml->path, place.line, place.column, text);
  free(text);
  return false;
}

bool shk_yaml_is_mapping(const struct fy_node *node)
{
  return node && fy_node_is_mapping((struct fy_node *)node);
}

bool shk_yaml_fail_kind(const struct shk_yaml *yaml, const struct fy_node *node,
                        const char *expected)
{
  struct fy_node *const any = (struct fy_node *)node;
  char *const text = shk_yaml_scalar(node), cut[44];
  shk_text_fit(cut, sizeof cut, text ? text : "");
  const char *const found = any == shk_yaml_root(yaml) && fy_node_is_scalar(any) ? "no mapping"
                            : fy_node_is_sequence(any)                           ? "a list"
                            : fy_node_is_mapping(any) ? "a mapping (key: value)"
                            : !text                   ? "nothing"
                                                      : NULL;
  free(text);
  return found ? shk_yaml_fail(yaml, node, "found %s, expected %s", found, expected)
               : shk_yaml_fail(yaml, node, "found \"%s\", expected %s", cut, expected);
}

bool shk_yaml_fail_name(const struct shk_yaml *yaml, const struct fy_node *node, const char *what,
                        const void *names, size_t stride, int count)
{
  char *const word = shk_yaml_scalar(node);
  char *const hint = shk_name_hint(word ? word : "", names, stride, count);
  shk_yaml_fail(yaml, node, "unknown %s \"%s\": %s", what, word ? word : "", hint);
  free(word);
  free(hint);
  return false;
}

/* Rejects unprintable characters, and constructs that give a file a meaning not apparent from its
 * text. */
static bool check_node(const struct shk_yaml *yaml, struct fy_node *node)
{
  const char *const refused = fy_node_is_alias(node)        ? "an alias (*name); aliases"
                              : fy_node_get_anchor(node)    ? "an anchor (&name); anchors"
                              : fy_node_get_tag_token(node) ? "a tag (!name); tags"
                                                            : NULL;
  if (refused)
    return shk_yaml_fail(yaml, node, "found %s are not allowed", refused);
  void *iterator = NULL;
  if (fy_node_is_sequence(node)) {
    struct fy_node *item;
    while ((item = fy_node_sequence_iterate(node, &iterator)))
      if (!check_node(yaml, item))
        return false;
  } else if (fy_node_is_mapping(node)) {
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(node, &iterator))) {
      struct fy_node *const key = fy_node_pair_key(pair), *const value = fy_node_pair_value(pair);
      if (!key || !value)
        return shk_yaml_fail(yaml, key ? key : node, "found a key without a value");
      if (!fy_node_is_scalar(key))
        return shk_yaml_fail_kind(yaml, key, "the name of a key");
      if (!check_node(yaml, key) || !check_node(yaml, value))
        return false;
    }
  } else {
    size_t length = 0;
    const char *const text = fy_node_get_scalar(node, &length);
    for (size_t i = 0; i < length; i++) {
      const unsigned char c = (unsigned char)text[i];
      if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
        return shk_yaml_fail(yaml, node, "found a control character (0x%02x)", c);
    }
  }
  return true;
}

/* The parser treats invalid UTF-8 in a comment as the end of the file, so comments are checked
 * here. */
static bool check_characters(const struct shk_yaml *yaml, const char *text, size_t length)
{
  int line = 1, column = 1;
  unsigned number;
  for (size_t at = 0, bytes; at < length; at += bytes) {
    bytes = shk_utf8_character(text + at, length - at, &number);
    if (bytes == 0)
      return shk_message_set(yaml->error,
                             "%s:%d:%d: found the byte 0x%02x, which is not UTF-8 text", yaml->path,
                             line, column, (unsigned char)text[at]);
    column = text[at] == '\n' ? 1 : column + 1;
    line += text[at] == '\n';
  }
  return true;
}

/* Sets the message to the parser's first error, in our own format. The parser does not report
 * running out of memory. This is detected from errno, which was set to 0 before parsing. */
static bool fail_parse(const struct shk_yaml *yaml)
{
  if (errno == ENOMEM)
    shk_out_of_memory();
  void *iterator = NULL;
  const struct fy_diag_error *const report = fy_diag_errors_iterate(yaml->diagnostics, &iterator);
  if (!report)
    return shk_message_set(yaml->error, "%s:1:1: found nothing, expected a mapping", yaml->path);
  /* The report is truncated before any text that is quoted in parentheses or apostrophes. */
  return shk_message_set(yaml->error, "%s:%d:%d: not YAML: %.*s", yaml->path, report->line,
                         report->column, (int)strcspn(report->msg, "('"), report->msg);
}

/* Recognizes files from other programs that users often try to open by mistake. */
static bool check_xml(const struct shk_yaml *yaml, const char *text)
{
  const char *const start = text + strspn(text, " \t\r\n");
  if (*start != '<')
    return true;
  return shk_message_set(
      yaml->error, "%s: found XML%s", yaml->path,
      strstr(start, "<mujoco")  ? " of MuJoCo, expected YAML: use python3 -m shakedown.mjcf to "
                                  "convert it for mechanism(file=…)"
      : strstr(start, "<robot") ? " of a robot (URDF), expected YAML: use python3 -m "
                                  "shakedown.mjcf to convert it for mechanism(file=…)"
                                : ", expected YAML");
}

bool shk_yaml_open(struct shk_yaml *yaml, const char *path, const char *text, size_t length,
                   struct shk_message *error)
{
  *yaml = (struct shk_yaml){.path = path, .error = error, .diagnostics = make_diagnostics()};
  const struct fy_parse_cfg configuration = {.flags = FYPCF_DEFAULT_DOC | FYPCF_JSON_NONE,
                                             .diag = yaml->diagnostics};
  yaml->parser = fy_parser_create(&configuration);
  if (!yaml->parser)
    shk_out_of_memory();
  if (!check_characters(yaml, text, length) || !check_xml(yaml, text))
    return false;
  errno = 0;
  if (length > 0 && fy_parser_set_string(yaml->parser, text, length) != 0)
    return fail_parse(yaml);
  yaml->document = length > 0 ? fy_parse_load_document(yaml->parser) : NULL;
  if (!yaml->document || !fy_document_root(yaml->document))
    return fail_parse(yaml);
  if (!check_node(yaml, fy_document_root(yaml->document)))
    return false;
  struct fy_document *const second = fy_parse_load_document(yaml->parser);
  fy_parse_document_destroy(yaml->parser, second);
  if (second)
    return shk_message_set(error, "%s: found a second document (---), expected only one", path);
  return !fy_diag_got_error(yaml->diagnostics) || fail_parse(yaml);
}

void shk_yaml_close(struct shk_yaml *yaml)
{
  fy_parse_document_destroy(yaml->parser, yaml->document);
  fy_parser_destroy(yaml->parser);
  fy_diag_destroy(yaml->diagnostics);
  *yaml = (struct shk_yaml){.path = NULL};
}

struct fy_node *shk_yaml_root(const struct shk_yaml *yaml)
{
  return fy_document_root(yaml->document);
}

struct fy_node *shk_yaml_value(const struct fy_node *mapping, const char *key)
{
  struct fy_node *const node = (struct fy_node *)mapping;
  return mapping && fy_node_is_mapping(node)
             ? fy_node_mapping_lookup_by_string(node, key, strlen(key))
             : NULL;
}

struct fy_node *shk_yaml_item(const struct fy_node *list, int index)
{
  struct fy_node *const node = (struct fy_node *)list;
  return fy_node_is_sequence(node) ? fy_node_sequence_get_by_index(node, index) : node;
}

char *shk_yaml_scalar(const struct fy_node *node)
{
  size_t length = 0;
  errno = 0;
  const char *const text = node && fy_node_is_scalar((struct fy_node *)node)
                               ? fy_node_get_scalar((struct fy_node *)node, &length)
                               : NULL;
  if (!text && errno == ENOMEM)
    shk_out_of_memory(); /* the string exists but could not be copied */
  return length > 0 ? shk_print_text("%.*s", (int)length, text) : NULL;
}

char *shk_yaml_text(const struct shk_yaml *yaml, const struct fy_node *node, const char *expected)
{
  char *const text = shk_yaml_scalar(node);
  if (!text)
    shk_yaml_fail_kind(yaml, node, expected);
  return text;
}

bool shk_yaml_into_text(const struct shk_yaml *yaml, struct fy_node *value, void *text)
{
  *(char **)text = shk_yaml_text(yaml, value, yaml->key->expected);
  return *(char **)text;
}

bool shk_yaml_into_list(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  const struct shk_yaml_key *const key = yaml->key;
  return shk_yaml_sequence(yaml, value, key->expected, key->or_one, key->item, field);
}

bool shk_yaml_pairs(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    bool (*read)(const struct shk_yaml *yaml, const char *key,
                                 struct fy_node *key_node, struct fy_node *value, void *context),
                    void *context)
{
  if (!fy_node_is_mapping(node))
    return shk_yaml_fail_kind(yaml, node, expected);
  void *iterator = NULL;
  struct fy_node_pair *pair;
  while ((pair = fy_node_mapping_iterate(node, &iterator))) {
    struct fy_node *const key_node = fy_node_pair_key(pair);
    char *const key = shk_yaml_text(yaml, key_node, "the name of a key");
    const bool ok = key && read(yaml, key, key_node, fy_node_pair_value(pair), context);
    free(key);
    if (!ok)
      return false;
  }
  return true;
}

struct table {
  const struct shk_yaml_key *keys;
  int count;
};

static bool check_key(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                      struct fy_node *value, void *context)
{
  const struct table *const table = context;
  (void)value;
  return shk_name_index(key, table->keys, sizeof *table->keys, table->count) >= 0 ||
         shk_yaml_fail_name(yaml, key_node, "key", table->keys, sizeof *table->keys, table->count);
}

/* Checks that the first key in the file is one of these keys or similar to one of them. Messages do
 * not quote files that fail this check, because their contents may be confidential. */
static bool begins_well(const struct shk_yaml *yaml, const struct table *table,
                        struct fy_node *root, const char *expected)
{
  void *iterator = NULL;
  struct fy_node_pair *const pair =
      fy_node_is_mapping(root) ? fy_node_mapping_iterate(root, &iterator) : NULL;
  if (!pair)
    return true; /* this error is reported later, without quoting the file */
  char *const word = shk_yaml_scalar(fy_node_pair_key(pair));
  char near[256];
  shk_nearest(near, sizeof near, word ? word : "", &table->keys[0].name, sizeof table->keys[0],
              table->count);
  free(word);
  return near[0] != '\0' ||
         shk_yaml_fail(yaml, root, "found a different first key, expected %s", expected);
}

bool shk_yaml_read(const struct shk_yaml *yaml, struct fy_node *value,
                   const struct shk_yaml_key *key, void *context)
{
  struct shk_yaml here = *yaml;
  here.key = key;
  if (!value || !key->read)
    return true;
  if (yaml->choose && !(value = yaml->choose(yaml, value)))
    return false;
  return key->read(&here, value, (char *)context + key->offset);
}

bool shk_yaml_mapping(const struct shk_yaml *yaml, struct fy_node *node,
                      struct fy_node *const *others, const char *expected,
                      const struct shk_yaml_key *keys, int count, void *context)
{
  struct table table = {keys, count};
  bool ok = (node != shk_yaml_root(yaml) || begins_well(yaml, &table, node, expected)) &&
            shk_yaml_pairs(yaml, node, expected, check_key, &table);
  for (int k = 0; ok && others && others[k]; k++)
    ok = shk_yaml_pairs(yaml, others[k], expected, check_key, &table);
  for (int i = 0; ok && i < count; i++) {
    struct fy_node *value = shk_yaml_value(node, keys[i].name);
    for (int k = 0; !value && others && others[k]; k++)
      value = shk_yaml_value(others[k], keys[i].name);
    ok = value || !keys[i].required
             ? shk_yaml_read(yaml, value, &keys[i], context)
             : shk_yaml_fail(yaml, node, "the key \"%s\" is missing", keys[i].name);
  }
  return ok;
}

int shk_yaml_items(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                   bool or_one)
{
  size_t length = 0;
  if (or_one && fy_node_is_scalar(node) && fy_node_get_scalar(node, &length) && length > 0)
    return 1;
  if (!fy_node_is_sequence(node))
    return shk_yaml_fail_kind(yaml, node, expected);
  if (fy_node_sequence_is_empty(node))
    return shk_yaml_fail(yaml, node, "found an empty list, expected %s", expected);
  return fy_node_sequence_item_count(node);
}

bool shk_yaml_sequence(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       bool or_one, shk_yaml_reader *read, void *context)
{
  const int count = shk_yaml_items(yaml, node, expected, or_one);
  int i = 0;
  while (i < count && read(yaml, shk_yaml_item(node, i), context))
    i++;
  return count > 0 && i == count;
}
