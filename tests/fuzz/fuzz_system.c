/* SPDX-License-Identifier: Apache-2.0 */
/* Whole boards at work: a guest programs devices (DMA-350 with links, NPU jobs), then runs arbitrary code, with a folder
 * for its semihosting that is watched from outside. The host neither crashes nor hangs, every engine ends in the same
 * state, and nothing outside the folder changes.
 *
 * Input: what (bits 0 and 1: board; 2 to 5: accelerator, the board's own where there is none; 7: gates up), the number of
 * words to write, then these as address and value, then the body: it is code at CODE and data at DATA. */
#include "npu/private.h"
#include "sim/run.h"
#include "tests/fuzz/npu_seed.h"
#include "tests/fuzz/outcome.h"
#include "tests/fuzz/watched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITCM = OUTCOME_ITCM, BOOT = ITCM + 0x100, TABLE = ITCM + 0x800, CODE = ITCM + 0x1400, CODE_BYTES = 0x2000,
       STACK = OUTCOME_DTCM + 0x4000, DATA = 0x31000000, DATA_SUM = 0x8000, CYCLES = 20000 };
enum { HEADER = 2, MOST_WRITES = 255, JOB_WORK = 1 << 19, ACCELERATORS = 11, JOB_STEP = 13 /* of the NPU's seeds, one in so many */ };

struct word {
	u32 addr, value;
};

/* r0 = table, r3 = its end: stores each value, then goes on at CODE. */
static const u16 boot[] = {
	0x4298, /* again: cmp r0, r3 */
	0xd202, /* bhs done */
	0xc806, /* ldmia r0!, {r1, r2} */
	0x600a, /* str r2, [r1] */
	0xe7fa, /* b again */
	0xf3bf, 0x8f4f, /* done: dsb */
	0x4720, /* bx r4 */
};

/* U85 has its place on corstone-320 alone, U55 and U65 fit all. */
static const struct npu_config *accelerator(u8 what, const struct npu_config *own)
{
	const unsigned number = what >> 2 & 15; /* from 1 */

	if (!number || number > ACCELERATORS || (npu_configs[number - 1].product == NPU_U85 && what % 4 % 3 != 2))
		return own;
	return &npu_configs[number - 1];
}

static struct machine *new_machine(u8 what, enum cpu_engine engine)
{
	static const struct diag quiet;
	struct machine_config config;
	struct machine *m;
	char why[256];

	machine_config_init(&config, boards[what % 4 % 3]);
	config.cpu.engine = engine;
	config.cpu.initsvtor = ITCM;
	config.gating = what & 0x80;
	config.npu = accelerator(what, config.npu);
	config.semihosting = (struct semihosting_config){ .enable = true, .directory = watched_folder(), .command_line = "guest" };
	if (machine_new(&m, &config, &quiet, why, sizeof why)) {
		fprintf(stderr, "%s\n", why);
		abort();
	}
	m->npu->options.work_limit = JOB_WORK; /* a stream that works for ever ends soon */
	return m;
}

static void put(struct machine *m, u32 addr, const void *bytes, size_t size)
{
	char why[256];

	if (!machine_load_data(m, "input", addr, bytes, size, why, sizeof why)) {
		fprintf(stderr, "%s\n", why);
		abort();
	}
}

static void load(struct machine *m, const u8 *data, size_t size)
{
	u32 vectors[64] = { STACK, BOOT | 1 };
	const size_t asked = data[1] * sizeof(struct word), room = size - HEADER;
	const u32 table = (u32)(asked < room ? asked : room / sizeof(struct word) * sizeof(struct word));
	const size_t body = room - table;

	for (unsigned i = 2; i < ARRAY_LEN(vectors); i++)
		vectors[i] = (CODE + 16 * i) | 1; /* handlers: somewhere in the same code */
	put(m, ITCM, vectors, sizeof vectors);
	put(m, BOOT, boot, sizeof boot);
	put(m, TABLE, data + HEADER, table);
	put(m, CODE, data + HEADER + table, body < CODE_BYTES ? body : CODE_BYTES);
	outcome_without_it(bus_span_to_write(m->bus, BUS_CPU, CODE, CODE_BYTES), CODE_BYTES);
	put(m, DATA, data + HEADER + table, body);
	machine_start(m);
	cpu_set_start(m->cpu, BOOT, STACK);
	cpu_set_reg(m->cpu, 0, TABLE);
	cpu_set_reg(m->cpu, 3, TABLE + table);
	cpu_set_reg(m->cpu, 4, CODE | 1);
	cpu_set_reg(m->cpu, 5, DATA);
	cpu_set_reg(m->cpu, 6, m->config.board->npu.s_base);
	cpu_set_reg(m->cpu, 7, device_set_find(m->devices, "DMA350") ? 0x50002000 : 0xe000ed00);
}

