#!/bin/sh
# A release: scripts/release.sh dates it and makes a tarball, a checksum and notes; the tarball has
# every committed file, and builds a program that knows its revision.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

if ! [ -e "$SHAKEDOWN_SOURCE/.git" ] || ! command -v git >/dev/null; then
  skip "by design: a release is made from a git checkout, which this is not"
  tap_done
fi
git clone -q "$SHAKEDOWN_SOURCE" tree 2>err
ok_if $? "a clone"
cd tree || exit 1
git config user.name someone
git config user.email someone@example.org
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
sed -i "s/^## $version (.*/## $version (unreleased)/" CHANGELOG.md
git commit -q -a -m "Nothing is released yet" --allow-empty
echo more >>README.md
SOURCE_DATE_EPOCH=1700000000 scripts/release.sh ../out >../log 2>&1
is_text $? 2 "what is not committed is in no release"
git checkout -q README.md
SOURCE_DATE_EPOCH=1700000000 scripts/release.sh ../out >../log 2>&1
code=$?
is_text $code 0 "a release is made"
[ $code -eq 0 ] || diag "$(tail -n 5 ../log ../out/*.log)"
is_text "$(git log -1 --format=%s) $(git tag --points-at)" "Version $version v$version" "committed and tagged"
grep -qx "## $version (2023-11-14)" CHANGELOG.md && grep -qx 'date-released: 2023-11-14' CITATION.cff &&
  grep -q '>  Tue, 14 Nov 2023 22:13:20 +0000$' debian/changelog
ok_if $? "it has its date"
holds "and nothing else is changed" [ -z "$(git status --porcelain)" ]

cd ../out || exit 1
holds "the checksum is that of the tarball" sha256sum -c --quiet "shakedown-$version.tar.xz.sha256sum"
[ -s "shakedown-$version.md" ] && ! grep -q '^## ' "shakedown-$version.md"
ok_if $? "the notes are those of one version"
tar -xf "shakedown-$version.tar.xz"
{
  git -C ../tree ls-files
  echo REVISION
} | LC_ALL=C sort >expected
(cd "shakedown-$version" && find . ! -type d | sed 's#^\./##') | LC_ALL=C sort >unpacked
is_text "$(diff expected unpacked)" "" "the tarball has all that is committed, and its revision"
is_text "$("./shakedown-$version/scripts/revision.sh")" "$(git -C ../tree describe --always --abbrev=12)" \
  "which is that of the commit"
"shakedown-$version/scripts/release.sh" ../again >../log 2>&1
is_text $? 2 "no release is made of a tarball"
tap_done
