# For tests that run in a folder of their own: tap.sh, and `top`, a temporary folder, which is the
# current one and is removed at the end. The program prints without colours.
# shellcheck shell=sh
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
export NO_COLOR=1

# make_study NAME RUN...: NAME.yaml, a study of these runs, each the inside of a flow mapping; what begins
# with `figures:` is a key of the study
make_study() {
  printf 'study: %s\nruns:\n' "$1" >"$1.yaml"
  tap_study=$1
  shift
  for tap_run; do
    case $tap_run in
    figures:*) printf '%s\n' "$tap_run" ;;
    *) printf '  - {%s}\n' "$tap_run" | sed '2,$s/^/    /' ;;
    esac
  done >>"$tap_study.yaml"
}
