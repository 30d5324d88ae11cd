/* SPDX-License-Identifier: Apache-2.0 */
/* SSE-320 key management unit, as the driver of TF-M's corstone320 platform uses it: 32 slots of eight words.
 *
 * Slots are written once, locked, made ready, exported to the address of a key port, and made invalid, each at
 * once. Those of hardware keys are invalid for ever then, the others can be used again. Hardware keys are not
 * loaded: their slots begin empty. Random delays take no time and the seed has no effect, so that runs repeat. Of
 * the errors that the status register tells, those of a slot that is not locked, has no destination, less of a
 * key than is to be exported, is written twice or when it is invalid, or exported to nowhere come. */
#include "devices/classes.h"

#include <string.h>

#define REGS(R)                                                                         \
	R(0x000, 1, BC, RO, 0x003d0000, 0xffffffff, "build configuration: 18:16 log2 of the slots, 22:19 slots of hardware keys") \
	R(0x004, 1, IS, RO, 0, 0xffffffff, "interrupt status: 0 export complete, 5 bus error, 7 slot not locked, 8 key too short, 9 no destination, 11 slot written twice, 12 slot is invalid") \
	R(0x008, 1, IE, RW, 0, 0xffffffff, "interrupt enable")                          \
	R(0x00c, 1, IC, WO, 0, 0xffffffff, "interrupt clear")                           \
	R(0x010, 1, PRBGSI, RW, 0, 0xffffffff, "random generator seed input")           \
	R(0x030, 32, KSC, RW, 0, 0xffffffff, "key slot: 7:0 delay, 15:8 address step, 17:16 width, 19:18 writes, 22, 23 locks, 24 make ready, 25 ready, 26 make invalid, 27 invalid, 28 export") \
	R(0x0b0, 32, DKPA, RW, 0, 0xffffffff, "destination address of a key")           \
	R(0x130, 256, KSK, RW, 0, 0xffffffff, "key slots, eight words each")            \
	R(0x530, 3, RD, RO, 0, 0xffffffff, "random delays of up to 8, 16, 32 cycles")

REG_TABLE(REGS)

enum {
	EXPORTED = 1 << 0, BUS_ERROR = 1 << 5, NOT_LOCKED = 1 << 7, TOO_SHORT = 1 << 8, NO_DESTINATION = 1 << 9, WRITTEN_TWICE = 1 << 11,
	WRITTEN_INVALID = 1 << 12,
};
enum {
	LOCK_SETTINGS = 1 << 22, LOCK_KEY = 1 << 23, MAKE_READY = 1 << 24, READY = 1 << 25, MAKE_INVALID = 1 << 26,
	INVALID = 1 << 27, EXPORT = 1 << 28,
};
#define SETTINGS 0x003fffffu
#define STICKY (0x80000000u | LOCK_SETTINGS | LOCK_KEY | READY | INVALID)
enum { SLOTS = 32, HARDWARE_SLOTS = 7, KEY_WORDS = 8 };
static const char *const wires[] = {"interrupt", NULL};

struct kmu_state {
	u8 written[SLOTS]; /* a bit for each word of the key */
};

static void tell(struct device *d, u32 status)
{
	*device_reg(d, IS) |= status;
	device_wire(d, 0, *device_reg(d, IS) & *device_reg(d, IE));
}

static u32 *key_of(struct device *d, unsigned slot)
{
	return device_reg(d, KSK + 4 * KEY_WORDS * slot);
}

static unsigned export_width(u32 config)
{
	return 1u << (config >> 16 & 3);
}

static unsigned export_writes(u32 config)
{
	return 4u << (config >> 18 & 3);
}

/* Does the slot hold as much as is to be exported? Hardware's keys count as whole. */
static bool holds_enough(struct device *d, unsigned slot, u32 config)
{
	const struct kmu_state *s = d->state;
	const unsigned bytes = export_width(config) * export_writes(config), words = bytes / 4;

	if (slot < HARDWARE_SLOTS)
		return true;
	return words <= KEY_WORDS && (s->written[slot] & ((1u << words) - 1)) == (1u << words) - 1;
}

