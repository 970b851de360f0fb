/*
 * Choices in a study file, private to its reading. A value of a run may be
 *
 *   $name                                 the value of that name under `names`
 *   {brief: …, default: …, thorough: …}   chosen by the budget: the largest within it
 *   {fixed: …, adaptive: …}               chosen by the kind of method
 *   {order 0: …, order 3: …}              chosen by the method's order: the highest not above it
 *
 * The order is the larger of the claimed orders of q and p; 0 if there is none, or the method is
 * adaptive.
 */
#ifndef HARNESS_STUDY_STUDY_CHOICES_H
#define HARNESS_STUDY_STUDY_CHOICES_H

#include "foundation/files/yaml.h"
#include "harness/study/study.h"

enum { SHK_MOST_DRAWS = 6 };

/* Class of methods with the same values. */
struct shk_method_class {
  bool adaptive;
  int order;
  bool in_quad;
  struct shk_claims claims; /* of one of them, in its finest precision */
};

struct shk_study_choices {
  const struct shk_study *study; /* which has its runs when figures are read */
  struct fy_node *names;         /* NULL: none */
  struct shk_study_settings settings;
  int draw; /* number of the repetition of a run with other random systems, from 0 */
  struct shk_method_class class;
  int in_name;    /* number of names that the current item is nested in */
  bool by_method; /* set when a value was chosen by the method */
};

/* The choices of the study that is read. */
static inline struct shk_study_choices *shk_choices(const struct shk_yaml *yaml)
{
  return yaml->choices;
}

/* Chooses a value: the member `choose` of struct shk_yaml, whose `choices` are a struct
 * shk_study_choices. */
struct fy_node *shk_choose_value(const struct shk_yaml *yaml, struct fy_node *value);
/* brief, default, thorough */
extern const char *const shk_budget_words[];
/* The key `budget`, with an enum shk_budget at this offset. */
#define SHK_BUDGET_KEY(at)                                                                         \
  {                                                                                                \
    .name = "budget", .read = shk_read_word, .words = shk_budget_words,                            \
    .expected = "brief, default or thorough", .offset = at                                         \
  }
/* True for a text that begins with "$". */
bool shk_is_choice(const struct fy_node *node);
typedef bool shk_text_reader(const struct shk_yaml *yaml, struct fy_node *node, const char *text,
                             void *into);
/* Calls `text` for all integrators that need no options, with the exact solution or without. */
bool shk_each_method(const struct shk_yaml *yaml, struct fy_node *node, bool with_exact,
                     shk_text_reader *text, void *into);
/* Calls `text` for every specification, and `item` for every node, that the node stands for.
 * Returns false with the message set, or if a call returns false. */
bool shk_read_named(const struct shk_yaml *yaml, struct fy_node *node, shk_text_reader *text,
                    shk_yaml_reader *item, void *into);
/* Replaces $seed0 … $seed15 in a specification, which it frees, by sixteen seeds. They differ from
 * those of all other seeds of a study and of all other repetitions. */
char *shk_with_seeds(const struct shk_study_choices *choices, char *text);
/* Returns the index, below `count`, that the seed and the repetition choose in turn. */
int shk_drawn_choice(const struct shk_study_choices *choices, int count);

/* Finds the class of a method. Returns false with the message set. */
bool shk_method_class(struct shk_method_class *class, const struct shk_yaml *yaml,
                      const struct fy_node *node, const char *integrator);

#endif
