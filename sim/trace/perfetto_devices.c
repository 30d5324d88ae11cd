/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupt lines, serial ports, transfers of the DMA-350 and accesses to devices on the time axis. A program that polls accesses
 * a device for ever: accesses are counted by pieces of time. */
#include "sim/trace/perfetto_trace.h"

#include <stdio.h>

void perfetto_irq(void *ctx, unsigned number, bool level, u64 tick)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;
	char text[24];

	if (number >= ARRAY_LEN(s->irq_known) || !perfetto_in_time(t))
		return;
	if (!s->irq_known[number]) {
		snprintf(text, sizeof text, "IRQ %u", number);
		perfetto_counter(&s->out, TRACK_IRQ + number, text, NULL);
		s->irq_known[number] = true;
	}
	perfetto_value(&s->out, TRACK_IRQ + number, tick / TICKS_PER_NS, level);
}

void perfetto_uart(void *ctx, unsigned port, u8 byte)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;

	if (byte >= ' ' && s->uart_length[port] < PERFETTO_LINE - 1)
		s->uart[port][s->uart_length[port]++] = (char)byte;
	if ((byte != '\n' && s->uart_length[port] < PERFETTO_LINE - 1) || !s->uart_length[port])
		return;
	s->uart[port][s->uart_length[port]] = 0;
	s->uart_length[port] = 0;
	if (perfetto_in_time(t))
		perfetto_instant(&s->out, TRACK_UART + port, perfetto_now(t), s->uart[port]);
}

static void transfer(struct trace *t, const struct device *d, unsigned channel, bool moving)
{
	struct perfetto_trace *s = t->state;
	char text[40];

	if (channel >= PERFETTO_CHANNELS || !perfetto_in_time(t))
		return;
	snprintf(text, sizeof text, "%s: channel %u", d->name, channel);
	if (!s->channel_known[channel])
		perfetto_track(&s->out, TRACK_DMA + channel, text);
	s->channel_known[channel] = true;
	if (s->moving[channel])
		perfetto_end(&s->out, TRACK_DMA + channel, perfetto_now(t));
	if (moving)
		perfetto_begin(&s->out, TRACK_DMA + channel, perfetto_now(t), "transfer");
	s->moving[channel] = moving;
}

/* The counter's value holds for the whole piece. */
static void write_piece(struct perfetto_trace *s, const struct perfetto_device *k, u64 next)
{
	const u64 track = TRACK_DEVICE + (u64)(k - s->device);

	perfetto_value(&s->out, track, k->piece * PERFETTO_PIECE, k->count);
	if (next > k->piece + 1)
		perfetto_value(&s->out, track, (k->piece + 1) * PERFETTO_PIECE, 0);
}

static struct perfetto_device *device_of(struct perfetto_trace *s, const struct device *d)
{
	char text[48];

	for (unsigned i = 0; i < s->device_count; i++)
		if (s->device[i].device == d)
			return &s->device[i];
	if (s->device_count == PERFETTO_DEVICES)
		return NULL;
	snprintf(text, sizeof text, "accesses: %s", d->name);
	perfetto_counter(&s->out, TRACK_DEVICE + s->device_count, text, NULL);
	s->device[s->device_count] = (struct perfetto_device){ .device = d };
	return &s->device[s->device_count++];
}

static void access_counted(struct trace *t, const struct device *d)
{
	struct perfetto_trace *s = t->state;
	struct perfetto_device *k = perfetto_in_time(t) ? device_of(s, d) : NULL;
	const u64 piece = perfetto_now(t) / PERFETTO_PIECE;

	if (!k)
		return;
	if (k->count && k->piece != piece) {
		write_piece(s, k, piece);
		k->count = 0;
	}
	k->piece = piece;
	k->count++;
}

void perfetto_device(void *ctx, const struct device *d, enum device_news news, unsigned number, u32 value)
{
	if (news == DEVICE_ACCESSED)
		access_counted(ctx, d);
	else if (news == DEVICE_TRANSFER)
		transfer(ctx, d, number, value);
}

void perfetto_devices_end(struct trace *t)
{
	struct perfetto_trace *s = t->state;

	for (unsigned i = 0; i < CONFIG_UARTS; i++)
		perfetto_uart(t, i, '\n');
	for (unsigned i = 0; i < s->device_count; i++)
		write_piece(s, &s->device[i], UINT64_MAX);
}
