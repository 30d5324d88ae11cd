/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/semihosting.h"
#include "sim/machine.h"
#include "sim/semihosting_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADP_STOPPED_APPLICATION_EXIT = 0x20026, MAX_WORDS = 4, CHUNK = 65536 };

/* Operations are numbered up to 0xff; what is above counts as one. */
enum { NUMBERS = 0x101 };

enum message { UNKNOWN, UNREACHABLE, CUT, MESSAGES };

struct semihosting {
	struct machine *machine;
	const struct semihosting_config *config;
	struct semihosting_files files;
	bool told[MESSAGES][NUMBERS]; /* each message once per operation */
};

struct call {
	struct semihosting *s;
	struct cpu *cpu;
	u32 parameter;        /* r1 */
	u32 word[MAX_WORDS];  /* of the block it points to */
	u32 number;           /* of the operation, r0 */
};

struct semihosting *semihosting_new(const struct semihosting_config *config, struct machine *machine, char *why,
				    size_t why_size)
{
	struct semihosting *s = calloc(1, sizeof *s);

	if (!s) {
		snprintf(why, why_size, "host memory is short");
		return NULL;
	}
	s->machine = machine;
	s->config = config;
	if (!files_open_directory(&s->files, config->directory)) {
		snprintf(why, why_size, "folder of semihosting: %s: %s", config->directory ? config->directory : ".",
			 strerror(errno));
		free(s);
		return NULL;
	}
	s->files.one_console = config->one_console;
	return s;
}

void semihosting_free(struct semihosting *s)
{
	if (!s)
		return;
	files_close_all(&s->files);
	free(s);
}

/* Is this the first time for the operation? Programs try again and again. */
static bool first_time(const struct call *c, enum message m)
{
	bool *told = &c->s->told[m][c->number < NUMBERS ? c->number : NUMBERS - 1];
	const bool first = !*told;

	*told = true;
	return first;
}

static bool unreachable(const struct call *c, u32 addr, u32 bytes)
{
	if (first_time(c, UNREACHABLE))
		diag_report(c->s->machine->diag, DIAG_GUEST, "SEMI002",
			    "semihosting operation 0x%02x: 0x%08x, %u bytes, is not memory that the program may use", c->number,
			    addr, bytes);
	return false;
}

static bool peek(const struct call *c, u32 addr, void *out, u32 bytes)
{
	return cpu_peek(c->cpu, addr, out, bytes) || unreachable(c, addr, bytes);
}

static bool poke(const struct call *c, u32 addr, const void *in, u32 bytes)
{
	return cpu_poke(c->cpu, addr, in, bytes) || unreachable(c, addr, bytes);
}

/* A name of `length` bytes (or up to its zero byte) in guest memory. */
static bool name_at(const struct call *c, u32 addr, u32 length, char name[SEMIHOSTING_NAME])
{
	if (length >= SEMIHOSTING_NAME || !peek(c, addr, name, length))
		return false;
	name[length] = 0;
	return true;
}

static int sys_open(struct call *c)
{
	char name[SEMIHOSTING_NAME];

	return name_at(c, c->word[0], c->word[2], name) ? files_open(&c->s->files, name, c->word[1]) : -1;
}

static int sys_close(struct call *c)
{
	return files_close(&c->s->files, c->word[0]);
}

static void console(u8 byte)
{
	putc(byte, stdout);
}

static int sys_writec(struct call *c)
{
	u8 byte;

	if (peek(c, c->parameter, &byte, 1))
		console(byte);
	return 0;
}

static int sys_write0(struct call *c)
{
	u8 byte;

	for (u32 addr = c->parameter; peek(c, addr, &byte, 1) && byte; addr++)
		console(byte);
	fflush(stdout);
	return 0;
}

/* Moves `size` bytes in chunks; returns how many were not moved. */
static u32 transfer(struct call *c, bool write)
{
	u32 addr = c->word[1], left = c->word[2];
	u8 *buffer = malloc(CHUNK);

	while (buffer && left) {
		const u32 piece = left < CHUNK ? left : CHUNK;
		u32 rest;

		if (write) {
			if (!peek(c, addr, buffer, piece))
				break;
			rest = files_write(&c->s->files, c->word[0], buffer, piece);
		} else {
			rest = files_read(&c->s->files, c->word[0], buffer, piece);
			if (!poke(c, addr, buffer, piece - rest))
				break;
		}
		left -= piece - rest;
		addr += piece - rest;
		if (rest)
			break;
	}
	free(buffer);
	return left;
}

static int sys_write(struct call *c)
{
	return (int)transfer(c, true);
}

static int sys_read(struct call *c)
{
	return (int)transfer(c, false);
}

