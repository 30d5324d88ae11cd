/* SPDX-License-Identifier: Apache-2.0 */
/* Permission tables: what the fast path may do without asking, by page, and by granules of 32 bytes in
 * pages that MPU or SAU regions cut. Private to cpu/sys/. */
#ifndef CPU_SYS_PAGES_H
#define CPU_SYS_PAGES_H

#include "cpu/sys/protect.h"

/* NULL sys_host: out of host memory. */
bool pages_new(struct cpu *c);
void pages_free(struct cpu *c);

/* What is known to be allowed at addr for that state (OR of PERM_); 0: unknown or special. */
u8 pages_allow(const struct cpu *c, u32 addr, bool secure, bool privileged);
/* A data access is known to be allowed where the core has no memory, but devices or its own registers; ns: the address'
 * security attribution. False: unknown. */
bool pages_device(const struct cpu *c, const struct protect_request *q, bool *ns);
/* After a successful slow access to addr: makes the next ones to its page fast. */
void pages_open(struct cpu *c, u32 addr, bool secure, bool privileged);
/* What an access of one beat takes in the page of addr, in the current state (cost units << 16, PAY_ASK); in all pages: not known any more. */
void pages_pay(struct cpu *c, u32 addr, u32 read, u32 write);
void pages_forget_pay(struct cpu *c);

#endif
