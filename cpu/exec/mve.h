/* SPDX-License-Identifier: Apache-2.0 */
/* All bodies of MVE. */
#ifndef CPU_EXEC_MVE_H
#define CPU_EXEC_MVE_H

#include "cpu/exec/body.h"

#endif
