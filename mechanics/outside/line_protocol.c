/* The line protocol for external programs. See line_protocol.h. */
#include "mechanics/outside/line_protocol.h"

#include "foundation/memory.h"
#include "foundation/message.h"
#include "foundation/specifications/claims.h"
#include "foundation/specifications/spec.h"
#include "mechanics/binding/real_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- failures ---- */

struct shk_status shk_talk_failure(struct shk_talk *x, enum shk_code code, const char *what,
                                   const char *detail)
{
  char text[SHK_MESSAGE_SIZE];
  shk_text_print(text, sizeof text, "the external program: %s%s", what, detail);
  for (char *at = text; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20)
      *at = ' ';
  x->said = shk_values_message(x->options, text);
  return shk_failure(code, x->said, 0, 0);
}

struct shk_status shk_talk_lose(struct shk_talk *x, const char *what, const char *detail)
{
  x->lost = true;
  return shk_talk_failure(x, SHK_SOLVER_FAILED, what, detail);
}

static struct shk_status lose_process(struct shk_talk *x)
{
  char why[128];
  return shk_talk_lose(x, "", shk_process_fault(x->process, why, sizeof why));
}

/* ---- words and numbers ---- */

void shk_talk_put(struct shk_talk *x, const char *word)
{
  shk_process_put(x->process, word);
}

void shk_talk_put_reals(struct shk_talk *x, const real *values, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    char text[64];
    shk_real_format(text, sizeof text, values[i]);
    shk_talk_put(x, text);
  }
}

void shk_talk_put_integer(struct shk_talk *x, long value)
{
  char text[32];
  snprintf(text, sizeof text, "%ld", value);
  shk_talk_put(x, text);
}

struct shk_status shk_talk_send(struct shk_talk *x)
{
  return shk_process_send(x->process) ? shk_ok() : lose_process(x);
}

struct shk_status shk_talk_answer(struct shk_talk *x)
{
  return shk_process_answer(x->process) ? shk_ok() : lose_process(x);
}

struct shk_status shk_talk_word(const char **text, struct shk_talk *x)
{
  *text = shk_process_word(x->process);
  return *text ? shk_ok() : lose_process(x);
}

/* Returns true if some programming language prints a non-finite number as this word. */
static bool is_not_finite(const char *word)
{
  static const char *const names[] = {"nan", "inf", "infinity"};
  word += *word == '+' || *word == '-';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(word, names[i]) == 0)
      return true;
  return false;
}

/* Reads the rest of a line that contains a non-finite number. The dialogue continues, because the
 * program may itself have received such a number. */
static struct shk_status not_finite(struct shk_talk *x, const char *word)
{
  char said[16];
  snprintf(said, sizeof said, "%s", word);
  for (const char *text = word; *text != '\0';)
    SHK_TRY(shk_talk_word(&text, x));
  return shk_talk_failure(x, SHK_NOT_FINITE, "it answered ", said);
}

struct shk_status shk_talk_take_reals(struct shk_talk *x, real *values, int count)
{
  for (int i = 0; i < count; i++) {
    const char *text;
    SHK_TRY(shk_talk_word(&text, x));
    if (*text == '\0')
      return shk_talk_lose(x, "its line contains too few numbers", "");
    if (is_not_finite(text))
      return not_finite(x, text);
    if (text[strspn(text, "+-.0123456789eE")] != '\0' || !shk_real_parse(&values[i], text))
      return shk_talk_lose(x, "not a finite decimal number: ", text);
  }
  return shk_ok();
}

struct shk_status shk_talk_line_ends(struct shk_talk *x)
{
  const char *text;
  SHK_TRY(shk_talk_word(&text, x));
  return *text == '\0' ? shk_ok()
                       : shk_talk_lose(x, "its line contains more than expected: ", text);
}

enum { MOST_SAID = 4 * SHK_MESSAGE_SIZE };

