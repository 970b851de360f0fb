/* Prints a certificate as text for a terminal. See certify_claims.h. */
#include "cli/commands/certify_claims.h"

#include "cli/shared/output/overview.h"
#include "cli/shared/output/terminal.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one line per claim ---- */

/* The rows for one claim, which are adjacent in the certificate. */
struct claim {
  const struct shk_certificate_row *first;
  int rows, counts[SHK_VERDICTS];
  /* overall verdict: the first verdict in `ranking` that occurs in any row */
  enum shk_verdict verdict;
};

static struct claim claim_at(const struct shk_certificate *certificate, int at)
{
  static const enum shk_verdict ranking[] = {SHK_VERDICT_FALSIFIED, SHK_VERDICT_NOT_SHOWN,
                                             SHK_VERDICT_FAILED,    SHK_VERDICT_HELD,
                                             SHK_VERDICT_UNDECIDED, SHK_VERDICT_REFUSED};
  struct claim claim = {.first = &certificate->rows[at], .verdict = SHK_VERDICT_NONE};
  while (at + claim.rows < certificate->count &&
         strcmp(claim.first[claim.rows].claim, claim.first->claim) == 0 &&
         strcmp(claim.first[claim.rows].integrator, claim.first->integrator) == 0)
    claim.counts[claim.first[claim.rows++].verdict]++;
  for (size_t i = sizeof ranking / sizeof ranking[0]; i-- > 0;)
    if (claim.counts[ranking[i]] > 0)
      claim.verdict = ranking[i];
  return claim;
}

static void order_text(char *buffer, size_t size, double order)
{
  snprintf(buffer, size, "%.4f", fabs(order) < 5e-5 ? 0 : order); /* no "-0.0000" */
}

/* Returns the range of the values in those rows that have the claim's overall verdict: "1.9998 to
 * 2.0001" for an order, "at most 3.5e-34" for other numbers, or a word. Returns NULL if there are
 * no values. */
static char *values_text(const struct claim *claim)
{
  double least = INFINITY, most = -INFINITY;
  const char *word = NULL;
  for (int i = 0; i < claim->rows; i++) {
    const struct shk_finding *const f = claim->first[i].of;
    if (claim->first[i].verdict != claim->verdict)
      continue;
    word = f->word ? f->word : word;
    least = fmin(least, f->value);
    most = fmax(most, f->value);
  }
  char low[40], high[40];
  const int about = claim->first->about;
  const bool order = about < SHK_CLAIMS && shk_claim_entries[about].order;
  if (!(least <= most))
    return word ? shk_copy_text(word) : NULL;
  if (!order && most == 0)
    return shk_copy_text("0");
  if (!order)
    return shk_print_text("at most %s", shk_number_text(high, sizeof high, most, 2));
  order_text(low, sizeof low, least);
  order_text(high, sizeof high, most);
  return strcmp(low, high) == 0 ? shk_copy_text(high) : shk_print_text("%s to %s", low, high);
}

/* Returns the claim together with its stated value, for example "order of q: 2", "symplectic" or
 * "symplectic: no". */
static char *claim_text(const struct claim *claim)
{
  const char *const stated = claim->first->stated;
  const bool plain = strcmp(stated, "yes") == 0 || strcmp(stated, "required") == 0;
  return plain ? shk_copy_text(claim->first->claim)
               : shk_print_text("%s: %s", claim->first->claim, stated);
}

/* Returns the number of rows with each verdict, such as "6 held, 4 undecided". */
static char *counts_text(const struct claim *claim)
{
  static const enum shk_verdict shown[] = {SHK_VERDICT_FALSIFIED, SHK_VERDICT_FAILED,
                                           SHK_VERDICT_HELD, SHK_VERDICT_UNDECIDED,
                                           SHK_VERDICT_REFUSED};
  char *text = shk_copy_text("");
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
    if (claim->counts[shown[i]] > 0)
      shk_append_text(&text, "%s%d %s", text[0] != '\0' ? ", " : "", claim->counts[shown[i]],
                      shk_verdict_word(shown[i]));
  return text;
}

void shk_print_claims(const struct shk_certificate *certificate)
{
  struct shk_table table;
  shk_columns(&table, "integrator|claim|verdict|problems|values");
  for (int at = 0; at < certificate->count;) {
    const struct claim claim = claim_at(certificate, at);
    at += claim.rows;
    /* Values without a claim, and claims that do not apply, are listed later. */
    if (claim.verdict == SHK_VERDICT_NONE || claim.verdict == SHK_VERDICT_REFUSED)
      continue;
    char *const words = claim_text(&claim), *const counts = counts_text(&claim),
                *const values = values_text(&claim);
    shk_table_add(&table, (const char *const[]){claim.first->integrator, words,
                                                shk_verdict_word(claim.verdict), counts, values});
    free(words);
    free(counts);
    free(values);
  }
  shk_table_print_text(stdout, &table, shk_terminal_width(stdout, SHK_USUAL_WIDTH));
  shk_table_clear(&table);
}

/* ---- reasons ---- */

