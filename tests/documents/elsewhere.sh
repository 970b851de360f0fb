#!/bin/sh
# Unusual surroundings: folders and files with blanks and letters that are not ASCII, a locale with
# decimal commas, no HOME, a dumb terminal. The output is the same. A source tree in such a place,
# without write permission, with the build folder in another.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
make_study plain 'problems: [pendulum], integrators: [rattle, shake], steps: {largest: 0.1, halvings: 3},
  until: 1'
ends 0 "a study" run plain.yaml -o plain.db --quiet
ends 0 "its figures" plot plain.db -o plain --type svg,pdf,tex
ends 0 "a trajectory" simulate pendulum rattle --step 0.1 --until 0.3
cp out plain.csv

# The locale is made here, since systems have few; its numbers would be 0,1.
mkdir locales
if localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >made 2>&1; then
  export LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8
  is_text "$(locale decimal_point)" , "decimals have commas here"
else
  skip "no de_DE to make a locale of: install the package locales"
fi
TERM=dumb
export TERM
unset HOME

folder='ein Ordner ü «1»'
mkdir "$folder" && cd "$folder" || exit 1
cp ../plain.yaml 'meine Studie é.yaml'
cp "$SHAKEDOWN" 'pro gramm'
program=$SHAKEDOWN
SHAKEDOWN=$PWD/'pro gramm'
ends 0 "a study in a folder of any name" run 'meine Studie é.yaml' -o 'Ergebnis é.db' --quiet
cp ../plain.db 'ein anderes é.db' # figures show the seconds that cells took
ends 0 "figures of another store" plot 'ein anderes é.db' -o 'Bilder é' --type svg,pdf,tex
diff -r -x '*.pdf' ../plain 'Bilder é' >differences 2>&1 # which have the date of their drawing
ok_if $? "are the same, byte for byte"
[ ! -s differences ] || diag "$(head -n 5 differences)"
ends 0 "a report" report 'Ergebnis é.db' -o 'Bericht é'
ends 0 "a trajectory" simulate pendulum rattle --step 0.1 --until 0.3
holds "has decimal points" cmp -s out ../plain.csv
ends 2 "a number with a comma" simulate pendulum rattle --step 0,1 --until 0.3
holds "is refused" grep -qF '0,1' err

# A copy of the program finds no headers beside it; the one in the build folder does.
SHAKEDOWN=$program
ends 0 "a plug-in begins" plugin new integrator mein
mv mein.c 'mein é.c'
ends 0 "and builds" plugin build 'mein é.c'
ends 0 "and runs" simulate pendulum mein --plugin "$PWD/mein é.so" --step 0.1 --until 0.2
printf 'study: mine\nruns:\n  - problems: [pendulum]\n    integrators: [mein]\n    steps: [0.1]\n    until: 1\n' >mine.yaml
ends 0 "in a study as well" run mine.yaml --plugin "mein é.so" --quiet

# A few objects and what is generated, since all of it takes minutes.
mkdir 'Quelle é 1'
tar -C "$SHAKEDOWN_SOURCE" --exclude='./build*' --exclude=./.git -c . | tar -C 'Quelle é 1' -x
chmod -R a-w 'Quelle é 1'
listing() {
  find 'Quelle é 1' -printf '%p %T@ %s\n' | LC_ALL=C sort
}
listing >before
meson setup 'Bau ü 2' 'Quelle é 1' -Dtests=false >log 2>&1
ok_if $? "a build folder is configured beside a tree that is read-only"
for target in source_hash.h revision.h libnumerics64.a.p/measures_energy.c.o \
  shakedown.p/cli_shared_install_paths.c.o; do
  ninja -C 'Bau ü 2' $target >log 2>&1
  ok_if $? "$target is made"
done
is_text "$(ninja -C 'Bau ü 2' source_hash.h | tail -n 1)" "ninja: no work to do." "once"
listing | diff before - >differences
ok_if $? "the tree is as it was"
[ ! -s differences ] || diag "$(head -n 5 differences)"
chmod -R u+w 'Quelle é 1'
# What was built in such a folder is not built again; what was built where the tree no longer is, is.
mkdir 'noch ein Ordner ü' && cd 'noch ein Ordner ü' || exit 1
cp "$SHAKEDOWN_SOURCE/bootstrap.sh" .
cat >meson.build <<'END'
project('in place of the whole')
custom_target('shakedown', output: 'shakedown', command: ['touch', '@OUTPUT@'], build_by_default: true)
END
# build_keeps WORD NAME: whether what is in the build folder is still there after a build
build_keeps() {
  touch build/before
  ./bootstrap.sh build >log 2>&1 || diag "$(tail -n 5 log)"
  kept=gone
  [ ! -e build/before ] || kept=kept
  is_text $kept "$1" "$2"
}
mkdir build
build_keeps kept "bootstrap.sh builds in a folder of any name"
holds "a program" [ -e build/shakedown ]
build_keeps kept "and goes on with what was built"
cd .. && mv 'noch ein Ordner ü' 'anderswo é' && cd 'anderswo é' || exit 1
build_keeps gone "unless the tree has been moved"
cd .. || exit 1
tap_done
