/* SPDX-License-Identifier: Apache-2.0 */
/* Public face of the Ethos-U model.
 *
 * With a scheduler it is a device: registers are read and written, a job started through CMD
 * runs on events, each operation's memory effects land in stream order at the time the timing
 * model gives, the interrupt wire follows STATUS. Without one it runs jobs at once, for
 * `fvp-sim npu`, tests and fuzzers. All state is in one struct npu; nothing is global. */
#ifndef NPU_NPU_H
#define NPU_NPU_H

#include "memory/diag.h"
#include "memory/irq.h"
#include "memory/sched.h"
#include "memory/types.h"
#include "npu/config.h"
#include "npu/op.h"
#include "npu/timing/timing.h"

/* The NPU's view of memory. */
struct npu_memory {
	/* Host bytes of [addr, addr+size), NULL when any of it is not memory this master may
	 * access. The pointer stays valid while an operation runs. */
	u8 *(*span)(void *ctx, u64 addr, u64 size, bool write);
	/* How many bytes from `addr` on never change, nor move, as long as this memory is used; NULL: none. */
	u64 (*constant)(void *ctx, u64 addr);
	/* Follows every change made through a span; NULL: nobody wants to know. */
	void (*wrote)(void *ctx, u64 addr, u64 size);
	void *ctx;
	/* What span and constant say of the same bytes stays the same as long as this memory is used; or, where `gone` is not NULL, as
	 * long as that is 0 (only atomic accesses). */
	bool still;
	const int *gone;
};

/* Told what the NPU does; nothing may be changed. NULL: not wanted. */
struct npu_listener {
	/* An operation's effects are about to land; the view is valid until it has. */
	void (*begins)(void *ctx, const struct npu_op *op, const struct npu_view *view);
	/* They have landed. */
	void (*operation)(void *ctx, const struct npu_op *op, const struct npu_cost *cost);
	/* A job starts, or has ended. */
	void (*job)(void *ctx, bool running);
	void *ctx;
	/* Whether it may look at memory before the job that starts has ended; NULL: yes. Else effects may land later than they are told. */
	bool (*looks)(void *ctx);
};

struct npu_options {
	const struct npu_config *config; /* required */
	struct npu_memory memory;        /* required */
	struct sched *sched;             /* NULL: jobs run to their end in npu_write(CMD) */
	u64 hertz;                       /* NPU clock, must divide SCHED_TICKS_PER_SECOND */
	struct irq_line irq;
	const struct diag *diag;         /* NULL: quiet */
	struct npu_listener listener;
	const char *host_simd;           /* "auto", "generic" or a level (npu/kernels/kernels.h); NULL: auto */
	unsigned threads;                /* of the host for large operations; 0 or 1: the caller's only; results are the same */
	bool share_weights;              /* decoded ones, with other NPUs of the process that do so, also when this one is gone */
	/* Bound on the work of one job in elementary steps, so that a corrupt stream ends;
	 * 0: NPU_DEFAULT_WORK. */
	u64 work_limit;
	/* Not 0: the run is to end soon, results do not matter any more. Only atomic accesses; NULL: never. */
	const int *stop;
};

/* 10^12 steps: minutes of host time, above any network for these machines. */
#define NPU_DEFAULT_WORK UINT64_C(1000000000000)

struct npu;

/* NULL when memory is short, hertz does not divide the tick rate, or host_simd is unknown. */
struct npu *npu_new(const struct npu_options *options);
void npu_free(struct npu *n);
/* npu_free(), and memory that was constant may go as well, which other NPUs that share weights can still want to compare
 * with: `release` is called as soon as nobody does, by any thread. */
void npu_free_with(struct npu *n, const u8 *memory, size_t bytes, void (*release)(void *ctx), void *ctx);

struct state_list;
/* Registers its state, of a job at work as well. */
void npu_state(struct npu *n, struct state_list *list);

/* Bytes of the window of registers. */
static inline u32 npu_register_bytes(const struct npu_config *config)
{
	return config->product == NPU_U85 ? 0x2000 : 0x1000;
}

/* One 32-bit register access; `offset` is a multiple of 4 below npu_register_bytes().
 * Unlisted registers read as zero and ignore writes. */
u32 npu_read(struct npu *n, u32 offset);
void npu_write(struct npu *n, u32 offset, u32 value);
/* What a read would give now, for debuggers: counts of the PMU are not brought up to date by it. */
u32 npu_peek(struct npu *n, u32 offset);

/* Host registers by number: how many there are, and the name of number i with its offset; NULL: the product has no
 * such register. */
unsigned npu_register_count(void);
const char *npu_register_at(const struct npu *n, unsigned i, u32 *offset);

/* Power-on reset: everything as after npu_new. */
void npu_reset(struct npu *n);

/* What a timing adapter in front of a port (below NPU_PORTS) imposes from the next operation on. */
void npu_set_adapter(struct npu *n, unsigned port, const struct npu_adapter *adapter);

/* True while a job runs. */
bool npu_busy(const struct npu *n);

/* Bytes that the operation under way moves over a port (below NPU_PORTS), commands included, and the cycles that it takes; 0 while none is. */
u64 npu_port_bytes(const struct npu *n, unsigned port, u64 *cycles);

/* How the last job ended. */
enum npu_end {
	NPU_END_NONE,       /* no job yet, or running */
	NPU_END_STOP,       /* NPU_OP_STOP or end of the stream */
	NPU_END_BUS,        /* bus error */
	NPU_END_PARSE,      /* command not legal */
	NPU_END_WEIGHTS,    /* weight stream corrupt */
	NPU_END_BRANCH,     /* U85: illegal branch target */
	NPU_END_WORK_LIMIT, /* options.work_limit reached */
	NPU_END_RESET,      /* aborted by a reset */
};

struct npu_result {
	enum npu_end end;
	u64 cycles;       /* of the last job */
	u32 operations;   /* executed in the last job, DMA included */
	u32 offset;       /* of the command where it ended, bytes in the stream */
	u64 jobs;         /* since reset */
	u64 total_cycles; /* active cycles since power-on */
	u64 event[NPU_EVENTS]; /* all events since power-on, PMU enabled or not */
	char message[320];     /* what went wrong and what to do; "" when nothing */
};

/* The model's view of the last job; valid until the next one starts. */
const struct npu_result *npu_result(const struct npu *n);
/* Bytes that an operation moves by region, with the NPU's ports as they are set now; from a listener, say. */
void npu_region_bytes_of(const struct npu *n, const struct npu_op *op, struct npu_region_bytes *out);

/* Event names and numbers for reports; the name is NULL where the product has no such event. */
const char *npu_event_name(const struct npu_config *config, enum npu_event e);
u16 npu_event_number(enum npu_event e);

/* Where the compiler put constants, feature maps and scratch (its "memory mode"). */
enum npu_memory_mode {
	NPU_MEMORY_SHARED,    /* constants on port 1, the rest on port 0 */
	NPU_MEMORY_DEDICATED, /* constants and feature maps on port 1, fast scratch on port 0 */
	NPU_MEMORY_SRAM_ONLY, /* everything on port 0 */
};

/* Registers as the driver would program them, for running without a CPU: base addresses of
 * the regions, command stream at `stream` (bus address, multiple of 16), `stream_bytes` long.
 * Starts the job; without a scheduler it has ended on return. */
void npu_start(struct npu *n, enum npu_memory_mode mode, u64 stream, u32 stream_bytes, const u64 *base,
	       unsigned bases);

#endif
