/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of MVE instructions. */
#ifndef CPU_INSN_FORM_MVE_H
#define CPU_INSN_FORM_MVE_H

#include "cpu/insn/form_int.h"

#endif
