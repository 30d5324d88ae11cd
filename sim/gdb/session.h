/* SPDX-License-Identifier: Apache-2.0 */
/* One machine and its debugger: what the files of this folder share. */
#ifndef SIM_GDB_SESSION_H
#define SIM_GDB_SESSION_H

#include "sim/gdb/npu_watch.h"
#include "sim/gdb/packet.h"
#include "sim/gdb/transport.h"
#include "sim/history/history.h"
#include "sim/run.h"
#include "sim/semihosting/debugger.h"
#include "sim/watch.h"

/* Signals as the protocol numbers them. */
enum { SIGNAL_INT = 2, SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_FPE = 8, SIGNAL_BUS = 10, SIGNAL_SEGV = 11, SIGNAL_STOP = 17 };

enum { MONITOR_LINE = 4352 }; /* a command of the monitor: a path of the host and some words */

/* How the machine is to run. */
struct resume {
	bool stepping;
	u32 first, end; /* stepping goes on while the pc is in there; empty: one instruction */
};

enum stop_why { WHY_ASKED, WHY_STEPPED, WHY_BREAK, WHY_FAULT, WHY_WATCH, WHY_PAST_ENDS, WHY_ENDLESS };

/* What a client has set with Z: the type is the packet's. */
enum point_type { POINT_SOFTWARE, POINT_HARDWARE, POINT_WRITE, POINT_READ, POINT_ACCESS };
struct point {
	u32 addr, bytes;
	u8 type; /* enum point_type */
	struct watch watch; /* of a watchpoint */
};

/* A call of File-I/O that the client has been asked for. */
struct asking {
	bool now, answered;
	bool interrupted; /* Ctrl-C came meanwhile */
	i64 result;
	int error; /* of the host */
	u32 bytes; /* in use */
	u8 data[DEBUGGER_BYTES + BUS_PAGE_SIZE]; /* what the call reads and writes */
};

/* Bytes of a program as they are to be when it begins again. */
struct program_part {
	u32 addr, bytes;
	u8 *data;
};

struct gdb {
	struct machine *machine;
	const struct limits *limits;
	const struct gdb_options *options;
	struct transport link;
	struct packet_reader in;
	struct text reply, wire; /* wire: as last sent, to be sent again */
	struct text xml;         /* the document that is being read */
	struct text arguments;   /* the command line of this run; without memory: that of the options */
	bool known;              /* a client's session has begun */
	u32 sessions;            /* so far */
	struct semihosting_debugger files;
	struct asking asking;
	bool interrupted;        /* Ctrl-C while it was asked: the run stops behind the call; or on the way back */
	bool halted, silent;     /* silent: no answer to this packet now; there will be a stop reply */
	bool no_ack, ack_until_sent;
	bool over;               /* the client has ended its session */
	bool extended;           /* its connection is to outlive the run: "extended-remote" */
	bool killed;             /* it has ended the run, and may begin it again */
	struct { struct program_part *part; unsigned count; } program; /* empty where the run had begun before */
	struct resume resume;
	enum stop_why why;
	enum stop_reason verdict; /* the program can do nothing more: the end of the run once it is let go on; STOP_NONE: it can */
	struct point *points;
	unsigned point_count;
	bool running;            /* the machine, not a debugger, accesses memory */
	bool hit_made;           /* hit is what stopped it */
	bool steps_behind;       /* the client is a debugger that steps over what a watchpoint has found (resume.c) */
	bool step_due;           /* and has done nothing but look since */
	/* The first watchpoint; the bytes that it shares with others of the same stop; by_event: no instruction did it. */
	struct { u32 addr, told; u64 end; u8 type; bool by_event; } hit;
	struct history history;  /* while a client is there */
	bool history_kept;
	u64 history_bytes;       /* 0: none is kept */
	struct npu_watch npu;
	struct tracing *tracing; /* of "monitor trace"; NULL: none */
	char traced[MONITOR_LINE]; /* what it was begun with */
	u64 caught; /* kinds of fault that stop, as for cpu_catch_faults */
};

/* A packet: how it begins, and what answers it. Answers go into g->reply; an empty one says "not known". */
struct packet_row { const char *begin; void (*answer)(struct gdb *g, const char *rest); };
/* Calls the first row that fits `text`; false: none does. */
bool packet_dispatch(struct gdb *g, const struct packet_row *rows, size_t count, const char *text);

static inline void answer_ok(struct gdb *g) { text_add(&g->reply, "OK"); }
static inline void answer_error(struct gdb *g, unsigned number) { text_add(&g->reply, "E%02x", number); }
enum { ERROR_WRONG = 0x16, ERROR_MEMORY = 0x0e, ERROR_NO_ROOM = 0x0c }; /* as errno.h has them: only for people */

