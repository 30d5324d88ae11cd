/* SPDX-License-Identifier: Apache-2.0 */
/* How the machine's parts tell its listeners (machine_listen). */
#ifndef SIM_LISTEN_H
#define SIM_LISTEN_H

#include "sim/machine.h"

/* What the NPU is given: it tells all of them. */
struct npu_listener listen_npu(struct machine *m);
/* A serial port has sent a byte. */
void listen_uart(struct machine *m, unsigned port, u8 byte);

#endif
