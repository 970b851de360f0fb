#!/bin/sh
# Prints which revision of the sources this is: git's name of it, or in a release's tarball the one that
# was written there. That is done by `meson dist`, which runs this with MESON_DIST_ROOT set.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${MESON_DIST_ROOT-}" ]; then
  git describe --always --abbrev=12 >"$MESON_DIST_ROOT/REVISION"
elif [ -f REVISION ]; then
  cat REVISION
else
  [ -e .git ] # not the revision of whatever this tree is unpacked in
  git describe --always --dirty --abbrev=12
fi
