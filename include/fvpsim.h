/* SPDX-License-Identifier: Apache-2.0 */
/* fvp-sim as a library: Arm Corstone systems with an Ethos-U NPU, and the NPU alone.
 *
 * A configuration names a board, an accelerator and parameters; a machine is made from it, given programs, and run.
 * Everything belongs to the machine: any number can live in a process, and separate ones may run on separate
 * threads at the same time. One machine must not be used by two threads at once, but for fvpsim_stop().
 *
 * The library prints nothing, ends nothing, catches no signals and reads no clock. What it has to say it returns or
 * hands to a callback. It writes only the files that a configuration or a call names, and those that the simulated
 * program opens through semihosting. The standard streams of the process it leaves alone, unless the parameter
 * "standard-streams" gives them to a machine.
 *
 * Functions that can fail return an enum fvpsim_kind, FVPSIM_OK when they did not, or NULL instead of a handle; with
 * another kind nothing has changed, unless the function says otherwise. `error`, where it is not NULL, gets the kind
 * and one sentence: what is wrong, where, what to do.
 *
 * Interface versions: a program made for version N of a header works with every library of version N. Structures that
 * begin with `size` may grow at their end: set it to sizeof the structure before the call. */
#ifndef FVPSIM_H
#define FVPSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FVPSIM_INTERFACE 1 /* version of this interface */

unsigned fvpsim_interface(void); /* FVPSIM_INTERFACE of the library that is loaded */
const char *fvpsim_version(void); /* of the program, "0.1.0" */

/* ---- errors ---- */

enum fvpsim_kind {
	FVPSIM_OK,
	FVPSIM_USAGE,       /* a name, a value, or a call that may not be made now */
	FVPSIM_BAD_INPUT,   /* a file or buffer is damaged or of the wrong kind */
	FVPSIM_NO_INPUT,    /* a file cannot be read */
	FVPSIM_NO_MEMORY,   /* part of a program or of data lies outside the board's memory */
	FVPSIM_ACCELERATOR, /* a network was compiled for another accelerator */
	FVPSIM_INTERNAL,    /* the simulator failed, or the host has no memory */
	FVPSIM_NO_OUTPUT,   /* a file cannot be written */
	FVPSIM_MISFIT,      /* a state of another board, parameters, programs or version */
	FVPSIM_NPU,         /* the NPU ended a job with an error */
	FVPSIM_STOPPED,     /* fvpsim_network_stop() */
	FVPSIM_DIFFERS,     /* a tensor from the folder to compare with, or a run from its record */
};

struct fvpsim_error {
	int kind; /* enum fvpsim_kind */
	char text[1020];
};

const char *fvpsim_kind_name(int kind); /* "bad_input" */

/* ---- what there is ---- */

const char *fvpsim_board(unsigned i);       /* "corstone-300", ...; NULL behind the last */
const char *fvpsim_accelerator(unsigned i); /* "ethos-u55-32", ...; likewise */
const char *fvpsim_fvp(unsigned i);         /* names of Arm's simulators: "FVP_Corstone_SSE-300_Ethos-U55", ...; likewise */

/* Memory systems for the NPU's cycles ("memory"): their names, NULL behind the last; *system: the compiler's name for it, "" where it has
 * none; *text: what it is. */
const char *fvpsim_memory_system(unsigned i, const char **system, const char **text);

/* Kinds of traces and profiles, for fvpsim_trace() and fvpsim_profile(): their names, NULL behind the last; *text: what is written. */
const char *fvpsim_trace_kind(unsigned i, const char **text);
const char *fvpsim_profile_kind(unsigned i, const char **text);

/* How this build runs instructions on this host: "translated code", or "handlers" or "plain functions" and the reason:
 * "handlers, as the host refuses executable memory". */
const char *fvpsim_processor(void);

/* ---- configurations ---- */

struct fvpsim_config;

/* `board`: its name, or that of an FVP. NULL with an error: unknown, or out of host memory. */
struct fvpsim_config *fvpsim_config_new(const char *board, struct fvpsim_error *error);
void fvpsim_config_free(struct fvpsim_config *c); /* machines made from it live on; NULL: nothing to do */

