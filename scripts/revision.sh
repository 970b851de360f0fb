#!/bin/sh
# Prints the revision of the sources, as described by git. In a release tarball, prints the stored revision
# instead. `meson dist` stores it by running this script with MESON_DIST_ROOT set.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${MESON_DIST_ROOT-}" ]; then
  git describe --always --abbrev=12 >"$MESON_DIST_ROOT/REVISION"
elif [ -f REVISION ]; then
  cat REVISION
else
  [ -e .git ] # do not use the revision of a repository that contains this tree
  git describe --always --dirty --abbrev=12
fi
