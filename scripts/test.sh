#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and runs all tests: gcc, clang, then gcc with AddressSanitizer and UBSan.
# The last line is "N passed, M failed", summed over all builds. Usage: scripts/test.sh
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

scripts/install-deps.sh test || { echo "cannot install the test tools"; exit 1; }

passed=0 failed=0 skipped=0

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
		failed=$((failed + 1))
		return
	fi
	local before=$failed status=0
	meson test -C "$dir" --no-rebuild --print-errorlogs "$@" 2>&1 | tee "$dir.log" || status=$?
	count "$dir.log"
	if [ "$status" != 0 ] && [ "$failed" = "$before" ]; then
		echo "$name: meson test ended with $status"
		failed=$((failed + 1))
	fi
}

# Undefined behaviour ends a test; by itself it is only printed.
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
configuration gcc gcc -- --no-suite slow
configuration clang clang -- --suite unit --suite cli --suite fuzz
configuration sanitize gcc -Db_sanitize=address,undefined -Db_lundef=false -Druntime=disabled -- \
	--suite unit --suite cli --suite fuzz --timeout-multiplier 4

[ "$skipped" = 0 ] || echo "$skipped skipped (reasons above)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
