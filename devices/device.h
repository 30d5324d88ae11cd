/* SPDX-License-Identifier: Apache-2.0 */
/* A memory-mapped device: a register table, plain state and a few hooks.
 *
 * `struct device_class` is const data, one per kind of device. `struct device` is one instance:
 * its wiring (interrupt lines, clock, peer device) plus its state. The state is one flat block
 * without pointers, the register words and the class's own struct among it, so that copying it is a
 * snapshot and comparing it is memcmp.
 *
 * The core in device.c does what all devices share: decoding, access masks, sub-word lanes,
 * identification registers, reset values, and messages about registers we do not have.
 * Devices never poll: they compute values from sched->now and schedule events. */
#ifndef DEVICES_DEVICE_H
#define DEVICES_DEVICE_H

#include "devices/regs.h"
#include "memory/bus.h"
#include "memory/diag.h"
#include "memory/irq.h"
#include "memory/sched.h"

#define DEVICE_WIRES 17
#define DEVICE_PARAMS 5
#define DEVICE_EVENT_KINDS 4 /* event kinds a class may use: 0..3 */

struct device;

/* What a device tells whoever listens; nothing depends on that. */
enum device_news {
	DEVICE_ACCESSED, /* the program accessed the register at offset `number`; value: 1: wrote, 0: read */
	DEVICE_PINS,     /* value: the levels of its pins, which have changed */
	DEVICE_TRANSFER, /* channel `number`; value: 1: begins to move data, 0: does not any more */
};
struct device_listener {
	void (*news)(void *ctx, const struct device *d, enum device_news news, unsigned number, u32 value);
	void *ctx;
};

struct device_class {
	const char *kind; /* "CMSDK UART": for lists and documentation */
	u32 size;         /* bytes of address space, multiple of 4 */
	const struct reg_row *rows;
	unsigned row_count;
	/* Value of the peripheral identification registers 0xFD0..0xFFC: PIDR2:PIDR1:PIDR0 in bits
	 * 23:0 and PIDR4 in bits 31:24. 0: the device has none. */
	u32 pidr;
	u32 state_size;  /* bytes of the class's own state, 0 when the registers are all */
	u32 clock_hz;    /* its own clock; 0: the clock given by the board */
	/* Offsets of registers that may change with time alone, without an event; last 0: none. */
	struct { u32 first, last; } timed;
	const char *const *wires;  /* names of its outputs, NULL ended; NULL: none */
	const char *const *params; /* names of its constants, NULL ended; NULL: none */

	/* All hooks are optional. `admits` false: the access touches nothing, the bus says `*answer` (BUS_OK: it reads
	 * zero or writes nothing). `read` returns what the guest sees instead of `stored`; `write` is
	 * called after the word was stored as access and mask say, with `value` as the guest wrote
	 * it (only the lanes written) and `old` as the word was. */
	bool (*admits)(struct device *d, u32 offset, struct bus_attr attr, enum bus_status *answer);
	u32 (*read)(struct device *d, u32 offset, u32 stored);
	void (*write)(struct device *d, u32 offset, u32 value, u32 old);
	void (*event)(struct device *d, const struct sched_event *ev);
	void (*reset)(struct device *d); /* registers have their reset values already */
	/* Instead of a full reset when the system restarts: for retained registers. Causes: bits as of
	 * SYSCTRL's RESET_SYNDROME. */
	void (*restart)(struct device *d, u32 causes);
	void (*peer_changed)(struct device *d); /* the device that it depends on changed */
	/* Called once when all devices of the board exist; false: wrong wiring, reported. */
	bool (*start)(struct device *d, struct bus *bus);
};

struct device {
	const struct device_class *cls;
	const char *name; /* "UART0" */
	u32 base;         /* for messages: its first address on the board */
	struct sched *sched;
	const struct diag *diag;
	struct irq_line wire[DEVICE_WIRES]; /* outputs, in the order of cls->wires */
	u64 period;       /* ticks per cycle of its clock */
	u16 event_id;     /* at the scheduler */
	u32 param[DEVICE_PARAMS];
	bool gating;               /* the board checks protection gates */
	struct device *peer;       /* device that it depends on */
	struct device *users;      /* devices that depend on this one */
	struct device *next_user;
	const struct device_listener *listener; /* NULL: nobody listens */
	void *host;       /* host side of UARTs and the like, owned by whoever set it */
	bool asks_host;   /* ... which may answer each read of a register with something else */

	/* state: one block of memory with its parts */
	void *block;
	u32 block_bytes;
	u32 reg_words;
	u32 *reg;         /* one word per 4 bytes of the described address range */
	void *state;      /* cls->state_size bytes */
	u32 *wire_level;  /* bit n: level of wire n, so that only changes travel */
	u32 *reported;    /* bit per word: a message was made; one more for "beyond" */

	/* decoding */
	u8 *row_of;       /* per word: 1 + index of its row, 0 for none */
};

/* What the board says about one instance. */
struct device_config {
	const char *name;
	u32 base;
	u64 clock_hz; /* used when the class has no clock of its own */
	struct sched *sched;
	const struct diag *diag;
	u32 param[DEVICE_PARAMS];
	bool gating;
	struct device *peer;
};

/* Makes an instance in its reset state; NULL when the host has no memory or the clock is faster than the
 * scheduler's tick rate. */
struct device *device_new(const struct device_class *cls, const struct device_config *config);
void device_free(struct device *d);

struct state_list;
/* Registers its state. What others hold for it, events, levels behind its wires, is theirs. */
void device_state(struct device *d, struct state_list *list);

/* Power-on reset: registers, state, pending events and outputs. */
void device_reset(struct device *d);

/* Bus entry points; ctx is the struct device. */
extern const struct bus_device_ops device_bus_ops;

/* The stored word of a register, without side effects. */
static inline u32 *device_reg(struct device *d, u32 offset)
{
	return &d->reg[offset / 4];
}

/* Its value, where nothing may change. */
static inline u32 device_word(const struct device *d, u32 offset)
{
	return d->reg[offset / 4];
}

/* Tells the listener. */
static inline void device_tell(const struct device *d, enum device_news news, unsigned number, u32 value)
{
	if (UNLIKELY(d->listener))
		d->listener->news(d->listener->ctx, d, news, number, value);
}

/* Drives output `wire`; only a change is passed on. */
void device_wire(struct device *d, unsigned wire, bool level);

/* (Re)schedules the class's event `kind` at `when` ticks; SCHED_NEVER only cancels. */
void device_schedule(struct device *d, u16 kind, u64 when);

/* Calls peer_changed of every device that depends on d. */
void device_notify_users(struct device *d);

/* Cycles of the device's clock since tick `since`. */
static inline u64 device_cycles(const struct device *d, u64 since)
{
	return (d->sched->now - since) / d->period;
}

#endif
