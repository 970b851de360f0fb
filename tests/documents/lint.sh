#!/bin/sh
# Other linters: scripts pass shellcheck, the manual page is well formed, Debian's tools read the
# changelog.
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
cd "$SHAKEDOWN_SOURCE" || exit 1
manual=$SHAKEDOWN_SOURCE/man/shakedown.1

if command -v shellcheck >/dev/null; then
  # SC3044: `complete` may be a function of a script's own. SC2319: `[ … ]`, then $?, is how points are
  # made here.
  found=$(shellcheck -x --severity=warning --exclude=SC3044,SC2319 bootstrap.sh .ci/run tests/*/*.sh \
    scripts/*.sh 2>&1)
  is_text "$found" "" "shellcheck finds nothing wrong"
else
  skip "no shellcheck"
fi

if command -v mandoc >/dev/null; then
  is_text "$(mandoc -T lint -W warning "$manual" 2>&1)" "" "mandoc finds nothing wrong"
else
  skip "no mandoc"
fi

if command -v dpkg-parsechangelog >/dev/null; then
  is_text "$(dpkg-parsechangelog -S Source 2>&1)" shakedown "debian/changelog reads"
else
  skip "no dpkg-parsechangelog"
fi
tap_done
