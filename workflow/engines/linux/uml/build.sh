#!/bin/bash -p
# Build User-Mode Linux with virtual time from Debian's kernel source: build.sh OUTPUT_DIRECTORY [JOBS]
# Leaves OUTPUT_DIRECTORY/linux (6 MB, static), its licence, and in objects/ what module.sh needs to link one more file into it; skips
# what is there already, for this configuration and patch.
# With WITH_OBJECTS in the environment a kernel whose objects were not kept is built again.
# Exit status: 0 built or there already, 3 not to be had on this machine (one line says why), 1 a call without a directory.
# OUTPUT_DIRECTORY/refused is a kernel that was built and does not run; failed is the stamp of one that did not compile.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
readonly here package=linux-source-6.1 jobs=${2:-$(nproc)}
[[ $# -ge 1 ]] || { echo "usage: build.sh OUTPUT_DIRECTORY [JOBS]" >&2; exit 1; }
mkdir -p "$1"
out=$(readlink -f "$1")
readonly out

say() { printf 'virtual time: %s\n' "$*"; }
unavailable() {
  printf 'virtual time: not built: %s; the other engines run without it (./atlas setup --without-linux leaves it out)\n' "$*" >&2
  exit 3
}

stamp=$(cat "$here"/{tcp.config,uml-6.1.patch,dumbbell.h,link.h,link.c,sources.c,reno2002.c} | sha256sum | cut -c1-64)
readonly stamp
if [[ -f $out/stamp && $(<"$out/stamp") == "$stamp" && (-x $out/linux || -x $out/refused) ]] &&
  [[ -z ${WITH_OBJECTS:-} || -f $out/objects/link ]]; then
  exit 0
fi
if [[ -f $out/failed && $(<"$out/failed") == "$stamp" ]]; then
  unavailable "it did not compile here before; remove $out to try again"
fi
rm -f "$out/refused" "$out/failed"

# What can refuse is asked first, before minutes are spent.
[[ $(uname -m) == x86_64 ]] || unavailable "the processor is $(uname -m), the patch is for x86_64"
for tool in gcc make flex bison bc m4 patch xz; do
  command -v "$tool" >/dev/null || unavailable "the program '$tool' is missing"
done
# A folder is found for what make and the kernel's scripts cannot handle in a path.
work=$out/tree
if [[ $out == *[[:space:]:]* ]]; then
  work=$(mktemp -d /var/tmp/tcp-atlas-kernel.XXXXXX)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
readonly work log=$work/steps.log

# Runs a step ($2 and on), which the reason names ($1) if it fails.
attempt() {
  local what=$1
  shift
  "$@" >>"$log" 2>&1 ||
    unavailable "$what failed: $(grep -m1 -E 'error|Error|\*\*\*' "$log" || tail -n 1 "$log")"
}
# Ends that no step explains, such as that of a shell's own command
trap 'unavailable "$BASH_COMMAND failed"' ERR
cat >"$work/ptrace.c" <<'C'
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  int status, child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ? 0 : 1);
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
C
attempt "the compiler" gcc -o "$work/ptrace" "$work/ptrace.c"
"$work/ptrace" || unavailable "ptrace is forbidden here, and User-Mode Linux runs its processes by it"

# The source: installed, or fetched without installing it.
tarball=/usr/src/$package.tar.xz
if [[ ! -f $tarball ]]; then
  (cd "$work" && compgen -G "${package}_*.deb" >/dev/null || apt-get download "$package" >apt.log 2>&1) ||
    unavailable "the Debian package $package is neither installed nor to be downloaded ($(tail -n1 "$work/apt.log"))"
  attempt "unpacking the Debian package" dpkg-deb --extract "$work/${package}"_*.deb "$work"
  tarball=$work/usr/src/$package.tar.xz
fi
say "User-Mode Linux from $package: about 6 processor minutes and 1 GB of disk, once; $jobs compilers at a time"

say "unpacking the source (1 of 3)"
readonly source=$work/linux
rm -rf "$source"
mkdir -p "$source"
# A kernel of this configuration compiles nothing of these: leaving them packed saves most of the disk.
attempt "unpacking the source" tar -x -J -f "$tarball" -C "$source" --strip-components=1 --wildcards \
  --exclude='*/Documentation/*.rst' --exclude='*/arch/*/boot/dts/*' --exclude='*/drivers/gpu/*.[ch]' \
  --exclude='*/drivers/net/ethernet/*.[ch]' --exclude='*/drivers/net/wireless/*.[ch]' --exclude='*/drivers/media/*.[ch]' \
  --exclude='*/drivers/staging/*.[ch]' --exclude='*/drivers/scsi/*.[ch]' --exclude='*/drivers/infiniband/*.[ch]' \
  --exclude='*/sound/*.[ch]' --exclude='*/tools/testing/*' --exclude='*/tools/perf/*'
attempt "the patch" patch --quiet -d "$source" -p1 --input="$here/uml-6.1.patch"
mkdir "$source/net/dumbbell"
cp "$here/tcp.config" "$source"
cp "$here"/{dumbbell.h,link.h,link.c,sources.c,reno2002.c} "$source/net/dumbbell"
echo 'obj-y += link.o sources.o reno2002.o' >"$source/net/dumbbell/Makefile"
echo 'obj-y += dumbbell/' >>"$source/net/Makefile"

say "configuring (2 of 3)"
readonly make=(make -C "$source" ARCH=um)
attempt "configuring" "${make[@]}" tinyconfig
attempt "configuring" env -C "$source" ARCH=um scripts/kconfig/merge_config.sh -m .config tcp.config
attempt "configuring" "${make[@]}" olddefconfig
grep -q '^CONFIG_UML_TIME_TRAVEL_SUPPORT=y' "$source/.config" ||
  unavailable "this $package has no time travel for User-Mode Linux"

say "compiling (3 of 3)"
readonly compile_log=$work/compile.log
# The version string must not tell who built it, where or when: the kernel's bytes are part of what a seed repeats.
compile=("${make[@]}" -j"$jobs")
if command -v ccache >/dev/null; then
  compile+=("CC=ccache gcc")
fi
KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=atlas KBUILD_BUILD_HOST=atlas KBUILD_BUILD_VERSION=1 \
  "${compile[@]}" linux >"$compile_log" 2>&1 &
readonly compiler=$!
for ((seconds = 1; ; ++seconds)); do
  sleep 1
  kill -0 "$compiler" 2>/dev/null || break
  ((seconds % 30)) || say "$(grep -c '^  CC' "$compile_log" || true) of 563 files compiled"
done
if ! wait "$compiler"; then
  echo "$stamp" >"$out/failed"
  cp "$compile_log" "$out/compile.log"
  tail -n 5 "$compile_log" >&2
  unavailable "the kernel does not compile here; the log is $out/compile.log"
fi
# What one more object needs: headers, the command that compiled a congestion control, the kernel's objects as one, how they are linked.
keep_objects() (
  objects=$out/objects.new
  rm -rf "$objects" && mkdir -p "$objects" && cd "$source" &&
    find include arch/um/include arch/x86/include arch/x86/um -name '*.h' -not -path 'include/dt-bindings/*' |
    tar -c -T - | tar -x -C "$objects" &&
    sed -n 's/^\(saved\)\?cmd_[^ ]* := //p' net/ipv4/.tcp_bic.o.cmd | sed 's/^ccache //' >"$objects/compile" &&
    ld -r -o "$objects/linux.o" --whole-archive vmlinux.a init/version-timestamp.o &&
    (cd lib && ar t lib.a | xargs ar rcs "$objects/lib.a") && # the kernel's own only names its members
    cp arch/um/kernel/vmlinux.lds "$objects" &&
    echo "gcc -static -no-pie -Wl,--wrap,malloc -Wl,--wrap,free -Wl,--wrap,calloc -Wl,-z,noexecstack -o @linux@" \
      "-Wl,--script=vmlinux.lds linux.o @module@ lib.a -lutil -lrt -lpthread" >"$objects/link" &&
    rm -rf "$out/objects" && mv "$objects" "$out/objects"
)
keep_objects >>"$log" 2>&1 || say "its objects were not kept, so module.sh cannot link another file into it"
strip -o "$out/linux.new" "$source/linux"
cp "$source/COPYING" "$out/COPYING.linux"
mv "$out/linux.new" "$out/linux"
echo "$stamp" >"$out/stamp"
rm -rf "$work"
say "built $out/linux"
