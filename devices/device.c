/* SPDX-License-Identifier: Apache-2.0 */
/* What all devices share: decoding by the register table, lanes, masks, identification, messages. */
#include "devices/device.h"
#include "memory/state.h"

#include <stdlib.h>
#include <string.h>

#define ID_FIRST 0xfd0u
#define ID_LAST 0xffcu

/* CoreSight component identification of a generic peripheral. */
static const u8 cidr[4] = {0x0d, 0xf0, 0x05, 0xb1};

static u32 id_word(u32 pidr, u32 offset)
{
	if (offset >= 0xff0)
		return cidr[(offset - 0xff0) / 4];
	if (offset == 0xfd0)
		return pidr >> 24;
	if (offset >= 0xfe0 && offset <= 0xfe8)
		return pidr >> ((offset - 0xfe0) * 2) & 0xff;
	return 0; /* PIDR3, PIDR5..7 */
}

/* Words that need storage: up to the highest row. What identifies a device is constant. */
static u32 words_of(const struct device_class *cls)
{
	u32 words = 0;

	for (unsigned i = 0; i < cls->row_count; i++) {
		u32 end = cls->rows[i].offset / 4 + cls->rows[i].count;

		if (end > words)
			words = end;
	}
	return words;
}

static bool is_id(const struct device *d, u32 offset)
{
	return d->cls->pidr && offset >= ID_FIRST && offset <= ID_LAST;
}

/* Words that messages tell apart; those above share one place. */
static u32 words_told_apart(const struct device *d)
{
	const u32 with_id = ID_LAST / 4 + 1;

	return d->cls->pidr && d->reg_words < with_id ? with_id : d->reg_words;
}

static void map_rows(struct device *d)
{
	const struct device_class *cls = d->cls;

	for (unsigned i = 0; i < cls->row_count; i++)
		memset(d->row_of + cls->rows[i].offset / 4, (int)(i + 1), cls->rows[i].count);
}

static void reset_words(struct device *d)
{
	const struct device_class *cls = d->cls;

	memset(d->reg, 0, d->reg_words * sizeof(*d->reg));
	for (unsigned i = 0; i < cls->row_count; i++)
		for (unsigned n = 0; n < cls->rows[i].count; n++)
			d->reg[cls->rows[i].offset / 4 + n] = cls->rows[i].reset;
}

static void event_due(void *ctx, const struct sched_event *ev)
{
	struct device *d = ctx;

	d->cls->event(d, ev);
}

/* The block of its state and the parts in there: the class's own first, which may have the widest members. */
static bool take_block(struct device *d)
{
	const u32 own = (d->cls->state_size + 7) & ~7u, words = d->reg_words + 1, told = words_told_apart(d) / 32 + 1;

	d->block_bytes = own + words * (u32)sizeof(*d->reg) + (u32)sizeof(*d->wire_level) + told * (u32)sizeof(*d->reported);
	d->block = calloc(1, d->block_bytes);
	if (!d->block)
		return false;
	d->state = d->block;
	d->reg = (u32 *)((u8 *)d->block + own);
	d->wire_level = d->reg + words;
	d->reported = d->wire_level + 1;
	return true;
}

struct device *device_new(const struct device_class *cls, const struct device_config *config)
{
	struct device *d = calloc(1, sizeof(*d));
	u64 hertz = cls->clock_hz ? cls->clock_hz : config->clock_hz;

	if (!d)
		return NULL;
	d->cls = cls;
	d->name = config->name;
	d->base = config->base;
	d->sched = config->sched;
	d->diag = config->diag;
	d->peer = config->peer;
	d->gating = config->gating;
	memcpy(d->param, config->param, sizeof(d->param));
	d->period = hertz ? sched_period(hertz) : 0;
	d->reg_words = words_of(cls);
	d->row_of = calloc(d->reg_words + 1, 1);
	if (!d->row_of || !take_block(d) || (hertz && !d->period)) {
		device_free(d);
		return NULL;
	}
	map_rows(d);
	if (d->peer) {
		d->next_user = d->peer->users;
		d->peer->users = d;
	}
	if (cls->event)
		d->event_id = sched_attach(d->sched, event_due, d);
	device_reset(d);
	return d;
}

void device_free(struct device *d)
{
	if (!d)
		return;
	free(d->row_of);
	free(d->block);
	free(d);
}

void device_state(struct device *d, struct state_list *list)
{
	state_add(list, d->name, "device", 2, d->block, d->block_bytes);
}

void device_reset(struct device *d)
{
	reset_words(d);
	memset(d->state, 0, d->cls->state_size);
	for (u16 kind = 0; d->cls->event && kind < DEVICE_EVENT_KINDS; kind++)
		sched_cancel(d->sched, d->event_id, kind);
	for (unsigned i = 0; i < DEVICE_WIRES; i++)
		device_wire(d, i, false);
	if (d->cls->reset)
		d->cls->reset(d);
}

