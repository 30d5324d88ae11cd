/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and structs lie in the file as this build has them: its head names the version and the size of the parameters,
 * and another build refuses it. */
#include "sim/record.h"
#include "sim/version.h"
#include "sim/run.h"
#include "sim/state.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct packed_kind kind = { "fvp-sim record\n", 3, "record of a run", "record it" };

enum { NO_TEXT = -1 };

struct record_head {
	char version[32];
	u64 config_bytes;
	struct limits limits;
	struct record_end end;
	u64 state_bytes, journal_bytes;
	u32 images, unused;
};

/* ---- texts that the parameters point to ---- */

#define TEXT(member) offsetof(struct machine_config, member)
static const size_t plain_texts[] = {
	TEXT(npu_args), TEXT(cpu_memory), TEXT(host_simd), TEXT(itm_file), TEXT(script_folder), TEXT(semihosting.directory), TEXT(semihosting.command_line),
};
static const size_t uart_texts[] = {
	offsetof(struct uart_config, out_file), offsetof(struct uart_config, in_file), offsetof(struct uart_config, shutdown_tag),
};
enum { TEXTS = ARRAY_LEN(plain_texts) + CONFIG_UARTS * ARRAY_LEN(uart_texts) };

static const char **text_at(struct machine_config *c, size_t i)
{
	const size_t u = i - ARRAY_LEN(plain_texts);

	return (const char **)(i < ARRAY_LEN(plain_texts)
		? (char *)c + plain_texts[i]
		: (char *)&c->uart[u / ARRAY_LEN(uart_texts)] + uart_texts[u % ARRAY_LEN(uart_texts)]);
}

/* Pointers mean nothing in a file. */
static void drop_pointers(struct machine_config *c)
{
	c->board = NULL;
	c->npu = NULL;
	c->cpu.idau = NULL;
	c->cpu.idau_ctx = NULL;
	c->cpu.semihost = NULL;
	c->cpu.semihost_ctx = NULL;
	c->cpu.taken = NULL;
	c->cpu.taken_ctx = NULL;
	c->cpu.itm = NULL;
	c->cpu.itm_ctx = NULL;
	for (size_t i = 0; i < TEXTS; i++)
		*text_at(c, i) = NULL;
}

/* ---- writing ---- */

static bool put(struct state_buffer *out, const void *data, u64 bytes)
{
	void *to = bytes ? state_put(out, bytes) : NULL;

	if (to)
		memcpy(to, data, bytes);
	return to || !bytes;
}

static bool put_text(struct state_buffer *out, const char *text)
{
	const i32 length = text ? (i32)strlen(text) : NO_TEXT;

	return put(out, &length, sizeof length) && (!text || put(out, text, (u64)length + 1));
}

static bool put_config(struct state_buffer *out, const struct machine_config *config)
{
	struct machine_config c = *config, bare = *config;
	bool ok;

	drop_pointers(&bare);
	ok = put(out, &bare, sizeof bare) && put_text(out, c.board->name) && put_text(out, c.npu ? c.npu->name : NULL);
	for (size_t i = 0; i < TEXTS && ok; i++)
		ok = put_text(out, *text_at(&c, i));
	return ok;
}

static bool put_image(struct state_buffer *out, const struct image *image)
{
	u64 bytes;
	const u8 *data = image_file(image, &bytes);

	return put_text(out, image->path) && put(out, &bytes, sizeof bytes) && put(out, data, bytes);
}

/* The parameters, and what a program around the machine does for the standard streams: it may feed any serial port. */
static struct machine_config surroundings(const struct machine *m)
{
	struct machine_config c = m->config;

	for (unsigned i = 0; i < CONFIG_UARTS && m->host; i++)
		c.uart[i].in_file = "-";
	scripts_note_hooks(m->scripts, c.script_hooks);
	if (m->host)
		c.uart[0].out_file = "-";
	return c;
}

bool record_begin(struct record *r, struct machine *m, const struct limits *limits, char *why, size_t why_size)
{
	const struct machine_config config = surroundings(m);
	struct record_head head = { .version = FVP_SIM_VERSION, .config_bytes = sizeof m->config, .limits = *limits, .images = m->image_count };
	struct state_buffer *out = &r->bytes;
	bool ok;

	*r = (struct record){ .images = 0 };
	head.limits.host_seconds = head.limits.cpu_seconds = 0;
	ok = put(out, &head, sizeof head) && put_config(out, &config);
	for (unsigned i = 0; i < m->image_count && ok; i++)
		ok = put_image(out, &m->images[i]);
	if (!ok) {
		snprintf(why, why_size, "host memory is short");
		return false;
	}
	const u64 before = out->bytes;
	if (machine_save(m, out, why, why_size))
		return false;
	head.state_bytes = out->bytes - before;
	memcpy(out->data, &head, sizeof head);
	m->journal = &r->journal;
	return true;
}

