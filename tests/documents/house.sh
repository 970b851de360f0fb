#!/bin/sh
# Order of the source tree: includes and calls run one way, the hash of the sources covers them, the manual
# page has every command, versions agree, bootstrap.sh reports wrong usage.
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
cd "$SHAKEDOWN_SOURCE" || exit 1
manual=$SHAKEDOWN_SOURCE/man/shakedown.1

# Rooms: includes and calls run one way; what is still wrong is listed and only shrinks.
is_text "$(python3 tests/kit/include_graph.py . "$SHAKEDOWN_BUILD" tests/data/include_exceptions.txt 2>&1)" "" \
  "includes and calls have no arrow up, no circle and no street beyond those known"
scratch=$(mktemp -d)

# Links between pages lead to headings that exist.
is_text "$(python3 tests/kit/links.py . 2>&1)" "" "links to headings lead to headings"

# A function of the rooms without precision has no name that the generated header changes: its callers
# would get the other one.
sed -n 's/^#define \(shk_[a-z0-9_]*\) .*/\1/p' "$SHAKEDOWN_BUILD/include/shakedown/names.h" >"$scratch/names"
is_text "$(grep -rhoE --include='*.c' '^[a-z][a-z0-9_ *]*\bshk_[a-z0-9_]+\([^;]*$' foundation harness results plots cli client |
  grep -oE 'shk_[a-z0-9_]+\(' | tr -d '(' | grep -Fxf "$scratch/names")" "" \
  "no function has the name of another room's function of each precision"

# No step and no solver branches on the precision. These may ask for it:
#   base.c, bind.c, line_protocol.c and own.c (their refusals), gsl_stepper.c, hem5.c, radau5.c, outside.h, sundials.h:
#     methods, programs and solvers that exist in double only
#   rough.h: whether factors in double have fewer digits than residuals; in_double.c: these factors
#   differentiation_index.c: a diagnosis by differences that leave digits in quad only
#   real_text.c, line_protocol.c, block.c, table.c, engine.h: numbers as text and as bytes, the table of
#     functions by precision; registry.c, bind.c: plug-ins, which have their precisions
#   contract_memory.c, contract_stateless.c: runs that check a contract are shorter where a step costs more
#   structure.c: the tolerance of a reference
is_text "$(grep -rlE --include='*.[ch]' 'SHK_PRECISION\b|REAL_DIGITS|REAL_EPSILON *<' mechanics integrators problems \
  measures engine | sort | tr '\n' ' ')" "engine/bind.c engine/cells/contract_memory.c \
engine/cells/contract_stateless.c engine/cells/structure.c engine/engine.h engine/registry.c \
engine/surface/table.c integrators/kit/base.c integrators/kit/gsl_stepper.c integrators/outside/hem5.c \
integrators/outside/outside.h integrators/outside/radau5.c integrators/outside/sundials.h measures/block.c \
mechanics/algebra/factorizations/in_double.c mechanics/algebra/rough.h mechanics/binding/real_text.c \
mechanics/diagnosis/differentiation_index.c mechanics/outside/line_protocol.c mechanics/solvers/own.c " \
  "the precision is asked for only where there is a reason"

# The hash of the numeric sources covers every file that a numeric object depends on.
hash_of() {
  scripts/source_hash.sh "$1" "$scratch/hash.h" "$scratch/hash.d" && cat "$scratch/hash.h"
}
hash_of . >/dev/null
sed 's/^[^:]*://' "$scratch/hash.d" | tr ' ' '\n' | sed 's#^\./##' | sort >"$scratch/hashed"
ninja -C "$SHAKEDOWN_BUILD" -t deps 2>/dev/null |
  awk '/^[^ ]/ { numeric = /^lib(numerics|swept)[0-9]+\.a/ }
    /^ / && numeric { sub(/^ +/, ""); print }' | sort -u |
  (cd "$SHAKEDOWN_BUILD" && xargs -d '\n' realpath --relative-to="$SHAKEDOWN_SOURCE") |
  grep -vE '^(\.\.|build)' | sort -u >"$scratch/depended"
holds "numeric objects depend on files of the tree" [ "$(wc -l <"$scratch/depended")" -ge 100 ]
is_text "$(comm -13 "$scratch/hashed" "$scratch/depended")" "" "all of them are hashed"
mkdir "$scratch/copy"
cp -r include foundation mechanics integrators problems measures engine "$scratch/copy"
whole=$(hash_of "$scratch/copy")
for file in measures/run.def mechanics/system/manifold.c include/shakedown/counters.def; do
  sed -E 's/energy|projection|gradient/another/' "$file" >"$scratch/copy/$file"
  holds "a change of $file changes the hash" [ "$(hash_of "$scratch/copy")" != "$whole" ]
  cp "$file" "$scratch/copy/$file"
done
is_text "$(hash_of "$scratch/copy")" "$whole" "and the same files give the same hash"
rm -rf "$scratch"

commands=$("$SHAKEDOWN" --help | sed -n 's/^  \([a-z]\{3,\}\)  .*/\1/p' | tr "\n" " ")
[ "$(echo "$commands" | wc -w)" -ge 11 ]
ok_if $? "--help names the commands: $commands"

known=$(for command in $commands; do "$SHAKEDOWN" "$command" --help; done)
unknown=
for option in $(grep -oE -- '(Fl -|--)[a-z][a-z-]+' "$manual" | sed 's/^Fl -//; s/^--//' | sort -u); do
  echo "$known" | grep -qE -- "--$option( |\$)" || unknown="$unknown --$option"
done
is_text "$unknown" "" "the manual page has no options that do not exist"

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
is_text "$(sed -n 's/^version: //p' CITATION.cff)" "$version" "CITATION.cff has the version"
is_text "$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)" "$version" \
  "the package for Python has the version"
holds "CHANGELOG.md has the version" grep -q "^## $version " CHANGELOG.md
"$SHAKEDOWN" --version | grep -qF "$version"
ok_if $? "--version has the version"

# The Debian package: its version, and that it is built with what bootstrap.sh builds with.
is_text "$(sed -n '1s/^shakedown (\(.*\)) .*/\1/p' debian/changelog)" "$version" \
  "debian/changelog has the version"
depends=$(sed -n '/^Build-Depends:/,/^[A-Z].*-.*:/p' debian/control | grep -oE 'lib[a-z0-9-]+-dev')
is_text "$(echo "$depends" | sort)" \
  "$(sed -n "/^build_packages=/,/'\$/p" bootstrap.sh | grep -oE 'lib[a-z0-9-]+-dev' | grep -v '^libc6-dev$' | sort)" \
  "debian/control and bootstrap.sh name the same libraries"
holds "debian/rules may be run" [ -x debian/rules ]

if [ -r /usr/share/common-licenses/GPL-3 ]; then
  holds "LICENSE is the GNU General Public License, version 3" cmp -s LICENSE /usr/share/common-licenses/GPL-3
else
  skip "no copy of the license to compare with"
fi

./bootstrap.sh --help | grep -q "bootstrap.sh test"
ok_if $? "bootstrap.sh --help tells of test"
for wrong in "" "tests" "build twice" "test core" "test all nonsense"; do
  # shellcheck disable=SC2086 # several words
  ./bootstrap.sh $wrong >/dev/null 2>&1
  is_text $? 2 "bootstrap.sh '$wrong' is wrong usage"
done
tap_done
