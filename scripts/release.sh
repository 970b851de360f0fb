#!/bin/sh
# Builds the files of a release. For a description, run `scripts/release.sh --help`.
set -eu

usage() {
  cat <<'EOF'
usage: scripts/release.sh FOLDER

Dates the version of meson.build, if it is still unreleased, in CHANGELOG.md, CITATION.cff and
debian/changelog, commits that and tags it vX.Y.Z. Makes, in FOLDER,

  shakedown-X.Y.Z.tar.xz             output of `meson dist`: the committed tree, and its revision
  shakedown-X.Y.Z.tar.xz.sha256sum   for sha256sum -c
  shakedown-X.Y.Z.md                 the notes: the version's section of CHANGELOG.md

Nothing is pushed. The date is today's, or that of SOURCE_DATE_EPOCH. Exit status: 0 all made, 2 not.
EOF
}

fail() {
  printf '%s\n' "release: $*" >&2
  exit 2
}

case ${1---help} in
-h | --help)
  usage
  [ $# -gt 0 ] || exit 2
  exit
  ;;
-*) set -- ;;
esac
[ $# -eq 1 ] || {
  usage >&2
  exit 2
}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain)" ] || fail "commit first: the tarball has what is committed"
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
name=shakedown-$version

if grep -q "^## $version (unreleased)\$" CHANGELOG.md; then
  now="@${SOURCE_DATE_EPOCH:-$(date +%s)}"
  day=$(date -u -d "$now" +%Y-%m-%d)
  sed -i "s/^## $version (unreleased)\$/## $version ($day)/" CHANGELOG.md
  sed -i "/^date-released: /d; s/^version: .*/&\ndate-released: $day/" CITATION.cff
  sed -i "1,/^ -- / s/^\( -- .*>  \).*/\1$(LC_ALL=C date -u -R -d "$now")/" debian/changelog
  git commit -q -m "Version $version" CHANGELOG.md CITATION.cff debian/changelog
  git tag -a -m "Version $version" "v$version"
fi
grep -qE "^## $version \([0-9]{4}-[0-9]{2}-[0-9]{2}\)\$" CHANGELOG.md ||
  fail "CHANGELOG.md has no version $version with a date"

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
log=$folder/$name.log
meson setup "$build" -Dtests=false >"$log" 2>&1 || fail "see $log"
meson dist -C "$build" --no-tests >>"$log" 2>&1 || fail "see $log"
cp "$build/meson-dist/$name.tar.xz" "$build/meson-dist/$name.tar.xz.sha256sum" "$folder"
rm "$log"
awk -v heading="## $version " '/^## / { inside = index($0, heading) == 1; next } inside' CHANGELOG.md |
  sed '1{/^$/d}' >"$folder/$name.md"
(cd "$folder" && sha256sum -c --quiet "$name.tar.xz.sha256sum" && ls -l "$name"*)
