#!/bin/sh
# Builds published congestion controllers behind tcpatlas_cc.h into build/nine-cubics/: build.sh [FEATURE ...], e.g. quinn-cubic
set -eu
cd "$(dirname "$0")"
out=$(cd ../../../.. && pwd)/build/nine-cubics
mkdir -p "$out"
for feature in "${@:-quinn-cubic noq-cubic s2n-cubic}"; do
  for each in $feature; do
    CARGO_TARGET_DIR=$out/target cargo build --release --locked --features "$each"
    cp "$out/target/release/libquic.so" "$out/$each.so"
  done
done