/* Sets a parameter by its FVP's name ("mps3_board.uart0.shutdown_on_eot") or one of ours: "npu" (an accelerator or
 * "none"), "cpu-timing" (ipc1, m55, m85), "cpu-memory" (as for the option --cpu-memory of fvp-sim), "engine" (tail, switch, step; results
 * are the same), "host-simd", "threads" (of the host for large NPU operations, 1 to 16; 1 unless set), "report-jobs", "report-messages",
 * "trail" (on or off), "cyclelimit", "simlimit" (cycles, seconds of simulated time, at which the program ends), "semihosting",
 * "semihosting-dir", "semihosting-cmdline", "scripts", "eot", "uart0" .. "uart5" (a file that gets what is printed, besides the callback), "itm"
 * (likewise),
 * "date" (of the program's clocks at the start, UTC: 2026-12-31, 2026-12-31T23:59:59 or seconds since 1970), "start" (address of the first
 * instruction instead of the programs' own), "memory", "vela-config", "system-config" (memory behind the NPU, as for the options --memory,
 * --config and --system-config of fvp-sim; looked at when a machine is made), "gdb-history" (MiB that debuggers' way back may take, 256
 * unless set; 0: none), and for programs that stand for fvp-sim or an FVP:
 * "standard-streams" (on: consoles, "-" for a file and "-" for a debugger mean the standard streams of the process, and reading them
 * waits; the callbacks `output` and `input` are not called then), "as-fvp" (on: the end has the exit status that an FVP gives, and a
 * program that can do nothing more ends as if it had run on to its limit), "timelimit", "cpulimit" (seconds of the host, at which the
 * caller ends the run with fvpsim_end_run(): with "as-fvp" they are limits as well).
 * Semihosting is on; the rest is as the FVP has it. Where a record is repeated limits can only become lower. */
int fvpsim_config_set(struct fvpsim_config *c, const char *name, const char *value, struct fvpsim_error *error);

/* Likewise, but for the FVPs' names only. *modelled, where it is not NULL: false when the parameter belongs to a part of the real board
 * that is not modelled: nothing is set, and error->text says so. */
int fvpsim_config_parameter(struct fvpsim_config *c, const char *name, const char *value, bool *modelled, struct fvpsim_error *error);

/* The FVP's parameters that this board has, a line each: name=default, and a comment that tells type, range and meaning.
 * To be freed with fvpsim_free(). NULL with an error: out of host memory. */
char *fvpsim_config_list(const struct fvpsim_config *c, struct fvpsim_error *error);

/* What a configuration stands for. Texts live as long as the library. */
struct fvpsim_config_info {
	size_t size;
	const char *board, *title;  /* "corstone-300", and a line about it */
	const char *accelerator;    /* NULL: none */
	const char *cpu_accuracy, *npu_accuracy; /* how far cycles can be trusted; of the NPU NULL without one */
	uint64_t clock_hz;          /* of the core */
};
int fvpsim_config_get_info(const struct fvpsim_config *c, struct fvpsim_config_info *info, struct fvpsim_error *error);

/* Memory i of the board. Texts as above. FVPSIM_USAGE: there is none. */
struct fvpsim_memory {
	size_t size;
	const char *name;
	const char *instance;    /* last part of the FVP's name of it; NULL: not known */
	uint32_t address, bytes;
	uint32_t secure_address; /* of the same cells; `address` where there is no other */
};
int fvpsim_config_memory(const struct fvpsim_config *c, unsigned i, struct fvpsim_memory *memory, struct fvpsim_error *error);

/* Name of device i of the board, or the i-th file that a machine will write (*written) or read for its serial ports and the ITM; NULL
 * behind the last. The file's name lives as long as the configuration, and no longer than the parameter. */
const char *fvpsim_config_device(const struct fvpsim_config *c, unsigned i);
const char *fvpsim_config_file(const struct fvpsim_config *c, unsigned i, bool *written);

/* ---- machines ---- */

struct fvpsim_machine;

/* In its reset state, without a program. */
struct fvpsim_machine *fvpsim_machine_new(const struct fvpsim_config *c, struct fvpsim_error *error);
void fvpsim_machine_free(struct fvpsim_machine *m); /* not from a callback; NULL: nothing to do */

