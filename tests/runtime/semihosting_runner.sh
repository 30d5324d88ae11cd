#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The runner that reads a program from the host: its command line, files, log lines and exit statuses.
# Usage: semihosting_runner.sh PROGRAM SOURCE-ROOT BUILD-ROOT
set -euo pipefail
program=$1 root=$2 build=$3
data=$root/tests/runtime/data
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

run() { # COMMAND-LINE
	status=0
	"$program" --quiet --elf "$build/runtime/semihosting-runner-corstone-300.elf" --semihosting-dir "$out" \
		--semihosting-cmdline "$1" > "$out/log" 2>&1 || status=$?
}

expect() { # STATUS TEXT
	[ "$status" = "$1" ] && grep -qF -- "$2" "$out/log" && return
	echo "status $status, expected $1, and the text: $2"
	cat "$out/log"
	failed=1
}

cp "$data"/*pte "$data"/*.ptd "$out"
printf '\0\0\200\077\0\0\0\100\0\0\100\100' > "$out/i.bin" # 1, 2, 3
printf '\1' > "$out/yes.bin"
printf '\0' > "$out/no.bin"

run 'executor_runner -m choose.pte -o out -i yes.bin -i i.bin'
expect 0 'Program complete, exiting.'
[ "$(od -An -tf4 "$out/out-0.bin" | xargs)" = '2 4 6' ] || { echo 'out-0.bin is not 2 4 6'; failed=1; }
run "'executor_runner -m choose.pte -o out -i no.bin -i i.bin'" # as FVPs get it
[ "$(od -An -tf4 "$out/out-0.bin" | xargs)" = '1 4 9' ] || { echo 'out-0.bin is not 1 4 9'; failed=1; }
run 'executor_runner -m right.bpte -o out -i i.bin'
expect 0 'TEST: BundleIO index[0] Test_result: PASS'
run 'executor_runner -m wrong.bpte -o out -i i.bin'
expect 255 'TEST: BundleIO index[0] Test_result: FAIL'
grep -q '^F \[executorch:' "$out/log" || { echo 'no line of level F'; failed=1; }

printf '\7\0\0\0\0\0\0\0' > "$out/seven.bin"
run 'executor_runner -m outside.pte -d outside.ptd -o out -i i.bin -i seven.bin'
expect 0 'Program complete, exiting.'
[ "$(od -An -tf4 "$out/out-0.bin" | xargs)" = '1 4 12' ] || { echo 'out-0.bin is not 1 4 12'; failed=1; }
run 'executor_runner -m outside.pte -d choose.pte -o out -i i.bin -i seven.bin'
expect 255 'loading the program failed: this is no data file'

run 'executor_runner -m none.pte -o out -i i.bin'
expect 255 'file none.pte cannot be opened'
run 'executor_runner -m choose.pte -o out -i i.bin -i i.bin'
expect 255 'the inputs cannot be set: input 0 has 12 bytes, the program expects 1'
run 'executor_runner -m choose.pte -o out -i yes.bin'
expect 255 'the inputs cannot be set: 1 files are given by -i, the method has 2 inputs'
run 'executor_runner -m choose.pte -o out -i yes.bin -i i.bin -i i.bin'
expect 255 'the inputs cannot be set: 3 files are given by -i, the method has 2 inputs'
run "executor_runner -m choose.pte -o out $(printf -- '-i i.bin %.0s' {1..65})"
expect 1 'more than 64 inputs are given by -i'
long=$(printf 'n%.0s' {1..200}) # names were cut off at 127 bytes
run "executor_runner -m choose.pte -o $long -i yes.bin -i i.bin"
expect 0 'Program complete, exiting.'
[ -s "$out/$long-0.bin" ] || { echo 'a long name of an output was cut off'; failed=1; }
run "executor_runner -m choose.pte -o $(printf 'n%.0s' {1..1100}) -i yes.bin"
expect 1 'there is no command line, or it is longer than 1023 bytes'
run 'executor_runner -x 1'
expect 1 'argument -x is not understood'
head -c 700 "$data/choose.pte" > "$out/cut.pte"
run 'executor_runner -m cut.pte -o out -i yes.bin -i i.bin'
expect 255 'loading the program failed: the program is damaged: its methods make no sense'
exit $failed
