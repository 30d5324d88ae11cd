/* SPDX-License-Identifier: Apache-2.0 */
/* Transitions between the Security states by branches. Private to cpu/sys/. */
#ifndef CPU_SYS_TRUSTZONE_H
#define CPU_SYS_TRUSTZONE_H

#include "cpu/sys/sys.h"

#define FNC_RETURN 0xFEFFFFFEu /* without bit 0 */

/* Branch to FNC_RETURN: back to the Secure caller whose return address is on its stack. */
bool trustzone_function_return(struct cpu *c);

#endif
