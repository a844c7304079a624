#!/bin/bash -p
# Link somebody's kernel congestion control into User-Mode Linux, unchanged: module.sh UML_DIRECTORY tcp_foo.c
# One object and a link: UML_DIRECTORY holds the kernel and, in objects/, what build.sh keeps for this (where it does not, it is built).
# Leaves UML_DIRECTORY/modules/<sha256 of the file>/linux and its stamp; skips what is there already.
# Exit status: 0 there, 1 it does not compile or link (the tools' own words), 3 there is no kernel on this machine (one line says why).
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
[[ $# -eq 2 && -f $2 ]] || { echo "usage: module.sh UML_DIRECTORY tcp_foo.c" >&2; exit 1; }
mkdir -p "$1"
uml=$(readlink -f "$1")
name=$(basename "$2" .c)
name=${name//[!A-Za-z0-9_]/_}
digest=$(sha256sum "$2" | cut -c1-64)
out=$uml/modules/$digest
readonly here uml name digest out

WITH_OBJECTS=yes "$here/build.sh" "$uml" >&2
if [[ -x $out/linux && -f $out/stamp && $(<"$out/stamp") == "$(<"$uml/stamp")" ]]; then
  exit 0
fi
[[ -f $uml/objects/link ]] || { echo "$uml/objects: the kernel was built without the objects to link with" >&2; exit 3; }

work=$(mktemp -d "${TMPDIR:-/tmp}/tcp-atlas-module.XXXXXX")
readonly work
trap 'rm -rf "$work"' EXIT
cp "$2" "$work/$name.c" # alone: what it includes is the kernel's
cd "$uml/objects"
# The kernel's own command for a congestion control, with this file in place of the other
sed "s|net/ipv4/tcp_bic\.|$work/$name.|g; s|net/ipv4/\.tcp_bic\.|$work/.$name.|g; s|tcp_bic|$name|g" compile >"$work/compile"
sed "s|@module@|$work/$name.o|g; s|@linux@|$work/linux|g" link >"$work/link"
bash -e "$work/compile" 2>"$work/said" || { sed "s|$work/||g" "$work/said" >&2; exit 1; }
bash -e "$work/link" 2>"$work/said" || { sed "s|$work/||g" "$work/said" >&2; exit 1; }
mkdir -p "$out"
strip -o "$out/linux.new" "$work/linux"
mv "$out/linux.new" "$out/linux"
cp "$uml/stamp" "$out/stamp"