/* Streams of text and bytes between the simulated program and the world. */
enum fvpsim_stream {
	FVPSIM_UART0, FVPSIM_UART1, FVPSIM_UART2, FVPSIM_UART3, FVPSIM_UART4, FVPSIM_UART5,
	FVPSIM_ITM,    /* stimulus port 0 of the instrumentation trace */
	FVPSIM_OUTPUT, /* the semihosting console: standard output */
	FVPSIM_ERROR,  /* its standard error */
	FVPSIM_INPUT,  /* its standard input */
};

/* An operation that the NPU has executed. Texts live as long as the library. */
struct fvpsim_operation {
	size_t size;
	const char *kind;        /* "conv", "depthwise", "max pool", "add", "dma", ... */
	uint32_t offset;         /* of its command, bytes in the command stream */
	uint32_t index;          /* running number in its job */
	uint32_t ifm[3], ofm[3]; /* height, width, depth; 0 for a dma */
	uint64_t bytes;          /* that a dma moves */
	uint64_t cycles;         /* by which the job's end moves */
	uint64_t start, finish;  /* cycles from the job's start; operations may overlap */
	uint64_t macs;           /* multiplications asked for */
	const char *bound;       /* what it spends its time on: "mac", "port0", ... */
	uint64_t read[2], written[2]; /* bytes over the ports */
	uint64_t waiting;        /* of `cycles`: start, latencies and other operations; the rest is `bound` */
	uint32_t utilisation;    /* thousandths of what the MAC array could have done from `start` to `finish` */
	const char *source;      /* the network's operator that it was made from, where the operations have names; NULL: not known. Lives
				  * as long as the machine or network */
};

enum fvpsim_type {
	FVPSIM_TYPE_BYTES, /* another one */
	FVPSIM_INT8, FVPSIM_UINT8, FVPSIM_INT16, FVPSIM_UINT16, FVPSIM_INT32, FVPSIM_UINT32, FVPSIM_INT64, FVPSIM_FLOAT32,
	FVPSIM_BOOL,
};

#define FVPSIM_RANK 16

/* A tensor in memory of the library's, elements in the order of the shape, the last dimension fastest.
 *
 * Of a network: an input or output. real = (element - zero_point) * scale; scale 0: not quantised.
 *
 * Of an operation: `name` is "ifm", "ifm2" (inputs) or "ofm" (the result), shape [1, height, width, channels], or
 * "weights", decoded, shape [output channels, kernel height, kernel width, input channels; 1 with depthwise], int16, their
 * zero point subtracted. `scale` is 0: command streams have only the factors between scales. Transfers by DMA have none;
 * operands that are scalars, and maps that Ethos-U85 passes on inside a chain, are missing. */
struct fvpsim_tensor {
	size_t size;
	const char *name;   /* lives as long as the network; of an operation: as the library */
	int type;           /* enum fvpsim_type */
	unsigned rank;
	uint32_t shape[FVPSIM_RANK];
	float scale;
	int32_t zero_point;
	void *data;         /* of an operation: NULL when host memory was short or the weights are damaged */
	size_t bytes;
};

/* What the machine tells, or a network: that has `message`, `operation` and `tensor` only, called in fvpsim_network_run(), where
 * fvpsim_network_stop() may be called. May be called in fvpsim_run() and its like, and in no other call but fvpsim_machine_free().
 * A callback may look (registers, memory, fvpsim_get_...) and call fvpsim_stop(); everything else is refused there. */
struct fvpsim_callbacks {
	size_t size;
	void *ctx; /* the first argument of all */
	/* Bytes that the program printed. NULL: they are dropped. */
	void (*output)(void *ctx, int stream, const void *bytes, size_t count);
	/* Up to `count` bytes for a serial port or the console; 0: none now. NULL: none ever. */
	size_t (*input)(void *ctx, int stream, void *bytes, size_t count);
	/* Text about the program or the simulation. `kind`: enum fvpsim_message; `id`: stable, such as "NPU003". */
	void (*message)(void *ctx, int kind, const char *id, const char *text);
	void (*operation)(void *ctx, const struct fvpsim_operation *op);
	/* Each tensor of an operation, before `operation` tells of it; valid in the callback. Copying them takes longer than the
	 * operation itself: NULL where nobody needs them. */
	void (*tensor)(void *ctx, const struct fvpsim_tensor *tensor);
	/* Now and then, some milliseconds of the host apart as a rule: for a look at the host's clock, or a line of progress. */
	void (*look)(void *ctx);
};

