/* Reports failures to clients. See handle.h. */
#include "engine/surface/handle.h"
#include "foundation/message.h"

int shk_handle_say(struct shakedown_error *error, enum shk_code code, const char *text)
{
  if (error) {
    error->code = (int)code;
    shk_text_fit(error->text, sizeof error->text, text);
  }
  return (int)code;
}

int shk_handle_fail(struct shakedown_error *error, struct shk_status status)
{
  char text[sizeof((struct shakedown_error *)NULL)->text];
  return status.code == SHK_OK
             ? SHK_OK
             : shk_handle_say(error, status.code, shk_status_text(text, sizeof text, status));
}
