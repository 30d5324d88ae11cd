/* SPDX-License-Identifier: Apache-2.0 */
/* An interrupt wire from a device to whoever listens (the NVIC). */
#ifndef MEMORY_IRQ_H
#define MEMORY_IRQ_H

#include "memory/types.h"

struct irq_line {
	void (*set)(void *ctx, unsigned number, bool level); /* NULL: not connected */
	void *ctx;
	unsigned number; /* external interrupt number at the NVIC */
};

static inline void irq_set(const struct irq_line *line, bool level)
{
	if (line->set)
		line->set(line->ctx, line->number, level);
}

#endif
