/*
 * The table of quantities: a name means one thing only, and reads back what was written.
 */
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "measures/quantity.h"
#include "tests/kit/tap.h"

/* ---- what a name says ---- */

static const struct {
  const char *name;
  enum shk_quantity_id id;
  const char *parameter;
  enum shk_statistic statistic;
  const char *detail;
} names[] = {
    {"status (until 10)", SHK_QUANTITY_STATUS, "", SHK_STATISTIC_NONE, "(until 10)"},
    {"order of q", SHK_QUANTITY_ORDER, "q", SHK_STATISTIC_NONE, ""},
    {"order of lambda-mean, least of members (until 2)", SHK_QUANTITY_ORDER, "lambda-mean",
     SHK_STATISTIC_LEAST, "(until 2)"},
    {"order of energy", SHK_QUANTITY_ORDER, "energy", SHK_STATISTIC_NONE, ""},
    {"order of crossing times", SHK_QUANTITY_ORDER_CROSSING, "", SHK_STATISTIC_NONE, ""},
    {"error of p, mean of members", SHK_QUANTITY_ERROR, "p", SHK_STATISTIC_MEAN, ""},
    {"error of p at T, worst member (step 0.1, until 3)", SHK_QUANTITY_ERROR_AT_END, "p",
     SHK_STATISTIC_WORST, "(step 0.1, until 3)"},
    {"scd of q at T", SHK_QUANTITY_SCD, "q", SHK_STATISTIC_NONE, ""},
    {"outcome at step 0.1 (until 3)", SHK_QUANTITY_OUTCOME, "step 0.1", SHK_STATISTIC_NONE,
     "(until 3)"},
    {"outcome error at tolerance 1e-6", SHK_QUANTITY_OUTCOME_ERROR, "tolerance 1e-6",
     SHK_STATISTIC_NONE, ""},
    {"round-off growth class (step 0.1, until 10) (until 10)", SHK_QUANTITY_GROWTH_CLASS, "",
     SHK_STATISTIC_NONE, "(step 0.1, until 10) (until 10)"},
    {"energy slope, largest of members", SHK_QUANTITY_ENERGY_SLOPE, "", SHK_STATISTIC_LARGEST, ""},
    {"invariant angular-momentum max", SHK_QUANTITY_MOMENTUM_MAX, "angular-momentum",
     SHK_STATISTIC_NONE, ""},
    {"invariant the max max max, worst member", SHK_QUANTITY_INVARIANT_MAX, "the max max",
     SHK_STATISTIC_WORST, ""},
    {"symplecticity exponent (until 2)", SHK_QUANTITY_DEFECT_EXPONENT, "symplecticity",
     SHK_STATISTIC_NONE, "(until 2)"},
    {"impasse exponent", SHK_QUANTITY_IMPASSE_EXPONENT, "", SHK_STATISTIC_NONE, ""},
    /* What is nearly a name is none. */
    {"order of force", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""},
    {"order of q, median of members", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""},
    {"order of q(until 2)", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""},
    {"constraint maximum", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""},
    {"constraint-max", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""},
    {"energy exponent", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""},
    {"invariant  max", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""},
    {"", SHK_QUANTITIES, "", SHK_STATISTIC_NONE, ""}};

static void check_reading(void)
{
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const struct shk_named_quantity named = shk_named_finding(names[i].name);
    char *const parameter =
        shk_print_text("%.*s", named.length, named.parameter ? named.parameter : "");
    tap_ok(named.id == names[i].id && named.entry == &shk_quantities[names[i].id] &&
               named.statistic == names[i].statistic &&
               strcmp(parameter, names[i].parameter) == 0 &&
               strcmp(named.detail, names[i].detail) == 0,
           "\"%s\" is read: %d, \"%s\", %d, \"%s\"", names[i].name, named.id, parameter,
           named.statistic, named.detail);
    free(parameter);
  }
  tap_ok(shk_named_scalar("symplecticity-departure-floor").id == SHK_QUANTITY_DEPARTURE_FLOOR &&
             shk_named_scalar("symmetry-floor").id == SHK_QUANTITY_DEFECT_FLOOR &&
             shk_named_scalar("fibre-defect").id == SHK_QUANTITY_FIBRE &&
             shk_named_scalar("invariant-momentum-x-max").id == SHK_QUANTITY_MOMENTUM_MAX &&
             shk_named_scalar("method-stability-limit").id == SHK_QUANTITY_FACT &&
             shk_named_scalar("cpu-seconds (until 2)").id == SHK_QUANTITIES,
         "scalars are read, and have no ends");
}

/* ---- each line ---- */

static const char *sample_parameter(const struct shk_quantity *entry)
{
  switch (entry->parameter) {
  case SHK_BY_NOTHING:
    return NULL;
  case SHK_BY_BLOCK:
    return "lambda";
  case SHK_BY_STEPS:
    return "reversibility";
  case SHK_BY_MOMENTUM:
    return "momentum-z";
  case SHK_BY_NAME:
    return "x y";
  }
  return NULL;
}

