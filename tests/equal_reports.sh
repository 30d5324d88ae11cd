#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two machines of different hosts' kinds give equal reports: every program of the folders, on its board, by each given
# build of fvp-sim (gcc, clang, sanitizers) and with every instruction set for the NPU's kernels that this host has, and
# every engine. Console text, exit status, report and 64 KiB of memory are compared with the first.
# Usage: equal_reports.sh FOLDER[,FOLDER...] FVP-SIM [FVP-SIM...]
set -u
folders=$1
shift
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
programs=0 runs=0 failed=0

# The levels of NPU kernels that a program has on its host.
levels_of() {
	local level
	for level in generic c sse2 avx2 vnni amx neon dotprod; do
		"$1" --elf /nonexistent --host-simd $level 2>&1 | grep -q 'instruction set' || echo $level
	done
}
declare -A levels
for program in "$@"; do levels[$program]=$(levels_of "$program" | paste -sd ' '); done

# one PROGRAM ELF TO [OPTION...]: what can be seen of a run, in the folder TO
one() {
	local program elf to=$3 board=corstone-300 data=0x30000000
	program=$(realpath "$1") elf=$(realpath "$2")
	shift 3
	case $elf in *-corstone-310.elf) board=corstone-310 data=0x31000000 ;; *-corstone-320.elf) board=corstone-320 data=0x31000000 ;; esac
	rm -rf "$to"
	mkdir -p "$to/files"
	(
		cd "$to" || exit
		timeout 600 "$program" --elf "$elf" --board $board --eot on --cyclelimit 20000000 --semihosting-dir files \
			--report report --dump "memory@$data,0x10000" "$@" </dev/null >out 2>err
		echo $? >status
	)
}

for elf in $(for f in ${folders//,/ }; do ls "$f"/*.elf; done); do
	programs=$((programs + 1))
	one "$1" "$elf" "$W/first"
	for program in "$@"; do
		for kind in ${levels[$program]} switch step; do
			option=--host-simd
			case $kind in switch | step) option=--engine ;; esac
			runs=$((runs + 1))
			one "$program" "$elf" "$W/other" $option "$kind"
			diff -r "$W/first" "$W/other" >"$W/diff" || {
				failed=$((failed + 1))
				echo "FAIL $(basename "$elf"), $program $option $kind:"
				head -5 "$W/diff"
			}
		done
	done
done
echo "$programs programs, $runs runs, levels $(printf '%s\n' "${levels[@]}" | sort -u | paste -sd ';'), $failed differ"
[ $failed = 0 ] && [ $programs -gt 0 ] && [[ ${levels[$1]} == *" "* ]]
