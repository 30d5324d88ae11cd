#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The library shows the functions of its header and nothing else, and needs nothing that prints, ends the process, asks
# for signals or reads a clock. Usage: symbols.sh LIBRARY HEADER
set -euo pipefail

dynamic=()
[[ $1 = *.a ]] || dynamic=(-D)
shown=$(nm "${dynamic[@]}" -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort -u)
declared=$(grep -oE '\bfvpsim_[a-z_]+\(' "$2" | tr -d '(' | grep -v -E '^fvpsim_get_$' | sort -u)
status=0

if ! difference=$(diff <(echo "$shown") <(echo "$declared")); then
	echo "shown (<) and declared (>) differ:"
	echo "$difference"
	status=1
fi
forbidden='printf|vprintf|puts|perror|exit|_exit|_Exit|abort|signal|sigaction|clock|clock_gettime|gettimeofday|time'
if nm "${dynamic[@]}" -u "$1" | awk 'NF == 2 { sub("@.*", "", $2); print $2 }' | grep -xE "$forbidden"; then
	echo "are called, and must not be"
	status=1
fi
exit "$status"
