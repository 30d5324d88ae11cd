#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian's arm64 libraries that the simulator is linked with, or the packages named, into a folder, for a cross compiler and
# qemu-user. They come from where apt gets its packages; neither dpkg nor apt's own lists learn of another architecture.
# Does nothing when the folder is there. Usage: scripts/aarch64/sysroot.sh FOLDER [PACKAGE...]
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: scripts/aarch64/sysroot.sh FOLDER [PACKAGE...]" >&2; exit 2; }

# The C library of the cross compiler has no loader where qemu-user looks for it, so it comes along. Of the rest each library has
# what it needs itself: pkg-config wants the files of those, too.
packages=(libc6 libelf1 libelf-dev libdw1 libdw-dev zlib1g zlib1g-dev liblzma5 liblzma-dev libbz2-1.0 libbz2-dev libzstd1 libzstd-dev)

folder=$1
shift
[ $# = 0 ] || packages=("$@")
[ ! -d "$folder" ] || exit 0
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
chmod 755 "$W" # apt reads what it downloads as another user
mkdir -p "$W/lists/partial" "$W/cache/archives/partial" "$W/packages" "$W/root"
: >"$W/status"
apt=(apt-get -qq -o "Dir::State::lists=$W/lists" -o "Dir::State::status=$W/status" -o "Dir::Cache=$W/cache"
     -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=)
"${apt[@]}" update
(cd "$W/packages" && "${apt[@]}" download "${packages[@]}")
for package in "$W"/packages/*.deb; do
	dpkg-deb -x "$package" "$W/root"
done
# Meson's constant is the folder's own place.
mkdir -p "$(dirname "$folder")"
printf "[constants]\nsysroot = '%s'\n" "$(realpath -m "$folder")" >"$W/root/sysroot.ini"
mv "$W/root" "$folder"
