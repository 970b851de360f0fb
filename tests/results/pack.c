/*
 * Packed texts and series come out to the bit, whatever is in them; they are small where their
 * numbers change smoothly; scripts/dump_records.py reads them as the program does; and of
 * blobs that are cut short or changed nothing is taken but what is whole.
 */
#include "results/pack/pack.h"
#include "foundation/memory.h"
#include "tests/kit/tap.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state; /* splitmix64 */

static uint64_t random_bits(void)
{
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static bool text_comes_back(const char *text)
{
  size_t size;
  void *const blob = shk_pack_text(text, &size);
  char *const again = shk_unpack_text(blob, size);
  const bool same = again && strcmp(again, text) == 0;
  free(blob);
  free(again);
  return same;
}

static void test_texts(void)
{
  static const char *const texts[] = {"",
                                      "1",
                                      "12345678",
                                      "01234567",
                                      "00000000000000000000",
                                      "99999999999999999999999999999999999",
                                      "-0.00012345678901234567e-8,1234567",
                                      "[{\"time\":\"0.1\",\"blocks\":{\"q\":\"nan -inf\"}}]",
                                      "123456789012345678",
                                      "1234567890123456781234567",
                                      "\xc3\xa9 12345678",
                                      "\x7f 12345678 \x01"};
  bool all = true;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    all = text_comes_back(texts[i]) && all;
  for (int i = 0; i < 2000; i++) {
    char text[200];
    const size_t length = random_bits() % sizeof text;
    for (size_t k = 0; k < length; k++)
      text[k] =
          (random_bits() % 8 ? "0123456789"[random_bits() % 10] : "0 .-e\"\xe9"[random_bits() % 7]);
    text[length ? length - 1 : 0] = '\0';
    all = text_comes_back(text) && all;
  }
  tap_ok(all, "texts come back, those of digits, of none and of strange letters");
}

/* Samples as the store has them: each block's numbers are of so many digits. */
static char *made_states(int samples, int digits, double (*value)(int block, int i))
{
  char *text = shk_copy_text("[");
  for (int i = 0; i < samples; i++)
    shk_append_text(&text, "%s{\"time\":\"%.10g\",\"blocks\":{\"q\":\"%.*g %.*g\",\"p\":\"%.*g\"}}",
                    i ? "," : "", 0.06 * i, digits, value(0, i), digits, value(1, i), digits,
                    value(2, i));
  shk_append_text(&text, "]");
  return text;
}

static double wave(int block, int i)
{
  return sin(0.06 * i + block);
}

/* Numbers of any size, and those that are written in a way of their own. */
static double strange(int block, int i)
{
  static const double odd[] = {0,     -0.0, NAN, -INFINITY, 1e-5, 123456789012, 1234567890123.5,
                               -1e300};
  return random_bits() % 3 ? ldexp((double)random_bits(), (int)(random_bits() % 140) - 128)
                           : odd[(i + block) % 8];
}

static void test_columns(void)
{
  bool all = true;
  for (int samples = 1; samples < 60; samples++) {
    for (int digits = 1; digits <= 50; digits += 7) {
      char *const text = made_states(samples, digits, samples % 2 ? strange : wave);
      all = text_comes_back(text) && all;
      free(text);
    }
  }
  tap_ok(all, "states come back to the last digit, of all sizes, with exponents and without");
  char *const text = made_states(200, 17, wave);
  size_t size;
  free(shk_pack_text(text, &size));
  /* Of 19 decimals, 63 bits, a phase that moves by 0.06 leaves 63 - 4 k after k differences; those
   * that follow 17 digits are noise of 7 bits, which differences make 7 + k: at k = 11 both are 18,
   * three bytes of each number. A fourth is room for times, names and where the columns begin. */
  tap_ok(size < 200 * 3 * 4, "smooth states take %zu bytes of %zu", size, strlen(text));
  free(text);
}

static struct shk_outcome made(int count, double (*value)(int part, int i))
{
  struct shk_outcome outcome = {0};
  static const char *const names[] = {"energy-error", "", "hidden"};
  for (int s = 0; s < 3; s++) {
    struct shk_series *const series =
        shk_outcome_add_series(&outcome, names[s], s == 1 ? 0 : count);
    for (int i = 0; i < 4 * series->count; i++)
      series->time[i] = value(i / count, i % count);
  }
  return outcome;
}

static bool same_series(const struct shk_outcome *a, const struct shk_outcome *b)
{
  bool same = a->series_count == b->series_count;
  for (int i = 0; same && i < a->series_count; i++) {
    const struct shk_series *const x = &a->series[i], *const y = &b->series[i];
    same = strcmp(x->name, y->name) == 0 && x->count == y->count &&
           memcmp(x->time, y->time, 4 * (size_t)x->count * sizeof *x->time) == 0;
  }
  return same;
}

static double of_any_bits(int part, int i)
{
  static const double odd[] = {0, -0.0, NAN, -INFINITY, INFINITY, 5e-324, -1.7976931348623157e308};
  (void)part;
  double value;
  const uint64_t bits = random_bits();
  memcpy(&value, &bits, sizeof value);
  return i % 3 ? value : odd[bits % 7];
}

static double smooth(int part, int i)
{
  return part == 0 ? 0.01 * (i + 1) : 1e-5 * sin(0.003 * i) + 1e-8 * part;
}

static void test_series(void)
{
  bool all = true;
  for (int count = 1; count < 200; count++) {
    struct shk_outcome outcome = made(count, of_any_bits), again = {0};
    size_t size;
    void *const blob = shk_pack_series(&outcome, &size);
    all = shk_unpack_series(&again, blob, size) && same_series(&again, &outcome) && all;
    free(blob);
    shk_outcome_clear(&outcome);
    shk_outcome_clear(&again);
  }
  tap_ok(all, "series come back to the bit, NaN, negative zero and the smallest number among them");
  struct shk_outcome outcome = made(2000, smooth);
  size_t size;
  free(shk_pack_series(&outcome, &size));
  /* 2 × 2000 × 32 bytes; the second of the two is the first again. Five differences of a sine whose
   * phase moves by 0.003 leave 0.003^5 of it: 42 of the 53 bits go; as many minima, means and maxima
   * differ by a constant. What is left is a third. */
  tap_ok(size < 2000 * 32 / 3, "what changes smoothly takes %zu bytes of %d", size, 2 * 2000 * 32);
  shk_outcome_clear(&outcome);
}

static void put_hex(FILE *out, const unsigned char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    fprintf(out, "%02x", bytes[i]);
  fputs("\n", out);
}

/* What the script makes of packed texts and packed series. */
static void test_script(void)
{
  static const char text[] =
      "[\"0.12345678901234567 -3.0e-05 1e8 000123456789012345678901234567\"]";
  struct shk_outcome outcome = made(50, of_any_bits);
  char *const states = made_states(40, 30, strange);
  size_t text_size, states_size, size;
  unsigned char *const packed = shk_pack_text(text, &text_size);
  unsigned char *const columns = shk_pack_text(states, &states_size);
  unsigned char *const blob = shk_pack_series(&outcome, &size);
  char folder[] = "/tmp/shakedown-pack-XXXXXX";
  char *const path = mkdtemp(folder) ? shk_print_text("%s/in", folder) : NULL;
  FILE *out = path ? fopen(path, "we") : NULL;
  if (out) {
    put_hex(out, packed, text_size);
    put_hex(out, blob, size);
    put_hex(out, columns, states_size);
    fprintf(out, "%s\n%s\n", text, states);
    for (int s = 0; s < outcome.series_count; s++) {
      const unsigned char *const bytes = (const unsigned char *)outcome.series[s].time;
      fprintf(out, "%s ", outcome.series[s].name);
      for (size_t i = 0; i < 32 * (size_t)outcome.series[s].count; i++)
        fprintf(out, "%02x", bytes[i]);
      fputs("\n", out);
    }
    fclose(out);
  }
  char *const command =
      shk_print_text("cd \"$SHAKEDOWN_SOURCE/scripts\" && PYTHONDONTWRITEBYTECODE=1 python3 -c '\n"
                     "import sys\n"
                     "import dump_records as d\n"
                     "lines = open(sys.argv[1]).read().split(\"\\n\")\n"
                     "assert d.text_of(bytes.fromhex(lines[0])) == lines[3]\n"
                     "assert d.text_of(bytes.fromhex(lines[2])) == lines[4]\n"
                     "said = [name + \" \" + values.hex() for name, values in "
                     "d.series_of(bytes.fromhex(lines[1]))]\n"
                     "assert said == lines[5:8], said' %s",
                     path ? path : "");
  tap_ok(out && system(command) == 0, "dump_records.py reads them");
  free(command);
  char *const remove = shk_print_text("rm -rf %s", folder);
  tap_ok(system(remove) == 0, "tidied up");
  free(remove);
  free(path);
  free(packed);
  free(columns);
  free(states);
  free(blob);
  shk_outcome_clear(&outcome);
}

/* Whether a damaged text, or series, is refused; what is taken must be a text, or end. */
static bool refused(const void *bytes, size_t size, bool as_text)
{
  struct shk_outcome outcome = {0};
  void *const exact = shk_allocate(size + !size, 1); /* for sanitizers and Valgrind */
  memcpy(exact, bytes, size);
  char *const text = as_text ? shk_unpack_text(exact, size) : NULL;
  const bool taken = as_text ? text != NULL : shk_unpack_series(&outcome, exact, size);
  free(exact);
  free(text);
  shk_outcome_clear(&outcome);
  return !taken;
}

static void test_damage(unsigned char *owned, size_t size, bool as_text, const char *what)
{
  size_t cut = 0, changed = 0, rounds = 4000;
  for (size_t length = 0; length < size; length++)
    cut += refused(owned, length, as_text);
  tap_ok(cut == size, "%s that are cut short are refused", what);
  for (size_t i = 0; i < rounds; i++) {
    const size_t at = random_bits() % size;
    const unsigned char before = owned[at], flip = (unsigned char)(1 + random_bits() % 255);
    owned[at] ^= flip;
    changed += refused(owned, size, as_text);
    owned[at] = before;
  }
  /* zlib's checksum misses one change in 2^32; its head has bits that say nothing. */
  tap_ok(changed > rounds * 9 / 10, "and %zu of %zu with a changed byte", changed, rounds);
  memset(owned, 0xff, 4);
  tap_ok(refused(owned, size, as_text), "a size of four gigabytes is not believed");
  free(owned);
}

int main(void)
{
  random_state = tap_seed(20250702);
  test_texts();
  test_columns();
  test_series();
  test_script();
  size_t size;
  void *blob =
      shk_pack_text("[\"0.12345678901234567 -3.0e-05 123456789012345678901234567\"]", &size);
  test_damage(blob, size, true, "texts");
  char *const states = made_states(12, 17, wave);
  blob = shk_pack_text(states, &size);
  test_damage(blob, size, true, "columns");
  free(states);
  struct shk_outcome outcome = made(20, of_any_bits);
  blob = shk_pack_series(&outcome, &size);
  test_damage(blob, size, false, "series");
  shk_outcome_clear(&outcome);
  return tap_done();
}
