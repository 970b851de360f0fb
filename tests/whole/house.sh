#!/bin/sh
# Order of the source tree: includes run one way, the hash of the sources covers them, the manual
# page has every command, versions agree, bootstrap.sh reports wrong usage.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
cd "$SHAKEDOWN_SOURCE" || exit 1
manual=$SHAKEDOWN_BUILD/shakedown.1

# Rooms: includes run one way; what is still wrong is listed and only shrinks.
is_text "$(python3 tests/kit/include_graph.py . tests/data/include_exceptions.txt 2>&1)" "" \
  "the include graph has no arrow up, no circle and no street beyond those known"
scratch=$(mktemp -d)
mkdir -p "$scratch/engine" "$scratch/cli/shared"
echo '#include "cli/shared/options.h"' >"$scratch/engine/up.c"
is_text "$(python3 tests/kit/include_graph.py "$scratch")" "up engine/up.c: cli/shared/options.h" \
  "an arrow up is found"
echo '#include "engine/up.h"' >"$scratch/cli/shared/options.h"
python3 tests/kit/include_graph.py "$scratch" | grep -q "^circle cli/shared engine$"
ok_if $? "a circle is found"

# A template is what a paper's author reads and changes.
is_text "$(find plots/kinds -name '*.gp' -exec awk 'FNR == 81 { print FILENAME }' {} +)" "" \
  "no template of a figure is longer than 80 lines"

# Equations stand as they were written: the formatter leaves comments alone, and has left none
# broken.
grep -qx 'ReflowComments: false' .clang-format
ok_if $? "the formatter leaves comments alone"
is_text "$(find benchmarks cli client engine examples foundation harness include integrators measures \
  mechanics plots problems results tests -name '*.[ch]' -exec \
  python3 tests/kit/broken_comments.py {} +)" "" "no comment is broken in an equation"
printf '/*\n *     %095d\n * x = 1, and y = 2\n */\n' 0 >"$scratch/broken.c"
python3 tests/kit/broken_comments.py "$scratch/broken.c" | grep -q 'broken.c:3: '
ok_if $? "one that is would be found"

# Links between pages lead to headings that exist.
is_text "$(python3 tests/kit/links.py . 2>&1)" "" "links to headings lead to headings"
mkdir -p "$scratch/docs/guides"
printf '# One\n\n[two](#two), [one](#one)\n' >"$scratch/docs/guides/b.md"
is_text "$(python3 tests/kit/links.py "$scratch" 2>&1)" "docs/guides/b.md: no heading #two" "a broken link is found"

# Names of a precision come from one generated header: no source and no other header renames anything.
renaming() {
  (cd "$1" && grep -rlE --include='*.[ch]' --include='*.def' --exclude-dir='build*' \
    'SHK_NAME|SHK_PASTE\(.*_f(32|64|128)' .)
}
is_text "$(renaming .)" "./include/shakedown/real.h" "one header names the precisions"
echo '#define shk_other SHK_NAME(shk_other)' >"$scratch/engine/other.h"
is_text "$(renaming "$scratch")" "./engine/other.h" "a name that is made elsewhere is found"

# A function of the rooms without precision has no name that this header changes: its callers would get
# the other one.
doubled() {
  sed -n 's/^#define \(shk_[a-z0-9_]*\) .*/\1/p' "$SHAKEDOWN_BUILD/include/shakedown/names.h" >"$scratch/names"
  (cd "$1" && grep -rhoE --include='*.c' '^[a-z][a-z0-9_ *]*\bshk_[a-z0-9_]+\([^;]*$' foundation harness \
    results plots cli client) | grep -oE 'shk_[a-z0-9_]+\(' | tr -d '(' | grep -Fxf "$scratch/names"
}
is_text "$(doubled .)" "" "no function has the name of another room's function of each precision"
mkdir -p "$scratch/harness"
echo 'bool shk_jacobian(const char *text)' >"$scratch/harness/doubled.c"
is_text "$(doubled "$scratch" 2>/dev/null)" "shk_jacobian" "one that has is found"

# One text in all precisions: where it is still asked for the precision there is a reason.
#   base.c, bind.c, line_protocol.c and own.c (their refusals), gsl_stepper.c, hem5.c, radau5.c, outside.h, sundials.h:
#     methods, programs and solvers that exist in double only
#   rough.h: whether factors in double have fewer digits than residuals; in_double.c: these factors
#   differentiation_index.c: a diagnosis by differences that leave digits in quad only
#   real_text.c, line_protocol.c, block.c, table.c, engine.h: numbers as text and as bytes, the table of
#     functions by precision; registry.c, bind.c: plug-ins, which have their precisions
#   contract_memory.c, contract_stateless.c: runs that check a contract are shorter where a step costs more
#   structure.c: the tolerance of a reference
precision_tests() {
  (cd "$1" && grep -rlE --include='*.[ch]' 'SHK_PRECISION\b|REAL_DIGITS|REAL_EPSILON *<' mechanics \
    integrators problems measures engine | sort)
}
is_text "$(precision_tests . | tr '\n' ' ')" "engine/bind.c engine/cells/contract_memory.c \
engine/cells/contract_stateless.c engine/cells/structure.c engine/engine.h engine/registry.c \
engine/surface/table.c integrators/kit/base.c integrators/kit/gsl_stepper.c integrators/outside/hem5.c \
integrators/outside/outside.h integrators/outside/radau5.c integrators/outside/sundials.h measures/block.c \
mechanics/algebra/factorizations/in_double.c mechanics/algebra/rough.h \
mechanics/diagnosis/differentiation_index.c mechanics/outside/line_protocol.c mechanics/solvers/own.c mechanics/system/real_text.c " \
  "the precision is asked for only where there is a reason"
