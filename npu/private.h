/* SPDX-License-Identifier: Apache-2.0 */
/* The NPU's state and what its parts offer each other. Not for use outside npu/. */
#ifndef NPU_PRIVATE_H
#define NPU_PRIVATE_H

#include "npu/cmd.h"
#include "npu/decode.h"
#include "npu/kernels/kernels.h"
#include "npu/npu.h"
#include "npu/origin.h"
#include "npu/replay.h"
#include "npu/u85/u85.h"
#include "npu/view.h"

/* Fields of STATUS. */
enum {
	STATUS_RUNNING = 1u << 0,
	STATUS_IRQ = 1u << 1,
	STATUS_BUS = 1u << 2,
	STATUS_RESET = 1u << 3,
	STATUS_PARSE = 1u << 4,
	STATUS_END = 1u << 5,
	STATUS_PMU_IRQ = 1u << 6,
	STATUS_WEIGHTS = 1u << 7, /* U55, U65 */
	STATUS_BRANCH = 1u << 9,  /* U85 */
};

#define NPU_SHRAM_BYTES (48u * 1024)

/* Rows of npu/register.def. */
enum npu_register {
#define R(offset, offset85, name, access, reset, mask, doc) NPU_REG_##name,
#include "npu/register.def"
#undef R
	NPU_REGISTERS
};

struct npu_pmu {
	u32 control;    /* PMCR, bits 0 and 3 */
	u32 enabled, overflow, interrupts; /* bit 31: cycle counter */
	u64 cycles;     /* 48 bits */
	u32 count[8];
	u16 type[8];
	u8 masked;      /* NPU_OP_PMU_MASK */
	u64 seen;       /* NPU cycle up to which everything is counted */
};

/* Everything that changes while the device lives; no pointers. */
struct npu_state {
	u32 reg[NPU_REGISTERS];
	u32 status;         /* flags; the history is apart */
	u16 history;        /* irq_history_mask */
	u8 fault_interface, fault_channel;
	u32 qread;
	struct npu_pmu pmu;
	struct npu_regs commands;
	struct npu_timing timing;
	struct npu_adapter adapter[NPU_PORTS];
	u64 started;        /* cycle of the job's start */
	u64 cycle;          /* without a scheduler: NPU cycles so far */
	u64 work;           /* steps done in this job */
	u32 fetched;        /* offset behind the last operation: what the next one's fetch starts at */
	u32 operations;
	bool pending;       /* an operation waits for its time */
	u8 shram[NPU_SHRAM_BYTES];
};

/* An operation and what it costs. */
struct npu_decoded {
	struct npu_op op;
	struct npu_cost cost;
};

struct npu {
	struct npu_options options;
	struct npu_kernels *kernels;
	struct npu_command_index index;
	struct npu_result result;
	u64 period;      /* ticks per cycle */
	u64 counted[NPU_EVENT_WORDS]; /* a bit for each event that the product has */
	u16 device;      /* id at the scheduler */
	u32 said;        /* a bit for each message of npu_say_once() */
	struct npu_state s;
	const struct npu_decoded *now; /* the pending operation, or else the last: `own`, or one that is replayed. State as well */
	struct npu_decoded own;
	struct npu_replay replay;
	struct npu_shapes *shapes; /* for the timing model; NULL: memory is short */
	struct npu_origins origins; /* of this job, where nobody else writes */
	struct npu85_carry carry; /* U85: tensors kept from one operation to the next */
	struct npu85_carry coming; /* those that a restore will put in their place */
};

/* Messages: one row each in npu/message.def. */
enum npu_message {
#define M(name, id, text, fix) NPU_MSG_##name,
#include "npu/message.def"
#undef M
	NPU_MESSAGES
};

/* Puts the message into the job's result and reports it. */
void npu_say(struct npu *n, enum npu_message m, ...);
/* Reports the message, the first time only; the job goes on and its result stays. */
void npu_say_once(struct npu *n, enum npu_message m, ...);

/* job.c: reads the stream from its beginning; without a scheduler the job has ended on return. */
void npu_job_start(struct npu *n);
/* Ends the job before its time, without an interrupt. */
void npu_job_abort(struct npu *n, enum npu_end end);
/* Handler of the scheduler: ctx is the struct npu, whose pending operation is done now. */
void npu_job_event(void *ctx, const struct sched_event *ev);

/* device.c: the interrupt wire to where STATUS wants it. */
void npu_update_irq(struct npu *n);
/* Reset by register: ends a job, PROT becomes `protection`. */
void npu_soft_reset(struct npu *n, u32 protection);
/* The ports as the registers set them: limits, regions, adapters. */
void npu_ports_of(const struct npu *n, struct npu_ports *p);

/* pmu.c: which events the product has; once, when the options are set. */
void npu_pmu_init(struct npu *n);
/* Counters and registers of the PMU as after power-on. */
void npu_pmu_reset(struct npu *n);
/* Counts the time since the last call, as idle or active as the NPU has been. */
void npu_pmu_sync(struct npu *n);
/* Counts the events of an operation that has ended; after npu_pmu_sync(). */
void npu_pmu_add(struct npu *n, const struct npu_cost *cost);
/* Whether counters other than the result's follow events at present. */
bool npu_pmu_counting(const struct npu *n);
/* Access to a register of the PMU, which `r` must be: PMCR .. PMEVTYPER7. */
u32 npu_pmu_read(struct npu *n, enum npu_register r);
void npu_pmu_write(struct npu *n, enum npu_register r, u32 value);

/* Whether what memory said of addresses holds. */
static inline bool npu_is_still(const struct npu_memory *m)
{
	return m->still && !(m->gone && __atomic_load_n(m->gone, __ATOMIC_RELAXED));
}

/* NPU cycles since power-on. */
u64 npu_now(const struct npu *n);

#endif
