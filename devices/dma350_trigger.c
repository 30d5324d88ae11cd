/* SPDX-License-Identifier: Apache-2.0 */
#include "devices/dma350_trigger.h"

enum { MODE_PERIPHERAL = 3, TYPE_INTERNAL = 3 };

const struct dma350_trigger dma350_untriggered = { .may_move = UINT64_MAX };
const struct dma350_trigger dma350_waiting = { .may_move = 0 };

bool dma350_flow_control(u32 config)
{
	return config >> 11 & 1 && (config >> 8 & 3) != TYPE_INTERNAL;
}

struct dma350_trigger dma350_granted(u32 config, u32 type)
{
	unsigned mode = config >> 10 & 3;

	if (!dma350_flow_control(config))
		return dma350_untriggered;
	return (struct dma350_trigger){
		.may_move = type & 2 ? (config >> 16 & 0xff) + 1 : 1,
		.last = mode == MODE_PERIPHERAL && type & 1,
	};
}

u64 dma350_may_move(const struct dma350_trigger *sides, u64 limit)
{
	for (unsigned i = 0; i < DMA350_SIDES; i++)
		if (sides[i].may_move < limit)
			limit = sides[i].may_move;
	return limit;
}

bool dma350_moved(struct dma350_trigger *sides, u64 n)
{
	bool end = false;

	for (unsigned i = 0; i < DMA350_SIDES; i++) {
		if (sides[i].may_move != UINT64_MAX)
			sides[i].may_move -= n;
		end |= sides[i].last && !sides[i].may_move;
	}
	return end;
}