enum fvpsim_message {
	FVPSIM_MESSAGE_USER,        /* a parameter or file */
	FVPSIM_MESSAGE_GUEST,       /* the program did something wrong */
	FVPSIM_MESSAGE_NOT_MODELLED, /* the program is right, the model lacks something */
	FVPSIM_MESSAGE_NOTE,
};

/* Instead of those given before; copied. The first ones get the messages of the machine's making in this call. */
int fvpsim_set_callbacks(struct fvpsim_machine *m, const struct fvpsim_callbacks *callbacks, struct fvpsim_error *error);

/* ---- programs and data ---- */

/* An ELF or Intel HEX file: its segments go into memory, its symbols are known from then on. After an error parts of it
 * may be in memory. */
int fvpsim_load(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error);
/* Raw bytes of a file. */
int fvpsim_load_data(struct fvpsim_machine *m, const char *path, uint32_t address, struct fvpsim_error *error);
/* Resets the core and starts it as the programs say. The first fvpsim_run() does this when nobody has. */
int fvpsim_start(struct fvpsim_machine *m, struct fvpsim_error *error);
/* Address of a function or object of the programs. */
int fvpsim_symbol(struct fvpsim_machine *m, const char *name, uint32_t *address, struct fvpsim_error *error);
/* Is all of it memory? FVPSIM_NO_MEMORY: no; the sentence begins with `what` and names the nearest. */
int fvpsim_has_memory(struct fvpsim_machine *m, const char *what, uint32_t address, uint64_t bytes, struct fvpsim_error *error);
/* "main+0x12 (main.c:34)" for an address; empty when unknown. */
int fvpsim_describe(struct fvpsim_machine *m, uint32_t address, char *text, size_t size, struct fvpsim_error *error);

/* ---- running ---- */

/* Where a run stops, whatever comes first. All zero behind `size`: at the program's end only. */
struct fvpsim_until {
	size_t size;
	uint64_t tick;        /* of simulated time, fvpsim_ticks_per_second() to a second; 0: none */
	uint64_t cycle;       /* of the core since it was made; 0: none */
	uint64_t instruction; /* exactly when so many have been executed; 0: none */
	const char *symbol;   /* before an instruction there; NULL: none */
	const uint32_t *address; /* likewise; NULL: none */
	const char *text;     /* behind this text on the stream `stream`; NULL: none. 255 bytes at most */
	int stream;
};

enum fvpsim_stop {
	FVPSIM_STOP_END,         /* the program has ended: fvpsim_get_end() */
	FVPSIM_STOP_TIME,        /* the tick or cycle was reached */
	FVPSIM_STOP_INSTRUCTION, /* the instruction count */
	FVPSIM_STOP_ADDRESS,     /* the symbol or address, or a breakpoint */
	FVPSIM_STOP_TEXT,        /* the text was printed */
	FVPSIM_STOP_ASKED,       /* fvpsim_stop() */
	FVPSIM_STOP_WATCH,       /* a watchpoint: fvpsim_watched() */
};

/* Runs; *stop: enum fvpsim_stop. `until` NULL: to the end. Runs may follow each other; where one stops changes nothing of
 * what the program does. After the end: FVPSIM_STOP_END at once. */
int fvpsim_run(struct fvpsim_machine *m, const struct fvpsim_until *until, int *stop, struct fvpsim_error *error);
/* One instruction, with an exception that is due entered before it. Sleeping, the core wakes first. */
int fvpsim_step(struct fvpsim_machine *m, int *stop, struct fvpsim_error *error);
/* The run that is under way, or the next one, stops soon. From any thread, a signal handler, a callback. */
void fvpsim_stop(struct fvpsim_machine *m);
/* Takes back a stop that came too late for a run. No run may be under way. */
void fvpsim_forget_stop(struct fvpsim_machine *m);