void device_wire(struct device *d, unsigned wire, bool level)
{
	u32 bit = 1u << wire;

	if (!(*d->wire_level & bit) == !level)
		return;
	*d->wire_level ^= bit;
	irq_set(&d->wire[wire], level);
}

void device_schedule(struct device *d, u16 kind, u64 when)
{
	sched_cancel(d->sched, d->event_id, kind);
	if (when != SCHED_NEVER)
		sched_add(d->sched, d->event_id, kind, when, 0);
}

void device_notify_users(struct device *d)
{
	for (struct device *user = d->users; user; user = user->next_user)
		if (user->cls->peer_changed)
			user->cls->peer_changed(user);
}

/* True the first time for this word, so that each register is reported once. */
static bool first_report(struct device *d, u32 word)
{
	const u32 apart = words_told_apart(d), place = word < apart ? word : apart, bit = 1u << place % 32;

	if (d->reported[place / 32] & bit)
		return false;
	d->reported[place / 32] |= bit;
	return true;
}

static void report_unknown(struct device *d, u32 offset, const char *what)
{
	if (first_report(d, offset / 4))
		diag_report(d->diag, DIAG_NOT_MODELLED, "DEV001",
			    "%s: %s of unknown register at offset 0x%03x (address 0x%08x): reads "
			    "as zero, writes are ignored", d->name, what, offset, d->base + offset);
}

static void report_write(struct device *d, const struct reg_row *row, u32 offset, u32 value)
{
	if (!first_report(d, offset / 4))
		return;
	if (row->access == RO)
		diag_report(d->diag, DIAG_GUEST, "DEV002",
			    "%s.%s is read-only: write of 0x%08x at offset 0x%03x is ignored",
			    d->name, row->name, value, offset);
	else
		diag_report(d->diag, DIAG_NOT_MODELLED, "DEV003",
			    "%s.%s: write of 0x%08x sets bits 0x%08x that do not exist",
			    d->name, row->name, value, value & ~row->mask);
}

static u32 lane_mask(u32 offset, unsigned size)
{
	u32 bytes = size >= 4 ? UINT32_MAX : (1u << (8 * size)) - 1;

	return bytes << (8 * (offset & 3));
}

static enum bus_status read_register(void *ctx, u32 offset, unsigned size, struct bus_attr attr,
				     u32 *value)
{
	struct device *d = ctx;
	u32 word = offset / 4, got = 0;
	u8 row = word < d->reg_words ? d->row_of[word] : 0;
	enum bus_status answer;

	device_tell(d, DEVICE_ACCESSED, offset & ~3u, 0);
	if (d->cls->admits && !d->cls->admits(d, offset & ~3u, attr, &answer)) {
		*value = 0;
		return answer;
	}
	if (row) {
		got = d->cls->rows[row - 1].access == WO ? 0 : d->reg[word];
		if (d->cls->read)
			got = d->cls->read(d, offset & ~3u, got);
	} else if (is_id(d, offset & ~3u)) {
		got = id_word(d->cls->pidr, offset & ~3u);
	} else {
		report_unknown(d, offset & ~3u, "read");
	}
	*value = (got & lane_mask(offset, size)) >> (8 * (offset & 3));
	return BUS_OK;
}

/* Stores as the row says; returns the bits the guest wrote that exist. */
static void store(struct device *d, const struct reg_row *row, u32 *reg, u32 value, u32 lanes)
{
	switch ((enum reg_access)row->access) {
	case RO:
		break;
	case W1C:
		*reg &= ~value;
		break;
	case RW:
	case WO:
		*reg = (*reg & ~(lanes & row->mask)) | (value & row->mask);
		break;
	}
}

static enum bus_status write_register(void *ctx, u32 offset, unsigned size, struct bus_attr attr,
				      u32 value)
{
	struct device *d = ctx;
	u32 word = offset / 4, lanes = lane_mask(offset, size);
	u8 number = word < d->reg_words ? d->row_of[word] : 0;
	const struct reg_row *row;
	enum bus_status answer;
	u32 old;

	value = value << (8 * (offset & 3)) & lanes;
	offset &= ~3u;
	device_tell(d, DEVICE_ACCESSED, offset, 1);
	if (d->cls->admits && !d->cls->admits(d, offset, attr, &answer))
		return answer;
	if (!number) {
		if (!is_id(d, offset))
			report_unknown(d, offset, "write");
		return BUS_OK;
	}
	row = &d->cls->rows[number - 1];
	if (UNLIKELY(row->access == RO || (value & ~row->mask)))
		report_write(d, row, offset, value);
	old = d->reg[word];
	store(d, row, &d->reg[word], value, lanes);
	if (d->cls->write && row->access != RO)
		d->cls->write(d, offset, value, old);
	return BUS_OK;
}

const struct bus_device_ops device_bus_ops = {read_register, write_register};