static const char *verdict_of(const struct shk_certificate_row *row)
{
  return row->verdict == SHK_VERDICT_NONE ? "not claimed" : shk_verdict_word(row->verdict);
}

/* Returns a reason without the problem's name, if it begins with one. The remainder is the same for
 * many problems. */
static const char *reason_without_problem(const struct shk_certificate_row *row)
{
  const char *const problem = row->of->problem;
  char *const name = problem ? shk_print_text("%.*s ", (int)strcspn(problem, "("), problem) : NULL;
  const char *const named = name ? strstr(row->reason, name) : NULL;
  const char *const rest = named ? named + strlen(name) : row->reason;
  free(name);
  return rest;
}

/* Returns true if two reasons state that processes ended in the same way, regardless of the step
 * and the time. */
static bool is_same_end(const char *a, const char *b)
{
  static const char mark[] = "the process ";
  const char *const one = strstr(a, mark), *const other = strstr(b, mark);
  const char *const words = one ? strstr(one, SHK_LAST_WORDS) : NULL;
  const size_t length = words ? (size_t)(words - one) : one ? strlen(one) : 0;
  return one && other && strncmp(one, other, length) == 0 && strchr(",", other[length]);
}

/* Returns true if one sentence can cover both rows, either because an integrator refused both
 * problems, or because the verdict and the reason are the same. */
static bool is_same_group(const struct shk_certificate_row *a, const struct shk_certificate_row *b)
{
  return a->reason && b->reason && a->verdict == b->verdict &&
         strcmp(a->integrator, b->integrator) == 0 &&
         (a->verdict == SHK_VERDICT_REFUSED ||
          strcmp(reason_without_problem(a), reason_without_problem(b)) == 0 ||
          is_same_end(a->reason, b->reason));
}

/* Prints the reason for a row's verdict together with all claims and problems that share it, unless
 * it was printed for an earlier row. Example: "undecided rattle: symplectic, presymplectic on
 * pendulum, and 4 more: …". */
static void print_group(const struct shk_certificate *certificate,
                        const struct shk_certificate_row *row)
{
  struct shk_index claims = {0}, problems = {0};
  const struct shk_certificate_row *first = NULL;
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *const other = &certificate->rows[i];
    if (!is_same_group(other, row))
      continue;
    first = first ? first : other;
    if (row->verdict != SHK_VERDICT_REFUSED)
      shk_index_text(&claims, other->claim);
    if (other->of->problem)
      shk_index_text(&problems, other->of->problem);
  }
  char *text = shk_copy_text(row->integrator);
  for (int i = 0; i < claims.count; i++)
    shk_append_text(&text, "%s%s", i > 0 ? ", " : ": ", claims.texts[i]);
  if (claims.count == 1 && row->verdict != SHK_VERDICT_NONE)
    shk_append_text(&text, " (stated: %s)", row->stated);
  if (problems.count > 0)
    shk_append_text(&text, " on %s", problems.texts[0]);
  if (problems.count > 1)
    shk_append_text(&text, ", and %d more", problems.count - 1);
  shk_append_text(&text, ": %s", row->reason);
  if (first == row)
    shk_print_verdict(row->verdict, verdict_of(row), text);
  free(text);
  shk_index_clear(&claims);
  shk_index_clear(&problems);
}

/* ---- falsified claims ---- */

/* Returns "on all 9 problems", "on both problems", "on neumann", "on 2 of 9 problems, first on
 * neumann", or "" if there is no problem. */
static char *places_text(const struct claim *claim, const struct shk_certificate_row *first)
{
  const int fell = claim->counts[first->verdict],
            all = fell +
                  (first->verdict == SHK_VERDICT_FALSIFIED ? claim->counts[SHK_VERDICT_HELD] : 0);
  if (!first->of->problem)
    return shk_copy_text("");
  return all == 1                  ? shk_print_text(" on %s", first->of->problem)
         : fell == all && all == 2 ? shk_copy_text(" on both problems")
         : fell == all
             ? shk_print_text(" on all %d problems", all)
             : shk_print_text(" on %d of %d problems, first on %s", fell, all, first->of->problem);
}

/* Prints one sentence about a claim's rows with the given verdict, such as "order of q: 1.0000, not
 * 2, on all 9 problems", followed by the reason. For an order, only the part of the reason after
 * its semicolon is printed, because the sentence already contains the numbers. */
static void print_fallen(const struct claim *claim, enum shk_verdict verdict)
{
  const struct shk_certificate_row *first = claim->first;
  while (first->verdict != verdict)
    first++;
  struct claim of_verdict = *claim;
  of_verdict.verdict = verdict;
  char *const words = claim_text(claim), *const values = values_text(&of_verdict),
              *const places = places_text(claim, first);
  const bool order = first->about < SHK_CLAIMS && shk_claim_entries[first->about].order && values &&
                     strcmp(first->stated, "required") != 0;
  const char *const hint = order && first->reason ? strstr(first->reason, "; ") : first->reason;
  char *const text =
      order ? shk_print_text("%s: %s: %s, not %s,%s%s", first->integrator, first->claim, values,
                             first->stated, places, hint ? hint : "")
            : shk_print_text("%s: %s%s%s%s", first->integrator, words, places, hint ? ": " : "",
                             hint ? hint : "");
  shk_print_verdict(verdict, shk_verdict_word(verdict), text);
  free(text);
  free(places);
  free(values);
  free(words);
}

