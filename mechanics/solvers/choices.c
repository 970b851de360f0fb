/* The choices of the options `solver` and `linear`, as they are listed, described and read. */
#include <shakedown/solve.h>

#include <stddef.h>

#define SHK_OWN_OPTIONS(...) ((const struct shk_option[]){__VA_ARGS__, {0}})

const struct shk_head shk_solver_heads[] = {
#define SHK_SOLVER(enumerator, word, name, traits, options, meaning) {name, meaning, options},
#include "mechanics/solvers/kit/solvers.def"
#undef SHK_SOLVER
    {0}};

const struct shk_head shk_linear_heads[] = {
#define SHK_FACTORIZATION(enumerator, word, name, traits, options, meaning)                        \
  {name, meaning, options},
#include "mechanics/algebra/factorizations/factorizations.def"
#undef SHK_FACTORIZATION
    {0}};
