/* SPDX-License-Identifier: Apache-2.0 */
/* Devices from table rows: creation, addresses, wiring with ORed interrupt lines. */
#include "devices/set.h"

#include "devices/classes.h"
#include "devices/dma350_trigger.h"
#include "memory/state.h"

#include <stdlib.h>
#include <string.h>

#define MAX_IRQS 480
enum {
	RESET_CAUSES = 16, LOCKS = 6, DEBUGS = 4,
	INPUT_NMI = MAX_IRQS, INPUT_WAIT, INPUT_RESET, INPUT_LOCK = INPUT_RESET + RESET_CAUSES, INPUT_DEBUG = INPUT_LOCK + LOCKS,
	INPUTS = INPUT_DEBUG + DEBUGS
};

/* Wires with a number of their own, from `wire` on: their first input, how many there are. */
static const struct special_wires { u16 wire, input, count; } special_wires[] = {
	{WIRE_LOCKS, INPUT_LOCK, LOCKS}, {WIRE_DEBUGS, INPUT_DEBUG, DEBUGS}, {WIRE_RESETS, INPUT_RESET, RESET_CAUSES}, {WIRE_NMI, INPUT_NMI, 1}, {WIRE_CORE_WAITS, INPUT_WAIT, 1},
};

/* One input of the processor or board. */
struct input {
	const struct irq_line *line;
	u16 *high; /* how many connected outputs are high */
};

/* Protection of one device. */
struct ppc_gate {
	struct device *sacfg;
	u16 ppc;
};

struct device_set {
	unsigned count;
	struct device **device;
	struct ppc_gate *ppc;
	struct device_host host;
	struct input input[INPUTS];
	u16 high[INPUTS];
	struct device_listener listener;
};

/* ORs the outputs on one input. Each output only reports changes (device_wire), so counting
 * the high ones is enough. */
static void input_set(void *ctx, unsigned number, bool level)
{
	struct input *in = ctx;
	bool was = *in->high;

	*in->high += level ? 1 : -1;
	if (in->line->set && was != (*in->high != 0))
		in->line->set(in->line->ctx, number, level);
}

static struct device *find_class(const struct device_set *set, const struct device_class *cls)
{
	for (unsigned i = 0; i < set->count; i++)
		if (set->device[i]->cls == cls)
			return set->device[i];
	return NULL;
}

static struct irq_line line_for(struct device_set *set, u16 wire)
{
	struct device *dma = wire >= WIRE_TRIGGERS && wire < WIRE_LOCKS ? find_class(set, &dma350_class) : NULL;

	if (dma)
		return (struct irq_line){dma350_request, dma, wire - WIRE_TRIGGERS};
	for (unsigned i = 0; i < ARRAY_LEN(special_wires); i++) {
		const struct special_wires *w = &special_wires[i];

		if (wire >= w->wire && wire < w->wire + w->count)
			return (struct irq_line){input_set, &set->input[w->input + wire - w->wire], wire - w->wire};
	}
	if (wire == WIRE_NONE || wire > MAX_IRQS)
		return (struct irq_line){0};
	return (struct irq_line){input_set, &set->input[wire - 1u], wire - 1u};
}

enum { ADDRESSES = 4 };

static void addresses(const struct device_row *row, u32 base[ADDRESSES])
{
	base[0] = row->ns_base;
	base[1] = row->s_base;
	base[2] = row->mirror;
	base[3] = row->mirror ? row->mirror + 0x10000000u : 0;
}

static bool place(struct device_set *set, const struct device_row *row, struct device *d)
{
	u32 base[ADDRESSES];

	addresses(row, base);
	for (unsigned i = 0; i < ADDRESSES; i++)
		if (base[i] && !bus_add_device(set->host.bus, row->name, base[i], row->cls->size,
					       BUS_CPU, &device_bus_ops, d))
			return false;
	return true;
}

static bool add(struct device_set *set, const struct device_row *row)
{
	struct device_config config = {
		.name = row->name, .base = row->ns_base ? row->ns_base : row->s_base,
		.clock_hz = set->host.clock_hz, .sched = set->host.sched,
		.diag = set->host.diag, .gating = set->host.gating,
	};
	struct device *d;

	memcpy(config.param, row->param, sizeof(config.param));
	if (row->peer) {
		config.peer = device_set_find(set, row->peer);
		if (!config.peer)
			return false;
	}
	d = device_new(row->cls, &config);
	if (!d)
		return false;
	set->device[set->count++] = d;
	for (unsigned i = 0; i < DEVICE_WIRES; i++)
		d->wire[i] = line_for(set, row->wire[i]);
	return place(set, row, d);
}

