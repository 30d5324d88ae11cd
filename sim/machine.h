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
#include "sim/failure.h"
#include "sim/host.h"
#include "sim/input.h"
#include "sim/script/scripts.h"
#include "sim/semihosting/semihosting.h"
#include "sim/stop.h"
#include "sim/tcm_port.h"
#include "sim/told.h"
#include "sim/wait.h"
#include "traces/sink.h"

struct machine;
struct npu_names;

/* Numbers of core registers for cpu_get_reg(). */
enum { REG_LR = 14, REG_PC = 15 };

/* The host side of a serial port. */
struct machine_uart {
	struct machine *machine;
	struct uart_host host;
	struct sink sink;   /* output */
	struct input input;
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

/* Where the run loop is: its steps and looks around fall on the same cycles when a run is stopped and goes on. */
struct machine_look {
	u64 horizon;     /* tick at which the present step ends at the latest; 0: a step begins */
	u64 next;        /* cycle of the next look around */
	u64 fault_since; /* tick; 0: was not in the handler of the latest fault */
	u32 fault_pc;
	u32 fault_told;  /* bool */
	u64 count;       /* looks so far */
};

/* Why machine_run came back before the program's end. */
enum machine_pause {
	PAUSE_NONE, PAUSE_BREAK, PAUSE_COUNT, PAUSE_ASKED,
	PAUSE_FAULT,  /* as CPU_STOP_FAULT */
	PAUSE_WATCH,  /* as CPU_STOP_WATCH, or sched.halt was set */
	PAUSE_LOOKED, /* machine_run_on: some milliseconds of the host are over */
};

/* Told what the machine's parts do besides the processor, which has observers of its own. NULL: not wanted. */
struct machine_listener {
	struct npu_listener npu;
	void (*uart)(void *ctx, unsigned port, u8 byte); /* sent by the program */
	void (*device)(void *ctx, const struct device *d, enum device_news news, unsigned number, u32 value);
	void *ctx; /* also tells listeners apart */
	bool again; /* told once more when the machine has gone back and comes by again */
};

enum { MACHINE_LISTENERS = 32 }; /* all that the command line and the library can ask for together */

struct machine {
	struct machine_config config;
	const struct diag *diag; /* &messages */
	struct diag messages;    /* to user_diag, but for what has been told before */
	const struct diag *user_diag; /* NULL: nobody listens */
	struct told told;             /* all of them, but for what has been told before */
	struct sched sched;
	struct bus *bus;
	struct cpu *cpu;
	struct npu *npu; /* NULL: none */
	const struct npu_names *npu_names; /* of its operations; NULL: not known. They must outlive the machine */
	struct device_row *rows; /* the board's, with its memories as they are */
	struct device_set *devices;
	struct device *access_config; /* holds NSCCFG for the IDAU */
	struct machine_uart uart[CONFIG_UARTS];
	struct sink itm;
	struct machine_adapter adapter[NPU_PORTS];
	struct machine_tcm_port tcm_port[2];
	struct semihosting *semihosting; /* NULL: off */
	struct scripts *scripts; /* behind the virtual interfaces; NULL: none */
	struct image *images;  /* symbols for messages */
	unsigned image_count;
	u32 started;      /* bool: the processor stands at the program's first instruction, or has run */
	u32 reset_causes; /* asked for: bits as of RESET_SYNDROME */
	enum stop_reason stop; /* STOP_NONE while it runs */
	int asked;        /* enum stop_reason of machine_ask_stop; only atomic accesses */
	struct wait wait; /* what waits for the host */
	int guest_status; /* with STOP_EXIT */
	u64 period;       /* ticks per CPU cycle */
	struct machine_look look;
	int pause;        /* enum machine_pause; only atomic accesses */
	const struct machine_host *host; /* NULL: the standard streams of the process */
	struct machine_listener listener[MACHINE_LISTENERS];
	unsigned listener_count;
	struct { u64 insns, events; } seen; /* how far it had come when it went back: until there nothing is printed or told again */
	bool idle_told;   /* that time is skipped: the end is run again to find out where it came from */
	bool running;     /* inside machine_run: the state is not at rest */
	struct journal *journal; /* what comes from outside; NULL: nobody keeps it */
	struct state_list *state; /* sim/state.h; NULL: not asked for yet */
};

/* Adds a listener, which is copied; false: there are MACHINE_LISTENERS. Takes away the one with that ctx. */
bool machine_listen(struct machine *m, const struct machine_listener *l);
void machine_unlisten(struct machine *m, const void *ctx);

/* Builds the machine in its reset state. A failure comes with one line in `why` (out of host memory, a clock that is
 * faster than the tick rate, a UART file that cannot be opened). */
enum failure machine_new(struct machine **out, const struct machine_config *config, const struct diag *diag, char *why,
			 size_t why_size);
void machine_free(struct machine *m);

/* Opens a program, puts its segments into memory and keeps it for messages. A failure comes with a line
 * in `why`. */
enum failure machine_load_image(struct machine *m, const char *path, char *why, size_t why_size);

/* Keeps a program whose bytes are given, for messages and symbols; its segments are in memory already. False with a line in `why`. */
bool machine_keep_image(struct machine *m, const char *path, const void *data, u64 bytes, char *why, size_t why_size);

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

/* Ends a run that asks for something else from outside than the run that it repeats; `what`: "reads a serial port". */
void machine_strays(struct machine *m, const char *what);

/* Gives the machine its surroundings, before it runs for the first time; `host` must outlive it. */
void machine_set_host(struct machine *m, const struct machine_host *host);

/* Text of the program to `stream` (enum machine_stream). */
void machine_output(struct machine *m, int stream, const void *bytes, size_t count);

/* The run comes back at the next instruction boundary, and can go on. From signal handlers and other threads as well. */
void machine_pause(struct machine *m, enum machine_pause pause);

/* Ends the run from a signal handler or another thread: soon, whatever the guest does and whatever of the
 * host it waits for. */
void machine_ask_stop(struct machine *m, enum stop_reason reason);

/* Has somebody asked? Work that takes long looks now and then, and ends early. */
static inline bool machine_stop_asked(const struct machine *m)
{
	return __atomic_load_n(&m->asked, __ATOMIC_RELAXED) != STOP_NONE;
}

/* The machine is about to go back: what it has printed, and what messages told of it, does not come again. And: it
 * takes another course, and all comes. */
void machine_output_seen(struct machine *m);
void machine_output_is_new(struct machine *m);
/* Is it where it had been before it went back? */
bool machine_in_past(const struct machine *m);

u64 machine_cycles(const struct machine *m); /* of the core since it was made; resets do not change it */

/* Text for an address: "main+0x12 (main.c:34)", empty when unknown. */
void machine_describe(struct machine *m, u32 addr, char *text, size_t size);

#endif
