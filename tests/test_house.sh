#!/bin/sh
# The house in order: scripts pass shellcheck, the manual page is well formed and tells of every
# command and option, versions agree, bootstrap.sh answers wrong usage.
set -u
. "$SHAKEDOWN_SOURCE/tests/tap.sh"
cd "$SHAKEDOWN_SOURCE" || exit 1
manual=man/shakedown.1

if command -v shellcheck >/dev/null; then
  for script in bootstrap.sh .ci/run tests/*.sh harness/*.sh man/*.sh; do
    # SC3044: `complete` may be a function of a script's own.
    found=$(shellcheck -x --severity=warning --exclude=SC3044 "$script" 2>&1)
    is_text "$found" "" "shellcheck $script"
  done
else
  skip "no shellcheck"
fi

if command -v mandoc >/dev/null; then
  is_text "$(mandoc -T lint -W warning "$manual" 2>&1)" "" "mandoc finds nothing wrong"
else
  skip "no mandoc"
fi

commands=$("$SHAKEDOWN" --help | sed -n 's/^  \([a-z]\{3,\}\)  .*/\1/p')
[ "$(echo "$commands" | wc -w)" -ge 11 ]
ok_if $? "--help names the commands:" $commands
for command in $commands; do
  grep -qE "^\.It Cm $command( |\$)" "$manual"
  ok_if $? "the manual page has $command"
  missing=
  for option in $("$SHAKEDOWN" "$command" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
    grep -qE -- "(Fl -|--)${option#--}( |\$)" "$manual" || missing="$missing $option"
  done
  is_text "$missing" "" "the manual page has the options of $command"
done

known=$(for command in $commands; do "$SHAKEDOWN" "$command" --help; done)
unknown=
for option in $(grep -oE -- '(Fl -|--)[a-z][a-z-]+' "$manual" | sed 's/^Fl -//; s/^--//' | sort -u); do
  echo "$known" | grep -qE -- "--$option( |\$)" || unknown="$unknown --$option"
done
is_text "$unknown" "" "the manual page has no options that do not exist"

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
is_text "$(sed -n 's/^version: //p' CITATION.cff)" "$version" "CITATION.cff has the version"
grep -q "^## $version " CHANGELOG.md
ok_if $? "CHANGELOG.md has the version"
"$SHAKEDOWN" --version | grep -qF "$version"
ok_if $? "--version has the version"

# The Debian package: its version, and that it is built with what bootstrap.sh builds with.
is_text "$(sed -n '1s/^shakedown (\(.*\)) .*/\1/p' debian/changelog)" "$version" \
  "debian/changelog has the version"
if command -v dpkg-parsechangelog >/dev/null; then
  is_text "$(dpkg-parsechangelog -S Source 2>&1)" shakedown "debian/changelog reads"
else
  skip "no dpkg-parsechangelog"
fi
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
for wrong in "" "tests" "build twice"; do
  # shellcheck disable=SC2086 # several words
  ./bootstrap.sh $wrong >/dev/null 2>&1
  is_text $? 2 "bootstrap.sh '$wrong' is wrong usage"
done
tap_done
