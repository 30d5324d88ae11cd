/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of scalar floating-point instructions. */
#ifndef CPU_INSN_FORM_FP_H
#define CPU_INSN_FORM_FP_H

#include "cpu/insn/form_int.h"

#endif
