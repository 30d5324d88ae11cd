#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs an example program and looks for a line of its output. Usage: example.sh LINE PROGRAM ARGUMENTS...
set -euo pipefail

line=$1
shift
output=$("$@")
echo "$output"
grep -qF -- "$line" <<<"$output"
