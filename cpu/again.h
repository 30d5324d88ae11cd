/* SPDX-License-Identifier: Apache-2.0 */
/* Executes instructions again of which an observer has kept an outline (struct cpu_outline): from the registers, the code and
 * the values that they loaded. There is no memory, no time and no device. Nothing that it is given does harm. */
#ifndef CPU_AGAIN_H
#define CPU_AGAIN_H

#include "cpu/observe.h"

struct cpu_again;

/* Which instructions a processor has, as cpu_again_new wants to know it. */
u32 cpu_again_features(const struct cpu *c);
/* NULL: host memory is short. */
struct cpu_again *cpu_again_new(u32 features);
void cpu_again_free(struct cpu_again *a);

/* From now on this code may be executed. False: host memory is short, or length is not that of the encoding. */
bool cpu_again_code(struct cpu_again *a, const struct cpu_code *code);
/* Registers that cpu_again_set takes: 0 to 15, XPSR (its flags), FPSCR, VPR, S0 to S31; others are left alone. */
void cpu_again_set(struct cpu_again *a, unsigned reg, u32 value);
/* What the next instructions have loaded, one behind the other; it stays the caller's. */
void cpu_again_loads(struct cpu_again *a, const u8 *bytes, size_t size);

/* Executes the instruction at r15. False: the outline cannot have come from such a run. In *r the cycle, the number and the
 * state before the instruction are left as they are, and the values beyond the counts of each list. */
bool cpu_again_execute(struct cpu_again *a, struct cpu_record *r);

#endif
