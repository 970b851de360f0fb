/* All references of one precision and set of vectors. */
#include "benchmarks/hand.h"

const struct hand *const hands[HAND_COUNT] = {
#define HAND(name, function) &function,
#include "benchmarks/hands.def"
};
