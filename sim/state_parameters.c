/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of "name: value", in the order of importance: the first that differs tells the user why a state does not
 * fit. Left out is what a program cannot see: the engine, the host's instructions, files and consoles. */
#include "sim/state_parameters.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 160 };

static PRINTF_LIKE(3, 4) void line(struct state_buffer *text, bool *ok, const char *fmt, ...)
{
	char one[LINE];
	va_list args;
	int n;
	void *to;

	va_start(args, fmt);
	n = vsnprintf(one, sizeof one - 1, fmt, args);
	va_end(args);
	n = n < (int)sizeof one - 2 ? n : (int)sizeof one - 2;
	one[n++] = '\n';
	to = state_put(text, (u64)n);
	if (to)
		memcpy(to, one, (size_t)n);
	*ok = *ok && to;
}

static void core(const struct cpu_config *c, struct state_buffer *text, bool *ok)
{
	line(text, ok, "processor: %s", c->model == CPU_CORTEX_M55 ? "Cortex-M55" : "Cortex-M85");
	line(text, ok, "--cpu-timing: %s", config_timing_name(c->timing));
	for (unsigned i = 0; i < c->memory_count; i++)
		line(text, ok, "--cpu-memory: at 0x%08x %u cycles, then %u for 8 bytes", c->memories[i].base, c->memories[i].latency,
		     c->memories[i].beat);
	line(text, ok, "cycles per instruction: %u/%u", c->cpi_mul, c->cpi_div);
	line(text, ok, "core clock: %llu Hz", (unsigned long long)c->clock_hz);
	line(text, ok, "features: fpu %d, mve %d, mve fp %d, dsp %d, security %d, pacbti %d", c->fpu, c->mve_int, c->mve_fp, c->dsp,
	     c->security, c->pacbti);
	line(text, ok, "regions: MPU %u Secure, %u Non-secure, SAU %u", c->mpu_s_regions, c->mpu_ns_regions, c->sau_regions);
	line(text, ok, "interrupts: %u with %u bits of priority", c->irqs, c->priority_bits);
	line(text, ok, "TCM and cache sizes: %u %u %u %u", c->itcm_size_code, c->dtcm_size_code, c->icache_size, c->dcache_size);
	line(text, ok, "blocks of TCM gates: %u %u", c->tgu_block[0], c->tgu_block[1]);
	line(text, ok, "CPUID, Non-secure vector base: 0x%08x 0x%08x", c->cpuid, c->initnsvtor);
}

/* FNV-1a, for programs: entry and where what is loaded. Their bytes are in memory. */
static u32 outline(const struct image *image)
{
	u32 sum = 2166136261u;

	for (unsigned i = 0; i < image->segment_count; i++) {
		const struct image_segment *s = &image->segments[i];
		const u32 words[] = { s->paddr, s->vaddr, s->file_size, s->memory_size };

		for (unsigned k = 0; k < ARRAY_LEN(words); k++)
			sum = (sum ^ words[k]) * 16777619u;
	}
	return sum;
}

static bool save(void *ctx, struct state_buffer *out)
{
	const struct machine *m = ctx;
	const struct machine_config *c = &m->config;
	bool ok = true;

	line(out, &ok, "board: %s", c->board->name);
	line(out, &ok, "accelerator: %s", c->npu ? c->npu->name : "none");
	core(&c->cpu, out, &ok);
	for (unsigned i = 0; i < c->board->memory_count; i++)
		line(out, &ok, "memory %s: %u bytes of 0x%08x 0x%08x", c->board->memories[i].name, c->memory_bytes[i],
		     c->memory_fill[i][0], c->memory_fill[i][1]);
	line(out, &ok, "IDAU: %d", !c->no_idau);
	line(out, &ok, "gating: %d, locks 0x%x, NSCCFG 0x%x", c->gating, c->cpu_locks, c->nsccfg);
	line(out, &ok, "system counter waits for software: %d", c->counter_waits);
	line(out, &ok, "processor waits at reset: %d", c->cpu_waits);
	line(out, &ok, "start from the vector table: %d", c->initsvtor_given);
	line(out, &ok, "--date: %u seconds since 1970", c->start_date);
	line(out, &ok, "semihosting: %s", c->semihosting.enable ? "on" : "off");
	line(out, &ok, "programs: %u", m->image_count);
	for (unsigned i = 0; i < m->image_count; i++)
		line(out, &ok, "program %u: entry 0x%08x (%d), %u segments, outline 0x%08x", i + 1, m->images[i].entry,
		     m->images[i].has_entry, m->images[i].segment_count, outline(&m->images[i]));
	return ok;
}

static unsigned length_of_line(const u8 *from, const u8 *end)
{
	const u8 *stop = memchr(from, '\n', (size_t)(end - from));

	return (unsigned)((stop ? stop : end) - from);
}

/* Tells of the first line that differs; true: none does. */
static bool same_lines(const u8 *theirs, const u8 *their_end, const u8 *ours, const u8 *our_end, char *why, size_t why_size)
{
	while (theirs < their_end || ours < our_end) {
		const unsigned t = length_of_line(theirs, their_end), o = length_of_line(ours, our_end);

		if (t != o || memcmp(theirs, ours, t)) {
			snprintf(why, why_size, "the state was saved with \"%.*s\", this machine has \"%.*s\"", (int)(t < LINE ? t : LINE),
				 (const char *)theirs, (int)o, (const char *)ours);
			return false;
		}
		theirs += theirs + t < their_end ? t + 1 : t;
		ours += ours + o < our_end ? o + 1 : o;
	}
	return true;
}

static bool check(void *ctx, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	struct state_buffer own = { 0 };
	bool ok = save(ctx, &own);

	if (ok)
		ok = same_lines(from, from + bytes, own.data, own.data + own.bytes, why, why_size);
	else
		snprintf(why, why_size, "host memory is short");
	state_buffer_free(&own);
	return ok;
}

static void restore(void *ctx, const u8 *from, u64 bytes)
{
}

void parameters_state(struct machine *m, struct state_list *list)
{
	static const struct state_hooks hooks = { save, check, restore };

	state_add_hooks(list, "machine", "parameters", 1, &hooks, m);
}
