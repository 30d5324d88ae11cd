/* SPDX-License-Identifier: Apache-2.0 */
/* Everything a run can be told: what parameters set (sim/api/config.c, sim/params/) and machine_new reads. */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include "npu/config.h"
#include "npu/timing/timing.h"
#include "sim/board.h"

enum { CONFIG_UARTS = 6, CONFIG_MEMORIES = 16, CONFIG_SCRIPTS = 9 /* VSI0 to VSI7, VIO */ };

#define CONFIG_START_DATE 1767225600u /* 2026-01-01T00:00:00, so that runs repeat */

struct uart_config {
	const char *out_file; /* "-" standard output, NULL or "" nowhere */
	const char *in_file;
	const char *shutdown_tag;
	bool unbuffered, shutdown_on_eot;
	bool overruns;        /* input comes at the line's speed, whether it is read or not */
};

struct semihosting_config {
	bool enable;
	const char *directory; /* host files only below it; NULL: the working directory */
	const char *command_line;
	bool one_console; /* the program's standard error joins its standard output */
	u32 heap_base, heap_limit, stack_base, stack_limit; /* SYS_HEAPINFO */
};

struct limits {
	double host_seconds, cpu_seconds, sim_seconds; /* 0: none */
	u64 cycles, tick;                              /* 0: none; a tick counts as a limit of cycles */
	bool await;  /* a program that only loops or sleeps ends as if it had run on to the limit */
};

struct machine_config {
	const struct board *board;
	struct cpu_config cpu;
	const struct npu_config *npu;
	const char *npu_args;  /* of the FVPs' NPU model: --fast, --pmu-trace FILE; NULL: none */
	const char *cpu_memory; /* words for cpu_memories_find, NULL: not given */
	const char *host_simd; /* NULL: automatic */
	unsigned threads;      /* of the host for large NPU operations; 0 or 1: the caller's only */
	bool npu_memory_given;   /* npu_memory lies behind the NPU's ports, whatever the guest programs */
	struct npu_adapter npu_memory[NPU_PORTS];
	u32 memory_bytes[CONFIG_MEMORIES]; /* in the order of board->memories */
	u32 memory_fill[CONFIG_MEMORIES][2]; /* words that they begin with, by turns */
	u32 vm_banks;            /* of which a memory sized in KiB per bank consists */
	u32 cpu_locks;           /* inputs of the core that lock registers, as for cpu_lock_tie */
	u32 nsccfg;              /* NSCCFG at reset: what may hold entries for Non-secure calls */
	bool gating;             /* check MPC and PPC */
	bool no_idau;            /* addresses have the security that the SAU gives them */
	bool counter_waits;      /* the system counter stands still until software starts it */
	bool cpu_waits;          /* the core waits at reset until CPUWAIT is 0 */
	bool initsvtor_given;    /* start from the vector table, not the ELF entry */
	bool load_what_fits;     /* a segment outside memory is a message, not an error */
	struct uart_config uart[CONFIG_UARTS];
	const char *script_folder; /* of the scripts behind VSI and VIO; NULL or "": none */
	double script_seconds;   /* of the host, in which scripts are imported and begin; 0: any time */
	u32 script_hooks[CONFIG_SCRIPTS]; /* without a folder: the functions of a recorded run's scripts, a bit each */
	u32 start_date;          /* seconds since 1970, UTC: what clocks show when simulated time begins */
	const char *itm_file;    /* text for the ITM: "-" standard output, NULL nowhere */
	struct semihosting_config semihosting;
};

struct run_config {
	struct machine_config machine;
	struct limits limits;
	bool report_jobs;     /* the report lists the NPU's jobs and their operations */
	bool report_messages; /* ... what was said of the run */
	bool trail;           /* keep what the last branches before an end are found from */
	bool standard_streams; /* those of the process are the machine's */
	u64 gdb_history_mib;  /* memory for the way back */
	const char *memory, *vela_config, *system_config; /* words for npu_memory_find, NULL: not given */
	bool start_given;     /* start at start_address, not at the entry */
	u32 start_address;
	bool fvp;             /* ends with the exit statuses of an FVP */
};

/* Names of the processor's timings as on command lines and in reports. False: there is no such name. */
const char *config_timing_name(enum cpu_timing timing);
bool config_timing_find(const char *name, enum cpu_timing *out);
bool config_engine_find(const char *name, enum cpu_engine *out); /* likewise; "tail", "switch", "step" */

/* Defaults of the board. */
void machine_config_init(struct machine_config *c, const struct board *board);

#endif
