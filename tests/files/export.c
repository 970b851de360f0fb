/* Tables in their four forms, and what is escaped in each. */
#include "results/export/export.h"
#include "tests/kit/tap.h"
#include <jansson.h>

static char *printed(const struct shk_table *table, enum shk_format format)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  shk_table_print(file, table, format);
  fclose(file);
  return text;
}

static void is_printed(const struct shk_table *table, enum shk_format format, const char *want,
                       const char *what)
{
  char *got = printed(table, format);
  tap_is_text(got, want, "%s", what);
  free(got);
}

static void forms(void)
{
  static const char *const names[] = {"problem", "order", "note"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT, SHK_ALIGN_LEFT};
  struct shk_table table;
  shk_table_init(&table, 3, names, sides);
  is_printed(&table, SHK_FORMAT_TABLE, "problem  order  note\n", "an empty table is its header");
  is_printed(&table, SHK_FORMAT_CSV, "problem,order,note\n", "in CSV too");
  is_printed(&table, SHK_FORMAT_JSON, "[]\n", "in JSON an empty list");
  shk_table_add(&table, (const char *const[]){"pendulum(angle=1,rate=2)", "2.0", NULL});
  shk_table_add(&table, (const char *const[]){"chain", "-12.5 ± 1", "said \"no\"\nλ_1 & 50%"});
  shk_table_add(&table, (const char *const[]){"\x1b[31m\xff", "", "[x"});
  is_printed(&table, SHK_FORMAT_TABLE,
             "problem                       order  note\n"
             "pendulum(angle=1,rate=2)        2.0\n"
             "chain                     -12.5 ± 1  said \"no\"\\x0aλ_1 & 50%\n"
             "\\x1b[31m\\xff                         [x\n",
             "a table is aligned by characters, ends no line in blanks and shows no controls");
  is_printed(&table, SHK_FORMAT_CSV,
             "problem,order,note\n"
             "\"pendulum(angle=1,rate=2)\",2.0,\n"
             "chain,-12.5 ± 1,\"said \"\"no\"\"\nλ_1 & 50%\"\n"
             "\\x1b[31m\\xff,,[x\n",
             "CSV quotes commas, quotes and line ends");
  is_printed(&table, SHK_FORMAT_LATEX,
             "% needs \\usepackage{booktabs} and \\usepackage{textcomp}\n"
             "\\begin{tabular}{lrl}\n\\toprule\nproblem & order & note \\\\\n\\midrule\n"
             "pendulum(angle=1,rate=2) & 2.0 &  \\\\\n"
             "chain & -12.5 $\\pm$ 1 & said \\textquotedbl{}no\\textquotedbl{} "
             "$\\lambda$\\_1 \\& 50\\% \\\\\n"
             "\\textbackslash{}x1b{[}31m\\textbackslash{}xff &  & {[}x \\\\\n"
             "\\bottomrule\n\\end{tabular}\n",
             "LaTeX escapes what is special");
  char *text = printed(&table, SHK_FORMAT_JSON);
  json_t *json = json_loads(text, 0, NULL);
  const json_t *row = json_array_get(json, 1);
  tap_is_int((long)json_array_size(json), 3, "JSON has an object for each row");
  tap_is_text(json_string_value(json_object_get(row, "note")), "said \"no\"\nλ_1 & 50%",
              "with the texts as they are");
  tap_ok(json_is_null(json_object_get(json_array_get(json, 0), "note")), "and null for none");
  json_decref(json);
  free(text);
  shk_table_clear(&table);
}

static void measured(void)
{
  static const struct {
    double value, half;
    const char *want;
  } cases[] = {{2.00083, 0.00082, "2.00083 +- 0.00082"},
               {2.0008349, 0.000821, "2.00083 +- 0.00083"},
               {-0.0196, 0.0141, "-0.020 +- 0.015"},
               {3.98, 0.0996, "3.98 +- 0.10"},
               {1.0, 1e-17, "1.0000 +- 0.0001"},
               {1.2346e-7, 4.4e-9, "1.235 +- 0.044 e-7"},
               {5e-11, 2.2e-10, "0.5 +- 2.2 e-10"},
               {0, 0.25, "0.00 +- 0.25"},
               {2.220446e-16, NAN, "2.220e-16"},
               {12.5, INFINITY, "12.50"},
               {NAN, 0.1, ""}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[64];
    tap_is_text(shk_measured_text(text, sizeof text, cases[i].value, cases[i].half), cases[i].want,
                "%g with the half-width %g", cases[i].value, cases[i].half);
  }
  static const char *const names[] = {"study", "value", "word"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT, SHK_ALIGN_NUMBER, SHK_ALIGN_LEFT};
  struct shk_table table;
  shk_table_init(&table, 3, names, sides);
  shk_table_add(&table, (const char *const[]){NULL, "-1.2 +- 0.1 e-7", "12"});
  shk_table_add(&table, (const char *const[]){"", "drift", NULL});
  shk_table_add(&table, (const char *const[]){NULL, "inf", NULL});
  is_printed(&table, SHK_FORMAT_LATEX,
             "% needs \\usepackage{booktabs}, \\usepackage{siunitx} and \\usepackage{textcomp}\n"
             "\\begin{tabular}{rl}\n\\toprule\nvalue & word \\\\\n\\midrule\n"
             "\\num{-1.2 +- 0.1 e-7} & 12 \\\\\ndrift &  \\\\\ninf &  \\\\\n"
             "\\bottomrule\n\\end{tabular}\n",
             "numbers are siunitx's in a column of numbers, and empty columns are left out");
  is_printed(&table, SHK_FORMAT_CSV, "study,value,word\n,-1.2 +- 0.1 e-7,12\n,drift,\n,inf,\n",
             "which in CSV they are not");
  shk_table_clear(&table);
}

static void html(void)
{
  static const char *const names[] = {"method", "order", "note"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT, SHK_ALIGN_NUMBER, SHK_ALIGN_LEFT};
  struct shk_table table;
  char *text = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&text, &size);
  shk_table_init(&table, 3, names, sides);
  shk_table_add(&table, (const char *const[]){"<b>&", "2.0", NULL});
  shk_table_add(&table, (const char *const[]){"rattle", NULL, ""});
  shk_table_print_html(file, &table, "a < b", "results");
  fclose(file);
  tap_is_text(text,
              "<div class=\"scroll\"><table data-name=\"results\"><caption>a &lt; b</caption>"
              "<thead><tr><th>method</th><th class=\"number\">order</th></tr></thead><tbody>\n"
              "<tr><td>&lt;b&gt;&amp;</td><td class=\"number\">2.0</td></tr>\n"
              "<tr><td>rattle</td><td class=\"number\"></td></tr>\n"
              "</tbody></table></div>\n",
              "HTML escapes texts, and leaves empty columns out");
  shk_table_clear(&table);
  free(text);
}

static void latex(void)
{
  static const struct {
    const char *text, *want;
  } cases[] = {
      {"\\input{x}", "\\textbackslash{}input\\{x\\}"},
      {"$a^2~b_3#", "\\$a\\textasciicircum{}2\\textasciitilde{}b\\_3\\#"},
      {"a--b*", "a-{}-b{*}"},
      {"1e-7", "1e-7"},
      {"`'<|>", "\\textasciigrave{}\\textquotesingle{}\\textless{}\\textbar{}\\textgreater{}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    shk_print_latex(file, cases[i].text);
    fclose(file);
    tap_is_text(text, cases[i].want, "LaTeX of %s", cases[i].text);
    free(text);
  }
}

int main(void)
{
  forms();
  html();
  latex();
  measured();
  return tap_done();
}
