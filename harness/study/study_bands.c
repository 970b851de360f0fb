/* Reads the bands that a study states for values in its baseline:
 *
 *     bands:
 *       work-factorizations of rattle: {within: 30 %, because: "the solver may refactorize"}
 *
 * Names and bands are interpreted by harness/check/stated_bands.c, because they refer to
 * baselines. */
#include "foundation/memory.h"
#include "harness/study/study_runs.h"

#define FIELD(name, field, expected)                                                               \
  SHK_YAML_FIELD(name, true, struct shk_study_band, field, shk_yaml_into_text, expected)
static const struct shk_yaml_key band_keys[] = {
    FIELD("within", within, "a band, such as 30 % or 0.2 + half-widths"),
    FIELD("because", because, "the reason for the band")};
#undef FIELD

static bool read_band(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                      struct fy_node *value, void *context)
{
  struct shk_study *const study = context;
  struct shk_study_band *const band = SHK_APPEND(study->bands, study->band_count);
  *band = (struct shk_study_band){.of = shk_copy_text(key), .line = shk_yaml_line(key_node)};
  return shk_yaml_mapping(yaml, value, NULL, "a band and its reason, {within: 30 %, because: TEXT}",
                          SHK_YAML_KEYS(band_keys), band);
}

bool shk_read_bands(const struct shk_yaml *yaml, struct fy_node *node, void *study)
{
  return shk_yaml_pairs(yaml, node, "bands of values, NAME: {within: BAND, because: TEXT}",
                        read_band, study);
}
