/* SPDX-License-Identifier: Apache-2.0 */
/* What the linker script leaves of a board's memories. */
#ifndef RUNTIME_APPS_BOARD_MEMORY_H
#define RUNTIME_APPS_BOARD_MEMORY_H

#include "runtime/executor/memory.h"

extern uint8_t __ddr_free[], __ddr_end[], __sram_free[], __sram_end[];

#define BOARD_MEMORY(start, end, text) { .base = (start), .bytes = (size_t)((end) - (start)), .name = (text) }

#endif
