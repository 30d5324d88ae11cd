#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the corpora in the tree again: each target runs under libFuzzer for SECONDS, from its seeds and what its corpus has, then
# as few inputs as reach the same edges are packed into corpus/TARGET.zst (format: corpus.h). What does harm is kept in
# BUILD/fuzz-work/TARGET/harm. Usage: tests/fuzz/corpus.sh SECONDS BUILD [TARGET...]
#
# BUILD is to be instrumented as a whole, or libFuzzer sees the branches of the target's own files only:
# CC=clang meson setup BUILD -Db_sanitize=address -Db_lundef=false -Druntime=disabled -Doptimization=1 \
#     -Dc_args=-fsanitize=fuzzer-no-link -Dfuzz_elfutils=DIR        (DIR: see instrumented_elfutils.sh)
set -euo pipefail
seconds=$1 build=$(realpath "$2")
shift 2
here=$(dirname "$(realpath "$0")")
MOST=49152 # bytes of a packed corpus: its largest inputs are left out until it fits
mkdir -p "$here/corpus"
export ASAN_OPTIONS=allocator_may_return_null=1

# packed FILE...: one stream, smallest inputs first
packed() {
	local file
	for file; do stat -c %s "$file" && cat "$file"; done | zstd -q --ultra -22
}

# pack FOLDER TO
pack() {
	local files
	mapfile -t files < <(find "$1" -type f -size +0 -printf '%s %p\n' | sort -n | cut -d' ' -f2)
	packed "${files[@]}" >"$2"
	while [ "$(stat -c %s "$2")" -gt $MOST ]; do
		files=("${files[@]:0:${#files[@]} * 9 / 10}")
		packed "${files[@]}" >"$2"
	done
	echo "${#files[@]} inputs in $(stat -c %s "$2") bytes"
}

# group TARGET FILE: the fewest inputs are chosen in each group alone. Targets of whole boards have one for each board, which the first
# byte names: what two boards share is reached on both.
group() {
	local first
	first=$(od -An -tu1 -N1 "$2")
	case $1 in
		system) echo $((first % 4 % 3)) ;;
		devices) echo $((first % 3)) ;;
		*) echo 0 ;;
	esac
}

# choose TARGET WORK PROGRAM: the fewest inputs of WORK/all and WORK/seeds, into WORK/least
choose() {
	local file number folder
	rm -rf "$2"/group_*
	for file in "$2"/all/* "$2"/seeds/*; do
		[ -s "$file" ] || continue
		number=$(group "$1" "$file")
		mkdir -p "$2/group_$number"
		ln "$file" "$2/group_$number/${file##*/}"
	done
	for folder in "$2"/group_*; do
		mkdir -p "$2/least_of/${folder##*/}"
		"$3" -merge=1 -set_cover_merge=1 -use_counters=0 -timeout=60 -rss_limit_mb=4096 "$2/least_of/${folder##*/}" "$folder" >>"$2/merge.log" 2>&1
		cp "$2/least_of/${folder##*/}"/* "$2/least"
	done
}

if [ $# = 0 ]; then
	mapfile -t targets < <(ninja -C "$build" -t targets all | sed -nE 's,^tests/fuzz/fuzz_([a-z_]+):.*,\1,p')
	set -- "${targets[@]}"
fi
ninja -C "$build" "${@/#/tests/fuzz/fuzz_}" "${@/#/tests/fuzz/replay_}" >/dev/null
for target; do
	work=$build/fuzz-work/$target program=$build/tests/fuzz/fuzz_$target
	rm -rf "$work"/{seeds,least,least_of,merge.log}
	mkdir -p "$work"/{all,harm,least}
	"$build/tests/fuzz/replay_$target" --seeds "$work/seeds" 2>/dev/null
	"$program" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -timeout=60 -report_slow_units=60 -rss_limit_mb=4096 -max_len=16384 \
		-max_total_time="$seconds" -artifact_prefix="$work/harm/" "$work/all" "$work/seeds" >"$work/log" 2>&1 || true
	choose "$target" "$work" "$program"
	tried=$(sed -nE 's/^#([0-9]+): cov: .*/\1/p' "$work/log" | tail -1)
	edges=$("$program" -runs=0 "$work/least" 2>&1 | sed -nE 's/.*INITED cov: ([0-9]+).*/\1/p')
	echo "$target: ${tried:-0} inputs tried, $(find "$work/harm" -type f | wc -l) did harm, $edges edges;" \
		"$(pack "$work/least" "$here/corpus/$target.zst")"
done
