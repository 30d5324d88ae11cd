/* SPDX-License-Identifier: Apache-2.0 */
/* Interesting operand values: corner cases of integers, lanes and floating point. */
#ifndef TESTS_DIFFERENTIAL_VALUES_H
#define TESTS_DIFFERENTIAL_VALUES_H

#include "cpu/insn/encode.h"

/* What a word is likely to hold. A case mixes few of them, so that operands fit each other. */
enum flavour { FLAVOUR_ANY, FLAVOUR_SMALL, FLAVOUR_F32, FLAVOUR_F16, FLAVOUR_F64, FLAVOUR_LANES, FLAVOUR_COUNT };

u32 value_word(struct insn_random *r, enum flavour flavour, bool odd_word);
/* FPSCR and VPR of a case. */
u32 value_fpscr(struct insn_random *r);
u32 value_vpr(struct insn_random *r);

#endif
