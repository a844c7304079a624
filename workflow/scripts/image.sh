#!/usr/bin/env bash
# Builds the image of the Dockerfile with the tool that is here, and runs the smoke scale in it as the present user, without
# network. Arguments go to the tool's build command.
#   ./atlas image [--secret id=ca,src=FILE --build-arg PIP_CERT=/run/secrets/ca]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
version=$(sed -n 's/^version: //p' CITATION.cff)
base=$(sed -n 's/^ARG BASE=//p' Dockerfile)
readonly version base image=tcp-atlas:$version made=tcp-atlas-base:bookworm
readonly results=build/image/results

say() { printf 'atlas: %s\n' "$*"; }
die() {
  printf 'atlas: %s\n' "$*" >&2
  exit 1
}

# A Docker client without its daemon is no tool.
find_tool() {
  local candidate
  for candidate in docker podman buildah; do
    if command -v "$candidate" >/dev/null && "$candidate" info >/dev/null 2>&1; then
      echo "$candidate"
      return
    fi
  done
  die "none of docker, podman and buildah works here; ./atlas setup --with-image installs buildah"
}

# Where no registry answers, a base is made of Debian's packages.
make_base() {
  local said
  said=$(buildah pull --quiet "docker.io/library/$base" 2>&1) && return
  options+=(--build-arg BASE="localhost/$made")
  buildah inspect --type image "localhost/$made" >/dev/null 2>&1 && return
  [[ -n $(command -v debootstrap) && $EUID == 0 ]] || die "no base: ${said##*$'\n'}; root could make it with debootstrap"
  say "no registry answers; making a base with debootstrap"
  folder=$(mktemp --directory)
  trap 'rm -rf "$folder"' EXIT
  debootstrap --variant=minbase bookworm "$folder" >"$folder.log" || die "debootstrap failed: see $folder.log"
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder" / >/dev/null
  buildah commit --quiet --rm "$container" "$made" >/dev/null
  rm -rf "$folder" "$folder.log"
}

# buildah has no `run IMAGE`: a container of its own lives for one command.
run_by_buildah() {
  local container status=0
  container=$(buildah from --pull-never "$image")
  unshare --net buildah run --isolation chroot --user "$user" --volume "$PWD/$results:/atlas/results" "$container" \
    ./atlas "$@" || status=$?
  buildah rm "$container" >/dev/null
  return "$status"
}

run_image() {
  case $tool in
    buildah) run_by_buildah "$@" ;;
    *) "$tool" run --rm --network none --user "$user" --volume "$PWD/$results:/atlas/results" "$image" "$@" ;;
  esac
}

tool=$(find_tool)
options=()
if [[ $tool == buildah ]]; then
  options=(--format docker --isolation chroot --network host --layers)
  make_base
fi
say "building $image with $tool (about five minutes the first time)"
"$tool" build "${options[@]}" --build-arg VERSION="$version" --tag "$image" "$@" . || die "$tool build failed: see above"

# Root would hide what a user may not do.
user=$(id -u):$(id -g)
[[ $user != 0:0 ]] || user=1000:1000
rm -rf build/image
mkdir -p "$results"
chown "$user" "$results"
say "running the smoke scale in it as user $user, without network"
run_image reproduce --config scale=smoke scenarios=scenarios/examples/my-link.yaml
for report in report.pdf report.html; do
  [[ $(stat --format %u:%g "$results/$report") == "$user" ]] || die "$results/$report is not there, or not of user $user"
done
say "$image works; what it wrote is in $results"
