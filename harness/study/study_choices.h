/*
 * Choices in a study file, private to its reading. A value of a run may be
 *
 *   $name                                 the value of that name under `names`
 *   {brief: …, default: …, thorough: …}   chosen by the budget: the largest within it
 *   {fixed: …, adaptive: …}               chosen by the kind of method
 *   {order 0: …, order 3: …}              chosen by the method's order: the highest not above it
 *
 * Without such a key the least of all is chosen. The order is the larger of the claimed orders of q
 * and p; 0 if there is none, or the method is adaptive.
 */
#ifndef HARNESS_STUDY_STUDY_CHOICES_H
#define HARNESS_STUDY_STUDY_CHOICES_H

#include "foundation/files/yaml.h"
#include "harness/study/study.h"

enum { SHK_MOST_DRAWS = 6 };

/* Class of methods for which all choices have the same values. */
struct shk_method_class {
  bool adaptive;
  int order;
  bool in_quad;
  struct shk_claims claims; /* of one of them, in its finest precision */
};

struct shk_study_choices {
  const struct shk_study *study; /* its runs are complete when figures are read */
  struct fy_node *names;         /* NULL: none */
  struct shk_study_settings settings;
  int draw; /* number of the repetition of a run with other random systems, from 0 */
  struct shk_method_class class;
  int in_name;    /* number of names that the current item is nested in */
  bool by_method; /* set when a value was chosen by the method */
};

/* Returns the choices of the study that is read. */
static inline struct shk_study_choices *shk_choices(const struct shk_yaml *yaml)
{
  return yaml->choices;
}

/* Returns the value that stands for a choice, or any other value itself; NULL with the message set.
 * For the member `choose` of struct shk_yaml, whose `choices` are a struct shk_study_choices. */
struct fy_node *shk_choose_value(const struct shk_yaml *yaml, struct fy_node *value);
/* The words of enum shk_budget, ended by NULL. */
extern const char *const shk_budget_words[];
/* The key `budget`, with an enum shk_budget at this offset. */
#define SHK_BUDGET_KEY(at)                                                                         \
  {                                                                                                \
    .name = "budget", .read = shk_read_word, .words = shk_budget_words,                            \
    .expected = "brief, default or thorough", .offset = at                                         \
  }
/* True for a scalar that begins with "$". */
bool shk_is_choice(const struct fy_node *node);
typedef bool shk_text_reader(const struct shk_yaml *yaml, struct fy_node *node, const char *text,
                             void *into);
/* Calls `text` for all integrators that need no options, with or without the exact solution. */
bool shk_each_method(const struct shk_yaml *yaml, struct fy_node *node, bool with_exact,
                     shk_text_reader *text, void *into);
/* Reads a node `$name`: calls `text` for every specification that a command gave to the name, or
 * `item` for every node of its list under `names`. Returns false with the message set. */
bool shk_read_named(const struct shk_yaml *yaml, struct fy_node *node, shk_text_reader *text,
                    shk_yaml_reader *item, void *into);
/* Replaces $seed0 … $seed15 in a specification by sixteen seeds, which differ from those of every
 * other `seed` of the study and of every other repetition. Takes `text` over; the caller frees the
 * result. */
char *shk_with_seeds(const struct shk_study_choices *choices, char *text);

/* Finds the class of a method. Returns false with the message set. */
bool shk_method_class(struct shk_method_class *class, const struct shk_yaml *yaml,
                      const struct fy_node *node, const char *integrator);

#endif
