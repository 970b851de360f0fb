/* Lists, describes and parses the choices of the options `solver` and `linear`. */
#include "foundation/nearest.h"
#include "mechanics/solvers/kit/solvers.h"

#define SHK_OWN_OPTIONS(...) ((const struct shk_option[]){__VA_ARGS__, {0}})

const struct shk_choice shk_solver_choices[] = {
#define SHK_SOLVER(enumerator, word, name, traits, options, meaning) {name, meaning, options},
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
    {0}};

bool shk_is_built_in_solver(const char *name)
{
  return shk_name_index(name, shk_solver_choices, sizeof *shk_solver_choices, SHK_SOLVER_OWN) >= 0;
}

/* The entries follow the order of enum shk_criterion. */
const struct shk_choice shk_criterion_choices[] = SHK_LIST(
    {"absolute", "max|g|, in the units of g"},
    {"squared", "max| |r|² - d² | / 2d² over all distances"},
    {"length", "max| |r| - d | / d over all distances"},
    {"count",
     "no tolerance: each solve performs `iterations` iterations, and its result is accepted"});

const struct shk_choice shk_linear_choices[] = {
#define SHK_FACTORIZATION(enumerator, word, name, traits, options, meaning)                        \
  {name, meaning, options},
#include "mechanics/algebra/factorizations/factorizations.def"
#undef SHK_FACTORIZATION
    {0}};
