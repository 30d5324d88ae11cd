#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and runs all tests: gcc, clang, gcc with AddressSanitizer and UBSan, then gcc for aarch64 (test-aarch64.sh).
# The last line is "N passed, M failed", summed over all builds. Usage: scripts/test.sh
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

scripts/install-deps.sh test || { echo "cannot install the test tools"; exit 1; }

passed=0 failed=0 skipped=0 failures=() repeated=() outputs=()

# Adds the counts that `meson test` printed ("Ok:", "Fail:", ...) to ours.
count() {
	local word number
	while read -r word number; do
		case $word in
		Ok:) passed=$((passed + number)) ;;
		Skipped:) skipped=$((skipped + number)) ;;
		*) failed=$((failed + number)) ;;
		esac
	done < <(sed -n 's/^\(Ok\|Fail\|Skipped\|Timeout\): *\([0-9]*\).*/\1: \2/p; s/^Unexpected Pass: *\([0-9]*\).*/Unexpected: \1/p' "$1")
}

# configuration NAME COMPILER SETUP-OPTIONS -- TEST-OPTIONS: one configuration, built and tested.
configuration() {
	local name=$1 compiler=$2 dir="build-$1" setup=()
	shift 2
	while [ "$1" != -- ]; do setup+=("$1"); shift; done
	shift
	echo "== $name"
	if ! { [ -d "$dir" ] || CC=$compiler meson setup "$dir" "${setup[@]}"; } >"$dir.log" 2>&1 ||
	   ! meson compile -C "$dir" >>"$dir.log" 2>&1; then
		tail -50 "$dir.log"
		echo "$name: build failed"
		failed=$((failed + 1)) failures+=("$name: build")
		return
	fi
	run_tests "$name" "$dir" "$@"
}

# failures_in LOG: names of the tests that failed or did not end, a line each, as `meson test` takes them.
failures_in() {
	sed -nE '/^Summary of Failures/q; s/^ *[0-9]+\/[0-9]+ +([^ ]+ \/ )?(.*[^ ]) +(FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS) .*/\2/p' "$1"
}

# run_tests NAME DIR TEST-OPTIONS: what fails runs a second time, alone; what passes then is told as such. Many tests run other programs
# and wait for them; on a machine that does other work, too, one in some thousand runs may fail for that alone.
run_tests() {
	local name=$1 dir=$2 before=$failed status=0 first again
	shift 2
	meson test -C "$dir" --no-rebuild --print-errorlogs "$@" 2>&1 | tee "$dir.log" || status=$?
	count "$dir.log"
	mapfile -t first < <(failures_in "$dir.log")
	if [ "$status" != 0 ] && [ "$failed" = "$before" ]; then
		echo "$name: meson test ended with $status"
		failed=$((failed + 1)) failures+=("$name: meson test ended with $status")
	fi
	[ "${#first[@]}" -gt 0 ] || return 0
	echo "== $name: again"
	meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes 1 "$@" "${first[@]}" 2>&1 | tee "$dir.again.log"
	mapfile -t again < <(failures_in "$dir.again.log")
	if ! grep -q '^Ok: ' "$dir.again.log"; then again=("${first[@]}"); fi
	passed=$((passed + ${#first[@]} - ${#again[@]})) failed=$((failed - ${#first[@]} + ${#again[@]}))
	[ "${#again[@]}" = 0 ] || outputs+=("== $name: what failed twice printed last"$'\n'"$(sed '/^Summary of Failures/,$d' "$dir.again.log" | tail -n 25)")
	local test
	for test in "${first[@]}"; do
		case $'\n'$(printf '%s\n' "${again[@]}")$'\n' in
		*$'\n'"$test"$'\n'*) failures+=("$name: $test") ;;
		*) repeated+=("$name: $test") ;;
		esac
	done
}

# Fuzz tests draw other inputs for each state of the sources, the same ones for the same state: what a run finds is found again.
tree=$(git rev-parse --short=8 'HEAD^{tree}' 2>/dev/null) || tree=0
export FUZZ_SEED=${FUZZ_SEED:-$((16#$tree))}
echo "FUZZ_SEED=$FUZZ_SEED"

# Undefined behaviour ends a test; by itself it is only printed.
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# Time-outs are there for tests that hang; a loaded machine takes many times as long as an idle one.
configuration gcc gcc -- --no-suite slow --timeout-multiplier 8
configuration clang clang -- --suite unit --suite cli --suite fuzz --timeout-multiplier 8
configuration sanitize gcc -Db_sanitize=address,undefined -Db_lundef=false -Druntime=disabled -- \
	--suite unit --suite cli --suite fuzz --timeout-multiplier 12

# A build for aarch64, under qemu-user; one test here.
echo "== aarch64"
scripts/test-aarch64.sh fast build-gcc
case $? in
0) passed=$((passed + 1)) ;;
77) skipped=$((skipped + 1)) ;;
*) failed=$((failed + 1)) failures+=("test-aarch64.sh") ;;
esac

# The three builds give equal reports of the same programs.
if tests/equal_reports.sh build-gcc/tests/firmware build-gcc/fvp-sim build-clang/fvp-sim build-sanitize/fvp-sim; then
	passed=$((passed + 1))
else
	failed=$((failed + 1)) failures+=("equal_reports.sh")
fi

[ "${#outputs[@]}" = 0 ] || printf '%s\n' "${outputs[@]}"
[ "${#repeated[@]}" = 0 ] || printf 'failed once, passed when repeated: %s\n' "${repeated[@]}"
[ "${#failures[@]}" = 0 ] || printf 'failed: %s\n' "${failures[@]}"
[ "$skipped" = 0 ] || echo "$skipped skipped (reasons above)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
