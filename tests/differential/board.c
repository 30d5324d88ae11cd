/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/board.h"

#include <stdlib.h>
#include <string.h>

#define KIB 1024u
#define LIMIT_SECONDS 600

struct board {
	struct bus *bus;
	struct sched sched;
	struct cpu *cpu;
	const u8 *in;
	u64 in_bytes, in_at;
	u8 *out;
	u64 out_bytes, out_room;
	bool left;
	u32 exit_code;
	u64 traced;
};

static u32 word(struct board *b, u32 addr)
{
	u32 value = 0;
	cpu_peek(b->cpu, addr, &value, 4);
	return value;
}

static u32 do_write(struct board *b, u32 from, u32 bytes)
{
	if (b->out_bytes + bytes > b->out_room) {
		b->out_room = (b->out_bytes + bytes) * 2;
		b->out = realloc(b->out, b->out_room);
	}
	cpu_peek(b->cpu, from, b->out + b->out_bytes, bytes);
	b->out_bytes += bytes;
	return 0;
}

static u32 do_read(struct board *b, u32 to, u32 bytes)
{
	u32 part = bytes < b->in_bytes - b->in_at ? bytes : (u32)(b->in_bytes - b->in_at);
	cpu_poke(b->cpu, to, b->in + b->in_at, part);
	b->in_at += part;
	return bytes - part;
}

/* SYS_OPEN, CLOSE, WRITE, READ, EXIT_EXTENDED of the guest's two files. */
static bool semihost(void *ctx, struct cpu *cpu, u32 regs[2])
{
	struct board *b = ctx;
	u32 args = regs[1];

	switch (regs[0]) {
	case 0x01: regs[0] = word(b, args + 4) == 1 ? 1 : 2; return true;
	case 0x02: regs[0] = 0; return true;
	case 0x05: regs[0] = do_write(b, word(b, args + 4), word(b, args + 8)); return true;
	case 0x06: regs[0] = do_read(b, word(b, args + 4), word(b, args + 8)); return true;
	case 0x20:
		b->left = true;
		b->exit_code = word(b, args + 4);
		cpu_request_stop(cpu);
		return true;
	}
	return false;
}

/* As on the SSE-300: bit 28 of an address tells Secure from Non-secure. */
static void idau(void *ctx, u32 addr, struct cpu_idau *out)
{
	out->region = (u8)(addr >> 28);
	out->secure = addr >> 28 & 1;
	out->nsc = false;
	out->exempt = addr >> 28 >= 0xe && !(addr & 0x0ff00000);
}

static void count_trace(void *ctx, const struct cpu_record *r) { ((struct board *)ctx)->traced++; }

static bool board_make(struct board *b, const struct board_options *o)
{
	struct cpu_config config = {
		.model = CPU_CORTEX_M55, .timing = o->timing, .engine = o->engine,
		.clock_hz = 32000000, .cpuid = 0x411fd221, .irqs = 128, .priority_bits = 3,
		.mpu_s_regions = 16, .mpu_ns_regions = 16, .sau_regions = 8,
		.itcm_size_code = 10, .dtcm_size_code = 10,
		.fpu = true, .mve_int = true, .mve_fp = true, .dsp = true, .security = true,
		.cpi_mul = 1, .cpi_div = 1,
		.idau = idau, .semihost = semihost, .semihost_ctx = b,
	};

	sched_init(&b->sched);
	b->bus = bus_new(NULL);
	if (!b->bus || !bus_add_ram(b->bus, "ITCM", 0, 512 * KIB, BUS_CPU) ||
	    !bus_add_alias(b->bus, "ITCM", 0x10000000, 512 * KIB, BUS_CPU, 0) ||
	    !bus_add_ram(b->bus, "DTCM", 0x20000000, 512 * KIB, BUS_CPU) ||
	    !bus_add_alias(b->bus, "DTCM", 0x30000000, 512 * KIB, BUS_CPU, 0x20000000))
		return false;
	b->cpu = cpu_new(&config, b->bus, &b->sched, NULL);
	return b->cpu != NULL;
}

static const char *run(struct board *b, const struct board_options *o)
{
	u64 end = (u64)LIMIT_SECONDS * SCHED_TICKS_PER_SECOND;

	while (!b->left) {
		u64 until = b->sched.next < end ? b->sched.next : end;
		if (o->slice && until > b->sched.now + o->slice)
			until = b->sched.now + o->slice;
		switch (cpu_run(b->cpu, until)) {
		case CPU_STOP_LOCKUP: return "lockup";
		case CPU_STOP_RESET: return "reset";
		case CPU_STOP_BREAK: return "break";
		case CPU_STOP_SLEEP: cpu_sleep_until(b->cpu, until); break;
		default: break;
		}
		u64 now = cpu_cycles(b->cpu) * sched_period(32000000);
		if (now >= end)
			return "does not end";
		sched_run(&b->sched, now);
	}
	return b->exit_code ? "guest reports an error" : NULL;
}

void board_run(const u8 *image, u64 image_bytes, const u8 *batch, u64 batch_bytes,
	       const struct board_options *options, struct board_result *out)
{
	struct board *b = calloc(1, sizeof(*b));

	memset(out, 0, sizeof(*out));
	b->in = batch;
	b->in_bytes = batch_bytes;
	if (!board_make(b, options)) {
		out->problem = "host refuses";
	} else {
		memcpy(bus_span(b->bus, BUS_CPU, 0, image_bytes), image, image_bytes);
		cpu_reset(b->cpu);
		if (options->traced)
			cpu_observe(b->cpu, &(struct cpu_observer){ .instruction = count_trace, .ctx = b });
		out->problem = run(b, options);
		out->cycles = cpu_cycles(b->cpu);
		out->insns = cpu_instructions(b->cpu);
		if (options->traced && b->traced != out->insns && !out->problem)
			out->problem = "trace records and instruction count differ";
	}
	out->data = b->out;
	out->bytes = b->out_bytes;
	cpu_free(b->cpu);
	bus_free(b->bus);
	free(b);
}
