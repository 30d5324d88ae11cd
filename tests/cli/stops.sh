#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Limits and signals end every guest at once, with its report, dump and console text, whatever it does and whatever it
# waits for. Usage: stops.sh PROGRAM GUESTS
# shellcheck disable=SC2015,SC2181
set -u
program=$(realpath "$1") guests=$(realpath "$2")
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
failed=0
LATE_MS=4000 # a run that ends in 0.2 s of its own; the rest is for hosts that do much else

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# ended GUEST HOW SINCE_MS STATUS WANTED REASON
ended() {
	local late=$(($(now_ms) - $3)) why=
	[ "$4" = "$5" ] || why="exit status $4, not $5"
	[ "$late" -le $LATE_MS ] || why="$why; $late ms late"
	grep -q "\"reason\": \"$6\"" "$W/report.json" 2>/dev/null || why="$why; no report with $6"
	[ "$(stat -c %s "$W/dump" 2>/dev/null)" = 16 ] || why="$why; no dump"
	grep -q hello "$W/out" || why="$why; no console text"
	[ -z "$why" ] || { echo "FAIL $1, $2: $why"; sed 's/^/    /' "$W/err"; failed=1; }
}

# start GUEST [OPTION...]: in the background, with a standard input on which nothing comes
start() {
	local guest=$1 board=corstone-300
	shift
	case $guest in *-corstone-3*) board=corstone-${guest##*-} ;; esac
	rm -rf "$W"/{report.json,dump,out,dir}
	mkdir "$W/dir"
	mkfifo "$W/dir/fifo"
	timeout 200 "$program" --elf "$guests/$guest.elf" --board "$board" --semihosting-dir "$W/dir" --report "$W/report.json" \
		--dump "$W/dump@0x10000000,16" "$@" <"$idle" >"$W/out" 2>"$W/err" &
	pid=$!
}

# Waits until the program catches SIGHUP (the first bit of the mask), and then for the guest's turn. `child` is the program: a signal
# to `timeout` comes to it with a SIGCONT, which takes the SIGSTOP away for which LeakSanitizer waits at the end, for ever.
ready() {
	local mask
	for _ in $(seq 900); do
		child=$(pgrep -P $pid) && mask=$(awk '/^SigCgt/ { print $2 }' "/proc/$child/status" 2>/dev/null) &&
			[ $((0x${mask:-0} & 1)) = 1 ] && break
		sleep 0.1
	done
	sleep 0.5
}

# The three ends of one guest, in a folder of its own.
ends() {
	local guest=$1 W=$W/$1 since signal
	mkdir "$W"
	since=$(now_ms)
	start "$guest" --timelimit 0.3
	wait $pid
	ended "$guest" timelimit $((since + 300)) $? 124 TIME_LIMIT
	for signal in HUP TERM; do # a shell's background jobs ignore SIGINT
		start "$guest"
		ready
		since=$(now_ms)
		kill -$signal "$child"
		wait $pid
		ended "$guest" SIG$signal "$since" $? 130 INTERRUPTED
	done
	exit $failed
}

idle=$W/idle
mkfifo "$idle"
exec 9<>"$idle" # a writer that never writes
running=0
for guest in count resets rewrites npu_job npu_rows npu_copy npu_weights waits_console waits_byte waits_reader waits_writer \
	npu_order-corstone-320 dma_copy-corstone-310 dma_copy-corstone-320; do
	[ $((++running)) -le 2 ] || wait -n || failed=1 # most of their time they wait
	ends $guest &
done
for running in 1 2; do
	wait -n || failed=1
done

# A serial port's receiver, which only the FVPs' names connect.
ln -s "$program" "$W/FVP_Corstone_SSE-300_Ethos-U55"
since=$(now_ms)
timeout 200 "$W/FVP_Corstone_SSE-300_Ethos-U55" -a "$guests/waits_port.elf" -C mps3_board.uart0.in_file=- \
	-C mps3_board.uart0.out_file=- --timelimit 0.3 <"$idle" >"$W/out" 2>"$W/err"
[ $? = 0 ] && [ $(($(now_ms) - since)) -lt $((300 + LATE_MS)) ] && grep -q hello "$W/out" || { echo "FAIL waits_port"; failed=1; }

# A pipe through which something does come, in two parts.
start waits_writer
{ sleep 0.2; printf abc; sleep 0.2; printf de; } >"$W/dir/fifo"
wait $pid
[ $? = 5 ] && grep -q abcde "$W/out" || { echo "FAIL a pipe's text is not read whole"; failed=1; }

# Nobody reads the console: each write fails, and the report is whole.
for _ in 1 2 3; do
	timeout 200 "$program" --elf "$guests/resets.elf" --report "$W/pipe.json" 9>&- 2>"$W/err" | head -c 10 >/dev/null
	[ "${PIPESTATUS[0]}" = 130 ] && grep -q INTERRUPTED "$W/pipe.json" || { echo "FAIL a closed pipe: ${PIPESTATUS[*]}"; failed=1; }
done
exit $failed