enum fvpsim_reason { FVPSIM_REASON_INTERRUPTED, FVPSIM_REASON_TIME_LIMIT, FVPSIM_REASON_CPU_LIMIT };

/* The program ends soon and for good, whatever it does or waits for, as fvp-sim ends it at a signal or a limit of the host's time:
 * fvpsim_get_end() and the report say so. `reason`: enum fvpsim_reason; the first one stays. From any thread, a signal handler, a
 * callback. */
void fvpsim_end_run(struct fvpsim_machine *m, int reason);

enum fvpsim_debug {
	FVPSIM_DEBUG_WAIT = 1,  /* nothing runs before a debugger says so */
	FVPSIM_DEBUG_FILES = 2, /* the debugger serves semihosting while it is there */
	FVPSIM_DEBUG_QUIET = 4, /* no messages but where it is served */
};

/* Runs to the program's end or fvpsim_stop(), and serves gdb meanwhile: one debugger at a time, one after the other, with the way back
 * (256 MiB of checkpoints, "gdb-history"). `where`: a port of the loopback address, HOST:PORT, or a path with a slash for a socket; `how`:
 * OR of enum fvpsim_debug; *stop: FVPSIM_STOP_END or FVPSIM_STOP_ASKED. A debugger that goes leaves the program running. The callback
 * `message` tells where it is served. FVPSIM_USAGE: it cannot be served there, or there are breakpoints or watchpoints; nothing has run. */
int fvpsim_debug(struct fvpsim_machine *m, const char *where, int how, int *stop, struct fvpsim_error *error);

/* How a program ended. */
struct fvpsim_end {
	size_t size;
	const char *reason;  /* "EXIT", "EOT", "LOCKUP", ... (docs/reference/exit-codes.md); "NONE": it has not */
	const char *text;    /* "the program exited" */
	int status;          /* exit status that fvp-sim gives, or an FVP ("as-fvp"): the program's own with EXIT */
	uint32_t pc;
	char place[160];     /* of pc, "" when unknown */
	char fault[160];     /* cause of the latest fault, "" when there was none */
};
int fvpsim_get_end(struct fvpsim_machine *m, struct fvpsim_end *end, struct fvpsim_error *error);

/* An end that is not the program's own, or follows a fault, or where a run stands: what fvp-sim prints of it, line by line. Faults,
 * place, registers, backtrace, what to do. "" where there is nothing to explain. To be freed with fvpsim_free(). With the parameter
 * "trail" also the latest branches before an end, and operations of the NPU: runs keep up to 64 MiB for that, and the last stretch is
 * run again here, which nobody notices. Who writes to the machine between runs begins a new trail. */
int fvpsim_explain(struct fvpsim_machine *m, char **text, struct fvpsim_error *error);

/* Counts since the machine was made. */
struct fvpsim_counts {
	size_t size;
	uint64_t ticks, cycles, instructions;
	uint64_t npu_jobs, npu_cycles; /* 0 without an NPU */
};
int fvpsim_get_counts(struct fvpsim_machine *m, struct fvpsim_counts *counts, struct fvpsim_error *error);
uint64_t fvpsim_ticks_per_second(void);

/* What the program has sent to a serial port or the ITM. */
struct fvpsim_sent {
	size_t size;
	uint64_t bytes;
	const char *file; /* that gets them, "-": standard output; NULL: none. Lives as long as the machine */
};
/* Their file has them all then. FVPSIM_NO_OUTPUT: it cannot be written; *sent is told all the same. */
int fvpsim_get_sent(struct fvpsim_machine *m, int stream, struct fvpsim_sent *sent, struct fvpsim_error *error);

/* ---- registers and memory ---- */

/* Names: r0 .. r15, sp, lr, pc, xpsr, msp, psp, msplim, psplim, primask, basepri, faultmask, control, msp_s, psp_s,
 * msp_ns, psp_ns, secure, fpscr, vpr, s0 .. s31, d0 .. d15, q0 .. q7. Without a suffix they are those of the present
 * Security state. NULL behind the last. */
