/* What a study has taught. See learnt.h. */
#include "cli/shared/output/learnt.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/statistics/drift.h"
#include "results/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of one integrator, at its worst over problems and precisions. */
struct known {
  double least, most; /* orders of q, where they are determined */
  int energy;         /* class; 0: none */
  double hidden; /* largest violation that is not round-off; 0: none is; negative: not measured */
};

struct lessons {
  struct shk_index integrators; /* by number */
  struct known *known;
};

static void learn_order(struct known *known, const struct shk_finding *f)
{
  if (f->named.block != SHK_BLOCK_Q || isnan(f->value) ||
      !(f->uncertainty < shk_order_band(f->precision)))
    return;
  known->least = fmin(known->least, f->value);
  known->most = fmax(known->most, f->value);
}

static void learn_energy(struct known *known, const struct shk_finding *f)
{
  const int class = (int)shk_energy_class_named(f->word);
  if (class<SHK_ENERGY_CLASSES &&class> known->energy)
    known->energy = class;
}

static void learn_hidden(struct known *known, const struct shk_finding *f)
{
  const bool round_off = f->value <= SHK_VANISHES * f->floor;
  known->hidden = fmax(known->hidden, round_off ? 0 : f->value);
}

static void learn(struct known *known, const struct shk_finding *f)
{
  if (f->named.statistic != SHK_STATISTIC_NONE)
    return;
  if (f->named.id == SHK_QUANTITY_ORDER)
    learn_order(known, f);
  else if (f->named.id == SHK_QUANTITY_ENERGY_CLASS && f->word)
    learn_energy(known, f);
  else if (f->named.id == SHK_QUANTITY_HIDDEN_MAX)
    learn_hidden(known, f);
}

/* What is said of one integrator; empty: nothing. */
typedef void label(char *text, size_t size, const struct lessons *lessons, int integrator);

static void order_label(char *text, size_t size, const struct lessons *lessons, int integrator)
{
  const struct known *const known = &lessons->known[integrator];
  const double least = round(known->least) + 0.0, most = round(known->most) + 0.0;
  if (!(least <= most))
    text[0] = '\0';
  else if (least == most)
    snprintf(text, size, "%.0f", least);
  else
    snprintf(text, size, "%.0f to %.0f", least, most);
}

static void energy_label(char *text, size_t size, const struct lessons *lessons, int integrator)
{
  const int class = lessons->known[integrator].energy;
  snprintf(text, size, "%s",
           class == SHK_ENERGY_UNDETERMINED ? "" : shk_energy_word((enum shk_energy_class) class));
}

/* Those that do not keep it are told of together. */
static void hidden_label(char *text, size_t size, const struct lessons *lessons, int integrator)
{
  double most = 0;
  for (int i = 0; i < lessons->integrators.count; i++)
    most = fmax(most, lessons->known[i].hidden);
  if (lessons->known[integrator].hidden > 0)
    snprintf(text, size, "up to %.1g", most);
  else
    snprintf(text, size, "%s", lessons->known[integrator].hidden < 0 ? "" : "at round-off");
}

/* Names of a group in a line; more of them are counted. */
enum { MOST_NAMES = 6 };

/* "rattle, shake, and 3 more", or "all 5". */
static char *names_text(const struct lessons *lessons, char *const *labels, const char *same)
{
  char *text = shk_copy_text("");
  int count = 0;
  for (int i = 0; i < lessons->integrators.count; i++)
    if (strcmp(labels[i], same) == 0 && count++ < MOST_NAMES)
      shk_append_text(&text, "%s%s", text[0] != '\0' ? ", " : "", lessons->integrators.texts[i]);
  if (count > MOST_NAMES)
    shk_append_text(&text, ", and %d more", count - MOST_NAMES);
  if (count == lessons->integrators.count && count > 1) {
    free(text);
    return shk_print_text("all %d integrators", count);
  }
  return text;
}

/* "2: rattle, shake; 1: symplectic-euler-rattle"; empty where nothing is known. */
static char *lesson_text(const struct lessons *lessons, label *label_of)
{
  const int count = lessons->integrators.count;
  char **labels = shk_allocate((size_t)count + 1, sizeof *labels);
  char *line = shk_copy_text("");
  for (int i = 0; i < count; i++) {
    char text[48];
    label_of(text, sizeof text, lessons, i);
    labels[i] = shk_copy_text(text);
  }
  for (int i = 0; i < count; i++) {
    bool said = labels[i][0] == '\0';
    for (int j = 0; j < i && !said; j++)
      said = strcmp(labels[i], labels[j]) == 0;
    if (said)
      continue;
    char *names = names_text(lessons, labels, labels[i]);
    shk_append_text(&line, "%s%s: %s", line[0] != '\0' ? "; " : "", labels[i], names);
    free(names);
  }
  shk_free_texts(labels, count);
  return line;
}

int shk_learn(struct shk_lesson *told, const struct shk_analysis *analysis)
{
  static const struct {
    const char *head;
    label *label;
  } subjects[SHK_LESSONS] = {
      {"order of q", order_label}, {"energy", energy_label}, {"hidden G H_p", hidden_label}};
  struct lessons lessons = {.known = NULL};
  for (int i = 0; i < analysis->finding_count; i++) {
    const int before = lessons.integrators.count;
    const int at = shk_index_text(&lessons.integrators, analysis->findings[i].integrator);
    if (at == before) {
      lessons.known = shk_grow(lessons.known, (size_t)before, sizeof *lessons.known);
      lessons.known[at] = (struct known){.least = INFINITY, .most = -INFINITY, .hidden = -1};
    }
    learn(&lessons.known[at], &analysis->findings[i]);
  }
  int count = 0;
  for (int i = 0; i < SHK_LESSONS; i++) {
    told[count] = (struct shk_lesson){subjects[i].head, lesson_text(&lessons, subjects[i].label)};
    if (told[count].text[0] != '\0')
      count++;
    else
      free(told[count].text);
  }
  free(lessons.known);
  shk_index_clear(&lessons.integrators);
  return count;
}

void shk_learnt_print(const struct shk_analysis *analysis, int width)
{
  enum { HEAD = 17 };
  struct shk_lesson lessons[SHK_LESSONS];
  const int count = shk_learn(lessons, analysis);
  for (int i = 0; i < count; i++) {
    printf("%-*s", HEAD, lessons[i].head);
    shk_print_wrapped(stdout, lessons[i].text, HEAD, HEAD, width);
    putchar('\n');
    free(lessons[i].text);
  }
  if (count > 0)
    putchar('\n');
}
