/* SPDX-License-Identifier: Apache-2.0 */
/* Test bench: a board's devices on a bus, with a recorder on their outputs. */
#ifndef TESTS_DEVICES_RIG_H
#define TESTS_DEVICES_RIG_H

#include "devices/classes.h"
#include "devices/set.h"
#include "sim/board.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define HZ_100MHZ (SCHED_TICKS_PER_SECOND / 100000000)
#define HZ_32K (SCHED_TICKS_PER_SECOND / 32768)
#define SECONDS(n) ((n) * SCHED_TICKS_PER_SECOND)
#define UART0 0x49303000 /* of Corstone-300, Non-secure */

struct rig {
	struct bus *bus;
	struct sched sched;
	struct diag diag;
	struct device_set *set;
	bool irq[480];
	unsigned irq_changes[480];
	bool nmi;
	bool waits; /* the processor, if it is reset */
	unsigned resets;
	int last_reset; /* its cause */
	u32 locks; /* of the processor: a bit each */
	u32 debug_low;
	unsigned messages;
	char last_message[256];
};

struct rig *rig_new(bool gating); /* Corstone-300 */
struct rig *rig_new_board(const struct board *board, bool gating);
void rig_free(struct rig *r);

u32 rig_read(struct rig *r, u32 addr);
void rig_write(struct rig *r, u32 addr, u32 value);
/* Lets time pass. */
void rig_wait(struct rig *r, u64 ticks);

#endif
