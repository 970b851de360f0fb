#!/bin/sh
# Builds, tries and tests Shakedown on Debian 12 and 13. Run `./bootstrap.sh --help` for what it does.
#
# Packages are installed only where missing, so that a second call is quick and works without root.
# Exit status: 0 all is well; 1 the build, a test or a measurement fell short; 2 wrong usage, or a
# package could not be had; 3 a study did not finish.
set -eu

build_packages='gcc libc6-dev binutils meson ninja-build pkg-config libsundials-dev libgsl-dev
  libsuitesparse-dev libsqlite3-dev libfyaml-dev libjansson-dev libxxhash-dev'
# What draws the figures, and the fonts for which they are laid out.
plot_packages='gnuplot-nox fonts-liberation'
# The core of the tests: numbers of 60 digits, a reader of YAML, the languages of plug-ins, Hairer's codes, a
# reader of TAP (prove is perl's), a reader of manual pages, git, what makes a locale with a decimal comma.
core_packages='python3 python3-mpmath python3-gmpy2 python3-yaml g++ libsiconos-numerics-dev perl mandoc git
  locales'
# The suites beside the core, which `test all` runs in this order, and the packages of each;
# tests/meson.build says what they defend.
suites='docs faults languages figures releases certificates fuzz cluster engines'
packages_of() {
  case $1 in
  core) ;;
  faults) echo valgrind faketime bubblewrap ;;
  languages)
    echo octave r-base-core r-cran-rsqlite mypy texlive-latex-recommended texlive-science \
      python3-numpy python3-pandas python3-matplotlib python3-pytest python3-pytest-xdist patchelf \
      python3-junitparser python3-venv python3-build \
      python3-mesonpy python3-sympy python3-nbclient python3-ipykernel bubblewrap
    ;;
  figures)
    echo chromium poppler-utils libxml2-utils texlive-latex-recommended texlive-science
    ;;
  docs) packages_of languages && packages_of engines && packages_of figures ;;
  releases) echo clang shellcheck dpkg-dev qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross ;;
  certificates) ;;
  fuzz) echo clang libclang-rt-dev ;;
  cluster) echo munge slurm-client slurmctld slurmd ;;
  engines)
    echo g++ python3 liblammps-dev libopenmm-dev libode-dev libbullet-dev libdart-dev libsimbody-dev \
      libmujoco-dev gromacs python3-parmed
    ;;
  *) return 1 ;;
  esac
}
# Of these, what some releases do not have: tests do without there, by design.
varying_packages='chromium libsiconos-numerics-dev liblammps-dev libopenmm-dev libode-dev libbullet-dev
  libdart-dev libsimbody-dev libmujoco-dev gromacs python3-parmed'

usage() {
  cat <<'EOF'
usage: ./bootstrap.sh run      build, then run the study studies/quick.yaml: prints its verdicts and
                               draws its figures (quick.db, quick.csv and figures/)
       ./bootstrap.sh build    build only: build/shakedown
       ./bootstrap.sh test     build everything and run the core of the tests, in at most ten minutes
                               on two cores; the last line is "N passed, N failed"
       ./bootstrap.sh test all [SUITE...]
                               run all tests, or those of the suites core, docs, faults, languages,
                               figures, releases, certificates, fuzz, cluster, engines, whose packages
                               are installed first. TEST_OPTIONS in the environment goes to
                               `meson test`: --timeout-multiplier=10
       ./bootstrap.sh engines  build, install the engines of docs/guides/engines.md and print how they compare
                               with our methods
       ./bootstrap.sh --help   this text

On Debian 12 and later the packages that are needed are installed first if they are missing, which takes root
or sudo. With CI=true in the environment a skipped test counts as failed, unless it needs what this release
of Debian does not offer.
EOF
}

say() {
  printf '%s\n' "bootstrap: $*" >&2
}

fail() {
  say "$*"
  exit 2
}

# The names among the arguments that are not installed.
missing_of() {
  for package; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
    [ "$state" = installed ] || printf ' %s' "$package"
  done
}

# Takes from $missing what varies and no source offers, and tells the tests.
leave_out_unoffered() {
  rest=
  for package in $missing; do
    case " $varying_packages " in
    *" $package "*)
      # What is spoken of only, by packages that conflict with it, say, has no candidate.
      if ! LC_ALL=C apt-cache policy "$package" | grep -q 'Candidate: [0-9]'; then
        say "this release has no package $package: tests do without"
        SHAKEDOWN_WITHOUT="${SHAKEDOWN_WITHOUT-} $package"
        continue
      fi
      ;;
    esac
    rest="$rest $package"
  done
  missing=$rest
  export SHAKEDOWN_WITHOUT
}

need_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian system: going on with what is installed; needed are:"
    say "$*"
    return
  fi
  missing=$(missing_of "$@")
  # A fresh system knows no source yet.
  ! apt-cache policy | grep -q ' o=' || leave_out_unoffered
  [ -n "$missing" ] || return 0
  install="apt-get install -y --no-install-recommends$missing"

  if [ "$(id -u)" -eq 0 ]; then
    as_root=
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
  elif command -v sudo >/dev/null && [ -t 0 ]; then
    as_root=sudo # asks for the password
  else
    fail "these packages are missing, and there is neither root nor sudo to install them. As root:

    apt-get update && $install
