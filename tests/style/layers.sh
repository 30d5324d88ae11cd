#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The layout shows the architecture: checks that includes follow it (docs/design/architecture.md) and
# that every source file states the licence. Usage: layers.sh SOURCE-ROOT
set -u
cd "$1" || exit 1

# Folder: the folders that its files may include.
layers='memory: memory
cpu: cpu memory
npu: npu memory
devices: devices memory
loader: loader memory
traces: traces memory
sim: sim cpu npu devices loader traces memory include
include: include
runtime: runtime'
folders=$(cut -d: -f1 <<<"$layers")

# shellcheck disable=SC2086
wrong=$(grep -rn '^#include "[^"]*/' $folders --include=*.c --include=*.h --include=*.def |
	awk -F'[:/"]' -v layers="$layers" '
	BEGIN {
		n = split(layers, line, "\n")
		for (i = 1; i <= n; i++) {
			k = split(line[i], word, /[: ]+/)
			for (j = 2; j <= k; j++)
				may[word[1], word[j]] = 1
		}
	}
	{ match($0, /#include "[^\/"]*/); to = substr($0, RSTART + 10, RLENGTH - 10) }
	!(($1, to) in may) { print "may not be included here: " $0 }')

# The command lines use the simulator as everybody can, through the library; what else they may include knows no machine: words of
# users, exit statuses, files of the host.
means='include/fvpsim.h sim/exit.h sim/params/host_simd.h sim/params/message.h sim/params/option.h sim/params/option_rows.h sim/params/options.def
sim/params/threads.h sim/params/values.h loader/file.h traces/output.h traces/reader.h memory/types.h'
wrong+=$(grep -rn '^#include "' sim --include=*.c --include=*.h | awk -F'[:"]' -v means="$means" '
	BEGIN { n = split(means, word, /[ \n]+/); for (i = 1; i <= n; i++) may[word[i]] = 1 }
	{ face = $1 ~ /^sim\/(cli|fvp)\//; to_face = $4 ~ /^sim\/(cli|fvp)\//; to_library = $4 ~ /^sim\/api\// }
	face && !to_face && !($4 in may) { print "is not for a command line: " $0 }
	!face && to_face { print "a command line may not be included here: " $0 }
	to_library && $1 !~ /^sim\/api\// { print "may not be included here: " $0 }')

# Tests of the product as a whole use it through the library, too, and what the command lines make of words. Unit tests of inner parts
# include those.
product='tests/api tests/state tests/bench/engines.c tests/npu/test_samples.c'
# shellcheck disable=SC2086
wrong+=$(grep -rn '^#include ["<]' $product --include=*.c --include=*.h | awk -F'[:"<>]' '
	$4 !~ /\// || $4 ~ /^(sys|criterion|tests)\// || $4 == "include/fvpsim.h" { next }
	$1 ~ /^tests\/state\// && $4 ~ /^sim\/(cli|fvp)\// { next }
	{ print "a test of the whole may not include this: " $0 }')

# shellcheck disable=SC2086
unlicensed=$(find $folders tests scripts meson.build meson_options.txt .ci/run \( -name '*.[chS]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' \
	-o -name '*.cpp' -o -name '*.ld' -o -name '*.in' -o -name 'meson*' -o -name run \) -not -path '*/data/*' -print0 |
	xargs -0 awk 'FNR == 1 { if (file && !found) print file ": no licence line"; file = FILENAME; found = 0 }
		FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ { found = 1 }
		FNR == 4 { nextfile }
		END { if (file && !found) print file ": no licence line" }')

[ -z "$wrong" ] || echo "$wrong"
[ -z "$unlicensed" ] || echo "$unlicensed"
[ -z "$wrong$unlicensed" ]