static bool ppc_allows(void *ctx, u32 addr, struct bus_attr attr)
{
	const struct ppc_gate *gate = ctx;

	return sacfg_ppc_allows(gate->sacfg, gate->ppc, attr);
}

static enum bus_status ppc_refuse(void *ctx, u32 addr, struct bus_attr attr, bool write)
{
	const struct ppc_gate *gate = ctx;

	return sacfg_ppc_refused(gate->sacfg, gate->ppc) ? BUS_REFUSED : BUS_OK;
}

static const struct bus_gate_ops ppc_gate_ops = {ppc_allows, ppc_refuse};

/* Puts the peripheral protection's gates before all devices; the row that has no place, or NULL. */
static const char *gate_devices(struct device_set *set, const struct device_row *rows)
{
	struct device *sacfg = find_class(set, &sacfg_class);

	for (unsigned i = 0; i < set->count && sacfg; i++) {
		u32 base[ADDRESSES];

		addresses(&rows[i], base);
		set->ppc[i] = (struct ppc_gate){sacfg, rows[i].ppc};
		for (unsigned n = 0; n < ADDRESSES && rows[i].ppc; n++)
			if (base[n] && !bus_add_gate(set->host.bus, base[n], rows[i].cls->size, &ppc_gate_ops, &set->ppc[i]))
				return rows[i].name;
	}
	return NULL;
}

/* Name of the row that cannot be made, NULL when all are there. */
static const char *make_all(struct device_set *set, const struct device_row *rows, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!add(set, &rows[i]))
			return rows[i].name;
	for (unsigned i = 0; i < count; i++)
		if (rows[i].cls->start && !rows[i].cls->start(set->device[i], set->host.bus))
			return rows[i].name;
	return set->host.gating ? gate_devices(set, rows) : NULL;
}

struct device_set *device_set_new(const struct device_row *rows, unsigned count,
				  const struct device_host *host)
{
	struct device_set *set = calloc(1, sizeof(*set));
	const char *failed;

	if (!set)
		return NULL;
	set->host = *host;
	set->device = calloc(count + 1, sizeof(*set->device));
	set->ppc = calloc(count + 1, sizeof(*set->ppc));
	for (unsigned i = 0; i < INPUTS; i++) {
		set->input[i].high = &set->high[i];
		set->input[i].line = i >= INPUT_DEBUG ? &set->host.out.debug : i >= INPUT_LOCK ? &set->host.out.lock : i >= INPUT_RESET ? &set->host.out.reset
			: i == INPUT_WAIT ? &set->host.out.wait : i == INPUT_NMI ? &set->host.out.nmi : &set->host.out.irq;
	}
	failed = set->device && set->ppc ? make_all(set, rows, count) : "(host memory)";
	if (!failed)
		return set;
	diag_report(host->diag, DIAG_USER, "DEV004", "device %s cannot be placed on this board: "
		    "check its address, size, clock and peer in the board table", failed);
	device_set_free(set);
	return NULL;
}

void device_set_free(struct device_set *set)
{
	if (!set)
		return;
	for (unsigned i = 0; i < set->count; i++)
		device_free(set->device[i]);
	free(set->device);
	free(set->ppc);
	free(set);
}

struct device *device_set_find(const struct device_set *set, const char *name)
{
	for (unsigned i = 0; i < set->count; i++)
		if (!strcmp(set->device[i]->name, name))
			return set->device[i];
	return NULL;
}

void device_set_listen(struct device_set *set, const struct device_listener *l)
{
	if (l)
		set->listener = *l;
	for (unsigned i = 0; i < set->count; i++)
		set->device[i]->listener = l ? &set->listener : NULL;
}

void device_set_state(struct device_set *set, struct state_list *list)
{
	state_add(list, "board", "levels of inputs", 1, set->high, sizeof(set->high));
	for (unsigned i = 0; i < set->count; i++)
		device_state(set->device[i], list);
}

void device_set_reset(struct device_set *set)
{
	for (unsigned i = 0; i < set->count; i++)
		device_reset(set->device[i]);
}

void device_set_restart(struct device_set *set, u32 causes)
{
	for (unsigned i = 0; i < set->count; i++) {
		struct device *d = set->device[i];

		if (d->cls->restart)
			d->cls->restart(d, causes);
		else
			device_reset(d);
	}
}