enum failure record_write(struct record *r, struct machine *m, const char *path, char *why, size_t why_size)
{
	const enum stop_reason stop = m->stop == STOP_NONE ? STOP_INTERRUPTED : m->stop;
	const u64 before = r->bytes.bytes;
	struct record_head head;
	enum failure failure;

	memcpy(&head, r->bytes.data, sizeof head);
	head.end = (struct record_end){ cpu_instructions(m->cpu), m->sched.handled, machine_cycles(m), (i32)stop, m->guest_status };
	head.journal_bytes = r->journal.entries.bytes;
	memcpy(r->bytes.data, &head, sizeof head);
	if (!put(&r->bytes, r->journal.entries.data, r->journal.entries.bytes)) {
		snprintf(why, why_size, "host memory is short");
		return FAIL_INTERNAL;
	}
	failure = packed_write(&kind, path, r->bytes.data, r->bytes.bytes, why, why_size);
	r->bytes.bytes = before;
	return failure;
}

/* ---- reading ---- */

struct reader { const struct state_buffer *from; u64 at; bool ok; };

/* The next so many bytes; NULL, and from then on: there are not so many. */
static const void *get(struct reader *f, u64 bytes)
{
	const u8 *at = f->from->data + f->at;

	f->ok = f->ok && bytes <= f->from->bytes - f->at;
	if (!f->ok)
		return NULL;
	f->at += bytes;
	return at;
}

static void get_into(struct reader *f, void *to, u64 bytes)
{
	const void *at = get(f, bytes);

	if (at)
		memcpy(to, at, bytes);
	else
		memset(to, 0, bytes);
}

static const char *get_text(struct reader *f)
{
	const char *text;
	i32 length;

	get_into(f, &length, sizeof length);
	if (!f->ok || length == NO_TEXT)
		return NULL;
	text = length >= 0 ? get(f, (u64)length + 1) : NULL;
	f->ok = f->ok && text && !text[length];
	return f->ok ? text : NULL;
}

/* What the machine reads comes from the record; what it wrote to files is not written again. */
static void keep_from_outside(struct machine_config *c)
{
	for (unsigned i = 0; i < CONFIG_UARTS; i++) {
		struct uart_config *u = &c->uart[i];

		u->in_file = u->in_file && *u->in_file ? "/dev/null" : NULL;
		u->out_file = u->out_file && !strcmp(u->out_file, "-") ? "-" : NULL;
	}
	c->itm_file = c->itm_file && !strcmp(c->itm_file, "-") ? "-" : NULL;
	c->npu_args = c->host_simd = c->semihosting.directory = c->script_folder = NULL;
}

static bool get_config(struct reader *f, struct machine_config *c)
{
	const char *board, *npu;

	get_into(f, c, sizeof *c);
	drop_pointers(c);
	board = get_text(f);
	npu = get_text(f);
	for (size_t i = 0; i < TEXTS; i++)
		*text_at(c, i) = get_text(f);
	c->board = board ? board_find(board) : NULL;
	c->npu = npu ? npu_config_find(npu) : NULL;
	keep_from_outside(c);
	return f->ok && c->board && (!npu || c->npu);
}

static bool skip_images(struct reader *f, u32 count)
{
	for (u32 i = 0; i < count && f->ok; i++) {
		u64 bytes;

		get_text(f);
		get_into(f, &bytes, sizeof bytes);
		get(f, bytes);
	}
	return f->ok;
}

static bool get_journal(struct reader *f, struct journal *j, u64 bytes)
{
	const void *entries = get(f, bytes);

	j->closed = true;
	return entries && put(&j->entries, entries, bytes);
}

static enum failure misfit(const char *path, const char *text, char *why, size_t why_size)
{
	snprintf(why, why_size, "%s: %s", path, text);
	return FAIL_MISFIT;
}

static bool ended_by_host(const struct record_end *e)
{
	return e->stop == STOP_TIME_LIMIT || e->stop == STOP_CPU_LIMIT || e->stop == STOP_INTERRUPTED;
}

