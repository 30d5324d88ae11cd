#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh FILE PROGRAM: FILE must be what PROGRAM prints. To renew it: PROGRAM > FILE
"$2" | diff -u "$1" -
