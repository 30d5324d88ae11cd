#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds for aarch64 Linux with Debian's cross compiler and runs tests under qemu-user: the unit tests that are programs of their own,
# and firmware, whose reports must equal those of a build for this host. "fast" leaves out those that take minutes each.
# The last line is "aarch64: N passed, M failed"; or SKIP and its reason, with 77, where apt has no arm64 packages.
# Usage: scripts/test-aarch64.sh fast|all [BUILD]   BUILD: that build (build-gcc)
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
part=${1:-fast} native=${2:-build-gcc} cross=build-aarch64 sysroot=build-aarch64-sysroot passed=0 failed=0

end() {
	echo "aarch64: $passed passed, $failed failed${1:+ ($1)}"
	[ "$failed" = 0 ]
	exit
}
missing() {
	failed=$((failed + 1))
	end "$1"
}

# The tests' names, as `meson test` takes them.
tests_of() {
	python3 - "$part" "$PWD/$cross" <<-'END'
		import json, sys
		part, build = sys.argv[1:]
		slow = ("state ", "stencils", "cpu system side", "engines-agree")
		for test in json.load(open(build + "/meson-info/intro-tests.json")):
		    own = test["cmd"][0].startswith(build + "/tests/") and test["suite"][0].endswith("unit")
		    if test["name"] == "handlers-jump" or own and (part == "all" or not test["name"].startswith(slow)):
		        print(test["name"])
	END
}

scripts/aarch64/sysroot.sh $sysroot || { echo "aarch64: SKIP: apt has no arm64 libraries for it"; exit 77; }
{ [ -d $cross ] || meson setup $cross --cross-file $sysroot/sysroot.ini --cross-file scripts/aarch64/cross.ini -Druntime=disabled; } \
	>$cross.log 2>&1 || { tail -50 $cross.log; missing "meson setup failed"; }
ninja -C $cross fvp-sim >>$cross.log 2>&1 || { tail -50 $cross.log; missing "build failed"; }

mapfile -t tests < <(tests_of)
[ "${#tests[@]}" -gt 0 ] || missing "there are no tests"
meson test -C $cross --print-errorlogs --timeout-multiplier 20 "${tests[@]}" 2>&1 | tee -a $cross.log | grep -v '^ninja: ' | tail -100
passed=$(sed -n 's/^Ok: *//p' $cross.log | tail -1) passed=${passed:-0}
failed=$((${#tests[@]} - passed))

if tests/equal_reports.sh "$native/tests/firmware" "$native/fvp-sim" scripts/aarch64/run.sh; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
fi

# check NAME COMMAND...: one more test, which is a command
check() {
	local name=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name"
	fi
}
# A processor of Armv8.0 has no dot product: nothing may use it there unasked.
old() { QEMU_CPU=cortex-a53 qemu-aarch64 -L $sysroot "$@" 2>&1; }
for test in levels store ops; do
	check "kernels-$test, Cortex-A53" old $cross/tests/kernels/kernels-tests test_$test.c
done
check "dotprod is refused, Cortex-A53" grep -q "unknown host instruction set 'dotprod', or not one of this host" \
	<(old $cross/fvp-sim --elf /nonexistent --host-simd dotprod)
check "--version says why not translated code" grep -q '(processor: handlers, as the host is not x86-64)' \
	<(scripts/aarch64/run.sh --version)
end
