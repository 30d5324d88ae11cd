#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where the host is slow to bring a huge page the program asks for small ones, and the network's results are the same.
# Usage: slow_pages.sh FVP-SIM PRELOADED ACCELERATOR MODEL INPUT
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() # OUTPUT
{
	"$fvp_sim" npu --accelerator "$accelerator" --model "$model" --input "$input" --output "$folder/$1" >"$folder/$1.text"
}
fvp_sim=$1 preloaded=$2 accelerator=$3 model=$4 input=$5

run usual
said=$(LD_PRELOAD=$preloaded run slow 2>&1)
[[ $said = "small pages" ]] || { echo "said: $said"; exit 1; }
cmp "$folder/usual/output_0.bin" "$folder/slow/output_0.bin"
sed "s#$folder/slow#$folder/usual#" "$folder/slow.text" | diff "$folder/usual.text" -