/* An end that the host has made comes again at the same cycle; one before the first is no limit: record_start. */
static void set_limits(const struct record *r, struct limits *limits, const struct machine_config *c)
{
	if (ended_by_host(&r->end))
		limits->tick = r->end.cycles * sched_period(c->cpu.clock_hz);
}

enum failure record_read(struct record *r, const char *path, struct machine_config *config, struct limits *limits, char *why,
			 size_t why_size)
{
	struct record_head head;
	struct reader f = { .from = &r->bytes, .ok = true };
	enum failure failure;

	*r = (struct record){ .images = 0 };
	failure = packed_read(&kind, path, &r->bytes, why, why_size);
	if (failure)
		return failure;
	get_into(&f, &head, sizeof head);
	if (!f.ok || strncmp(head.version, FVP_SIM_VERSION, sizeof head.version) != 0 || head.config_bytes != sizeof *config)
		return misfit(path, "was recorded by another version of the simulator; record it again with this one", why, why_size);
	r->end = head.end;
	r->images = head.images;
	if (!get_config(&f, config))
		return misfit(path, "names a board or an accelerator that this version has not got", why, why_size);
	*limits = head.limits;
	set_limits(r, limits, config);
	r->images_at = f.at;
	skip_images(&f, r->images);
	r->state_at = f.at;
	r->state_bytes = head.state_bytes;
	if (get(&f, head.state_bytes) && get_journal(&f, &r->journal, head.journal_bytes) && f.at == r->bytes.bytes)
		return FAIL_NONE;
	snprintf(why, why_size, "%s: is damaged, or host memory is short; record it again", path);
	return FAIL_BAD_INPUT;
}

bool record_load(struct record *r, struct machine *m, char *why, size_t why_size)
{
	struct reader f = { .from = &r->bytes, .at = r->images_at, .ok = true };

	for (u32 i = 0; i < r->images; i++) {
		const char *path = get_text(&f);
		u64 bytes;

		get_into(&f, &bytes, sizeof bytes);
		if (!machine_keep_image(m, path, get(&f, bytes), bytes, why, why_size))
			return false;
	}
	return true;
}

bool record_start(struct record *r, struct machine *m, char *why, size_t why_size)
{
	if (machine_restore(m, r->bytes.data + r->state_at, r->state_bytes, why, why_size))
		return false;
	m->journal = &r->journal;
	if (ended_by_host(&r->end) && !r->end.cycles)
		machine_stop(m, (enum stop_reason)r->end.stop);
	return true;
}

/* The host may have ended the run between instructions that are issued together, in one cycle. */
static void finish_cycle(struct machine *m, const struct record_end *e)
{
	const struct limits limits = { .cycles = e->cycles + 1 };

	if (cpu_instructions(m->cpu) >= e->insns)
		return;
	m->stop = STOP_NONE;
	cpu_set_last_instruction(m->cpu, e->insns);
	machine_run(m, &limits, NULL);
	cpu_set_last_instruction(m->cpu, UINT64_MAX);
}

bool record_reached_end(const struct record *r, struct machine *m)
{
	const struct record_end *e = &r->end;

	if (m->stop != STOP_CYCLE_LIMIT || machine_cycles(m) != e->cycles || !(ended_by_host(e) || e->stop == STOP_CYCLE_LIMIT))
		return false;
	if (ended_by_host(e))
		finish_cycle(m, e);
	if (m->stop == STOP_NONE && m->pause != PAUSE_COUNT)
		return false; /* somebody wants to look there */
	m->stop = (enum stop_reason)e->stop;
	return true;
}

bool record_finish(const struct record *r, struct machine *m, char *why, size_t why_size)
{
	const struct record_end *e = &r->end;

	record_reached_end(r, m);
	if (m->stop == STOP_RECORD || (machine_cycles(m) < e->cycles && m->stop >= STOP_TIME_LIMIT && m->stop <= STOP_INTERRUPTED))
		return true; /* has been told; or the user wanted less */
	if (e->stop == (i32)m->stop && e->status == m->guest_status && e->insns == cpu_instructions(m->cpu) && e->cycles == machine_cycles(m))
		return true;
	snprintf(why, why_size, "the run ended otherwise than its record: after %llu instructions (%s), not %llu (%s)",
		 (unsigned long long)cpu_instructions(m->cpu), stop_text(m->stop), (unsigned long long)e->insns,
		 e->stop >= 0 && e->stop <= STOP_RECORD ? stop_text((enum stop_reason)e->stop) : "unknown");
	return false;
}

void record_free(struct record *r)
{
	journal_free(&r->journal);
	state_buffer_free(&r->bytes);
}
