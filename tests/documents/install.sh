#!/bin/sh
# The files of `meson install` are complete: the installed program runs from its own place, whose
# name has blanks and letters that are not ASCII, finds the studies and headers that come with it,
# and the flags of pkg-config compile a plug-in. It writes nothing elsewhere.
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# A prefix of our own in place of the configured one.
dest="$scratch/ein Ziel é"
DESTDIR=$dest meson install -C "$SHAKEDOWN_BUILD" --no-rebuild >"$scratch/log" 2>&1
ok_if $? "meson install"
bin=$(find "$dest" -path '*/bin/shakedown')
prefix=$(dirname "$(dirname "$bin")")
holds "the program is installed" [ -x "$bin" ]
[ -x "$bin" ] || tap_done
cd "$scratch" || exit 1
"$bin" list >/dev/null
ok_if $? "it runs"

"$bin" list studies --format csv | grep -q '^quick,'
ok_if $? "it knows the studies that come with it"
holds "they are installed" [ -f "$prefix/share/shakedown/studies/quick.yaml" ]
holds "the manual page is installed" [ -f "$prefix/share/man/man1/shakedown.1" ]
holds "the completion is installed" [ -f "$prefix/share/bash-completion/completions/shakedown" ]
for example in plugins/kutta.cpp plugins/wrapped_step.c external/rattle.py external/rattle.m plugins/rattle.c \
  engines/verlet.py engines/adapter.h client/drift.c; do
  cmp -s "$SHAKEDOWN_SOURCE/examples/$example" "$prefix/share/doc/shakedown/examples/$example"
  ok_if $? "the example $example is installed"
done
"$bin" --version >version
for feature in precisions plug-ins protocols compiler libraries; do
  holds "--version tells of $feature" grep -q "^$feature  *[a-z0-9]" version
done
# A newcomer's plug-in, with nothing but what is installed.
"$bin" plugin new integrator mine >/dev/null && "$bin" plugin build mine.c >built 2>&1 &&
  "$bin" plugin check mine.so --quick >/dev/null
ok_if $? "a plug-in is begun, built and checked"
# So does a newcomer's program that uses the library.
pc=$(dirname "$(find "$dest" -name libshakedown.pc)")
lib=$(dirname "$(find "$dest" -name libshakedown.so)")
eval "cc '$SHAKEDOWN_SOURCE/examples/client/drift.c' -o drift $(PKG_CONFIG_PATH=$pc pkg-config \
  --define-variable=prefix="$(echo "$prefix" | sed 's/ /\\ /g')" --cflags --libs libshakedown)" &&
  LD_LIBRARY_PATH=$lib ./drift >/dev/null
ok_if $? "a program is linked with the library, and runs"
for header in "$SHAKEDOWN_SOURCE"/include/shakedown/*.h "$SHAKEDOWN_SOURCE"/include/shakedown/parts/*.h \
  "$SHAKEDOWN_BUILD"/include/shakedown/names.h; do
  name=include${header##*/include}
  cmp -s "$header" "$prefix/$name"
  ok_if $? "$name is installed"
done

# The examples of the documents, compiled with nothing but what pkg-config says.
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$dest" -name shakedown.pc)") \
  pkg-config --define-variable=prefix="$(echo "$prefix" | sed 's/ /\\ /g')" --cflags shakedown)
ok_if $? "pkg-config knows shakedown: $flags"
for name in heun parabola; do
  cat "$SHAKEDOWN_SOURCE"/docs/guides/writing-*.md >"$scratch/all.md"
  awk -v folder="$scratch" -f "$SHAKEDOWN_SOURCE/tests/kit/docs_commands.awk" "$scratch/all.md" >/dev/null
  for precision in 32 64 128; do
    # As a makefile does it: blanks in pkg-config's words are escaped for a shell.
    warnings=$(eval "cc -std=gnu17 -O2 -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -fPIC \
      $flags -DSHK_PRECISION=$precision -c '$scratch/$name.c' -o '$scratch/$name.o'" 2>&1)
    is_text "$warnings" "" "$name.c compiles without a warning, precision $precision"
    nm --defined-only --extern-only "$scratch/$name.o" | grep -q ' shk_plugin_f'
    ok_if $? "$name.c provides a plug-in, precision $precision"
  done
done
tap_done
