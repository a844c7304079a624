#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds a faster ns-3 for the engine, from the Debian source of the libns3-dev that is installed, so that its headers
# fit: without logging, which Debian compiles in, and as one static library. README.md says what it gains and how it is
# used. It needs no root; called again, it goes on where it stopped.
#
# usage: build_ns3.sh [FOLDER]   (default: build/ns3 of this checkout)
set -euo pipefail

export LC_ALL=C.UTF-8
simulators=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")
readonly simulators

say() { printf 'build_ns3: %s\n' "$*"; }
die() {
  printf 'build_ns3: %s\n' "$*" >&2
  exit 1
}

# $1: version of the source. The machine's own lists may lack those of sources, and only root may change them: apt gets
# lists of its own in the folder, from the same Debian archives.
download_source() {
  local apt=(apt-get --quiet=2 -o Dir::Etc::SourceList="$PWD/apt/sources.list" -o Dir::Etc::SourceParts=-
    -o Dir::State::Lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User=root)
  mkdir -p apt/lists/partial apt/cache/archives/partial
  # shellcheck disable=SC2016  # $(...) is apt's own
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | sort -u >apt/sources.list
  [[ -s apt/sources.list ]] || die "apt knows no Debian archive here: as root, run: apt-get update"
  "${apt[@]}" update || die "apt-get update failed: see its message above"
  "${apt[@]}" source --only-source --download-only "ns3=$1" ||
    die "the Debian archives of this machine lack the source of ns3 $1: see apt's message above"
}

# $1: folder for the source, which is there either whole or not at all
unpack_source() {
  rm -rf "$1.part"
  mkdir "$1.part"
  tar --extract --file ns3_*.orig.tar.bz2 --directory "$1.part" --strip-components 2 \
    --wildcards 'ns-allinone-*/ns-3.*' ||
    die "unpacking failed: see tar's message above"
  mv "$1.part" "$1"
}

# ns-3's profile `release`. Its `optimized` compiles for the processor at hand besides, which may round differently: a
# seed must give the same bytes everywhere. $1: folder of the source
build() {
  cmake -S "$1" -B objects -G Ninja -DCMAKE_BUILD_TYPE=release \
    -DCMAKE_CXX_FLAGS=-ffp-contract=off -DNS3_OUTPUT_DIRECTORY="$PWD" -DNS3_STATIC=ON \
    -DNS3_ENABLED_MODULES="point-to-point;traffic-control" \
    -DNS3_GSL=OFF -DNS3_GTK3=OFF -DNS3_SQLITE=OFF -DNS3_WARNINGS=OFF >configure.log 2>&1 ||
    die "cmake failed: see $PWD/configure.log"
  cmake --build objects --target ns3.37-static || die "the build failed: see above"
}

[[ $# -le 1 && ${1-} != -* ]] || die "usage: build_ns3.sh [FOLDER]"
for program in apt-get bzip2 cmake dpkg-query g++ ninja; do
  command -v "$program" >/dev/null || die "$program is missing (Debian 12: ./atlas setup, and the package bzip2)"
done
version=$(dpkg-query --show --showformat '${source:Version}' libns3-dev 2>/dev/null) || version=none
[[ $version == 3.37-* ]] || die "libns3-dev 3.37 of Debian 12 is needed (./atlas setup installs it); here: $version"

folder=${1:-$simulators/../../build/ns3}
mkdir -p "$folder"
cd "$folder"
readonly source=ns3-$version
if [[ ! -d $source ]]; then
  say "downloading the source of ns3 $version"
  download_source "$version"
  unpack_source "$source"
fi
say "building ns-3 without logging (a few minutes)"
build "$source"
say "done; to have the engine linked with it, run in $(readlink -f "$simulators/../.."):"
say "  cmake -S workflow/engines --preset release -DTCP_ATLAS_NS3_LIBRARY=$PWD/lib/libns3.37-static.a"
say "  cmake --build build/release --target ns3"
