#!/bin/sh
# libshakedown from C and from C++: the header compiles in both without a warning, the example runs
# and prints the same, and the flags of pkg-config are enough. Only the interface is exported.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
export PKG_CONFIG_PATH="$SHAKEDOWN_BUILD/meson-uninstalled"
export LD_LIBRARY_PATH="$SHAKEDOWN_BUILD"
flags=$(pkg-config --cflags --libs libshakedown-uninstalled) || diag "no libshakedown-uninstalled"
cp "$SHAKEDOWN_SOURCE/examples/client/drift.c" drift.c
cp drift.c drift.cpp
warnings='-Wall -Wextra -pedantic -Werror'
# Of the flags blanks within a word are escaped.
eval "gcc -std=c99 $warnings drift.c -o in-c $flags" 2>err && ./in-c >c.txt
ok_if $? "the example in C"
diag "$(cat err c.txt)"
holds "RATTLE keeps the energy to h²" grep -qE '^energy error [0-9.]+e-0[3-9]$' c.txt
if command -v g++ >/dev/null; then
  eval "g++ -std=c++17 $warnings drift.cpp -o in-cpp $flags" 2>err && ./in-cpp >cpp.txt
  ok_if $? "the example in C++"
  diag "$(cat err)"
  holds "says the same" cmp c.txt cpp.txt
else
  skip "no g++"
fi
nm -D --defined-only "$SHAKEDOWN_BUILD/libshakedown.so" | grep -v -e ' A SHAKEDOWN_' \
  -e ' shakedown_[a-z_]*@@SHAKEDOWN_0$' -e ' shk_[a-zA-Z0-9_]*\(\.resolver\)\{0,1\}@@SHAKEDOWN_PLUGINS$' >strange
holds "it exports its interface, and what plug-ins call" [ ! -s strange ]
diag "$(head -n 3 strange)"
tap_done