static void print_cause(const struct shk_certificate_row *row)
{
  char *const text = shk_print_text("%s: %s", row->integrator, row->reason);
  shk_print_verdict(SHK_VERDICT_FALSIFIED, row->claim, text);
  free(text);
}

void shk_print_fallen(const struct shk_certificate *certificate)
{
  static const enum shk_verdict shown[] = {SHK_VERDICT_FALSIFIED, SHK_VERDICT_NOT_SHOWN};
  for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
    for (int at = 0; at < certificate->count;) {
      const struct claim claim = claim_at(certificate, at);
      at += claim.rows;
      if (claim.counts[shown[k]] > 0)
        print_fallen(&claim, shown[k]);
      for (int i = 0; k == 0 && claim.first->about == SHK_CERTIFIED_CAUSE && i < claim.rows; i++)
        print_cause(&claim.first[i]);
    }
  /* Whatever made a run fail, such as a crash, usually affects many claims at once. */
  for (int i = 0; i < certificate->count; i++)
    if (certificate->rows[i].verdict == SHK_VERDICT_FAILED)
      print_group(certificate, &certificate->rows[i]);
}

void shk_print_reasons(const struct shk_certificate *certificate)
{
  static const enum shk_verdict shown[][2] = {{SHK_VERDICT_UNDECIDED, SHK_VERDICT_NONE},
                                              {SHK_VERDICT_REFUSED, SHK_VERDICT_REFUSED}};
  int counts[SHK_VERDICTS] = {0};
  putchar('\n');
  shk_print_fallen(certificate);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < certificate->count; i++) {
      const struct shk_certificate_row *const row = &certificate->rows[i];
      counts[row->verdict] += pass;
      if (row->reason && row->about != SHK_CERTIFIED_CAUSE &&
          (row->verdict == shown[pass][0] || row->verdict == shown[pass][1]))
        print_group(certificate, row);
    }
  putchar('\n');
  shk_print_verdicts(counts);
}

void shk_print_refusals(const struct shk_certificate *certificate)
{
  struct shk_index reasons = {0};
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *const row = &certificate->rows[i];
    struct shk_index problems = {0};
    if (row->verdict != SHK_VERDICT_REFUSED || !row->reason ||
        shk_index_find(&reasons, row->reason) >= 0)
      continue;
    shk_index_text(&reasons, row->reason);
    for (int k = i; k < certificate->count; k++) {
      const struct shk_certificate_row *const other = &certificate->rows[k];
      if (other->verdict == SHK_VERDICT_REFUSED && other->of->problem && other->reason &&
          strcmp(other->reason, row->reason) == 0)
        shk_index_text(&problems, other->of->problem);
    }
    char *text = shk_copy_text(row->integrator);
    for (int k = 0; k < problems.count; k++)
      shk_append_text(&text, "%s%s", k > 0 ? ", " : " on ", problems.texts[k]);
    shk_append_text(&text, ": %s", row->reason);
    shk_print_verdict(row->verdict, verdict_of(row), text);
    free(text);
    shk_index_clear(&problems);
  }
  shk_index_clear(&reasons);
}

void shk_print_shrink(const struct shk_certificate *certificate, const char *options)
{
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *const row = &certificate->rows[i];
    const char *const words[] = {row->integrator, row->of->problem};
    if (row->verdict != SHK_VERDICT_FALSIFIED || shk_certified_measures(row->claim) == 0 ||
        !row->of->problem || strncmp(row->of->problem, "random-", 7) != 0)
      continue;
    char *const text = shk_shell_words(" ", words, 2);
    printf("try next, for a smaller system:\n  python3 -m shakedown.shrink%s --claim '%s'%s\n",
           text, row->claim, options);
    free(text);
    return;
  }
}

/* ---- rows ---- */

char *shk_certificate_text(const struct shk_certificate_row *row)
{
  const struct shk_finding *const f = row->of;
  char number[64];
  char *text = shk_print_text("%s: %s %s", row->integrator, row->claim, row->stated);
  if (f->problem)
    shk_append_text(&text, " on %s in %s", f->problem, f->precision);
  shk_number_text(number, sizeof number, f->value, 4);
  if (f->word || *number != '\0')
    shk_append_text(&text, ": %s", f->word ? f->word : number);
  if (f->expected)
    shk_append_text(&text, ", %s", f->expected);
  return text;
}

void shk_certificate_add(struct shk_table *table, const struct shk_certificate *certificate,
                         int digits)
{
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *const row = &certificate->rows[i];
    const struct shk_finding *const f = row->of;
    char number[64];
    shk_number_text(number, sizeof number, f->value, digits);
    shk_table_add(table, (const char *const[]){
                             row->integrator, row->claim, row->stated, f->problem, f->precision,
                             f->word           ? f->word
                             : *number != '\0' ? number
                                               : NULL,
                             f->expected, shk_verdict_word(row->verdict), row->reason});
  }
}
