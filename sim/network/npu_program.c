/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, jobs and checks of a network for an NPU without a CPU. */
#include "sim/network/npu_program.h"
#include "loader/pte.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory/pages.h"

#define FIRST_BASE UINT64_C(0x10000000)
#define GAP UINT64_C(0x100000) /* between blocks, so that running over an end is noticed */
#define SLACK 16 /* bytes behind a block that wide reads may touch */
#define LAST_BASE UINT64_C(0xffffffff) /* U55 has 32 address bits */

u64 npu_program_add_block(struct npu_program *p, u8 *host, u64 size, bool writable)
{
	u64 base = p->next_base ? p->next_base : FIRST_BASE;

	if (p->block_count == NPU_PROGRAM_BLOCKS || size > LAST_BASE || base + size > LAST_BASE)
		return 0;
	struct npu_block *b = &p->blocks[p->block_count];
	*b = (struct npu_block){ .base = base, .size = size, .host = host, .writable = writable,
				 .owned = !host };
	if (!host && !(b->host = pages_alloc(size + SLACK)))
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

/* The model is only read, until the program is freed. */
static u64 constant(void *ctx, u64 addr)
{
	const struct npu_program *p = ctx;

	for (unsigned i = 0; i < p->block_count; i++) {
		const struct npu_block *b = &p->blocks[i];
		if (!b->writable && addr >= b->base && addr - b->base < b->size)
			return b->size - (addr - b->base);
	}
	return 0;
}

struct npu_memory npu_program_memory(struct npu_program *p)
{
	return (struct npu_memory){ .span = span, .constant = constant, .ctx = p, .still = true };
}

struct npu_program *npu_program_load(u8 *bytes, u64 size, const char *method, char *why, size_t why_size)
{
	struct npu_program *p = calloc(1, sizeof(*p));

	snprintf(why, why_size, "host memory is short");
	if (p && pte_is(bytes, size)) {
		if (npu_program_from_pte(p, bytes, size, method, why, why_size))
			return p;
	} else if (p && method) {
		snprintf(why, why_size, "only ExecuTorch programs (.pte) have methods");
	} else if (p && npu_program_from_tflite(p, bytes, size, why, why_size)) {
		return p;
	}
	npu_program_free(p);
	return NULL;
}

void npu_program_free(struct npu_program *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->block_count; i++)
		if (p->blocks[i].owned)
			pages_release(p->blocks[i].host, p->blocks[i].size + SLACK);
	free(p->jobs);
	free(p->steps);
	free(p->inputs);
	free(p->outputs);
	free(p);
}

/* Fields of CONFIG that must be equal, as the core driver wants it: product, stream version, MACs. */
#define CONFIG_COMPARED 0xf00000ffu

static bool same_accelerator(u32 a, u32 b)
{
	return ((a ^ b) & CONFIG_COMPARED) == 0;
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

bool npu_memory_mode_find(const char *name, enum npu_memory_mode *mode)
{
	static const struct { const char *name; enum npu_memory_mode mode; } modes[] = {
		{ "Shared_Sram", NPU_MEMORY_SHARED }, { "Dedicated_Sram", NPU_MEMORY_DEDICATED },
		{ "Sram_Only", NPU_MEMORY_SRAM_ONLY },
	};

	for (unsigned i = 0; i < ARRAY_LEN(modes); i++)
		if (strncasecmp(name, modes[i].name, strlen(modes[i].name)) == 0) {
			*mode = modes[i].mode;
			return true;
		}
	return false;
}

static bool run_job(const struct npu_program *p, u32 job, struct npu *n)
{
	struct npu_job *j = &p->jobs[job];

	npu_start(n, p->memory_mode, j->stream, j->stream_bytes, j->base, j->bases);
	j->operations = npu_result(n)->operations;
	return npu_result(n)->end == NPU_END_STOP;
}

static i32 quantize(float value, const struct npu_step *s)
{
	const float q = nearbyintf(1.0f / s->scale * value) + (float)s->zero_point;

	return !(q > (float)s->low) ? s->low : q >= (float)s->high ? s->high : (i32)q;
}

static void quantize_all(const struct npu_step *s)
{
	for (u64 i = 0; i < s->count; i++) {
		float value;
		i32 q;

		memcpy(&value, s->from + 4 * i, 4);
		q = quantize(value, s);
		memcpy(s->to + s->element_bytes * i, &q, s->element_bytes);
	}
}

static void dequantize_all(const struct npu_step *s)
{
	for (u64 i = 0; i < s->count; i++) {
		const unsigned unused = 32 - 8u * s->element_bytes;
		u32 q = 0;
		float value;

		memcpy(&q, s->from + s->element_bytes * i, s->element_bytes);
		value = (float)((s->is_signed ? (i64)((i32)(q << unused) >> unused) : (i64)q) - s->zero_point) * s->scale;
		memcpy(s->to + 4 * i, &value, 4);
	}
}

static void move_all(const struct npu_step *s)
{
	u32 at[NPU_STEP_RANK] = { 0 };
	const u8 *from = s->from;
	u8 *to = s->to;

	for (u64 i = 0; i < s->count; i++) {
		memmove(to, from, s->element_bytes); /* a program may lay one on the other */
		for (unsigned d = s->rank; d-- > 0;) {
			from += s->from_step[d];
			to += s->to_step[d];
			if (++at[d] < s->size[d])
				break;
			from -= s->from_step[d] * s->size[d];
			to -= s->to_step[d] * s->size[d];
			at[d] = 0;
		}
	}
}

static bool run_step(const struct npu_program *p, const struct npu_step *s, struct npu *n)
{
	switch ((enum npu_step_kind)s->kind) {
	case NPU_STEP_JOB: return run_job(p, s->job, n);
	case NPU_STEP_COPY: memmove(s->to, s->from, s->count); break;
	case NPU_STEP_MOVE: move_all(s); break;
	case NPU_STEP_QUANTIZE: quantize_all(s); break;
	case NPU_STEP_DEQUANTIZE: dequantize_all(s); break;
	}
	return true;
}

bool npu_program_run(const struct npu_program *p, struct npu *n)
{
	for (u32 i = 0; i < p->step_count; i++)
		if (!run_step(p, &p->steps[i], n))
			return false;
	for (u32 i = 0; !p->steps && i < p->job_count; i++)
		if (!run_job(p, i, n))
			return false;
	return true;
}
