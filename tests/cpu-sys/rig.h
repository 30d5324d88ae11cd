/* SPDX-License-Identifier: Apache-2.0 */
/* A core with 64 KiB of RAM at 0x00000000 / 0x10000000 and at 0x20000000 / 0x30000000, and no
 * program: tests call the system side directly. */
#ifndef TESTS_CPU_SYS_RIG_H
#define TESTS_CPU_SYS_RIG_H

#include "cpu/sys/frame.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

struct rig {
	struct bus *bus;
	struct sched sched;
	struct diag diag;
	struct cpu *c;
	unsigned reports;
	char last_report[8]; /* its id */
};

#define RIG_VECTORS 0x10000000u
#define RIG_HANDLER 0x10001000u /* handler of exception n: + 16 * n */
#define RIG_STACK 0x30008000u
#define RIG_PC 0x10002000u

/* Secure, privileged Thread mode at RIG_PC with MSP at RIG_STACK; every vector is set. */
struct rig *rig_new(void);
struct rig *rig_new_m85(void); /* the same with PACBTI */
struct rig *rig_new_timed(enum cpu_timing timing);
struct rig *rig_new_engine(enum cpu_engine engine);
struct rig *rig_new_with(enum cpu_engine engine, enum cpu_timing timing);
/* Of `config`, which rig_config began. */
struct cpu_config rig_config(void);
struct rig *rig_new_of(const struct cpu_config *config);
void rig_free(struct rig *r);

void rig_write(struct rig *r, u32 addr, u32 value); /* as the core does; asserts success */
u32 rig_read(struct rig *r, u32 addr);
void rig_poke(struct rig *r, u32 addr, u32 value);  /* memory, without checks */
u32 rig_peek(struct rig *r, u32 addr);
/* Lets `cycles` cycles pass, with their events. */
void rig_pass(struct rig *r, u64 cycles);
/* BX to an EXC_RETURN value. */
bool rig_bx(struct rig *r, u32 target);
static inline u32 rig_handler(unsigned num) { return RIG_HANDLER + 16 * num; }

#endif
