/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of a board, made from a table of rows and wired up.
 *
 * The board names devices, addresses, interrupt numbers and constants; this turns the rows into
 * instances, puts them on the bus under their non-secure and secure addresses, and connects
 * their outputs. Outputs of several devices on one interrupt number are ORed. */
#ifndef DEVICES_SET_H
#define DEVICES_SET_H

#include "devices/device.h"
#include "devices/sacfg.h"

/* Where an output goes. 0 is "not connected". */
enum { WIRE_NONE = 0, WIRE_NMI = 0xfff0, WIRE_RESETS = 0xff00, WIRE_LOCKS = 0xfe00, WIRE_TRIGGERS = 0xfd00, WIRE_DEBUGS = 0xfc00,
	WIRE_CORE_WAITS = 0xfff1 /* high: the processor, if it is reset, waits */ };
/* A request for a reset, with the bit of RESET_SYNDROME that tells of it; there are 16. */
enum {
	RESET_BY_NS_WATCHDOG = 1, RESET_BY_SECURE_WATCHDOG = 2, RESET_BY_SLOWCLK_WATCHDOG = 3, RESET_BY_REQUEST = 4, RESET_BY_SOFTWARE = 5,
	RESET_BY_CORE = 8,
};
#define WIRE_RESET(bit) (WIRE_RESETS + (bit))
#define WIRE_LOCK(n) (WIRE_LOCKS + (n)) /* locks registers of the processor, in its order; there are 6 */
#define WIRE_DEBUG(n) (WIRE_DEBUGS + (n)) /* high: DBGEN, NIDEN, SPIDEN, SPNIDEN of the processor is low */
#define WIRE_TRIGGER(n) (WIRE_TRIGGERS + (n)) /* an input of the DMA-350 in an earlier row */
#define WIRE_IRQ(n) ((n) + 1)

struct device_row {
	const char *name;
	const struct device_class *cls;
	u32 ns_base, s_base;     /* addresses; 0: does not exist under that security state */
	u16 wire[DEVICE_WIRES];  /* WIRE_IRQ(n), WIRE_NMI, WIRE_CORE_WAITS, WIRE_RESET(bit), WIRE_LOCK(n), WIRE_DEBUG(n), WIRE_TRIGGER(n); order of cls->wires */
	const char *peer;        /* name of an earlier row that it depends on */
	u16 ppc;                 /* PPC(register, bit) that protects it, 0: none */
	u32 param[DEVICE_PARAMS];
	u32 mirror;              /* one more Non-secure address, Secure 0x10000000 above; 0: none */
};

/* The receivers of the board's outputs; irq.set gets the interrupt's number, reset.set the cause's bit, lock.set
 * the lock's number, debug.set that of the signal that is low. */
struct device_outputs {
	struct irq_line irq, nmi, wait, reset, lock, debug;
};

/* The board under the devices. */
struct device_host {
	struct bus *bus;
	struct sched *sched;
	const struct diag *diag;
	u64 clock_hz;             /* core clock */
	struct device_outputs out;
	/* Check protection (MPC, PPC) on every access. Off by default, as software that stays Secure
	 * never programs it. */
	bool gating;
};

struct device_set;

/* Makes and connects all devices; NULL (reported) when the host has no memory, regions overlap
 * or a row is wrong. Rows must outlive the set; `host` is copied. */
struct device_set *device_set_new(const struct device_row *rows, unsigned count,
				  const struct device_host *host);
void device_set_free(struct device_set *set);

/* By name of the row, NULL when there is none. */
struct device *device_set_find(const struct device_set *set, const char *name);

/* Who listens to them, copied; NULL: nobody. */
void device_set_listen(struct device_set *set, const struct device_listener *l);

/* Registers the state of all of them. */
void device_set_state(struct device_set *set, struct state_list *list);

/* Power-on reset of all. */
void device_set_reset(struct device_set *set);

/* Reset while running, for causes as RESET_SYNDROME shows them: what is retained keeps its value. */
void device_set_restart(struct device_set *set, u32 causes);

#endif