/* Returns a failure whose reason is the rest of the line, which is a sentence. */
static struct shk_status failed_with(struct shk_talk *x, enum shk_code code)
{
  char *reason = NULL;
  struct shk_status status;
  for (;;) {
    const char *text;
    status = shk_talk_word(&text, x);
    if (status.code != SHK_OK || *text == '\0')
      break;
    if (!reason || strlen(reason) < MOST_SAID) /* a line can have any length */
      shk_append_text(&reason, "%s%s", reason ? " " : "", text);
  }
  if (status.code == SHK_OK)
    status = shk_talk_failure(x, code, "", reason ? reason : shk_code_name(code));
  free(reason);
  return status;
}

/* ---- requests and answers ---- */

struct shk_status shk_talk_request(struct shk_talk *x, const char *word)
{
  if (x->lost)
    return shk_failure(SHK_SOLVER_FAILED, x->said, 0, 0);
  shk_talk_put(x, word);
  return shk_ok();
}

struct shk_status shk_talk_failed(struct shk_talk *x)
{
  static const bool of_a_step[SHK_CODE_COUNT] = {
#define CODE(id, name, of_a_step, meaning) of_a_step,
#include <shakedown/codes.def>
#undef CODE
  };
  const char *text;
  SHK_TRY(shk_talk_word(&text, x));
  int code = 0;
  while (code < SHK_CODE_COUNT && strcmp(shk_code_name((enum shk_code)code), text) != 0)
    code++;
  if (code == SHK_CODE_COUNT || !of_a_step[code])
    return shk_talk_lose(x, "expected the code of a failed step, found ", text);
  return failed_with(x, (enum shk_code)code);
}

struct shk_status shk_talk_expect(struct shk_talk *x, const char *word)
{
  const char *text;
  SHK_TRY(shk_talk_word(&text, x));
  if (strcmp(text, word) == 0)
    return shk_ok();
  if (strcmp(text, "fail") == 0)
    return shk_talk_failed(x);
  char expected[64];
  snprintf(expected, sizeof expected, "expected '%s' or 'fail', found ", word);
  return shk_talk_lose(x, expected, text);
}

/* Reads the integer at the end of the line. If the line has already ended, the result is 0. */
static struct shk_status take_count(struct shk_talk *x, long *number)
{
  const char *text;
  SHK_TRY(shk_talk_word(&text, x));
  *number = 0;
  if (text[0] == '\0')
    return shk_ok();
  if (strspn(text, "0123456789") != strlen(text) || strlen(text) > 8)
    return shk_talk_lose(x, "expected the size of the memory of a state, found ", text);
  *number = atol(text);
  return shk_talk_line_ends(x);
}

struct shk_status shk_talk_introduce(struct shk_talk *x, long *number)
{
  const char *text;
  SHK_TRY(shk_talk_send(x));
  SHK_TRY(shk_talk_word(&text, x));
  if (strcmp(text, "ready") == 0)
    return number ? take_count(x, number) : shk_talk_line_ends(x);
  if (strcmp(text, "refuse") == 0)
    return failed_with(x, SHK_REFUSED);
  return shk_talk_lose(x, "expected 'ready' or 'refuse', found ", text);
}

/* ---- the greeting ---- */

enum { MOST_COORDINATES = 10000 };

/* Parses a value that is one of two words: `set` sets the flag, and `clear` clears it. Returns
 * false for any other value. */
static bool take_either(bool *flag, const char *value, const char *clear, const char *set)
{
  *flag = strcmp(value, set) == 0;
  return *flag || strcmp(value, clear) == 0;
}

/* Parses the value of a key that only engines are allowed to send. Returns false for any other
 * key. */
static bool take_engine_pair(struct shk_greeting *greeting, const char *key, const char *value)
{
  bool single;
  return strcmp(key, "velocities") == 0    ? take_either(&greeting->half, value, "full", "half")
         : strcmp(key, "energy") == 0      ? take_either(&greeting->energy, value, "no", "yes")
         : strcmp(key, "multipliers") == 0 ? take_either(&greeting->multipliers, value, "no", "yes")
         : strcmp(key, "iterations") == 0  ? take_either(&greeting->iterations, value, "no", "yes")
         : strcmp(key, "seconds") == 0     ? take_either(&greeting->seconds, value, "no", "yes")
         : strcmp(key, "precision") == 0   ? take_either(&single, value, "double", "single")
                                           : false;
}

