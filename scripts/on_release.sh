#!/bin/sh
# Builds, tries and tests Shakedown in a fresh system of a release, and prints a line of a table.
# `scripts/on_release.sh --help` describes it.
set -eu

usage() {
  cat <<'EOF'
usage: scripts/on_release.sh SUITE [ARCH]

Makes a bare system of a release of Debian or Ubuntu (bookworm, trixie, testing, noble) with
debootstrap, twice, unpacks the committed tree in it and runs `./bootstrap.sh run` and
`./bootstrap.sh test` there: in the first system as root, in the second as a user with sudo, below a
folder with blanks and letters that are not ASCII. Prints
two lines of a Markdown table: release, architecture, compiler, user; the findings of `run`, its exit
status and its minutes; the points of `test` and its minutes. Two lines follow: for the first system,
the build of the Debian package and the findings of lintian; for a third one, the result of the steps
of Containerfile. Exit status: 0 if all passed, 1 if not, 2 if a system could not be made.

ARCH (arm64, s390x) other than this machine's is emulated, which takes qemu-user-static and its
registration (binfmt_misc). There the quick tests run as root only: emulation is slow, and ignores
limits of memory.

Needs root and debootstrap. Systems, of some GB each, and logs are made in a folder
shakedown-releases below $TMPDIR or /var/tmp; a system is removed when its line is printed, unless
KEEP=yes.

  MIRROR=URL        source of packages (http://deb.debian.org/debian)
  COMPONENTS=LIST   parts of it (main; for Ubuntu main,universe)
  CC=COMPILER       the compiler (cc); the package of that name is installed
  USERS=LIST        users to try ('root user container')
  TARBALL=FILE      unpacked in place of the committed tree
EOF
}

say() {
  printf '%s\n' "on_release: $*" >&2
}

fail() {
  say "$*"
  exit 2
}

case ${1---help}${3+ too many} in
-h | --help)
  usage
  [ $# -gt 0 ] || exit 2
  exit
  ;;
-* | *' too many')
  usage >&2
  exit 2
  ;;
esac
suite=$1
own=$(dpkg --print-architecture 2>/dev/null) || fail "not a Debian system"
arch=${2:-$own}
mirror=${MIRROR:-http://deb.debian.org/debian}
source=$(cd "$(dirname "$0")/.." && pwd)
work=${TMPDIR:-/var/tmp}/shakedown-releases
name=$suite-$arch-$(basename "${CC:-cc}")
[ "$(id -u)" -eq 0 ] || fail "needs root"
command -v debootstrap >/dev/null || fail "install the package debootstrap"
# A 32-bit system runs on its 64-bit processor without emulation.
case $own-$arch in
"$arch-$arch" | amd64-i386) emulated= ;;
*)
  emulated=yes
  arch-test "$arch" >/dev/null 2>&1 ||
    fail "programs for $arch do not run here: install qemu-user-static, and see binfmt_misc"
  ;;
esac
mkdir -p "$work"

# inside SYSTEM COMMAND: runs it as root in the system, with /proc, /sys and /dev mounted. The mounts
# belong to a name space that ends with the command.
inside() {
  # shellcheck disable=SC2016 # for the shell inside
  unshare --mount --propagation private sh -c '
    mount -t proc proc "$1/proc" && mount -t sysfs sysfs "$1/sys" && mount --rbind /dev "$1/dev" &&
    exec chroot "$1" env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 CI=true ${CC:+"CC=$CC"} \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      DEBIAN_FRONTEND=noninteractive sh -c "$2"' inside "$1" "$2"
}

# tree_of USER: folder of the unpacked tree
tree_of() {
  case $1 in
  user) echo '/home/tester/meine Programme é/shakedown' ;;
  *) echo /root/shakedown ;;
  esac
}

# as USER SYSTEM COMMAND: runs it in that tree
as() {
  its="cd \"$(tree_of "$1")\" && $3"
  [ "$1" != user ] || its="su tester -c '$its'"
  inside "$2" "$its"
}

