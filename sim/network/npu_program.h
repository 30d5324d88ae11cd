/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled network laid out in memory for an NPU without a CPU: blocks of memory with bus
 * addresses, jobs to run in order, and where inputs and outputs lie. */
#ifndef SIM_NPU_PROGRAM_H
#define SIM_NPU_PROGRAM_H

#include "npu/npu.h"

#define NPU_PROGRAM_BLOCKS 64
#define NPU_STEP_RANK 16

/* A piece of host memory that the NPU sees at a bus address. */
struct npu_block {
	u64 base, size; /* bytes */
	u8 *host;
	bool writable;
	bool owned;     /* freed with the program */
};

struct npu_job {
	u64 stream;       /* bus address */
	u32 stream_bytes;
	u64 base[NPU_REGIONS]; /* of the regions */
	unsigned bases;        /* how many there are */
	u32 config, id;   /* registers of the accelerator it was compiled for */
	u32 operations;   /* that its latest run had */
};

/* What is done besides NPU jobs, in host memory. */
enum npu_step_kind {
	NPU_STEP_JOB,
	NPU_STEP_COPY,
	NPU_STEP_MOVE,       /* elements of a block, from strides to strides */
	NPU_STEP_QUANTIZE,   /* float to integers: round to even, + zero point, clamp */
	NPU_STEP_DEQUANTIZE, /* integers to float */
};

struct npu_step {
	u8 kind;          /* enum npu_step_kind */
	u8 element_bytes; /* MOVE, QUANTIZE, DEQUANTIZE: of the integer side */
	bool is_signed;   /* QUANTIZE, DEQUANTIZE: the integer side */
	u32 job;          /* JOB: index in npu_program.jobs */
	const u8 *from;   /* host memory of the program's blocks, as is `to` */
	u8 *to;
	u64 count;        /* bytes (COPY) or elements */
	float scale;      /* QUANTIZE, DEQUANTIZE, as the next three: real = (integer - zero_point) * scale */
	i32 zero_point, low, high;
	/* MOVE: elements per dimension, bytes from one to the next */
	u8 rank;
	u32 size[NPU_STEP_RANK];
	i64 from_step[NPU_STEP_RANK], to_step[NPU_STEP_RANK];
};

/* Types of the elements of inputs and outputs, in the order of the public interface. */
enum npu_value_type {
	NPU_VALUE_BYTES, /* another one */
	NPU_VALUE_INT8, NPU_VALUE_UINT8, NPU_VALUE_INT16, NPU_VALUE_UINT16, NPU_VALUE_INT32, NPU_VALUE_UINT32, NPU_VALUE_INT64,
	NPU_VALUE_FLOAT32, NPU_VALUE_BOOL,
};

/* An input or output of the network. */
struct npu_value {
	char name[64];
	u8 *host;
	u64 bytes;
	u8 type;       /* enum npu_value_type */
	u8 rank;
	u32 shape[NPU_STEP_RANK];
	float scale;   /* real = (element - zero_point) * scale; 0: not quantised */
	i32 zero_point;
};

struct npu_program {
	struct npu_block blocks[NPU_PROGRAM_BLOCKS];
	unsigned block_count;
	u64 next_base;   /* bus address for the next block */
	enum npu_memory_mode memory_mode; /* as far as the file shows it: never NPU_MEMORY_SRAM_ONLY */
	struct npu_job *jobs;
	struct npu_step *steps; /* NULL: the jobs in order */
	struct npu_value *inputs, *outputs;
	u32 job_count, step_count, input_count, output_count;
};

/* Reads a network from the bytes of a file, which must stay while the program is used. `method` of a .pte; NULL: "forward",
 * else the first. NULL with a line in `why` (what is wrong, what to do). */
struct npu_program *npu_program_load(u8 *bytes, u64 size, const char *method, char *why, size_t why_size);
void npu_program_free(struct npu_program *p);

/* False with a line in `why` when a job was compiled for another accelerator. */
bool npu_program_fits(const struct npu_program *p, const struct npu_config *config, char *why,
		      size_t why_size);

/* By Vela's name: "Shared_Sram", "Dedicated_Sram", "Sram_Only"; named variants of a mode go by how they begin. */
bool npu_memory_mode_find(const char *name, enum npu_memory_mode *mode);

/* The NPU's view of the program's memory. */
struct npu_memory npu_program_memory(struct npu_program *p);

/* Adds a block: `host` memory, or zeroed memory of its own when NULL. Returns its bus address,
 * 0 when there is no room. */
u64 npu_program_add_block(struct npu_program *p, u8 *host, u64 size, bool writable);

/* Runs all steps in order; false when one did not end normally (npu_result says how). */
bool npu_program_run(const struct npu_program *p, struct npu *n);

/* The readers of file formats. */
bool npu_program_from_tflite(struct npu_program *p, u8 *bytes, u64 size, char *why,
			     size_t why_size);
bool npu_program_from_pte(struct npu_program *p, u8 *bytes, u64 size, const char *method, char *why, size_t why_size);

#endif