/* Reads an integer that must be at least `least`. */
static bool take_whole(int *number, const char *value, int least)
{
  char *end;
  const long whole = strtol(value, &end, 10);
  *number = (int)whole;
  return *end == '\0' && whole >= least && whole <= MOST_COORDINATES;
}

/* Parses a comma-separated list of words from undecidable.def, such as "linear-potential,chaotic".
 * The words are spelled like the enumerators. */
static bool take_undecidable(unsigned *set, char *value)
{
#define SHK_UNDECIDABLE(enumerator, why) #enumerator,
  static const char *const names[] = {
#include <shakedown/undecidable.def>
  };
#undef SHK_UNDECIDABLE
  enum { COUNT = sizeof names / sizeof *names, PREFIX = sizeof "SHK_" - 1 };
  for (char *word; (word = strsep(&value, ",")) != NULL;) {
    int i = 0;
    for (char *at = word; *at != '\0'; at++)
      if (*at == '-')
        *at = '_';
    while (i < COUNT && strcasecmp(word, names[i] + PREFIX) != 0)
      i++;
    if (i == COUNT)
      return false;
    *set |= 1u << i;
  }
  return true;
}

/* Parses the value of a key that only problems are allowed to send. Returns false for any other
 * key. */
static bool take_problem_pair(struct shk_greeting *greeting, const char *key, char *value)
{
  if (strcmp(key, "features") == 0)
    return shk_features_read(&greeting->features, value) &&
           (greeting->features & ~SHK_TALK_FEATURES) == 0;
  return strcmp(key, "n") == 0             ? take_whole(&greeting->n, value, 1)
         : strcmp(key, "m") == 0           ? take_whole(&greeting->m, value, 0)
         : strcmp(key, "undecidable") == 0 ? take_undecidable(&greeting->undecidable, value)
         : strcmp(key, "time-scale") == 0
             ? shk_real_parse(&greeting->time_scale, value) && greeting->time_scale > 0
         : strcmp(key, "horizon") == 0
             ? shk_real_parse(&greeting->horizon, value) && greeting->horizon > 0
             : false;
}

static bool take_value(struct shk_greeting *greeting, enum shk_talker is, const char *key,
                       char *value)
{
  if (strcmp(key, "name") == 0 || strcmp(key, "version") == 0)
    return true;
  if (is == SHK_TALKER_ENGINE && take_engine_pair(greeting, key, value))
    return true;
  if (is != SHK_TALKER_ENGINE && strcmp(key, "precision") == 0)
    return take_either(&greeting->double_only, value, "any", "double");
  if (is == SHK_TALKER_PROBLEM)
    return take_problem_pair(greeting, key, value);
  if (is == SHK_TALKER_INTEGRATOR && strcmp(key, "supports") == 0)
    return shk_features_read(&greeting->supports, value) &&
           (greeting->supports & ~SHK_TALK_FEATURES) == 0;
  return shk_claim_read(&greeting->claims, key, value);
}

/* Size of the string that lists the keys received in a greeting, each preceded and followed by a
 * blank. */
enum { KEYS = 2048 };

static bool has_key(const char *keys, const char *key)
{
  char word[130];
  snprintf(word, sizeof word, " %s ", key);
  return strstr(keys, word) != NULL;
}

/* Stores a KEY=VALUE pair from the greeting. */
static struct shk_status take_pair(struct shk_talk *x, struct shk_greeting *greeting, char *keys,
                                   const char *pair)
{
  char key[128];
  snprintf(key, sizeof key, "%s", pair);
  char *value = strchr(key, '=');
  if (!value || value[1] == '\0')
    return shk_talk_lose(x, "expected KEY=VALUE in its greeting, found ", pair);
  *value++ = '\0';
  for (char *at = key; *at != '\0'; at++)
    if (*at == '_')
      *at = '-';
  if (has_key(keys, key))
    return shk_talk_lose(x, "its greeting contains a key twice: ", key);
  const size_t used = strlen(keys);
  snprintf(keys + used, KEYS - used, "%s ", key);
  return take_value(greeting, x->is, key, value)
             ? shk_ok()
             : shk_talk_lose(x, "its greeting contains an unknown key or value: ", pair);
}

/* For each role, the table contains its word in the greeting, its noun with an article, and how a
 * user specifies a program with this role. */
