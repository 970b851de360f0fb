/* The protocols with external integrators, engines and solvers. See line_protocol.h. */
#include "mechanics/outside/line_protocol.h"

#include "foundation/specifications/claims.h"
#include "foundation/specifications/program.h"
#include "foundation/specifications/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `what` and `detail` as a status. */
struct shk_status shk_talk_failure(struct shk_talk *x, enum shk_code code, const char *what,
                                   const char *detail)
{
  char text[256];
  snprintf(text, sizeof text, "the external program: %s%s", what, detail);
  for (char *at = text; *at != '\0'; at++)
    if ((unsigned char)*at < 0x20)
      *at = ' ';
  x->said = shk_values_message(x->options, text);
  return shk_failure(code, x->said, 0, 0);
}

/* Ends the conversation: this step and all later ones fail with the same message. */
struct shk_status shk_talk_lose(struct shk_talk *x, const char *what, const char *detail)
{
  x->lost = true;
  return shk_talk_failure(x, SHK_SOLVER_FAILED, what, detail);
}

struct shk_status shk_talk_again(const struct shk_talk *x)
{
  return shk_failure(SHK_SOLVER_FAILED, x->said, 0, 0);
}

static struct shk_status lose_process(struct shk_talk *x)
{
  char why[128];
  return shk_talk_lose(x, "", shk_process_fault(x->process, why, sizeof why));
}

/* ---- words and numbers ---- */

void shk_talk_put_real(struct shk_talk *x, real value)
{
  char text[64];
  shk_real_format(text, sizeof text, value);
  shk_process_put(x->process, text);
}

void shk_talk_put_reals(struct shk_talk *x, const real *values, size_t count)
{
  for (size_t i = 0; i < count; i++)
    shk_talk_put_real(x, values[i]);
}

void shk_talk_put_integer(struct shk_talk *x, long value)
{
  char text[32];
  snprintf(text, sizeof text, "%ld", value);
  shk_process_put(x->process, text);
}

struct shk_status shk_talk_send(struct shk_talk *x)
{
  return shk_process_send(x->process) ? shk_ok() : lose_process(x);
}

/* The next word; "" at the end of the line. */
struct shk_status shk_talk_word(const char **text, struct shk_talk *x)
{
  *text = shk_process_word(x->process);
  return *text ? shk_ok() : lose_process(x);
}

struct shk_status shk_talk_take_reals(struct shk_talk *x, real *values, int count)
{
  for (int i = 0; i < count; i++) {
    const char *text;
    SHK_TRY(shk_talk_word(&text, x));
    if (*text == '\0')
      return shk_talk_lose(x, "its line has too few numbers", "");
    if (strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0)
      return shk_talk_failure(x, SHK_NOT_FINITE, "it answered ", text);
    if (!shk_real_parse(&values[i], text))
      return shk_talk_lose(x, "not a finite decimal number: ", text);
  }
  return shk_ok();
}

struct shk_status shk_talk_line_ends(struct shk_talk *x)
{
  const char *text;
  SHK_TRY(shk_talk_word(&text, x));
  return *text == '\0' ? shk_ok() : shk_talk_lose(x, "more on its line than expected: ", text);
}

/* The rest of the line as a sentence. */
struct shk_status shk_talk_rest(char *buffer, size_t size, struct shk_talk *x)
{
  const char *text;
  size_t at = 0;
  buffer[0] = '\0';
  for (;;) {
    SHK_TRY(shk_talk_word(&text, x));
    if (*text == '\0')
      return shk_ok();
    if (at < size)
      at += (size_t)snprintf(buffer + at, size - at, "%s%s", at > 0 ? " " : "", text);
  }
}

/* ---- the handshake ---- */

/* Those that the protocol has questions for. */
static bool take_features(unsigned *supports, char *words)
{
  return shk_features_read(supports, words) && (*supports & ~SHK_TALK_FEATURES) == 0;
}

/* A key that has two values, the second of which sets `flag`. */
static bool take_either(bool *flag, const char *value, const char *clear, const char *set)
{
  *flag = strcmp(value, set) == 0;
  return *flag || strcmp(value, clear) == 0;
}

/* The keys that only engines have; false also for any other. */
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

