/* The texts of descriptors. See descriptor_texts.h. */
#include "cli/shared/output/descriptor_texts.h"

#include <stddef.h>

#define SHK_FEATURE(feature, word, heading, has) heading,
const char *const shk_feature_titles[SHK_FEATURE_COUNT] = {
#include <shakedown/features.def>
};
#undef SHK_FEATURE

#define SHK_UNDECIDABLE(reason, text) text,
const char *const shk_undecidable_texts[] = {
#include <shakedown/undecidable.def>
    NULL};
#undef SHK_UNDECIDABLE

/* Line numbers in the .def file: line k of each list describes bit k. */
#define SHK_FEATURE(feature, word, heading, has) LINE_OF_##feature,
enum {
#include <shakedown/features.def>
};
#undef SHK_FEATURE
#define SHK_FEATURE(feature, word, heading, has)                                                   \
  _Static_assert(feature == 1 << LINE_OF_##feature, "features.def is in the order of the bits");
#include <shakedown/features.def>
#undef SHK_FEATURE

#define SHK_UNDECIDABLE(reason, text) LINE_OF_##reason,
enum {
#include <shakedown/undecidable.def>
};
#undef SHK_UNDECIDABLE
#define SHK_UNDECIDABLE(reason, text)                                                              \
  _Static_assert(reason == 1 << LINE_OF_##reason, "undecidable.def is in the order of the bits");
#include <shakedown/undecidable.def>
#undef SHK_UNDECIDABLE

const char *shk_answer_text(enum shk_answer answer)
{
  return answer == SHK_YES ? "yes" : answer == SHK_NO ? "no" : "unknown";
}
