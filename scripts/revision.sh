#!/bin/sh
# Prints the revision of the sources: git's name of it or, in a release's tarball, the name stored there.
# `meson dist` stores it by running this script with MESON_DIST_ROOT set.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${MESON_DIST_ROOT-}" ]; then
  git describe --always --abbrev=12 >"$MESON_DIST_ROOT/REVISION"
elif [ -f REVISION ]; then
  cat REVISION
else
  [ -e .git ] # not the revision of a repository around this tree
  git describe --always --dirty --abbrev=12
fi
