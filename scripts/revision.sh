#!/bin/sh
# Prints the revision of the sources: git's name for it or, in a release tarball, the name stored there.
# `meson dist` stores it by running this script with MESON_DIST_ROOT set.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${MESON_DIST_ROOT-}" ]; then
  git describe --always --abbrev=12 >"$MESON_DIST_ROOT/REVISION"
elif [ -f REVISION ]; then
  cat REVISION
else
  [ -e .git ] # do not print the revision of an enclosing repository
  git describe --always --dirty --abbrev=12
fi
