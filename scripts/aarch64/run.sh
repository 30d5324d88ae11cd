#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the aarch64 build of fvp-sim. Usage: scripts/aarch64/run.sh OPTIONS...
root=$(dirname "$(realpath "$0")")/../..
exec qemu-aarch64 -L "$root/build-aarch64-sysroot" "$root/build-aarch64/fvp-sim" "$@"
