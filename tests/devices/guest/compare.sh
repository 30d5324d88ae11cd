#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh FVP_SIM OUR_ELF QEMU_ELF: both must print the same on UART0, to the end; gates are up on both, the system counter is
# off at reset, as on the FPGA board. QEMU counts instructions for its time
# (-icount): by the host's clock its timers go on while a busy host does not run it.
set -eu
command -v qemu-system-arm >/dev/null || { echo "skipped: there is no qemu-system-arm"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$(realpath "$1")" "$dir/FVP_Corstone_SSE-300_Ethos-U55"
timeout 300 "$dir/FVP_Corstone_SSE-300_Ethos-U55" -q "$2" --timelimit 50 -C cpu0.semihosting-enable=1 -C mps3_board.DISABLE_GATING=0 -C refcounter.non_arch_start_at_default=0 \
	-C mps3_board.uart0.out_file="$dir/ours" >"$dir/said" 2>&1 || { cat "$dir/said"; exit 1; }
timeout 300 qemu-system-arm -icount shift=3 -M mps3-an547 -display none -monitor none -serial "file:$dir/qemu" \
	-semihosting -kernel "$3"
diff -u "$dir/qemu" "$dir/ours"
grep -qx end "$dir/ours"
