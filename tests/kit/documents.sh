# Runs the commands of the documents. Source it after scratch.sh.
#
# Some commands are checked but not run: `git clone` and `cd` (they need a network), `apt-get` with
# packages that bootstrap.sh installs, `./bootstrap.sh` with a word of its help, and `meson`/`ninja`
# in the source tree with a build folder of their own (they would run the other tests).
# shellcheck shell=sh
PATH=$(dirname "$SHAKEDOWN"):$PATH
export PATH NO_COLOR=1
tab=$(printf '\t')
ran=0

# check_elsewhere COMMAND: 0 checked, 1 wrong, 2 not such a command
check_elsewhere() {
  set -f
  # shellcheck disable=SC2086 # the words of a documented command
  set -- $1
  set +f
  case $1 in
  git)
    [ "${2-}" = clone ]
    ;;
  cd)
    [ "${2-}" = shakedown ]
    ;;
  ./bootstrap.sh)
    [ $# -eq 2 ] && "$SHAKEDOWN_SOURCE/bootstrap.sh" --help | grep -q "bootstrap.sh $2 "
    ;;
  sudo | apt-get)
    for word; do
      case $word in
      sudo | apt-get | update | install | -* | '&&') ;;
      *) grep -qw -e "$word" "$SHAKEDOWN_SOURCE/bootstrap.sh" || return 1 ;;
      esac
    done
    ;;
  meson)
    case "$2" in
    setup) [ "$3" != build ] && case $3 in build*) ;; *) false ;; esac ;;
    test | install) case "$3 $4" in "-C build"*) ;; *) false ;; esac ;;
    *) false ;;
    esac
    ;;
  ninja)
    case "$2 $3" in "-C build"*) ;; *) false ;; esac
    ;;
  *)
    return 2
    ;;
  esac
}

# run_document FILE.md [FOLDER]: each command line of its ```sh blocks, in order, must end with the
# documented exit status (0 unless the line ends in "# exit N"). They run in $folder, one for each document
# unless one is named. `try` gets a budget, since a busy machine takes longer than the ten seconds of
# an idle one.
run_document() {
  document=$1
  name=${document#"$SHAKEDOWN_SOURCE"/}
  # shellcheck disable=SC2154 # of scratch.sh
  folder=$top/${2-$(printf %s "${name%.md}" | tr / -)}
  mkdir -p "$folder"
  awk -v folder="$folder" -f "$SHAKEDOWN_SOURCE/tests/kit/docs_commands.awk" "$document" \
    >"$top/commands"
  while IFS=$tab read -r line expected command; do
    if [ "$expected" = bad ]; then
      ok_if 1 "$name:$line: $command"
      continue
    fi
    check_elsewhere "$command"
    elsewhere=$?
    if [ $elsewhere -ne 2 ]; then
      ok_if $elsewhere "$name:$line: (not run here) $command"
      continue
    fi
    case $command in
    # What stays undecided takes all its time.
    'shakedown try '*) [ "$expected" = 3 ] && command="$command --budget 30" || command="$command --budget 200" ;;
    esac
    (cd "$folder" && sh -c "$command") >"$top/out" 2>"$top/err" </dev/null
    got=$?
    ran=$((ran + 1))
    is_text "$got" "$expected" "$name:$line: $command" || diag "$(tail -n 20 "$top/out" "$top/err")"
  done <"$top/commands"
}
