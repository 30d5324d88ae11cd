/* SPDX-License-Identifier: Apache-2.0 */
/* Linked commands of the DMA-350 (TRM, command linking): a header that says which registers follow. */
#include "devices/dma350.h"

#define FIRST_CONFIG CH0_INTREN /* registers that a header can name: its bit is their offset / 4 */
enum { HEADER_CLEAR = 1, HEADER_FIRST = 2, HEADER_BITS = 32 };

/* Row of channel 0's register; NULL: there is none. */
static const struct reg_row *row_at(u32 ch0_offset)
{
	for (unsigned i = 0; i < dma350_row_count; i++)
		if (ch0_offset - dma350_rows[i].offset < 4u * dma350_rows[i].count)
			return &dma350_rows[i];
	return NULL;
}

/* Stores a word as the register's row says; offset as of channel 0. */
static void store(struct device *d, unsigned ch, u32 ch0_offset, u32 value)
{
	const struct reg_row *row = row_at(ch0_offset);

	if (row)
		*dma350_reg(d, ch0_offset, ch) = (value & row->mask) | (ch0_offset == CH0_SRCTMPLT || ch0_offset == CH0_DESTMPLT);
}

void dma350_reset_config(struct device *d, unsigned ch)
{
	for (u32 offset = FIRST_CONFIG; offset < DMA350_CHANNEL_BASE + 4 * HEADER_BITS; offset += 4) {
		const struct reg_row *row = row_at(offset);

		if (row)
			store(d, ch, offset, row->reset);
	}
}

u32 dma350_load_link(struct device *d, unsigned ch)
{
	u32 at = *dma350_reg(d, CH0_LINKADDR, ch) & ~3u, header, value;
	struct bus_attr as = {
		.secure = !dma350_nonsecure(d, ch), .privileged = dma350_channel(d, ch)->privileged, .view = BUS_CPU,
	};

	if (bus_read(d->host, at, 4, as, &header) != BUS_OK)
		return ERROR_BUS | ERROR_READ;
	if (!header)
		return ERROR_CONFIG | ERROR_HEADER;
	if (header & HEADER_CLEAR)
		dma350_reset_config(d, ch);
	for (unsigned n = HEADER_FIRST; n < HEADER_BITS; n++)
		if (header >> n & 1) {
			at += 4;
			if (bus_read(d->host, at, 4, as, &value) != BUS_OK)
				return ERROR_BUS | ERROR_READ;
			store(d, ch, DMA350_CHANNEL_BASE + 4 * n, value);
		}
	return 0;
}
