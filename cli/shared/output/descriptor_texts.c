/* The texts of descriptors. See descriptor_texts.h. */
#include "cli/shared/output/descriptor_texts.h"

#include <stddef.h>

#define SHK_FEATURE(feature, word, heading, has) [__builtin_ctz(feature)] = (heading),
const char *const shk_feature_titles[SHK_FEATURE_COUNT] = {
#include <shakedown/features.def>
};
#undef SHK_FEATURE

#define SHK_UNDECIDABLE(reason, text) [__builtin_ctz(reason)] = (text),
const char *const shk_undecidable_texts[] = {
#include <shakedown/undecidable.def>
    NULL};
#undef SHK_UNDECIDABLE

const char *shk_answer_text(enum shk_answer answer)
{
  return answer == SHK_YES ? "yes" : answer == SHK_NO ? "no" : "unknown";
}
