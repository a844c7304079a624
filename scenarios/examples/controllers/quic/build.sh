#!/bin/sh
# Builds published congestion controllers behind tcpatlas_cc.h into build/nine-cubics/: build.sh [FEATURE | ngtcp2-cubic | aioquic ...]
# ngtcp2 1.24.0 is Debian unstable's source package, from the archive that apt knows; its files are not installed.
set -eu
cd "$(dirname "$0")"
tree=$(cd ../../../.. && pwd) out=$tree/build/nine-cubics
mkdir -p "$out/apt/lists/partial"
for each in ${*:-quinn-cubic noq-cubic s2n-cubic ngtcp2-cubic aioquic}; do
  if [ "$each" = aioquic ]; then
    "$tree/.venv/bin/python" -m pip install --quiet --upgrade --target "$out/python" aioquic==1.7.2 # of src/aioquic_cubic.py
  elif [ "$each" = ngtcp2-cubic ]; then
    cd "$out/apt"
    echo "deb-src $(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -n 1) sid main" >sid.list
    set -- -qq -o "Dir::Etc::sourcelist=$PWD/sid.list" -o Dir::Etc::sourceparts=- -o "Dir::State=$PWD"
    apt-get "$@" update
    apt-get "$@" source --download-only ngtcp2=1.24.0-1
    tar -xf ngtcp2_1.24.0.orig.tar.xz
    cd "$OLDPWD"
    cc -std=c11 -O2 -ffp-contract=off -shared -fPIC -I "$tree/workflow/engines/packetsim/src/tcp" -I "$out/apt/ngtcp2-1.24.0/lib" \
      -I "$out/apt/ngtcp2-1.24.0/lib/includes" -o "$out/$each.so" src/ngtcp2.c "$out"/apt/ngtcp2-1.24.0/lib/*.c
    cc -std=c11 -O2 -I "$out/apt/ngtcp2-1.24.0/lib/includes" -o "$out/ngtcp2-stack" stack/ngtcp2_stack.c "$out"/apt/ngtcp2-1.24.0/lib/*.c
  else
    CARGO_TARGET_DIR=$out/target cargo build --release --locked --features "$each"
    cp "$out/target/release/libquic.so" "$out/$each.so"
  fi
done