mkdir -p "$scratch/mechanics" "$scratch/integrators" "$scratch/problems" "$scratch/measures"
echo 'int fast = SHK_PRECISION == 64;' >"$scratch/measures/fast.c"
is_text "$(precision_tests "$scratch")" "measures/fast.c" "a test of the precision elsewhere is found"
rm -r "$scratch/mechanics" "$scratch/integrators" "$scratch/problems" "$scratch/measures"

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
[ "$(wc -l <"$scratch/depended")" -ge 100 ]
ok_if $? "numeric objects depend on files of the tree"
is_text "$(comm -13 "$scratch/hashed" "$scratch/depended")" "" "all of them are hashed"
mkdir "$scratch/copy"
cp -r include foundation mechanics integrators problems measures engine "$scratch/copy"
whole=$(hash_of "$scratch/copy") unnoticed=
tables=" include/shakedown/counters.def measures/run.def measures/structure.def "
# One file in twelve, of every room.
awk 'NR % 12 == 1' "$scratch/depended" >"$scratch/sample"
while read -r file; do
  case "$tables" in *" $file "*) continue ;; esac
  echo >>"$scratch/copy/$file"
  [ "$(hash_of "$scratch/copy")" != "$whole" ] || unnoticed="$unnoticed $file"
  cp "$file" "$scratch/copy/$file"
done <"$scratch/sample"
is_text "$unnoticed" "" "a change of one of them changes the hash"
is_text "$(hash_of "$scratch/copy")" "$whole" "and the same files give the same hash"
# Of the tables of measures and counters the numbers depend on the names alone.
for file in $tables; do
  sed 's/summary)/words)/; s/energy/power/3; s/distance/length/; s/evaluations of/calls of/' "$file" >"$scratch/copy/$file"
  is_text "$(cmp -s "$file" "$scratch/copy/$file" || hash_of "$scratch/copy")" "$whole" \
    "other words in $file are the same hash"
  sed -E '/^(COUNTER|RUN_MEASURE|STRUCTURE)\(/s/[a-z]+/another/' "$file" >"$scratch/copy/$file"
  [ "$(hash_of "$scratch/copy")" != "$whole" ]
  ok_if $? "other names in it are another"
  cp "$file" "$scratch/copy/$file"
done
rm -rf "$scratch"

commands=$("$SHAKEDOWN" --help | sed -n 's/^  \([a-z]\{3,\}\)  .*/\1/p')
[ "$(echo "$commands" | wc -w)" -ge 11 ]
ok_if $? "--help names the commands:" $commands
for command in $commands; do
  grep -qE "^\.It Cm $command( |\$)" "$manual"
  ok_if $? "the manual page has $command"
  summary=$("$SHAKEDOWN" "$command" --help | sed -n '/^$/{n;p;q}')
  sed 's/\\-/-/g' "$manual" | grep -qxF -- "$summary"
  ok_if $? "with its summary"
done

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
grep -q "^## $version " CHANGELOG.md
ok_if $? "CHANGELOG.md has the version"
"$SHAKEDOWN" --version | grep -qF "$version"
ok_if $? "--version has the version"

# The Debian package: its version, and that it is built with what bootstrap.sh builds with.
is_text "$(sed -n '1s/^shakedown (\(.*\)) .*/\1/p' debian/changelog)" "$version" \
  "debian/changelog has the version"
depends=$(sed -n '/^Build-Depends:/,/^[A-Z].*-.*:/p' debian/control | grep -oE 'lib[a-z0-9-]+-dev')
is_text "$(echo "$depends" | sort)" \
  "$(sed -n "/^build_packages=/,/'\$/p" bootstrap.sh | grep -oE 'lib[a-z0-9-]+-dev' | grep -v '^libc6-dev$' | sort)" \
  "debian/control and bootstrap.sh name the same libraries"
[ -x debian/rules ]
ok_if $? "debian/rules may be run"

if [ -r /usr/share/common-licenses/GPL-3 ]; then
  cmp -s LICENSE /usr/share/common-licenses/GPL-3
  ok_if $? "LICENSE is the GNU General Public License, version 3"
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
