#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks for faults for hours: every fuzz target of a build folder in turns, each time with inputs not tried before. What
# does harm is kept, made smaller and sorted. Usage: tests/soak.sh HOURS [BUILD [FOUND]]
#
# BUILD is best configured with -Db_sanitize=address,undefined. FOUND/TARGET/SIGN/ holds the inputs that end alike: the
# input as found, the small one, and what was printed. The last lines are inputs tried and found, per target; SIGTERM and
# SIGINT end it early, with these lines.
# Repeat one with BUILD/tests/fuzz/replay_TARGET --only FILE. Exit: 0 nothing found, 1 something.
set -u
hours=$1 build=$(realpath "${2:-build}") found=$(realpath -m "${3:-soak-found}")
here=$(dirname "$(realpath "$0")")
end=$(($(date +%s) + $(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')))
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
mkdir -p "$found"

# run COMMAND...: in the background, since bash looks at signals only while it waits.
child='' stopped=''
trap 'stopped=1; [ -z "$child" ] || kill "$child" 2>/dev/null' INT TERM
run() {
	local status
	"$@" &
	child=$!
	wait "$child"
	status=$?
	child=''
	[ -z "$stopped" ] || status=124
	return $status
}

shopt -s nullglob
targets=()
for program in "$build"/tests/fuzz/replay_*; do
	[ -x "$program" ] && [ -f "$program" ] && targets+=("$program")
done
[ ${#targets[@]} -gt 0 ] || { echo "$build has no fuzz targets: meson compile -C $build"; exit 1; }
declare -A tried=() harmful=()

# What a failure has in common with others: the place, else the last line that was printed.
sign_of() {
	local sign
	sign=$(grep -m1 -oE 'SUMMARY: [A-Za-z]+: [a-z-]+ [^ ]+|runtime error: .*' "$1" || tail -1 "$1")
	printf %s "$sign" | tr -cs 'A-Za-z0-9_.-' _ | cut -c1-80
}

# kept PROGRAM NAME SEED: the input that the target ran last did harm.
kept() {
	local sign
	sign=$(sign_of "$W/err")
	local to=$found/$2/${sign:-silent}
	mkdir -p "$to"
	harmful[$2]=$((${harmful[$2]:-0} + 1))
	cp "$W/last" "$to/$3"
	tail -40 "$W/err" >"$to/$3.txt"
	[ "$(find "$to" -name '*.small' | wc -l)" -gt 0 ] || run timeout 600 "$here/fuzz/minimise.py" "$to/$3" "$to/$3.small" "$1" --only
	echo "found: $to/$3"
}

ROUNDS=500
seed=$(date +%s)
while [ -z "$stopped" ] && [ "$(date +%s)" -lt "$end" ]; do
	for program in "${targets[@]}"; do
		left=$((end - $(date +%s)))
		if [ $left -le 0 ] || [ -n "$stopped" ]; then break; fi
		name=${program##*/replay_} seed=$((seed + 1))
		FUZZ_SEED=$seed FUZZ_LAST=$W/last run timeout $((left + 60)) "$program" $ROUNDS >/dev/null 2>"$W/err"
		status=$?
		if [ $status = 0 ]; then
			tried[$name]=$((${tried[$name]:-0} + ROUNDS))
		elif [ $status != 124 ]; then
			kept "$program" "$name" "$seed"
		fi
	done
done
for program in "${targets[@]}"; do
	name=${program##*/replay_}
	printf '%-16s %9d inputs, %d harmful\n' "$name" "${tried[$name]:-0}" "${harmful[$name]:-0}"
done
[ ${#harmful[@]} = 0 ]
