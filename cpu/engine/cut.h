/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the integer core to pages that MPU or SAU regions cut. Private to engine/. */
#ifndef CPU_ENGINE_CUT_H
#define CPU_ENGINE_CUT_H

#include "cpu/engine/engine.h"

/* By operation (below OP_INT_COUNT) and length (0: 2 bytes, 1: 4 bytes): the handler that looks at the granules
 * of a cut page; it leaves what is not allowed there to go_plain. Only while cpu->cut is not NULL. NULL: there is none. */
extern handler_fn *const handler_cut[][2];

/* Runs the operation's plain function, and what that refuses as slow as it gets. */
handler_fn go_plain;

#endif
