/* SPDX-License-Identifier: Apache-2.0 */
/* Semihosting: the guest's calls to the host (BKPT 0xAB).
 *
 * Host files only inside one directory: names that leave it (absolute ones of other places, "..", symbolic links)
 * are refused as if they did not exist. Clocks give simulated time. */
#ifndef SIM_SEMIHOSTING_H
#define SIM_SEMIHOSTING_H

#include "memory/types.h"

struct cpu;
struct machine;
struct semihosting;
struct semihosting_config;

/* The directory is opened at once; NULL with a line in `why` when that fails or memory is short.
 * `config` must outlive it. */
struct semihosting *semihosting_new(const struct semihosting_config *config, struct machine *machine, char *why,
				    size_t why_size);
void semihosting_free(struct semihosting *s);

struct machine_host;
/* The console is there instead of on the standard streams of the process. */
void semihosting_set_host(struct semihosting *s, const struct machine_host *host);

struct semihosting_debugger;
/* Calls go to the debugger while one is there; NULL: to nobody else. It must outlive this. */
void semihosting_set_debugger(struct semihosting *s, const struct semihosting_debugger *d);
bool semihosting_at_debugger(const struct semihosting *s);

/* What SYS_GET_CMDLINE gives from now on; NULL: what the configuration says. It must outlive this, or be taken back. */
void semihosting_set_command_line(struct semihosting *s, const char *line);

struct state_list;
/* Registers its state: open files and what has been told. */
void semihosting_state(struct semihosting *s, struct state_list *list);

/* Fits cpu_config.semihost: regs[0] operation, regs[1] parameter; the result goes to regs[0]. */
bool semihosting_trap(void *semihosting, struct cpu *cpu, u32 regs[2]);

#endif