static int sys_readc(struct call *c)
{
	(void)c;
	return getchar();
}

static int sys_iserror(struct call *c)
{
	return (i32)c->word[0] < 0;
}

static int sys_istty(struct call *c)
{
	return files_istty(&c->s->files, c->word[0]);
}

static int sys_seek(struct call *c)
{
	return files_seek(&c->s->files, c->word[0], c->word[1]);
}

static int sys_flen(struct call *c)
{
	return files_length(&c->s->files, c->word[0]);
}

/* Names are made from the identifier alone, so that runs repeat. */
static int sys_tmpnam(struct call *c)
{
	char name[32];
	const int n = snprintf(name, sizeof name, "semihosting-%03u.tmp", c->word[1] & 0xff);

	return (u32)n < c->word[2] && poke(c, c->word[0], name, (u32)n + 1) ? 0 : -1;
}

static int sys_remove(struct call *c)
{
	char name[SEMIHOSTING_NAME];

	return name_at(c, c->word[0], c->word[1], name) ? files_remove(&c->s->files, name) : -1;
}

static int sys_rename(struct call *c)
{
	char from[SEMIHOSTING_NAME], to[SEMIHOSTING_NAME];

	return name_at(c, c->word[0], c->word[1], from) && name_at(c, c->word[2], c->word[3], to)
		       ? files_rename(&c->s->files, from, to)
		       : -1;
}

/* Simulated time in parts of a second. */
static u64 elapsed(const struct call *c, unsigned parts)
{
	return cpu_cycles(c->cpu) * c->s->machine->period / (SCHED_TICKS_PER_SECOND / parts);
}

static int sys_clock(struct call *c)
{
	return (int)elapsed(c, 100);
}

/* Seconds since 1970 of simulated time, which starts at 0: the same in every run. */
static int sys_time(struct call *c)
{
	return (int)elapsed(c, 1);
}

static int sys_system(struct call *c)
{
	(void)c;
	return -1; /* no commands on the host */
}

static int sys_errno(struct call *c)
{
	return c->s->files.error;
}

static int sys_get_cmdline(struct call *c)
{
	const char *line = c->s->config->command_line ? c->s->config->command_line : "";
	const u32 n = (u32)strlen(line);

	if (n < c->word[1])
		return poke(c, c->word[0], line, n + 1) && poke(c, c->parameter + 4, &n, 4) ? 0 : -1;
	if (first_time(c, CUT))
		diag_report(c->s->machine->diag, DIAG_GUEST, "SEMI003",
			    "the command line has %u bytes with its end, the program has room for %u: it gets none", n + 1, c->word[1]);
	return -1;
}

static int sys_heapinfo(struct call *c)
{
	const struct semihosting_config *s = c->s->config;
	const u32 block[4] = { s->heap_base, s->heap_limit, s->stack_base, s->stack_limit };

	return poke(c, c->word[0], block, sizeof block) ? 0 : -1;
}

static int leave(struct call *c, u32 reason, u32 status)
{
	c->s->machine->guest_status = reason == ADP_STOPPED_APPLICATION_EXIT ? (int)status : 1;
	machine_stop(c->s->machine, STOP_EXIT);
	return 0;
}

static int sys_exit(struct call *c)
{
	return leave(c, c->parameter, 0);
}

static int sys_exit_extended(struct call *c)
{
	return leave(c, c->word[0], c->word[1]);
}

static int sys_elapsed(struct call *c)
{
	const u64 cycles = cpu_cycles(c->cpu);

	return poke(c, c->parameter, &cycles, 8) ? 0 : -1;
}

static int sys_tickfreq(struct call *c)
{
	return (int)c->s->machine->config.cpu.clock_hz;
}

static const struct { u8 number, words; int (*fn)(struct call *); } calls[] = {
#define C(number, handler, words) { number, words, handler },
#include "sim/semihosting.def"
#undef C
};

bool semihosting_trap(void *semihosting, struct cpu *cpu, u32 regs[2])
{
	struct call c = { .s = semihosting, .cpu = cpu, .parameter = regs[1], .number = regs[0] };

	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		if (calls[i].number != regs[0])
			continue;
		if (calls[i].words && !peek(&c, c.parameter, c.word, 4u * calls[i].words))
			regs[0] = (u32)-1;
		else
			regs[0] = (u32)calls[i].fn(&c);
		return true;
	}
	if (first_time(&c, UNKNOWN))
		diag_report(c.s->machine->diag, DIAG_GUEST, "SEMI001", "semihosting operation 0x%x is not known; it returns -1",
			    c.number);
	regs[0] = (u32)-1;
	return true;
}
