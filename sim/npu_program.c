/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, jobs and checks of a network for an NPU without a CPU. */
#include "sim/npu_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BASE UINT64_C(0x10000000)
#define GAP UINT64_C(0x100000) /* between blocks, so that running over an end is noticed */
#define LAST_BASE UINT64_C(0xffffffff) /* U55 has 32 address bits */

u64 npu_program_add_block(struct npu_program *p, u8 *host, u64 size, bool writable)
{
	u64 base = p->next_base ? p->next_base : FIRST_BASE;

	if (p->block_count == NPU_PROGRAM_BLOCKS || size > LAST_BASE || base + size > LAST_BASE)
		return 0;
	struct npu_block *b = &p->blocks[p->block_count];
	*b = (struct npu_block){ .base = base, .size = size, .host = host, .writable = writable,
				 .owned = !host };
	if (!host && !(b->host = calloc(1, size + 16)))
		return 0;
	p->block_count++;
	p->next_base = (base + size + 2 * GAP - 1) & ~(GAP - 1);
	return base;
}

static u8 *span(void *ctx, u64 addr, u64 size, bool write)
{
	struct npu_program *p = ctx;

	for (unsigned i = 0; i < p->block_count; i++) {
		const struct npu_block *b = &p->blocks[i];
		if (addr >= b->base && addr - b->base <= b->size && size <= b->size - (addr - b->base))
			return write && !b->writable ? NULL : b->host + (addr - b->base);
	}
	return NULL;
}

struct npu_memory npu_program_memory(struct npu_program *p)
{
	return (struct npu_memory){ .span = span, .ctx = p };
}

struct npu_program *npu_program_load(u8 *bytes, u64 size, char *why, size_t why_size)
{
	struct npu_program *p = calloc(1, sizeof(*p));

	bool is_pte = size >= 8 && memcmp(bytes + 4, "ET", 2) == 0;

	if (p && (is_pte ? npu_program_from_pte : npu_program_from_tflite)(p, bytes, size, why, why_size))
		return p;
	npu_program_free(p);
	return NULL;
}

void npu_program_free(struct npu_program *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->block_count; i++)
		if (p->blocks[i].owned)
			free(p->blocks[i].host);
	for (u32 i = 0; i < p->job_count; i++)
		free(p->jobs[i].copies);
	free(p->jobs);
	free(p->inputs);
	free(p->outputs);
	free(p);
}

/* As the core driver: product, MACs and stream version must be equal. */
static bool same_accelerator(u32 a, u32 b)
{
	return ((a ^ b) & 0xf00000ff) == 0;
}

bool npu_program_fits(const struct npu_program *p, const struct npu_config *config, char *why,
		      size_t why_size)
{
	for (u32 i = 0; i < p->job_count; i++) {
		u32 found = p->jobs[i].config;
		if (same_accelerator(found, config->config_register))
			continue;
		const struct npu_config *other = npu_config_of_register(found);
		snprintf(why, why_size,
			 "model is compiled for %s (CONFIG 0x%08x), expected %s (0x%08x); compile it "
			 "again with vela --accelerator-config %s or run with --accelerator %s",
			 other ? other->name : "an unknown accelerator", found, config->name,
			 config->config_register, config->name, other ? other->name : "NAME");
		return false;
	}
	return true;
}

static void copy(const struct npu_job *j, u32 first, u32 end)
{
	for (u32 i = first; i < end; i++)
		memcpy(j->copies[i].to, j->copies[i].from, j->copies[i].bytes);
}

bool npu_program_run(const struct npu_program *p, struct npu *n)
{
	for (u32 i = 0; i < p->job_count; i++) {
		const struct npu_job *j = &p->jobs[i];
		copy(j, 0, j->copies_before);
		npu_start(n, j->stream, j->stream_bytes, j->base, j->bases);
		if (npu_result(n)->end != NPU_END_STOP)
			return false;
		copy(j, j->copies_before, j->copy_count);
	}
	return true;
}
