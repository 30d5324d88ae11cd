/* SPDX-License-Identifier: Apache-2.0 */
/* What the trigger inputs of a DMA-350 channel allow (Arm CoreLink DMA-350 TRM, triggers): a whole command,
 * one element, or a block of elements. */
#ifndef DEVICES_DMA350_TRIGGER_H
#define DEVICES_DMA350_TRIGGER_H

#include "memory/types.h"

enum { DMA350_SIDES = 2 }; /* source, destination */

struct dma350_trigger {
	u64 may_move; /* elements allowed and not moved yet; 0: wait for a request */
	u32 last;     /* bool: nothing follows what the request allowed */
};

/* Of a side that uses no trigger, and of one that has not got its first request. */
extern const struct dma350_trigger dma350_untriggered, dma350_waiting;

/* Does SRCTRIGINCFG or DESTRIGINCFG ask for flow control? Triggers between channels only start commands. */
bool dma350_flow_control(u32 config);

/* After a request of that type (0 single, 1 last single, 2 block, 3 last block), as SRCTRIGINCFG or
 * DESTRIGINCFG says. */
struct dma350_trigger dma350_granted(u32 config, u32 type);

/* Fits struct irq_line: a peripheral requests at trigger input `number` of that DMA-350, or does not any more. */
void dma350_request(void *dma350, unsigned number, bool level);

/* Elements that both sides allow, `limit` at most. */
u64 dma350_may_move(const struct dma350_trigger *sides, u64 limit);

/* Notes that n elements were moved; true when the last that a peripheral wanted are among them. */
bool dma350_moved(struct dma350_trigger *sides, u64 n);

#endif
