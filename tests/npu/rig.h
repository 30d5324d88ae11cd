/* SPDX-License-Identifier: Apache-2.0 */
/* An NPU with one piece of memory and a command stream written by the test. */
#ifndef TESTS_NPU_RIG_H
#define TESTS_NPU_RIG_H

#include "npu/cmd.h"
#include "npu/npu.h"

#define RIG_BASE 0x20000000u
#define RIG_BYTES 0x10000u
#define RIG_STREAM 0xc000u /* where the stream lies in memory */

enum { REG_ID = 0x0, REG_STATUS = 0x4, REG_CMD = 0x8, REG_RESET = 0xc, REG_QBASE = 0x10,
       REG_QREAD = 0x18, REG_QSIZE = 0x20, REG_PROT = 0x24, REG_CONFIG = 0x28 };

struct rig {
	struct npu *npu;
	struct sched sched;
	u8 memory[RIG_BYTES + 16];
	u8 *elsewhere; /* what the NPU sees in its place; NULL: `memory` */
	u32 words; /* in the stream */
	u64 constant;
	bool irq;
	unsigned irq_edges;
	u64 wrote_first, wrote_bytes;
	u64 told; /* made of what the listener was told since the job's start: operations and their cycles, in order */
	unsigned messages;
	char id[16]; /* of the last message */
};

/* With a scheduler when hertz is not 0. */
void rig_open(struct rig *r, const char *accelerator, u64 hertz);
/* The same, whose memory says that it never moves, so it must not, and that `constant` bytes from the stream on never change. */
void rig_open_still(struct rig *r, const char *accelerator, u64 constant);
/* The same on a level of the host, and nobody follows what is written: memory may be behind until a job ends. */
void rig_open_alone(struct rig *r, const char *accelerator, u64 constant, const char *simd);
void rig_close(struct rig *r);

/* Append to the command stream. */
void rig_word(struct rig *r, u32 word);
void rig_c0(struct rig *r, enum npu_command c, u32 parameter);
void rig_c1(struct rig *r, enum npu_command c, u64 value);

/* Maps of one tile, which are never larger than 256 rows and columns; blocks of 16 channels, strides of 1. */
void rig_one_tile(struct rig *r);

/* A 1x1x`depth` int8 elementwise ADD of bytes at 0 and 0x100 to 0x200, scales 1, no zero points. */
void rig_add_op(struct rig *r, u32 depth);
void rig_stop(struct rig *r);

/* Starts the stream with all regions at RIG_BASE. */
void rig_start(struct rig *r);
/* The same, and that all there is to see of it equals what a fresh NPU makes of the same memory; `text` says which, where it does not. */
void rig_start_beside_fresh(struct rig *r, const char *accelerator, const char *text);

#endif