"
  fi
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
  apt="$apt -o Dpkg::Use-Pty=0"

  say "installing$missing"
  # A source that cannot be reached need not matter: what matters is whether the packages are there.
  $apt update </dev/null >&2 || say "apt-get update failed; trying with what is known"
  leave_out_unoffered
  unknown=
  for package in $missing; do
    apt-cache show "$package" >/dev/null 2>&1 || unknown="$unknown $package"
  done
  [ -z "$unknown" ] || fail "no package source offers:$unknown (see /etc/apt/sources.list)"
  # shellcheck disable=SC2086 # one word a package
  $apt install -y --no-install-recommends $missing </dev/null >&2 || true
  # shellcheck disable=SC2086
  missing=$(missing_of $missing)
  [ -z "$missing" ] || fail "could not install:$missing"
}

# Configures build/ if that has not been done, or was done for a tree that has moved here.
configure() {
  if [ -f build/build.ninja ]; then
    python3 -c 'import json, sys
sys.exit(json.load(open("build/meson-info/meson-info.json"))["directories"]["source"] != sys.argv[1])' \
      "$PWD" 2>/dev/null && return
    rm -rf build
  fi
  meson setup build </dev/null >&2 || {
    say "meson setup failed (details: build/meson-logs/meson-log.txt)"
    exit 1
  }
}

# compile [target...]: all targets if none is named
compile() {
  configure
  ninja -C build "$@" </dev/null >&2 || {
    say "the build failed"
    exit 1
  }
}

do_build() {
  # shellcheck disable=SC2086
  need_packages $build_packages
  compile shakedown
  say "built $PWD/build/shakedown"
}

do_run() {
  # shellcheck disable=SC2086
  need_packages $build_packages $plot_packages
  compile shakedown
  status=0
  build/shakedown run studies/quick.yaml -o quick.db -j "$(nproc)" </dev/null || status=$?
  # 1: a claim fell short; 3: cells are missing. Both are worth showing.
  case $status in 0 | 1 | 3) ;; *) exit "$status" ;; esac
  # `run` has printed the verdicts; this is all that was measured.
  build/shakedown show quick.db --format csv >quick.csv ||
    { code=$?; [ "$status" -ne 0 ] || status=$code; }
  build/shakedown plot quick.db -o figures --type pdf,svg,png ||
    { code=$?; [ "$status" -ne 0 ] || status=$code; }
  cat <<EOF

program   $PWD/build/shakedown
results   quick.db, and as a table quick.csv; studies/quick.yaml says what was run
figures   in this order, as pdf, svg and png in figures/:
  1-motion-*          what moves: the four-bar, and a penalty that leaves its motion
  2-order-*           errors against the step, with the fitted orders
  3-energy-*          an energy that oscillates, and one that drifts
  4-constraint-*      who stays on the constraint, who drifts off it
  5-work-precision-*  what a digit costs
  6-singular-*        through singular configurations: who stops, and who leaves
EOF
  exit "$status"
}

# do_test SUITE...
do_test() {
  packages="$build_packages $plot_packages $core_packages"
  for suite; do
    more=$(packages_of "$suite") || {
      say "there is no suite $suite; there are: core $suites"
      exit 2
    }
    packages="$packages $more"
  done
  # shellcheck disable=SC2086
  need_packages $packages
  # A build folder that is older than a package does not know it.
  [ "$*" = core ] || [ ! -f build/build.ninja ] || meson setup --reconfigure build </dev/null >&2
  compile shakedown
  case " $* " in
  *' languages '* | *' docs '* | *' engines '*)
    scripts/python_packages.sh </dev/null >&2 ||
      say "could not install the packages of tests/requirements.txt: tests do without"
    ;;
  esac
  rm -f build/meson-logs/testlog.txt
  status=0
  # It builds what these tests need. One more at a time than there are processors: some tests wait for
  # most of their time.
  # shellcheck disable=SC2046,SC2086 # several words
  meson test -C build --print-errorlogs --num-processes "$(($(nproc) + 1))" \
    $(printf -- '--suite %s ' "$@") ${TEST_OPTIONS-} </dev/null || status=$?
  [ -f build/meson-logs/testlog.txt ] || {
    say "the build failed"
    exit 1
  }
  awk -v ci="${CI:-false}" -v status="$status" -f tests/kit/count.awk build/meson-logs/testlog.txt ||
    exit 1
}

do_engines() {
  # shellcheck disable=SC2046,SC2086
  need_packages $build_packages $(packages_of engines)
  compile shakedown
  exec python3 scripts/engines.py build/shakedown
}

cd "$(dirname "$0")"
case ${1---help}${2+ more} in
run) do_run ;;
build) do_build ;;
engines) do_engines ;;
test) do_test core ;;
'test more')
  [ "$2" = all ] || {
    usage >&2
    exit 2
  }
  shift 2
  # shellcheck disable=SC2086
  [ $# -gt 0 ] || set -- core $suites
  do_test "$@"
  ;;
-h | --help | help)
  usage
  [ $# -gt 0 ] || exit 2
  ;;
*)
  usage >&2
  exit 2
  ;;
esac
