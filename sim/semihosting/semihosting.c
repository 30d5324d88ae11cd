/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/semihosting/call.h"
#include "memory/state.h"
#include "sim/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADP_STOPPED_APPLICATION_EXIT = 0x20026, TEXT = 256 };

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
	if (!files_open_directory(&s->files, config->directory, &machine->wait)) {
		snprintf(why, why_size, "folder of semihosting (--semihosting-dir, semihosting-cwd): %s: %s",
			 config->directory ? config->directory : ".", strerror(errno));
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

void semihosting_set_host(struct semihosting *s, const struct machine_host *host)
{
	s->files.host = host;
}

void semihosting_set_debugger(struct semihosting *s, const struct semihosting_debugger *d)
{
	s->files.debugger = d;
}

bool semihosting_at_debugger(const struct semihosting *s)
{
	return s->files.debugger != NULL;
}

void semihosting_set_command_line(struct semihosting *s, const char *line)
{
	s->command_line = line;
}

void semihosting_state(struct semihosting *s, struct state_list *list)
{
	state_add(list, "semihosting", "messages", 1, s->told, sizeof s->told);
	files_state(&s->files, list);
}

/* Is this the first time for the operation? Programs try again and again. */
static bool first_time(const struct call *c, enum message m)
{
	bool *told = &c->s->told[m][c->number < NUMBERS ? c->number : NUMBERS - 1];
	const bool first = !*told;

	*told = true;
	return first;
}

bool call_unreachable(const struct call *c, u32 addr, u32 bytes)
{
	if (first_time(c, UNREACHABLE))
		diag_report(c->s->machine->diag, DIAG_GUEST, "SEMI002",
			    "semihosting operation 0x%02x: 0x%08x, %u bytes, is not memory that the program may use", c->number,
			    addr, bytes);
	c->s->files.error = EFAULT;
	return false;
}

static bool peek(const struct call *c, u32 addr, void *out, u32 bytes)
{
	return cpu_peek(c->cpu, addr, out, bytes) || call_unreachable(c, addr, bytes);
}

bool call_poke(struct call *c, u32 addr, const void *in, u32 bytes)
{
	if (!cpu_poke(c->cpu, addr, in, bytes))
		return call_unreachable(c, addr, bytes);
	call_note_written(c, addr, in, bytes);
	return true;
}

/* A name of `length` bytes in guest memory. Programs may count its zero byte; a name with one inside would be another to the host. */
static bool name_at(const struct call *c, u32 addr, u32 length, char name[SEMIHOSTING_NAME])
{
	if (length >= SEMIHOSTING_NAME)
		c->s->files.error = ENAMETOOLONG;
	if (length >= SEMIHOSTING_NAME || !peek(c, addr, name, length))
		return false;
	name[length] = 0;
	for (u32 i = (u32)strlen(name); i < length; i++)
		if (name[i]) {
			c->s->files.error = EINVAL;
			return false;
		}
	return true;
}

static int sys_open(struct call *c)
{
	char name[SEMIHOSTING_NAME];

	if (!name_at(c, c->word[0], c->word[2], name))
		return -1;
	const int handle = files_open(&c->s->files, name, c->word[1]);

	if (handle == -1 && c->s->files.error == EXDEV && first_time(c, OUTSIDE))
		diag_report(c->s->machine->diag, DIAG_NOTE, "SEMI004", "'%s' is not in the folder of semihosting (--semihosting-dir, semihosting-cwd): "
			    "the program may not open it", name);
	return handle;
}

static int sys_close(struct call *c)
{
	return files_close(&c->s->files, c->word[0]);
}

static void console(struct call *c, const u8 *bytes, u32 count)
{
	c->printed = STREAM_OUTPUT;
	if (files_print_at_debugger(&c->s->files, STREAM_OUTPUT, bytes, count))
		return;
	if (c->s->files.host)
		machine_output(c->s->machine, STREAM_OUTPUT, bytes, count);
	else
		fwrite(bytes, 1, count, stdout);
}

int sys_writec(struct call *c)
{
	u8 byte;

	if (peek(c, c->parameter, &byte, 1))
		console(c, &byte, 1);
	return 0;
}

int sys_write0(struct call *c)
{
	u8 piece[TEXT];
	u32 n = 0;

	for (u32 addr = c->parameter; peek(c, addr, &piece[n], 1) && piece[n] && !machine_stop_asked(c->s->machine); addr++)
		if (++n == sizeof piece) {
			console(c, piece, n);
			n = 0;
		}
	if (n)
		console(c, piece, n);
	if (!c->s->files.host)
		fflush(stdout);
	return 0;
}

static int sys_readc(struct call *c)
{
	return files_read_console(&c->s->files);
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

	return (u32)n < c->word[2] && call_poke(c, c->word[0], name, (u32)n + 1) ? 0 : -1;
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

/* Seconds since 1970 of simulated time, which starts at a fixed date: the same in every run. */
static int sys_time(struct call *c)
{
	u32 now;

	if (!journal_replays(c->s->machine->journal) && debugger_time(c->s->files.debugger, &now))
		return (int)now;
	return (int)(c->s->machine->config.start_date + (u32)elapsed(c, 1));
}

static int sys_system(struct call *c)
{
	char command[SEMIHOSTING_NAME];

	return name_at(c, c->word[0], c->word[1], command) ? files_system(&c->s->files, command) : -1;
}

static int sys_errno(struct call *c)
{
	return c->s->files.error;
}

static int sys_get_cmdline(struct call *c)
{
	const char *given = c->s->command_line ? c->s->command_line : c->s->config->command_line, *line = given ? given : "";
	const u32 n = (u32)strlen(line);

	if (n < c->word[1])
		return call_poke(c, c->word[0], line, n + 1) && call_poke(c, c->parameter + 4, &n, 4) ? 0 : -1;
	if (first_time(c, CUT))
		diag_report(c->s->machine->diag, DIAG_GUEST, "SEMI003",
			    "the command line has %u bytes with its end, the program has room for %u: it gets none", n + 1, c->word[1]);
	return -1;
}

static int sys_heapinfo(struct call *c)
{
	const struct semihosting_config *s = c->s->config;
	const u32 block[4] = { s->heap_base, s->heap_limit, s->stack_base, s->stack_limit };

	return call_poke(c, c->word[0], block, sizeof block) ? 0 : -1;
}

static int leave(struct call *c, u32 reason, u32 status)
{
	if (reason != ADP_STOPPED_APPLICATION_EXIT)
		diag_report(c->s->machine->diag, DIAG_NOTE, "SEMI005", "the program gives 0x%x as the reason of its exit: %s", reason, call_reason_text(reason));
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

	return call_poke(c, c->parameter, &cycles, 8) ? 0 : -1;
}

static int sys_tickfreq(struct call *c)
{
	return (int)c->s->machine->config.cpu.clock_hz;
}

static const struct operation { u8 number, words; bool outside; int (*fn)(struct call *); } calls[] = {
#define C(number, handler, words, outside) { number, words, outside, handler },
#include "sim/semihosting/semihosting.def"
#undef C
};

static const struct operation *operation_of(u32 number)
{
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

static u32 serve(struct call *c, const struct operation *o)
{
	if (!o) {
		if (first_time(c, UNKNOWN))
			diag_report(c->s->machine->diag, DIAG_GUEST, "SEMI001", "semihosting operation 0x%x is not known; it returns -1",
				    c->number);
		return (u32)-1;
	}
	return o->words && !peek(c, c->parameter, c->word, 4u * o->words) ? (u32)-1 : (u32)o->fn(c);
}

/* The clock is the simulator's own, but for calls that a debugger answers: in the journal those have a number with the place of
 * the call, so that they can be told from calls between that were not asked. */
static bool asks_outside(struct call *c, const struct operation *o)
{
	const struct journal *j = c->s->machine->journal;

	if (o->fn != sys_time)
		return o->outside;
	c->number |= (u32)cpu_instructions(c->cpu) << 8;
	return journal_replays(j) ? journal_holds(j, JOURNAL_SEMIHOSTING, c->number) : debugger_there(c->s->files.debugger);
}

bool semihosting_trap(void *semihosting, struct cpu *cpu, u32 regs[2])
{
	struct call c = { .s = semihosting, .cpu = cpu, .parameter = regs[1], .number = regs[0] };
	const struct operation *o = operation_of(c.number);

	if (!o || !asks_outside(&c, o))
		regs[0] = serve(&c, o);
	else if (journal_replays(c.s->machine->journal))
		regs[0] = call_repeat(&c);
	else
		regs[0] = call_keep(&c, serve(&c, o));
	state_buffer_free(&c.answer);
	return true;
}
