/* SPDX-License-Identifier: Apache-2.0 */
/* Peripheral protection as SACFG and NSACFG configure it. */
#ifndef DEVICES_SACFG_H
#define DEVICES_SACFG_H

#include "devices/device.h"

/* Where a device hangs on the peripheral protection controllers: offset of the ...NSPPC...
 * register in SACFG and bit number. 0: on none. */
#define PPC(offset, bit) ((u16)((offset) << 5 | (bit)))
enum {
	PPC_MAIN_EXP0 = 0x060, PPC_MAIN_EXP1 = 0x064,
	PPC_PERIPH0 = 0x070, PPC_PERIPH1 = 0x074,
	PPC_PERIPH_EXP0 = 0x080, PPC_PERIPH_EXP1 = 0x084, PPC_PERIPH_EXP2 = 0x088,
};

/* May this access pass? */
bool sacfg_ppc_allows(const struct device *sacfg, u16 ppc, struct bus_attr attr);

/* It may not: sets the violation interrupt. True: a bus error; false: reads zero, writes nothing. */
bool sacfg_ppc_refused(struct device *sacfg, u16 ppc);

/* The security controller of a manager has refused an access: sets its interrupt. The answer is as above. */
enum { MSC_DMA_M0 = 2 };
bool sacfg_msc_refused(struct device *sacfg, u32 bit);

/* Level of the interrupt of the memory protection controller with that bit. */
void sacfg_mpc_interrupt(struct device *sacfg, u32 bit, bool level);

/* NSCCFG: bit 0 the Secure code regions, bit 1 the Secure RAM regions are non-secure callable. */
u32 sacfg_nsccfg(struct device *sacfg);

/* What the board ties NSCCFG to: its value now and after each reset. */
void sacfg_set_nsccfg(struct device *sacfg, u32 nsccfg);

#endif
