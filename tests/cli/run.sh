#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the table cases.txt: exit status and texts of the program. Usage: run.sh PROGRAM GUESTS
set -u
here=$(dirname "$(realpath "$0")")
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT

# For the commands: names without a space, wherever the tree lies.
P=$W/fvp-sim G=$W/guests M=$W/models H=$W/here
export P G M H W
ln -s "$(realpath "$1")" "$P"
ln -s "$(realpath "$2")" "$G"
ln -s "$here/../../runtime/models" "$M"
ln -s "$here" "$H"

mkdir "$W/bin" "$W/guest"
export F=$W/bin/FVP_Corstone_SSE-300_Ethos-U55
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

# patched FROM TO OFFSET BYTES [OFFSET BYTES]: a guest program with some bytes changed
patched() {
	local to=$W/$2.elf
	cp "$G/$1.elf" "$to"
	shift 2
	while [ $# -gt 0 ]; do
		# shellcheck disable=SC2059 # the bytes are escapes
		printf "$2" | dd of="$to" bs=1 seek="$1" conv=notrunc status=none
		shift 2
	done
}
# The ELF header has its class at 4, machine at 18, entry at 24, place of the segments' headers at 28; the headers
# begin at 52 and 84 and have the address at +12, bytes in the file at +16, in memory at +20.
patched exit wide 4 '\002'
patched exit mips 18 '\010\000'
patched exit entry 24 '\001\000\377\137'
patched eot table 24 '\000\000\000\020'
patched exit phoff 28 '\360\377\377\377'
patched exit segment 64 '\000\000\377\137'
patched exit edge 64 '\360\377\007\020'
patched exit sizes 72 '\001\000\000\000'
patched eot partly 96 '\000\000\377\137\004\000\000\000'
patched spin ddr 27 '\160' 67 '\160' # from 0x10000000 to 0x70000000
printf '# parameters\nmps3_board.uart0.out_file="-"   # comment\n\nmps3_board.uart0.shutdown_on_eot=1\n' >"$W/params"

passed=0 failed=0
check() {
	local name=$1 status=$2 out=$3 err=$4 command=$5 got why=
	timeout 300 bash -c "$command" >"$W/out" 2>"$W/err" </dev/null
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
	if [[ $command == *'ulimit -v'* ]] && grep -qa __asan_init "$P"; then
		echo "SKIP $name: AddressSanitizer itself reserves terabytes of addresses"
		continue
	fi
	check "$name" "$status" "$out" "$err" "$command"
done <"$here/cases.txt"
grep -q hello "$W/uart.txt" || { failed=$((failed + 1)); echo "FAIL UART0 was not written to its file"; }

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