static struct shk_status take_pair(struct shk_talk *x, struct shk_greeting *greeting, char *key,
                                   bool *named, bool *versioned)
{
  char whole[128];
  snprintf(whole, sizeof whole, "%s", key);
  char *value = strchr(key, '=');
  if (!value || value[1] == '\0')
    return shk_talk_lose(x, "expected KEY=VALUE in its greeting, found ", whole);
  *value++ = '\0';
  bool ok = true;
  if (strcmp(key, "name") == 0)
    *named = true;
  else if (strcmp(key, "version") == 0)
    *versioned = true;
  else if (x->is == SHK_TALKER_ENGINE)
    ok = take_engine_pair(greeting, key, value) || shk_claim_read(&greeting->claims, key, value);
  else if (strcmp(key, "precision") == 0) {
    greeting->double_only = strcmp(value, "double") == 0;
    ok = greeting->double_only || strcmp(value, "any") == 0;
  } else if (strcmp(key, "supports") == 0 && x->is == SHK_TALKER_INTEGRATOR)
    ok = take_features(&greeting->supports, value);
  else
    ok = shk_claim_read(&greeting->claims, key, value);
  return ok ? shk_ok() : shk_talk_lose(x, "its greeting has what is not understood: ", whole);
}

static const struct {
  const char *word, *expected;
} greetings[] = {{"shakedown-integrator", "expected 'shakedown-integrator' for a greeting, found "},
                 {"shakedown-engine", "expected 'shakedown-engine' for a greeting, found "},
                 {"shakedown-solver", "expected 'shakedown-solver' for a greeting, found "}};

static struct shk_status greet(struct shk_talk *x, struct shk_greeting *greeting)
{
  shk_process_put(x->process, "hello");
  shk_talk_put_integer(x, SHK_PROGRAM_PROTOCOL);
  shk_process_put(x->process, REAL_NAME);
  shk_talk_put_integer(x, REAL_DIGITS);
  SHK_TRY(shk_talk_send(x));
  const char *text;
  SHK_TRY(shk_talk_word(&text, x));
  if (strcmp(text, greetings[x->is].word) != 0)
    return shk_talk_lose(x, greetings[x->is].expected, text);
  SHK_TRY(shk_talk_word(&text, x));
  if (strcmp(text, "1") != 0)
    return shk_talk_lose(x, "this program speaks version 1 of the protocol, not ", text);
  *greeting = (struct shk_greeting){0};
  shk_claims_stated(&greeting->claims, NULL);
  bool named = false, versioned = false;
  for (;;) {
    char pair[128];
    SHK_TRY(shk_talk_word(&text, x));
    if (*text == '\0')
      break;
    snprintf(pair, sizeof pair, "%s", text);
    SHK_TRY(take_pair(x, greeting, pair, &named, &versioned));
  }
  if (!named || !versioned)
    return shk_talk_lose(x, "its greeting lacks ", named ? "version=" : "name=");
  return shk_ok();
}

struct shk_status shk_talk_begin(struct shk_talk *x, struct shk_greeting *greeting)
{
  struct shk_message error;
  if (!shk_values_access(x->options).programs)
    return shk_failure(SHK_BAD_INPUT, "programs run only with --allow-external", 0, 0);
  x->process = shk_process_start(shk_values_text(x->options, "command"), &error);
  if (!x->process)
    return shk_talk_failure(x, SHK_SOLVER_FAILED, "", error.text);
  return greet(x, greeting);
}

static struct shk_status failed_with(struct shk_talk *x, enum shk_code code)
{
  char reason[128];
  SHK_TRY(shk_talk_rest(reason, sizeof reason, x));
  return shk_talk_failure(x, code, "", *reason != '\0' ? reason : shk_code_name(code));
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
    return shk_talk_lose(x, "it failed with a code that is not known: ", text);
  return failed_with(x, (enum shk_code)code);
}

struct shk_status shk_talk_accepted(struct shk_talk *x)
{
  const char *text;
  SHK_TRY(shk_talk_word(&text, x));
  if (strcmp(text, "ready") == 0)
    return shk_talk_line_ends(x);
  if (strcmp(text, "refuse") == 0)
    return failed_with(x, SHK_REFUSED);
  return shk_talk_lose(x, "expected 'ready' or 'refuse', found ", text);
}

void shk_talk_claims(struct shk_claims *claims, enum shk_talker is,
                     const struct shk_values *options)
{
  struct shk_talk talk = {.is = is, .options = options};
  struct shk_greeting greeting;
  if (shk_talk_begin(&talk, &greeting).code == SHK_OK)
    *claims = greeting.claims;
  shk_process_end(talk.process);
}