const char *fvpsim_register(unsigned i);
/* value[1] is 0 but for q registers. */
int fvpsim_get_register(struct fvpsim_machine *m, const char *name, uint64_t value[2], struct fvpsim_error *error);
int fvpsim_set_register(struct fvpsim_machine *m, const char *name, const uint64_t value[2], struct fvpsim_error *error);

enum fvpsim_space {
	FVPSIM_RAM,       /* memory as the core sees it, without side effects; no devices */
	FVPSIM_SECURE,    /* privileged accesses on the bus, devices included, with their side effects */
	FVPSIM_NONSECURE,
	FVPSIM_NPU_VIEW,  /* memory as the NPU sees it */
};

/* `count` bytes. Devices are accessed in words where address and count allow it. */
int fvpsim_read(struct fvpsim_machine *m, int space, uint32_t address, void *bytes, size_t count, struct fvpsim_error *error);
int fvpsim_write(struct fvpsim_machine *m, int space, uint32_t address, const void *bytes, size_t count,
		 struct fvpsim_error *error);

/* Runs stop before an instruction at the address, once exceptions that are due have been entered. To take away what is not there is an
 * error. */
int fvpsim_add_breakpoint(struct fvpsim_machine *m, uint32_t address, struct fvpsim_error *error);
int fvpsim_remove_breakpoint(struct fvpsim_machine *m, uint32_t address, struct fvpsim_error *error);

enum fvpsim_access { FVPSIM_READS = 1, FVPSIM_WRITES = 2 };

/* Runs stop behind the instruction, NPU operation or other event that accesses any of these bytes of memory (4096 at
 * most), whoever does it and under whatever address. `accesses`: OR of enum fvpsim_access. */
int fvpsim_add_watchpoint(struct fvpsim_machine *m, uint32_t address, uint32_t bytes, int accesses, struct fvpsim_error *error);
/* All that begin at the address; an error where none does. */
int fvpsim_remove_watchpoint(struct fvpsim_machine *m, uint32_t address, struct fvpsim_error *error);
uint32_t fvpsim_watched(const struct fvpsim_machine *m); /* address of the watchpoint that stopped the latest run */

/* ---- seeing inside ---- */

/* From now on what happens is written, or where the time goes. `what`: KIND=FILE[,FILTER...] as for the options --trace and
 * --profile of fvp-sim (docs/guide/traces-and-profiles.md): "perfetto=run.pftrace", "tarmac=run.txt,function=main",
 * "speedscope=run.json". 16 of each at most. Without FILE the kind's own name is taken in the working directory, where it has one;
 * nothing goes to the standard streams, unless the machine has them. `m` may be NULL: the words are looked at only. */
int fvpsim_trace(struct fvpsim_machine *m, const char *what, struct fvpsim_error *error);
int fvpsim_profile(struct fvpsim_machine *m, const char *what, struct fvpsim_error *error);
/* Makes another kind of trace of one that "fvpt=FILE" wrote: `to` is tarmac=OUT[,FILTER...], as for fvp-sim trace convert. OUT "-" is
 * the standard output of the process where `standard_streams` gives it away. FVPSIM_BAD_INPUT: no such trace, or a damaged one: what
 * comes before the damage has been converted. */
int fvpsim_convert_trace(const char *from, const char *to, bool standard_streams, struct fvpsim_error *error);
/* Bytes of memory into a file, now; reports list it from then on. Where that fails the file may be there in part. */
int fvpsim_dump(struct fvpsim_machine *m, const char *path, uint32_t address, uint64_t bytes, struct fvpsim_error *error);
/* The tensors of the NPU's operations are written into a folder, or compared with another one. */
int fvpsim_dump_layers(struct fvpsim_machine *m, const char *directory, struct fvpsim_error *error);
int fvpsim_compare_layers(struct fvpsim_machine *m, const char *directory, struct fvpsim_error *error);
/* Ends all of these and completes their files. FVPSIM_NO_OUTPUT: one could not be written; FVPSIM_DIFFERS: the first element of
 * a tensor that does. fvpsim_machine_free() ends them, too, but tells nothing. */
int fvpsim_end_traces(struct fvpsim_machine *m, struct fvpsim_error *error);
/* Names for the NPU's operations, in traces begun from now on and in the report: MODEL_debug.xml of vela --enable-debug-db. Once. */
int fvpsim_name_operations(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error);

