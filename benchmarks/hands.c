/* The table of references in one precision. */
#include "benchmarks/hand.h"

const struct hand *const hands[HAND_COUNT] = {
#define HAND(name, function) &function,
#include "benchmarks/hands.def"
};
