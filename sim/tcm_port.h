/* SPDX-License-Identifier: Apache-2.0 */
/* The gates in front of the TCMs, for managers other than the core. */
#ifndef SIM_TCM_PORT_H
#define SIM_TCM_PORT_H

#include "memory/types.h"

struct machine;

/* One TCM at the core's slave port. */
struct machine_tcm_port {
	struct machine *machine;
	unsigned tcm; /* 0 ITCM, 1 DTCM */
	u32 base;     /* Non-secure */
};

/* Puts them on the bus of a machine that has memories and a core; false when they find no place. */
bool tcm_ports_add(struct machine *m);

#endif
