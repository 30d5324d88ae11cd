#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing need on Debian 12, as root or through sudo.
# Does nothing when everything is there. Usage: scripts/install-deps.sh [build|test]
set -euo pipefail

build=(gcc libc6-dev meson ninja-build pkg-config libelf-dev libzstd-dev libdw-dev libbz2-dev
       gcc-arm-none-eabi binutils-arm-none-eabi libnewlib-arm-none-eabi)
test=(clang libclang-rt-14-dev libstdc++-arm-none-eabi-newlib qemu-system-arm python3 python3-venv ccache git
      gdb-multiarch shellcheck pyflakes3 python3-pytest python3-numpy python3-cffi procps
      gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)

wanted=("${build[@]}")
[ "${1:-build}" = build ] || wanted+=("${test[@]}")

missing=()
for package in "${wanted[@]}"; do
	dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get -qq update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
	"${missing[@]}" >/dev/null