static void run(const u8 *data, size_t size, enum cpu_engine engine, struct outcome *o)
{
	const struct limits limits = { .cycles = CYCLES };
	struct machine *m = new_machine(data[0], engine);

	watched_prepare(true);
	load(m, data, size);
	machine_run(m, &limits, NULL);
	outcome_take(m, o);
	o->extra = outcome_sum(bus_span(m->bus, BUS_CPU, DATA, DATA_SUM), DATA_SUM);
	machine_free(m);
	watched_check();
}

static void silence(void)
{
	static bool done;

	if (!done && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "r", stdin)))
		abort();
	done = true;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct outcome first, other;

	if (size < HEADER)
		return 0;
	silence();
	run(data, size, CPU_ENGINE_TAIL, &first);
	for (unsigned e = CPU_ENGINE_SWITCH; e <= CPU_ENGINE_STEP; e++) {
		run(data, size, (enum cpu_engine)e, &other);
		outcome_compare(&first, &other, e);
	}
	return 0;
}

/* A seed being made. */
struct seed {
	u8 *out;
	size_t size;
};

static void begin(struct seed *s, u8 *out, unsigned board)
{
	*s = (struct seed){ .out = out, .size = HEADER };
	out[0] = (u8)board;
	out[1] = 0;
}

static void write_word(struct seed *s, u32 addr, u32 value)
{
	const struct word w = { addr, value };

	memcpy(s->out + s->size, &w, sizeof w);
	s->size += sizeof w;
	s->out[1]++;
}

static void add(struct seed *s, const void *bytes, size_t size)
{
	memcpy(s->out + s->size, bytes, size);
	s->size += size;
}

static void half(struct seed *s, u16 code)
{
	add(s, &code, sizeof code);
}

/* Waits for the interrupts of what was started, in the code that all handlers are in. */
static void wait_in(struct seed *s, unsigned halves)
{
	for (unsigned i = 0; i < halves; i++)
		half(s, i % 8 == 7 ? 0xe7f8 : i % 8 == 6 ? 0x6828 : 0xbf20); /* b back; ldr r0, [r5]; wfe */
}

enum { CODE_IN_SEED = 512 /* bytes; the data of a seed lies behind it */ };

/* A job on the board's NPU, whose stream is behind the code. */
static size_t npu_job(unsigned index, u8 *out)
{
	const struct npu_config *config;
	static u8 stream[FUZZ_MAX_BYTES];
	const size_t room = FUZZ_MAX_BYTES - 2048;
	const size_t bytes = npu_seed_stream(JOB_STEP * index, stream, room, &config);
	struct seed s;

	if (!bytes)
		return 0;
	begin(&s, out, (config->product == NPU_U85 ? 2 : index % 3) | (unsigned)(config - npu_configs + 1) << 2);
	const u32 npu = boards[out[0] % 4 % 3]->npu.s_base;
	write_word(&s, npu + 0x10, DATA + CODE_IN_SEED); /* QBASE */
	write_word(&s, npu + 0x14, 0);
	write_word(&s, npu + 0x20, (u32)bytes); /* QSIZE */
	for (unsigned region = 0; region < 8; region++)
		write_word(&s, npu + 0x80 + 8 * region, DATA + 0x1000 * region);
	write_word(&s, 0xe000e100, 1u << 16); /* the NPU's interrupt */
	write_word(&s, npu + 0x08, 1); /* CMD: run */
	wait_in(&s, CODE_IN_SEED / 2);
	add(&s, stream, bytes);
	return s.size;
}

/* Two channels; the first one's command is followed by one that it links to, which links to itself. */
static size_t dma_links(unsigned index, u8 *out)
{
	enum { DMA = 0x50002000, CH = DMA + 0x1000 };
	const u32 link[] = { 0x40001158, 0x00200200, DATA + 0x400, DATA + 0x900, 0x00080008, 0x00010001,
			     index ? (DATA + CODE_IN_SEED) | 1 : 0 };
	struct seed s;

	begin(&s, out, 1 + index);
	write_word(&s, CH + 0x0c, 0x00200200);       /* CTRL */
	write_word(&s, CH + 0x10, DATA);             /* SRCADDR */
	write_word(&s, CH + 0x18, DATA + 0x1000);    /* DESADDR */
	write_word(&s, CH + 0x20, 0x00100010);       /* XSIZE */
	write_word(&s, CH + 0x30, 0x00010001);       /* XADDRINC */
	write_word(&s, CH + 0x78, (DATA + CODE_IN_SEED) | 1); /* LINKADDR */
	write_word(&s, CH + 0x08, 0x3);              /* INTREN */
	write_word(&s, CH + 0x00, 1);                /* CMD: enable */
	write_word(&s, CH + 0x10c, 0x02200200);
	write_word(&s, CH + 0x110, DATA + CODE_IN_SEED);
	write_word(&s, CH + 0x118, ITCM + 0x1400); /* copies over the code that runs */
	write_word(&s, CH + 0x120, 0x00080008);
	write_word(&s, CH + 0x14c, 0x00000300); /* waits for a trigger that is not there */
	write_word(&s, CH + 0x100, 1);
	wait_in(&s, CODE_IN_SEED / 2);
	add(&s, link, sizeof link);
	return s.size;
}