static bool reads_back(enum shk_quantity_id id)
{
  const struct shk_quantity *const entry = &shk_quantities[id];
  const char *const parameter = sample_parameter(entry);
  bool ok = true;
  char scalar[96];
  for (int s = 0; entry->finding && s < SHK_STATISTICS; s++) {
    struct shk_named_quantity made;
    TEXT name = shk_finding_name(&made, id, parameter, (enum shk_statistic)s, " (until 7)");
    const struct shk_named_quantity named = shk_named_finding(name);
    ok = ok && named.id == id && (int)named.statistic == s &&
         strcmp(named.detail, "(until 7)") == 0 && made.id == id && made.entry == named.entry &&
         made.parameter == named.parameter && made.length == named.length &&
         made.block == named.block && made.statistic == named.statistic &&
         made.detail == named.detail;
  }
  if (entry->scalar)
    ok = ok && shk_named_scalar(shk_scalar_name(scalar, sizeof scalar, id, parameter)).id == id;
  return ok && (entry->finding || entry->scalar);
}

static void check_lines(void)
{
  for (int i = 0; i < SHK_QUANTITIES; i++)
    tap_ok(reads_back((enum shk_quantity_id)i), "quantity %d has one meaning", i);
  const struct shk_named_quantity order = shk_named_finding("order of mu (until 2)"),
                                  mean = shk_named_finding("order of mu, mean of members"),
                                  kept = shk_named_finding("hidden max");
  tap_ok(shk_decided_by(&order) == SHK_CLAIM_ORDER_MU && shk_decided_by(&mean) == SHK_NO_CLAIM &&
             shk_decided_by(&kept) == SHK_CLAIM_KEEPS_HIDDEN,
         "an order decides the claim of its block, what is said of members none");
  for (int i = 1; i < SHK_CLAIMS; i++)
    tap_ok(shk_measure_deciding((enum shk_claim)i) != SHK_MEASURES, "something decides \"%s\"",
           shk_claim_entries[i].words);
}

/* ---- the table in the documentation ---- */

static const char *const kinds[] = {"number", "order", "growth",  "error", "vanishing",
                                    "slope",  "class", "status",  "count", "seconds",
                                    "pace",   "floor", "repeated"};
static const char *const betters[] = {"less", "more", "ranked", "—"};

/* A name with its parameter as people write it; "—" where there is none. */
static void print_name(FILE *out, const struct shk_quantity *entry, const char *pattern)
{
  static const char *const parameters[] = {"", "BLOCK", "MEASURE", "MOMENTUM", "NAME"};
  if (!pattern) {
    fputs(" — |", out);
    return;
  }
  const size_t head = strcspn(pattern, "%");
  fprintf(out, " `%.*s%s%s` |", (int)head, pattern, parameters[entry->parameter],
          pattern[head] != '\0' ? pattern + head + 1 : "");
}

static char *table_text(void)
{
  char *text = NULL;
  size_t length = 0;
  FILE *const out = open_memstream(&text, &length);
  fputs("| finding | in records | kind | unit | better | meaning |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        out);
  for (int i = 0; i < SHK_QUANTITIES; i++) {
    const struct shk_quantity *const entry = &shk_quantities[i];
    putc('|', out);
    print_name(out, entry, entry->finding);
    print_name(out, entry, entry->scalar);
    fprintf(out, " %s | %s | %s | ", kinds[entry->kind], entry->unit ? entry->unit : "—",
            betters[entry->better]);
    for (const char *at = entry->meaning; *at != '\0'; at++)
      fprintf(out, *at == '|' ? "\\%c" : "%c", *at);
    fputs(" |\n", out);
  }
  fclose(out);
  return text;
}

static void check_documentation(const char *source)
{
  static const char begin[] = "<!-- measures/quantities.def -->\n\n", end[] = "\n<!-- end -->";
  TEXT path = shk_print_text("%s/docs/reference/measures.md", source);
  char *const table = table_text(), *page = shk_allocate(1 << 20, 1);
  FILE *const file = fopen(path, "r");
  if (file) {
    page[fread(page, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
  }
  char *const from = strstr(page, begin), *const to = from ? strstr(from, end) : NULL;
  if (to)
    *to = '\0';
  const bool same = tap_ok(to != NULL && strcmp(from + strlen(begin), table) == 0,
                           "docs/reference/measures.md has the table of quantities");
  if (!same)
    tap_diag("expected:\n%s", table);
  free(page);
  free(table);
}

int main(void)
{
  check_reading();
  check_lines();
  check_documentation(getenv("SHAKEDOWN_SOURCE"));
  return tap_done();
}
