#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh FVP_SIM OUR_ELF QEMU_ELF: both must print the same on UART0, to the end. QEMU counts instructions for its time
# (-icount): by the host's clock its timers go on while a busy host does not run it.
set -eu
command -v qemu-system-arm >/dev/null || { echo "skipped: there is no qemu-system-arm"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 300 "$1" --elf "$2" --timelimit 50 >"$dir/ours"
timeout 300 qemu-system-arm -icount shift=3 -M mps3-an547 -display none -monitor none -serial "file:$dir/qemu" \
	-semihosting -kernel "$3"
diff -u "$dir/qemu" "$dir/ours"
grep -qx end "$dir/ours"
