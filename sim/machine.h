/* SPDX-License-Identifier: Apache-2.0 */
/* One simulated machine: everything in one struct, no globals, any number in one process. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "cpu/cpu.h"
#include "devices/set.h"
#include "devices/timing_adapter.h"
#include "devices/uart.h"
#include "loader/image.h"
#include "npu/npu.h"
#include "sim/config.h"
#include "sim/semihosting.h"
#include "sim/stop.h"
#include "traces/sink.h"

struct machine;

/* Numbers of core registers for cpu_get_reg(). */
enum { REG_LR = 14, REG_PC = 15 };

/* The host side of a serial port. */
struct machine_uart {
	struct machine *machine;
	struct uart_host host;
	struct sink sink;   /* output */
	FILE *input;        /* NULL: none */
	const char *tag;    /* text at which the run ends, NULL or "": none */
	size_t tag_matched; /* bytes of it that were just printed */
	bool stop_on_eot;
};

/* A timing adapter in front of an NPU port. */
struct machine_adapter {
	struct machine *machine;
	unsigned port;
	struct timing_adapter_host host;
};

struct machine {
	struct machine_config config;
	const struct diag *diag;
	struct sched sched;
	struct bus *bus;
	struct cpu *cpu;
	struct npu *npu; /* NULL: none */
	struct device_set *devices;
	struct device *access_config; /* holds NSCCFG for the IDAU */
	struct machine_uart uart[CONFIG_UARTS];
	struct sink itm;
	struct machine_adapter adapter[NPU_PORTS];
	struct semihosting *semihosting; /* NULL: off */
	struct image *images;  /* symbols for messages */
	unsigned image_count;
	u32 reset_causes; /* asked for: bits as of RESET_SYNDROME */
	enum stop_reason stop; /* STOP_NONE while it runs */
	int guest_status; /* with STOP_EXIT */
	u64 period;       /* ticks per CPU cycle */
};

/* Builds the machine in its reset state: 0, or an exit status with one line in `why` (out of host
 * memory, a clock that does not divide the tick rate, a UART file that cannot be opened). */
int machine_new(struct machine **out, const struct machine_config *config, const struct diag *diag, char *why,
		size_t why_size);
void machine_free(struct machine *m);

/* Opens a program, puts its segments into memory and keeps it for messages. 0, or an exit status
 * with a line in `why`. */
int machine_load_image(struct machine *m, const char *path, char *why, size_t why_size);

/* Is all of [addr, addr + size) memory? False with a line in `why` that names `what` and the nearest. */
bool machine_has_memory(const struct machine *m, const char *what, u32 addr, u64 size, char *why, size_t why_size);

/* Puts bytes at an address; false with a line in `why` when there is no memory. */
bool machine_load_data(struct machine *m, const char *what, u32 addr, const void *data, u64 size, char *why,
		       size_t why_size);

/* Resets the core and sets the start: PC = the entry of the image at the vector base, else of the
 * last one, SP = the word at the vector base; or both from the vector table where one was asked for,
 * the image has it elsewhere, or no image has an entry. */
void machine_start(struct machine *m);

/* Ends the run at the next instruction boundary; the first reason given stays. */
void machine_stop(struct machine *m, enum stop_reason reason);

u64 machine_cycles(const struct machine *m); /* of the core since it was made; resets do not change it */

/* Text for an address: "main+0x12 (main.c:34)", empty when unknown. */
void machine_describe(struct machine *m, u32 addr, char *text, size_t size);

#endif