static const struct {
  const char *greeting, *role, *form;
} roles[SHK_TALKERS] = {
    {"shakedown-integrator", "an integrator", "the integrator external(command=…)"},
    {"shakedown-engine", "an engine", "the integrator engine(command=…)"},
    {"shakedown-solver", "a solver", "the option solver=program(command=…) of a method"},
    {"shakedown-problem", "a problem", "the problem program(command=…)"}};

/* Fails unless the first word of the greeting shows that the program has the role of *x. */
static struct shk_status check_role(struct shk_talk *x, const char *word)
{
  char text[160];
  if (strcmp(word, roles[x->is].greeting) == 0)
    return shk_ok();
  for (int i = 0; i < SHK_TALKERS; i++)
    if (strcmp(word, roles[i].greeting) == 0) {
      snprintf(text, sizeof text, "it is %s, not %s; name it as ", roles[i].role,
               roles[x->is].role);
      return shk_talk_lose(x, text, roles[i].form);
    }
  snprintf(text, sizeof text, "expected '%s' for a greeting, found ", roles[x->is].greeting);
  return shk_talk_lose(x, text, word);
}

static struct shk_status greet_line_protocol(struct shk_talk *x, struct shk_greeting *greeting)
{
  const char *text;
  SHK_TRY(shk_talk_request(x, "hello"));
  shk_talk_put_integer(x, SHK_PROGRAM_PROTOCOL);
  shk_talk_put(x, REAL_NAME);
  shk_talk_put_integer(x, REAL_DIGITS);
  SHK_TRY(shk_talk_send(x));
  SHK_TRY(shk_talk_word(&text, x));
  SHK_TRY(check_role(x, text));
  SHK_TRY(shk_talk_word(&text, x));
  if (strcmp(text, "1") != 0)
    return shk_talk_lose(x, "expected version 1 of the protocol, found ", text);
  *greeting = (struct shk_greeting){.time_scale = 1, .horizon = R(10.7)};
  shk_claims_stated(&greeting->claims, NULL);
  char keys[KEYS] = " ";
  SHK_TRY(shk_talk_word(&text, x));
  while (*text != '\0') {
    SHK_TRY(take_pair(x, greeting, keys, text));
    SHK_TRY(shk_talk_word(&text, x));
  }
  if (!has_key(keys, "name") || !has_key(keys, "version"))
    return shk_talk_lose(x, "its greeting lacks ", has_key(keys, "name") ? "version=" : "name=");
  if (x->is == SHK_TALKER_PROBLEM && (!has_key(keys, "n") || !has_key(keys, "m")))
    return shk_talk_lose(x, "its greeting lacks ", has_key(keys, "n") ? "m=" : "n=");
  return shk_ok();
}

static struct shk_status start_line_protocol(struct shk_talk *x, struct shk_greeting *greeting)
{
  struct shk_message error;
  if (!shk_values_access(x->options).programs)
    return shk_failure(SHK_BAD_INPUT, "external programs run only with --allow-external", 0, 0);
  x->process = shk_process_start(shk_values_text(x->options, "command"), &error);
  return x->process ? greet_line_protocol(x, greeting)
                    : shk_talk_failure(x, SHK_SOLVER_FAILED, "", error.text);
}

static void end_line_protocol(void *talk)
{
  shk_process_end(((struct shk_talk *)talk)->process);
}

struct shk_status shk_talk_begin(struct shk_talk *x, struct shk_greeting *greeting,
                                 struct shk_workspace *workspace)
{
  SHK_TRY(shk_keep(workspace, x, end_line_protocol));
  SHK_TRY(start_line_protocol(x, greeting));
  if (greeting->double_only && SHK_PRECISION != 64)
    return shk_talk_failure(x, SHK_REFUSED, "it works in double precision only", "");
  return shk_ok();
}

void shk_talk_claims(struct shk_claims *claims, enum shk_talker is,
                     const struct shk_values *options)
{
  struct shk_talk talk = {.is = is, .options = options};
  struct shk_greeting greeting;
  if (start_line_protocol(&talk, &greeting).code == SHK_OK) {
    *claims = greeting.claims;
    claims->double_only = greeting.double_only;
  }
  end_line_protocol(&talk);
}
