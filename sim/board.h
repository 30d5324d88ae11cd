/* SPDX-License-Identifier: Apache-2.0 */
/* A board as data: memories, devices, wiring, processor configuration, and the names and
 * defaults of the parameters under which the FVP of that board knows them.
 * docs/design/how-to-add-a-board.md says what a new one takes. */
#ifndef SIM_BOARD_H
#define SIM_BOARD_H

#include "cpu/cpu.h"
#include "devices/set.h"
#include "memory/types.h"

/* One memory under several addresses that show the same cells. */
struct board_memory {
	const char *name;
	u32 ns_base, s_base;
	u32 bytes;           /* multiple of 4 KiB */
	bool alias;          /* visible at s_base, too */
	u8 views;            /* OR of enum bus_view: TCMs are not visible to the NPU */
	/* Parameter that changes the size: name, and how its value gives bytes. NULL: fixed. */
	const char *size_param;
	enum { SIZE_TCM_CODE, SIZE_KIB, SIZE_MIB } size_unit; /* TCM code n: 2^(n-1) KiB */
	const char *instance; /* last part of the FVP's name of it, NULL: not known */
	u32 port_base;        /* where the core's slave port shows a TCM to DMA (Secure: + 0x10000000), 0: nowhere */
	bool off_chip;        /* behind the NPU's second port in the estimates, with the latencies of flash or DRAM */
};

/* Where the Ethos-U sits. */
struct board_npu {
	u32 ns_base, s_base;
	u16 irq;
	const char *adapter[2]; /* names of the timing adapters of its ports, NULL: none */
};

enum board_param_type { PARAM_BOOL, PARAM_INT, PARAM_STRING };

/* A parameter of the FVP (`-C name=value`). `meaning` says what our program does with it. */
struct board_param {
	const char *name;    /* "mps3_board.uart0.out_file"; '#' stands for the number of a serial port */
	u8 type;             /* enum board_param_type */
	const char *value;   /* default, as text */
	const char *text;    /* one line */
	const char *range;   /* "[32, 64, 128, 256]" or "" */
	enum board_meaning {
		MEANS_NOTHING, /* accepted: no effect on a program without windows or host tuning */
		MEANS_LITTLE_ENDIAN, /* only "0" can be had: a big-endian program would go wrong without a word */
		MEANS_MACS,
		MEANS_NPU_ARGS,
		MEANS_UART_OUT, MEANS_UART_IN, MEANS_UART_UNBUFFERED, MEANS_UART_EOT, MEANS_UART_TAG, MEANS_UART_OVERRUN,
		MEANS_SEMIHOSTING, MEANS_SEMIHOSTING_CMDLINE, MEANS_SEMIHOSTING_DIR,
		MEANS_SEMIHOSTING_HEAP_BASE, MEANS_SEMIHOSTING_HEAP_LIMIT,
		MEANS_SEMIHOSTING_STACK_BASE, MEANS_SEMIHOSTING_STACK_LIMIT,
		MEANS_INITSVTOR, MEANS_INITNSVTOR,
		MEANS_CLOCK,
		MEANS_MEMORY_SIZE,    /* board_memory.size_param names it */
		MEANS_VM_BANKS, MEANS_VM_BANK_KIB,
		MEANS_FILL,           /* as memory_set_fill has it */
		MEANS_MPU_S, MEANS_MPU_NS, MEANS_SAU, MEANS_PRIORITY_BITS, MEANS_ITGU_BLOCK, MEANS_DTGU_BLOCK, MEANS_ICACHE_SIZE, MEANS_DCACHE_SIZE,
		MEANS_CPI_MUL, MEANS_CPI_DIV,
		MEANS_PACBTI,
		MEANS_DISABLE_GATING, MEANS_COUNTER_RUNS, MEANS_CPU_WAITS, MEANS_IDAU_REGIONS,
		MEANS_NSC_CODE, MEANS_NSC_RAM,
		MEANS_TERMINAL_START,
		MEANS_SCRIPTS,
		MEANS_LOCK, MEANS_LOCKS_END = MEANS_LOCK + CPU_LOCKS, /* MEANS_LOCK + the number of an input */
	} meaning;
};

struct board {
	const char *name;        /* "corstone-300" */
	const char *title;       /* what is on it: the end of a line of the help */
	const char *default_npu; /* as in npu/config.h */
	struct cpu_config cpu;   /* defaults, without callbacks */
	/* Attribution by address, given NSCCFG of the access configuration. */
	void (*idau)(u32 nsccfg, u32 addr, struct cpu_idau *out);
	const struct board_memory *memories;
	unsigned memory_count;
	unsigned vm_banks;       /* of which a memory sized in KiB per bank consists */
	const struct device_row *devices;
	unsigned device_count;
	const struct board_param *params; /* ends with name NULL */
	struct board_npu npu;
	const char *access_config; /* name of the SACFG device that holds NSCCFG */
};

/* All boards; ends with NULL. */
extern const struct board *const boards[];

/* Puts a memory of that many bytes on the bus, under all its addresses; false when it does not fit. */
bool board_add_memory(struct bus *bus, const struct board_memory *m, u32 bytes);

/* Changes the board's device rows (a copy) to memories of those sizes, in the order of b->memories, and that many banks. */
void board_fit_protection(const struct board *b, struct device_row *rows, const u32 *bytes, u32 banks);

/* By name, NULL when unknown. */
const struct board *board_find(const char *name);

#endif
