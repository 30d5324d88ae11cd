#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the table cases.txt: exit status and texts of the program. Usage: run.sh PROGRAM GUESTS
set -u
P=$(realpath "$1") G=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
M=$here/../../runtime/models H=$here # for eval
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT

mkdir "$W/bin" "$W/guest"
F=$W/bin/FVP_Corstone_SSE-300_Ethos-U55
cp "$P" "$F" # a copy must work wherever it lies
echo "some text" >"$W/text"
ln -s "$W/text" "$W/guest/link"
printf model >"$W/guest/program.pte"
printf input >"$W/guest/i0.bin"
arm-none-eabi-objcopy -O ihex "$G/eot.elf" "$W/eot.hex"
grep -v '^:04000005' "$W/eot.hex" >"$W/noentry.hex"
sed '1s/EA/EB/' "$W/eot.hex" >"$W/damaged.hex"
head -c 40 "$G/exit.elf" >"$W/short.elf"
head -c 4100 "$G/exit.elf" >"$W/cut.elf"
{ head -c 4 "$G/exit.elf"; printf '\002'; tail -c +6 "$G/exit.elf"; } >"$W/wide.elf"
{ head -c 18 "$G/exit.elf"; printf '\010\000'; tail -c +21 "$G/exit.elf"; } >"$W/mips.elf"
{ head -c 24 "$G/exit.elf"; printf '\001\000\377\137'; tail -c +29 "$G/exit.elf"; } >"$W/entry.elf"
{ head -c 24 "$G/eot.elf"; printf '\000\000\000\020'; tail -c +29 "$G/eot.elf"; } >"$W/table.elf"
{ head -c 64 "$G/exit.elf"; printf '\000\000\377\137'; tail -c +69 "$G/exit.elf"; } >"$W/segment.elf"
{ head -c 64 "$G/exit.elf"; printf '\360\377\007\020'; tail -c +69 "$G/exit.elf"; } >"$W/edge.elf"
{ head -c 96 "$G/eot.elf"; printf '\000\000\377\137\004\000\000\000'; tail -c +105 "$G/eot.elf"; } >"$W/partly.elf"
{ head -c 24 "$G/spin.elf"; printf '\165\000\000\160'; tail -c +29 "$G/spin.elf" | head -c 36; printf '\000\000\000\160'
	tail -c +69 "$G/spin.elf"; } >"$W/ddr.elf"
printf '# parameters\nmps3_board.uart0.out_file="-"   # comment\n\nmps3_board.uart0.shutdown_on_eot=1\n' >"$W/params"

passed=0 failed=0
check() {
	local name=$1 status=$2 out=$3 err=$4 command=$5 got why=
	eval "timeout 60 $command" >"$W/out" 2>"$W/err" </dev/null
	got=$?
	[ "$got" = "$status" ] || why="exit status $got, not $status"
	[ "$out" = - ] || grep -qF -- "$out" "$W/out" || why="$why; stdout lacks '$out'"
	[ "$err" = - ] || grep -qF -- "$err" "$W/err" || why="$why; stderr lacks '$err'"
	! grep -qE '^[EF]' "$W/out" || why="$why; a line of stdout begins with E or F"
	if [ -z "$why" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL %s: %s\n  %s\n' "$name" "$why" "$command"
		sed 's/^/    out: /' "$W/out" | head -5
		sed 's/^/    err: /' "$W/err" | head -12
	fi
}

while IFS='|' read -r name status out err command; do
	case $name in '' | '#'*) continue ;; esac
	check "$name" "$status" "$out" "$err" "$command"
done <"$here/cases.txt"
grep -q hello "$W/uart.txt" || { failed=$((failed + 1)); echo "FAIL UART0 was not written to its file"; }

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