/* The client has changed memory or registers. */
static inline void session_changed(struct gdb *g)
{
	g->verdict = STOP_NONE;
	g->step_due = false;
	if (g->history_kept)
		history_note_change(&g->history);
}

/* session.c */
void session_begin(struct gdb *g); /* a client is there: the machine halts */
void session_end(struct gdb *g);   /* it is gone: its breakpoints are, too */
/* Answers what a client has sent; was there anything? */
bool session_poll(struct gdb *g);
void session_feed(struct gdb *g, u8 byte); /* one byte of it */
void session_send(struct gdb *g, const struct text *packet);
/* A line for the console of the debugger, while the machine runs. */
void session_print(struct gdb *g, const char *line);
/* A program that can do nothing more does not end yet, but stands still for the client to look at. False: the machine has not come to that. */
bool session_stands_at_end(struct gdb *g);
/* The client goes, the run goes on; or ends, with an answer to the client or without. */
void session_detach(struct gdb *g);
void session_end_run(struct gdb *g, bool answer);

/* file_io.c: semihosting that the debugger serves. */
void file_io_begin(struct gdb *g);
void file_io_use(struct gdb *g, bool use);
/* Answers a packet while the client is asked for something. */
void file_io_answer(struct gdb *g);
/* The bytes that the client sees at addr while it is asked; NULL: those of the machine. */
u8 *file_io_window(struct gdb *g, u32 addr, u32 bytes);

/* stop_reply.c: why the machine stands still, or ended. */
void stop_reply(struct gdb *g, struct text *out);
void stop_report(struct gdb *g); /* halts and sends it */

/* query.c, memory.c, registers.c, points.c, resume.c, monitor.c: answers to packets. */
void query_get(struct gdb *g, const char *rest);
void query_set(struct gdb *g, const char *rest);
void memory_read(struct gdb *g, const char *rest);
void memory_write_hex(struct gdb *g, const char *rest);
void memory_write_binary(struct gdb *g, const char *rest);
void memory_flash_erase(struct gdb *g, const char *rest);
void memory_flash_write(struct gdb *g, const char *rest);
void memory_crc(struct gdb *g, const char *rest);
void memory_search(struct gdb *g, const char *rest);
void registers_read(struct gdb *g, const char *rest);
void registers_write(struct gdb *g, const char *rest);
void register_read(struct gdb *g, const char *rest);
void register_write(struct gdb *g, const char *rest);
void points_insert(struct gdb *g, const char *rest);
void points_remove(struct gdb *g, const char *rest);
void points_clear(struct gdb *g);
/* The first breakpoint there: bit 0 of an address, which tells Thumb code, is no part of the place. NULL: there is none. */
const struct point *points_breakpoint(const struct gdb *g, u32 addr);
/* watch.c */
void points_listen(struct gdb *g);
void points_unlisten(struct gdb *g);
bool points_watch(struct gdb *g, struct point *p); /* false: not all of it is memory, or the host's is short */
void points_unwatch(struct gdb *g, struct point *p); /* once it is no longer in g->points */
void resume_actions(struct gdb *g, const char *rest); /* vCont */
void resume_continue(struct gdb *g, const char *rest);
void resume_step(struct gdb *g, const char *rest);
/* program.c */
void program_begin(struct gdb *g);
void program_end(struct gdb *g);
void program_note(struct gdb *g, u32 addr, const u8 *from, u32 bytes); /* the client has written there */
void program_load(struct gdb *g); /* into memory again */
/* arguments.c */
/* Takes those of a new run: what follows "vRun". False, and nothing is changed: they are damaged, or cannot be told to the program. */
bool arguments_take(struct gdb *g, const char *rest);
void arguments_end(struct gdb *g);
/* reverse.c */
void reverse_step(struct gdb *g, const char *rest);
void reverse_continue(struct gdb *g, const char *rest);
/* To before the instruction that has raised the fault at which the machine stands, so that it is tried anew, or another in its place. */
void reverse_over_fault(struct gdb *g);
void monitor_command(struct gdb *g, const char *hex);
/* Text of the machine's memories for gdb, and of its registers. */
void memory_map_xml(const struct machine *m, struct text *out);
void target_xml(const struct machine *m, struct text *out);
/* Registers by the numbers of target_xml: value and size, 0 bytes: this machine has not got it. False: `i` is above all. */
bool register_get(const struct machine *m, unsigned i, u64 *value, unsigned *bytes);
bool register_set(struct machine *m, unsigned i, u64 value);

#endif
