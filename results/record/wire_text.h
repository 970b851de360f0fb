/* Texts, numbers and members of JSON. */
#ifndef RESULTS_RECORD_WIRE_TEXT_H
#define RESULTS_RECORD_WIRE_TEXT_H

#include "foundation/message.h"
#include <jansson.h>
#include <stdbool.h>

/* A real as text; size at least 32. */
void shk_wire_format_real(char *buffer, unsigned long size, double value);
/* False if the text is anything else. */
bool shk_wire_parse_real(double *value, const char *text);

/* The same as a JSON string. */
json_t *shk_wire_real(double value);
bool shk_wire_read_real(double *value, const json_t *json);

/* A text of any bytes: what is not UTF-8, and NUL, becomes \xNN. The caller frees it. */
char *shk_utf8_text(const char *bytes, size_t length);
/* The same as a JSON string. */
json_t *shk_wire_text(const char *bytes, unsigned long length);

/* jansson returns NULL only if allocation fails; this passes on what is not NULL. */
json_t *shk_wire_had(json_t *json);
/* Take `owned` over; the member's name may hold any bytes. */
void shk_wire_set(json_t *object, const char *member, json_t *owned);
void shk_wire_append(json_t *array, json_t *owned);

/* Members of an object: sets one, or reads one; reading fails with the name of the member. Absent
 * texts read as NULL. */
void shk_wire_set_text(json_t *object, const char *member, const char *text); /* NULL: left out */
void shk_wire_set_real(json_t *object, const char *member, double value);
bool shk_wire_get_text(char **owned, const json_t *object, const char *member,
                       struct shk_message *error);
bool shk_wire_get_real(double *value, const json_t *object, const char *member,
                       struct shk_message *error);
bool shk_wire_get_integer(long *value, const json_t *object, const char *member, long least,
                          long most, struct shk_message *error);

/* One line that ends in a newline; takes the JSON over. The caller frees it. */
char *shk_wire_line(json_t *owned);

#endif
