/* SPDX-License-Identifier: Apache-2.0 */
/* What a case runs under besides its registers: privilege, traps, limits, interrupts, a first
 * instruction some of whose beats are done already. */
#ifndef TESTS_DIFFERENTIAL_ENV_H
#define TESTS_DIFFERENTIAL_ENV_H

#include "tests/differential/emit.h"

/* Chooses it. Half of the cases are unprivileged and have none of it. */
void env_choose(struct emit *e);
/* Two vector instructions and an ECI value in the xPSR that is returned to. */
void env_beats(struct emit *e);
/* A call of code in the other Security state. */
void env_call(struct emit *e);
/* A store that pends an interrupt. */
void env_interrupt(struct emit *e);

#endif
