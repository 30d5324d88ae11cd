/* SPDX-License-Identifier: Apache-2.0 */
/* Boards, accelerators, parameters. */
#include "sim/api/private.h"
#include "sim/accuracy.h"
#include "sim/params/fvp_names.h"
#include "sim/params/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fvpsim_board(unsigned i)
{
	for (unsigned k = 0; boards[k]; k++)
		if (k == i)
			return boards[k]->name;
	return NULL;
}

const char *fvpsim_accelerator(unsigned i)
{
	for (unsigned k = 0; npu_configs[k].name; k++)
		if (k == i)
			return npu_configs[k].name;
	return NULL;
}

const char *fvpsim_fvp(unsigned i)
{
	return fvp_name(i);
}

static void unknown_board(const char *name, struct fvpsim_error *error)
{
	char names[256];
	size_t n = 0;

	for (unsigned k = 0; boards[k] && n < sizeof names; k++)
		n += (size_t)snprintf(names + n, sizeof names - n, " %s", boards[k]->name);
	api_fail(error, FVPSIM_USAGE, "there is no board '%.100s'; boards:%s, and the names of the FVPs", name, names);
}

static struct fvpsim_config *config_new(struct fvpsim_error *error)
{
	struct fvpsim_config *c = calloc(1, sizeof *c);

	if (c)
		c->texts = api_texts_new();
	if (c && c->texts) {
		c->run.gdb_history_mib = API_HISTORY_MIB;
		return c;
	}
	api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	fvpsim_config_free(c);
	return NULL;
}

struct fvpsim_config *fvpsim_config_new(const char *board, struct fvpsim_error *error)
{
	struct fvpsim_config *c = config_new(error);

	if (!c)
		return NULL;
	if (!fvp_machine_config(&c->run.machine, board)) {
		if (!board_find(board)) {
			unknown_board(board, error);
			fvpsim_config_free(c);
			return NULL;
		}
		machine_config_init(&c->run.machine, board_find(board));
	}
	c->run.machine.semihosting.enable = true;
	api_ok(error);
	return c;
}

void fvpsim_config_free(struct fvpsim_config *c)
{
	if (!c)
		return;
	api_texts_drop(c->texts);
	free(c);
}

char *fvpsim_config_list(const struct fvpsim_config *c, struct fvpsim_error *error)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out)
		params_list(c->run.machine.board, out);
	if (!out || fclose(out) || !text) { /* closing may lose all of it without a word */
		free(text);
		api_fail(error, FVPSIM_INTERNAL, "host memory is short");
		return NULL;
	}
	api_ok(error);
	return text;
}

void api_no_standard_streams(struct machine_config *c)
{
	for (unsigned i = 0; i < CONFIG_UARTS; i++) {
		if (c->uart[i].out_file && !strcmp(c->uart[i].out_file, "-"))
			c->uart[i].out_file = NULL;
		if (c->uart[i].in_file && !strcmp(c->uart[i].in_file, "-"))
			c->uart[i].in_file = NULL;
	}
	if (c->itm_file && !strcmp(c->itm_file, "-"))
		c->itm_file = NULL;
}

struct fvpsim_config *fvpsim_config_replay(const char *path, struct fvpsim_error *error)
{
	struct fvpsim_config *c = config_new(error);
	char why[API_WHY];

	if (!c)
		return NULL;
	if (api_told(record_read(api_texts_repeat(c->texts), path, &c->run.machine, &c->run.limits, why, sizeof why), why, error)) {
		fvpsim_config_free(c);
		return NULL;
	}
	return c;
}

/* A run that repeats a record cannot go on behind the record's limits. */
static void keep_lower(struct limits *now, const struct limits *before)
{
	if (before->cycles && (!now->cycles || now->cycles > before->cycles))
		now->cycles = before->cycles;
	if (before->sim_seconds > 0 && (now->sim_seconds <= 0 || now->sim_seconds > before->sim_seconds))
		now->sim_seconds = before->sim_seconds;
}

static int set_parameter(struct fvpsim_config *c, const char *name, char *kept, bool *modelled, struct fvpsim_error *error)
{
	char why[512];
	const enum params_result result = params_set(&c->run, name, kept, why, sizeof why);

	if (result == PARAMS_WRONG)
		return api_fail(error, FVPSIM_USAGE, "%s", why);
	if (modelled)
		*modelled = result == PARAMS_SET;
	return result == PARAMS_SET ? api_ok(error) : api_fail(error, FVPSIM_OK, "%s", why);
}

int fvpsim_config_parameter(struct fvpsim_config *c, const char *name, const char *value, bool *modelled, struct fvpsim_error *error)
{
	char *kept = api_texts_keep(c->texts, value);

	return kept ? set_parameter(c, name, kept, modelled, error) : api_fail(error, FVPSIM_INTERNAL, "host memory is short");
}

int fvpsim_config_set(struct fvpsim_config *c, const char *name, const char *value, struct fvpsim_error *error)
{
	const struct limits before = c->run.limits;
	char *kept = api_texts_keep(c->texts, value);
	const char *possible;

	if (!kept)
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	const bool found = api_parameter_own(&c->run, name, kept, &possible);
	if (possible)
		return api_fail(error, FVPSIM_USAGE, "%.100s: '%.100s' is not possible; give %s", name, value, possible);
	if (api_texts_record(c->texts))
		keep_lower(&c->run.limits, &before);
	return found ? api_ok(error) : set_parameter(c, name, kept, NULL, error);
}

/* ---- what a configuration stands for ---- */

int fvpsim_config_get_info(const struct fvpsim_config *c, struct fvpsim_config_info *info, struct fvpsim_error *error)
{
	const struct machine_config *m = &c->run.machine;
	const struct fvpsim_config_info full = {
		.board = m->board->name, .title = m->board->title, .accelerator = m->npu ? m->npu->name : NULL,
		.cpu_accuracy = accuracy_of_cpu(m->cpu.timing), .npu_accuracy = m->npu ? accuracy_of_npu(m->npu->product) : NULL,
		.clock_hz = m->cpu.clock_hz,
	};

	return api_copy_out(info, &full, sizeof full, error);
}

int fvpsim_config_memory(const struct fvpsim_config *c, unsigned i, struct fvpsim_memory *memory, struct fvpsim_error *error)
{
	const struct board *board = c->run.machine.board;

	if (i >= board->memory_count)
		return api_fail(error, FVPSIM_USAGE, "there is no memory %u: the board has %u", i, board->memory_count);

	const struct board_memory *m = &board->memories[i];
	const struct fvpsim_memory full = {
		.name = m->name, .instance = m->instance, .address = m->ns_base, .bytes = c->run.machine.memory_bytes[i],
		.secure_address = m->alias ? m->s_base : m->ns_base,
	};

	return api_copy_out(memory, &full, sizeof full, error);
}

const char *fvpsim_config_device(const struct fvpsim_config *c, unsigned i)
{
	const struct board *board = c->run.machine.board;

	return i < board->device_count ? board->devices[i].name : NULL;
}

const char *fvpsim_config_file(const struct fvpsim_config *c, unsigned i, bool *written)
{
	const struct machine_config *m = &c->run.machine;

	for (unsigned k = 0; k <= 2 * CONFIG_UARTS; k++) {
		const char *name = k == 2 * CONFIG_UARTS ? m->itm_file : k % 2 ? m->uart[k / 2].in_file : m->uart[k / 2].out_file;

		if (!name || !*name || i--)
			continue;
		*written = k % 2 == 0;
		return name;
	}
	return NULL;
}