/* How the run ended, or how far it is, and all counters: the JSON of --report (docs/reference/formats.md), to be freed with
 * fvpsim_free(). With the parameter "report-jobs" it lists the NPU's jobs and their operations, with "report-messages" what was said. With
 * "trail" it has the branches before an abnormal end. */
int fvpsim_report(struct fvpsim_machine *m, char **json, struct fvpsim_error *error);
int fvpsim_report_file(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error); /* likewise, into a file */

/* ---- state ---- */

/* The machine's whole state as bytes, to be freed with fvpsim_free(). Files and callbacks are not in it; what the
 * program has printed stays printed. */
int fvpsim_save(struct fvpsim_machine *m, void **bytes, size_t *count, struct fvpsim_error *error);
/* Into the same machine or one with the same board, parameters and programs, which then goes on as the saved one did. FVPSIM_BAD_INPUT:
 * the state is damaged (it has a checksum), truncated or something else; FVPSIM_MISFIT: of another machine, or another version of the library. */
int fvpsim_restore(struct fvpsim_machine *m, const void *bytes, size_t count, struct fvpsim_error *error);
int fvpsim_save_file(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error);
int fvpsim_restore_file(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error);
void fvpsim_free(void *bytes); /* NULL: nothing to do */

/* ---- records ---- */

/* From here the run is recorded: the programs, the state, and all that comes from outside, which is input, and answers of
 * semihosting. Before the first run, and after the programs. From then on loading, writing, restoring, reading devices and
 * debuggers are refused: the run must be that of the program alone. */
int fvpsim_record_begin(struct fvpsim_machine *m, struct fvpsim_error *error);
/* Writes the run so far; one that has not ended is ended there by its host. Recording goes on. */
int fvpsim_record_write(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error);

/* What a record of this version was made with (fvp-sim --record too); fvpsim_config_set() may add files for output, "engine",
 * "host-simd" and "threads". Machines made from it have their programs, get no input but the record's, and read no files. What is
 * refused while recording is refused as well, but for fvpsim_debug(). */
struct fvpsim_config *fvpsim_config_replay(const char *path, struct fvpsim_error *error);
/* Such a machine's run has ended: as its record did? FVPSIM_DIFFERS: no. */
int fvpsim_replayed(struct fvpsim_machine *m, struct fvpsim_error *error);

/* ---- networks on the NPU alone ---- */

struct fvpsim_network;

struct fvpsim_network_options {
	size_t size;
	const char *memory;      /* memory system for the cycles, as for fvp-sim npu --memory; NULL: the usual one */
	const char *memory_mode; /* "Shared_Sram", "Dedicated_Sram", "Sram_Only", or a Memory_Mode of `vela_config`; NULL: as the model shows */
	const char *host_simd;   /* NULL: the best of this host; results are the same */
	unsigned threads;        /* of the host for large operations, at most 16; 0 or 1: the caller's only; results are the same */
	const char *vela_config;   /* path of a vela.ini, with the memory system `system_config`; NULL: none */
	const char *system_config; /* a System_Config of that file; goes with it */
	uint64_t work_limit;     /* a job that takes more elementary steps ends with an error; 0: 10^12 */
	const char *method;      /* of a .pte with several; NULL: "forward", or the first where there is none */
};

/* A network compiled for the accelerator, from the bytes of a .tflite file by Vela or a .pte program; they are copied.
 * `options` may be NULL. */
struct fvpsim_network *fvpsim_network_new(const char *accelerator, const void *model, size_t count,
					  const struct fvpsim_network_options *options, struct fvpsim_error *error);
/* Likewise from a file, which is read once and not copied. A sentence about it begins with its path. */
struct fvpsim_network *fvpsim_network_open(const char *accelerator, const char *path, const struct fvpsim_network_options *options,
					   struct fvpsim_error *error);
void fvpsim_network_free(struct fvpsim_network *n); /* not from a callback; NULL: nothing to do */

/* Instead of those given before; copied. */
int fvpsim_network_set_callbacks(struct fvpsim_network *n, const struct fvpsim_callbacks *callbacks, struct fvpsim_error *error);
/* How far its cycles can be trusted; lives as long as the library. */
const char *fvpsim_network_accuracy(const struct fvpsim_network *n);