static void make_ready(struct device *d, unsigned slot, u32 *config)
{
	if ((*config & (LOCK_SETTINGS | LOCK_KEY)) != (LOCK_SETTINGS | LOCK_KEY))
		tell(d, NOT_LOCKED);
	else if (!holds_enough(d, slot, *config))
		tell(d, TOO_SHORT);
	else if (!*device_reg(d, DKPA + 4 * slot))
		tell(d, NO_DESTINATION);
	else
		*config |= READY;
}

static void make_invalid(struct device *d, unsigned slot, u32 *config)
{
	struct kmu_state *s = d->state;

	memset(key_of(d, slot), 0, 4 * KEY_WORDS);
	*config &= ~(u32)READY;
	if (slot < HARDWARE_SLOTS) {
		*config |= INVALID;
		return;
	}
	*config &= ~(u32)(LOCK_SETTINGS | LOCK_KEY);
	s->written[slot] = 0;
}

/* The key in pieces of 1, 2 or 4 bytes, 4 to 32 of them, to addresses the given step apart. */
static void export_key(struct device *d, unsigned slot, u32 config)
{
	const struct bus_attr attr = {.secure = true, .privileged = true, .view = BUS_CPU};
	const unsigned width = export_width(config), writes = export_writes(config);
	const u8 *key = (const u8 *)key_of(d, slot);
	u32 to = *device_reg(d, DKPA + 4 * slot), status = EXPORTED;

	for (unsigned i = 0; i < writes && width <= 4 && (i + 1) * width <= 4 * KEY_WORDS; i++) {
		u32 piece = 0;

		memcpy(&piece, key + i * width, width);
		if (bus_write(d->host, to, width, attr, piece) != BUS_OK)
			status |= BUS_ERROR;
		to += config >> 8 & 0xff;
	}
	tell(d, status);
}

static void write_config(struct device *d, unsigned slot, u32 value, u32 old)
{
	const u32 fixed = old & LOCK_SETTINGS ? SETTINGS : 0;
	u32 *config = device_reg(d, KSC + 4 * slot);

	*config = (old & (fixed | STICKY)) | (value & ~(fixed | READY | INVALID | MAKE_READY | MAKE_INVALID | EXPORT));
	if (value & MAKE_INVALID)
		make_invalid(d, slot, config);
	else if (value & MAKE_READY)
		make_ready(d, slot, config);
	else if (value & EXPORT && *config & READY)
		export_key(d, slot, *config);
}

static void write_key(struct device *d, u32 offset, u32 old)
{
	struct kmu_state *s = d->state;
	const unsigned word = (offset - KSK) / 4, slot = word / KEY_WORDS, bit = 1u << word % KEY_WORDS;
	const u32 config = *device_reg(d, KSC + 4 * slot);

	if (config & (LOCK_KEY | INVALID) || s->written[slot] & bit) {
		*device_reg(d, offset) = old;
		tell(d, config & INVALID ? WRITTEN_INVALID : s->written[slot] & bit ? WRITTEN_TWICE : 0);
		return;
	}
	s->written[slot] |= (u8)bit;
}

static u32 kmu_read(struct device *d, u32 offset, u32 stored)
{
	const bool key = offset >= KSK && offset < RD;

	return key && *device_reg(d, KSC + 4 * ((offset - KSK) / 4 / KEY_WORDS)) & LOCK_KEY ? 0 : stored;
}

static void kmu_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (offset == IC)
		*device_reg(d, IS) &= ~value;
	if (offset == IC || offset == IE)
		tell(d, 0);
	if (offset >= KSC && offset < DKPA)
		write_config(d, (offset - KSC) / 4, value, old);
	else if (offset >= DKPA && offset < KSK && *device_reg(d, offset - DKPA + KSC) & LOCK_SETTINGS)
		*device_reg(d, offset) = old;
	else if (offset >= KSK)
		write_key(d, offset, old);
}

static bool kmu_start(struct device *d, struct bus *bus)
{
	d->host = bus;
	return true;
}

const struct device_class kmu_class = {
	.kind = "SSE-320 key management unit", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.state_size = sizeof(struct kmu_state), .wires = wires, .read = kmu_read, .write = kmu_write,
	.start = kmu_start,
};
