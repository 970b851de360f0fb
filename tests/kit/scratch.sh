# For tests that run in a folder of their own: tap.sh, and `top`, a temporary folder, which is the
# current one and is removed at the end. The program prints without colours.
# shellcheck shell=sh
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
export NO_COLOR=1