/* Inputs are written to tensor->data, outputs read there. */
unsigned fvpsim_network_inputs(const struct fvpsim_network *n);
unsigned fvpsim_network_outputs(const struct fvpsim_network *n);
int fvpsim_network_input(struct fvpsim_network *n, unsigned i, struct fvpsim_tensor *tensor, struct fvpsim_error *error);
int fvpsim_network_output(struct fvpsim_network *n, unsigned i, struct fvpsim_tensor *tensor, struct fvpsim_error *error);

/* Runs the network once; outputs, operations and report are those of this run then. Variables of the network, such as the state of an
 * LSTM, go on from run to run. FVPSIM_NPU: a job failed, of which the callback `message` was told. */
int fvpsim_network_run(struct fvpsim_network *n, struct fvpsim_error *error);
/* The run that is under way ends behind the present operation, with FVPSIM_STOPPED and no results; without one the next ends
 * at once. Inputs are undefined then. From any thread or a signal handler. */
void fvpsim_network_stop(struct fvpsim_network *n);
void fvpsim_network_forget_stop(struct fvpsim_network *n); /* takes back one that came too late; no run may be under way */
uint64_t fvpsim_network_cycles(const struct fvpsim_network *n); /* of the latest run */
unsigned fvpsim_network_operations(const struct fvpsim_network *n);
int fvpsim_network_operation(const struct fvpsim_network *n, unsigned i, struct fvpsim_operation *op, struct fvpsim_error *error);

/* Keeps the tensors of all operations of the runs to come, or no longer does; off at first. Such a run takes much longer, and
 * host memory for all of them. */
void fvpsim_network_keep_tensors(struct fvpsim_network *n, bool keep);
/* Tensor t of operation i of the latest run; `data` is valid until the next run. FVPSIM_USAGE: there is none. */
unsigned fvpsim_network_operation_tensors(const struct fvpsim_network *n, unsigned i);
int fvpsim_network_operation_tensor(const struct fvpsim_network *n, unsigned i, unsigned t, struct fvpsim_tensor *tensor,
				    struct fvpsim_error *error);

/* The tensors of all operations of the runs to come are written into a folder, made when missing, or compared with another one, as fvp-sim npu
 * --dump-layers and --compare-layers do. NULL: no longer, and the folder is complete; what went wrong meanwhile is told then.
 * FVPSIM_NO_OUTPUT: a file that cannot be written or read; FVPSIM_DIFFERS: the first element that does. */
int fvpsim_network_dump_layers(struct fvpsim_network *n, const char *directory, struct fvpsim_error *error);
int fvpsim_network_compare_layers(struct fvpsim_network *n, const char *directory, struct fvpsim_error *error);
/* Names for operations, also in folders of tensors begun from now on: MODEL_debug.xml of vela --enable-debug-db. Once. */
int fvpsim_network_name_operations(struct fvpsim_network *n, const char *path, struct fvpsim_error *error);

/* Event i of the performance counters over the latest run: its name, NULL behind the last. */
const char *fvpsim_network_event(const struct fvpsim_network *n, unsigned i, uint64_t *count);

/* How the latest run ended. */
struct fvpsim_network_end {
	size_t size;
	const char *reason; /* "stop": as it should; "bus_error", "parse_error", "weight_error", "branch_error", "work_limit", "stopped" by
			     * fvpsim_network_stop(); "none": nothing has run. Lives as long as the library */
	uint64_t jobs;      /* of the NPU, that ran */
	char text[320];     /* what went wrong and what to do; "" when nothing */
};
int fvpsim_network_get_end(const struct fvpsim_network *n, struct fvpsim_network_end *end, struct fvpsim_error *error);
/* The latest run: the JSON of fvp-sim npu --report (docs/reference/formats.md), with its operations as with --layers where they are
 * wanted. To be freed with fvpsim_free(). */
int fvpsim_network_report(const struct fvpsim_network *n, bool operations, char **json, struct fvpsim_error *error);

#ifdef __cplusplus
}
#endif

#endif