/* The word number `word` of the data, into a register: movw, movt. */
static void load_address(struct seed *s, unsigned reg, unsigned word)
{
	const u32 value = DATA + CODE_IN_SEED + 4 * word;

	for (unsigned k = 0; k < 2; k++) {
		const u32 v = value >> 16 * k & 0xffff;

		half(s, (u16)((k ? 0xf2c0 : 0xf240) | v >> 12 | (v >> 11 & 1) << 10));
		half(s, (u16)((v >> 8 & 7) << 12 | reg << 8 | (v & 0xff)));
	}
}

/* What a word of a parameter block stands for: itself, or a name by its number, the space for data. */
enum { A_NAME = 1000, SPACE = 2000, LENGTH /* of the name before */ };

struct call {
	u8 operation;
	enum { PLAIN, OPENS, HAS_HANDLE } handle;
	u32 block[4];
};

static const struct call calls[] = {
	{ 0x01, OPENS, { A_NAME, 6, LENGTH } }, { 0x05, HAS_HANDLE, { 0, SPACE, 40 } }, { 0x0a, HAS_HANDLE, { 0, 1u << 20 } },
	{ 0x05, HAS_HANDLE, { 0, SPACE, 40 } }, { 0x0a, HAS_HANDLE, { 0, 2 } }, { 0x06, HAS_HANDLE, { 0, SPACE, 64 } },
	{ 0x0c, HAS_HANDLE, { 0 } }, { 0x02, HAS_HANDLE, { 0 } }, { 0x0f, PLAIN, { A_NAME, LENGTH, A_NAME + 1, LENGTH } },
	{ 0x0e, PLAIN, { A_NAME + 1, LENGTH } }, { 0x0d, PLAIN, { SPACE, 7, 32 } }, { 0x12, PLAIN, { A_NAME, LENGTH } },
	{ 0x15, PLAIN, { SPACE, 64 } }, { 0x16, PLAIN, { SPACE } }, { 0x13, PLAIN, { 0 } },
};
static const char *const names[] = { "new", "up/secret", "link", "../outside/new", "far", ":tt", "a.txt", "./b", "..", "up/../x" };

enum { NAME_WORDS = 4, BLOCK_WORDS = 4, BLOCKS = 64 /* words: behind the names */ };

static u32 block_word(unsigned index, const u32 *block, unsigned k)
{
	const u32 name = (index + block[k] - A_NAME) % (u32)ARRAY_LEN(names);

	if (block[k] == SPACE)
		return DATA + 0x2000;
	if (block[k] == LENGTH)
		return (u32)strlen(names[(index + block[k - 1] - A_NAME) % ARRAY_LEN(names)]);
	return block[k] < A_NAME || block[k] > SPACE ? block[k] : DATA + CODE_IN_SEED + 4 * NAME_WORDS * name;
}

static void make_call(struct seed *s, unsigned number)
{
	const struct call *c = &calls[number];

	load_address(s, 1, BLOCKS + BLOCK_WORDS * number);
	if (c->handle == HAS_HANDLE) { /* str.w r8, [r1] */
		half(s, 0xf8c1);
		half(s, 0x8000);
	}
	half(s, (u16)(0x2000 | c->operation)); /* movs r0, #operation */
	half(s, 0xbeab);
	if (c->handle == OPENS)
		half(s, 0x4680); /* mov r8, r0 */
}

/* Opens, writes, reads, renames and removes under names that lead out of the folder, and some that do not. */
static size_t files(unsigned index, u8 *out)
{
	u32 data[BLOCKS + BLOCK_WORDS * ARRAY_LEN(calls)] = { 0 };
	struct seed s;

	begin(&s, out, index % 3);
	for (unsigned n = 0; n < ARRAY_LEN(names); n++)
		memcpy(&data[NAME_WORDS * n], names[n], strlen(names[n]));
	for (unsigned c = 0; c < ARRAY_LEN(calls); c++) {
		make_call(&s, c);
		for (unsigned k = 0; k < BLOCK_WORDS; k++)
			data[BLOCKS + BLOCK_WORDS * c + k] = block_word(index / 3, calls[c].block, k);
	}
	while (s.size < HEADER + CODE_IN_SEED)
		half(&s, 0xbf20);
	add(&s, data, sizeof data);
	return s.size;
}

/* Jobs of the NPU, linked copies, files by turns. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	enum { LINKS = 2, FILES = 30 };

	if (index < LINKS)
		return dma_links(index, out);
	index -= LINKS;
	if (index < FILES)
		return files(index, out);
	return npu_job(index - FILES, out);
}
