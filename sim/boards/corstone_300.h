/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the Corstone-300 board that live in files of their own. */
#ifndef SIM_BOARDS_CORSTONE_300_H
#define SIM_BOARDS_CORSTONE_300_H

#include "sim/board.h"

extern const struct board corstone_300;
extern const struct board_param corstone_300_params[];

#endif
