/* SPDX-License-Identifier: Apache-2.0 */
/* What a command line asks for, ours or an FVP's. */
#ifndef SIM_CLI_REQUEST_H
#define SIM_CLI_REQUEST_H

#include "include/fvpsim.h"
#include "sim/params/values.h"

enum { REQUEST_FILES = 64, REQUEST_TRACES = 16 };

/* What an FVP's command line asks for besides a run. */
struct fvp_asked {
	const char *list_file; /* of the parameters, NULL: standard output */
	bool list_params;
	bool debugger, plugin; /* not to be had */
	const char *no_memory; /* an instance that is neither a memory nor a core */
	const char *no_core;   /* an instance that was to run a program and is not the core */
};

/* Texts are the command line's; NULL or 0: not given. */
struct request {
	struct fvpsim_config *config; /* of the machine; parameters of an FVP are in it as soon as they are read */
	bool board_given;
	const char *images[REQUEST_FILES];
	unsigned image_count;
	struct data_file data[REQUEST_FILES], dumps[REQUEST_FILES];
	unsigned data_count, dump_count;

	/* Parameters that go into the configuration when the whole command line has been read. */
	const char *uart0, *itm, *engine, *host_simd, *semihosting_dir, *semihosting_cmdline, *scripts, *gdb_history;
	const char *memory, *vela_config, *system_config, *cpu_memory;
	bool eot, semihosting;
	unsigned threads;
	double host_seconds, cpu_seconds, sim_seconds;
	u64 cycles;

	const char *traces[REQUEST_TRACES], *profiles[REQUEST_TRACES]; /* KIND[=FILE][,FILTER...] */
	unsigned trace_count, profile_count;
	const char *dump_layers, *compare_layers; /* folders */
	const char *debug_db; /* names of the NPU's operations */
	const char *report;   /* JSON file */
	bool report_jobs, report_messages;
	const char *gdb;      /* where debuggers are served */
	bool gdb_wait, gdb_semihosting;
	const char *restore;  /* file of the state to begin with */
	const char *save_at;  /* CYCLE=FILE or FUNCTION=FILE: the state is saved there */
	const char *record, *replay; /* files */
	const char *of_record; /* an option whose value a record has; NULL: none is given */
	bool statistics, quiet;
	bool fvp;             /* started under an FVP's name */
	struct fvp_asked fvp_asked;
};

/* Makes the configuration that all of it asks for, of the record where one is repeated. 0, or an exit status behind one line. */
int request_configure(struct request *r);

/* Gives back what belongs to a request. */
void request_free(struct request *r);

#endif