# A bare system with the committed tree in the user's home.
make_system() {
  system=$work/$name-$1
  # An interrupted run may have left /proc of this machine mounted in it.
  ! grep -qF " $system/" /proc/mounts || fail "something is mounted below $system: unmount it first"
  rm -rf "$system"
  debootstrap --variant=minbase --arch="$arch" --components="${COMPONENTS:-main}" "$suite" \
    "$system" "$mirror" >"$work/$name-$1.debootstrap" 2>&1 ||
    fail "debootstrap failed: see $work/$name-$1.debootstrap"
  # A mirror may be a snapshot of one day.
  echo 'Acquire::Check-Valid-Until "false";' >"$system/etc/apt/apt.conf.d/90snapshot"
  packages=${CC:+$(basename "$CC")}
  [ "$1" != user ] || packages="$packages sudo"
  [ -z "$packages" ] ||
    inside "$system" "apt-get -qq update && apt-get -qq install -y --no-install-recommends $packages" \
      >"$work/$name-$1.debootstrap" 2>&1 || fail "see $work/$name-$1.debootstrap"
  if [ "$1" = user ]; then
    inside "$system" "useradd -m -s /bin/sh tester"
    echo 'tester ALL=(ALL) NOPASSWD:ALL' >"$system/etc/sudoers.d/tester"
  fi
  tree=$system$(tree_of "$1")
  mkdir -p "$tree"
  if [ -n "${TARBALL-}" ]; then
    tar -xf "$TARBALL" -C "$tree" --strip-components=1
  else
    git -C "$source" archive HEAD | tar -x -C "$tree"
    git -C "$source" describe --always --abbrev=12 >"$tree/REVISION"
  fi
  [ "$1" != user ] || inside "$system" "chown -R tester: /home/tester"
}

# try USER COMMAND LOG: sets $code and $minutes
try() {
  start=$(date +%s)
  code=0
  as "$1" "$system" "$2" >"$3" 2>&1 </dev/null || code=$?
  minutes=$((($(date +%s) - start + 30) / 60))
}

# make_package: builds it from a copy of the tree, checks it with lintian, installs and starts it.
make_package() {
  log=$work/$name-root.package
  inside "$system" 'apt-get -qq install -y --no-install-recommends build-essential lintian &&
    cp -R /root/shakedown /root/package && cd /root/package && rm -rf build &&
    apt-get -qq build-dep -y --no-install-recommends ./ &&
    dpkg-buildpackage -b -us -uc && cd .. && lintian --fail-on error --info shakedown_*.changes &&
    apt-get -qq install -y ./*shakedown*.deb && cd / && shakedown --version &&
    python3 -c "import shakedown; print(shakedown.Problem(\"pendulum\").start())"' >"$log" 2>&1 || {
    status=1
    say "the package failed: see $log"
    return
  }
  echo
  echo "Package: $(sed -n 's/^Package: *//p; s/^Version: *//p' "$system"/root/package/debian/shakedown/DEBIAN/control |
    tr '\n' ' ')is built and installed; lintian: $(grep -c '^E: ' "$log") errors, $(grep -c '^W: ' "$log") warnings"
}

# The steps of Containerfile in a system of its own, and the quick study with what they installed.
try_container() {
  make_system container
  awk -v context=/root/shakedown -f "$source/scripts/container_steps.awk" "$source/Containerfile" \
    >"$system/root/steps"
  try container 'sh /root/steps && cd /work &&
    shakedown run quick -o quick.db --quiet && shakedown plot quick.db -o figures' "$work/$name-container.run"
  [ "$code" -eq 0 ] || status=1
  echo
  echo "Containerfile: exit $code, $minutes minutes"
  [ "${KEEP-}" = yes ] || rm -rf "$system"
}

status=0
echo "| release | architecture | compiler | as | run | minutes | test | minutes |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
users=${USERS:-root user container}
for user in $users; do
  [ "$user" != container ] || continue
  [ -z "$emulated" ] || [ "$user" = root ] || continue
  make_system "$user"
  try "$user" './bootstrap.sh run' "$work/$name-$user.run"
  ran=$(grep -E '^[0-9]+ held, ' "$work/$name-$user.run" | tail -n 1)
  line="${ran:-nothing} (exit $code) | $minutes"
  [ "$code" -eq 0 ] || status=1
  try "$user" "TEST_OPTIONS=--timeout-multiplier=10 ./bootstrap.sh test" "$work/$name-$user.test"
  design=$(sed -n 's/^\([0-9]*\) skipped by design$/, \1 skipped by design/p' "$work/$name-$user.test")
  line="$line | $(tail -n 1 "$work/$name-$user.test")$design | $minutes"
  [ "$code" -eq 0 ] || status=1
  built=$(as "$user" "$system" 'build/shakedown --version')
  compiler=$(echo "$built" | sed -n 's/^compiler *\(.*\),.*/\1/p')
  # Missing parts are skipped on purpose, but no known release lacks them.
  ! echo "$built" | grep -E 'without quad|SUNDIALS none' >&2 || status=1
  version=$(cat "$system/etc/debian_version")
  echo "| $suite ($version) | $arch | $compiler | $user | $line |"
  [ "$user$emulated" != root ] || make_package
  [ "${KEEP-}" = yes ] || rm -rf "$system"
done
case $emulated-$users in -*container*) try_container ;; esac
exit "$status"
