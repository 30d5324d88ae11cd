/* SPDX-License-Identifier: Apache-2.0 */
/* Boards, accelerators, parameters. */
#include "sim/api/private.h"
#include "sim/fvp/fvp.h"
#include "sim/params/params.h"
#include "sim/params/threads.h"
#include "sim/params/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	struct text *next;
	char bytes[];
};

struct api_texts {
	unsigned users; /* only atomic accesses: machines may be freed on any thread */
	struct text *first;
	struct record record; /* which has texts of its own */
	bool repeats;         /* there is one */
};

struct api_texts *api_texts_new(void)
{
	struct api_texts *t = calloc(1, sizeof *t);

	return t ? api_texts_share(t) : NULL;
}

struct api_texts *api_texts_share(struct api_texts *t)
{
	__atomic_add_fetch(&t->users, 1, __ATOMIC_RELAXED);
	return t;
}

void api_texts_drop(struct api_texts *t)
{
	if (!t || __atomic_sub_fetch(&t->users, 1, __ATOMIC_ACQ_REL))
		return;
	for (struct text *x = t->first, *next; x; x = next) {
		next = x->next;
		free(x);
	}
	record_free(&t->record);
	free(t);
}

char *api_texts_keep(struct api_texts *t, const char *text)
{
	const size_t bytes = strlen(text) + 1;
	struct text *x = malloc(sizeof *x + bytes);

	if (!x)
		return NULL;
	memcpy(x->bytes, text, bytes);
	x->next = t->first;
	t->first = x;
	return x->bytes;
}

const struct record *api_texts_record(const struct api_texts *t)
{
	return t->repeats ? &t->record : NULL;
}

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
	if (c && c->texts)
		return c;
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
	if (!out || fclose(out)) {
		free(text);
		api_fail(error, FVPSIM_INTERNAL, "host memory is short");
		return NULL;
	}
	api_ok(error);
	return text;
}

/* ---- our own parameters: each gives what is possible, NULL when it has been set ---- */

static const char *set_npu(struct run_config *c, const char *value)
{
	const struct npu_config *npu = npu_config_find(value);

	if (!npu && strcmp(value, "none"))
		return "the name of an accelerator, or none";
	c->machine.npu = npu;
	return NULL;
}

static const char *set_timing(struct run_config *c, const char *value)
{
	return config_timing_find(value, &c->machine.cpu.timing) ? NULL : "ipc1, m55 or m85";
}

static const char *set_engine(struct run_config *c, const char *value)
{
	return config_engine_find(value, &c->machine.cpu.engine) ? NULL : "tail, switch or step";
}

static const char *set_host_simd(struct run_config *c, const char *value)
{
	c->machine.host_simd = value; /* looked at when a machine is made */
	return NULL;
}

static const char *set_threads(struct run_config *c, const char *value)
{
	return threads_parse(value, &c->machine.threads) ? NULL : THREADS_WANTED;
}

static const char *set_semihosting(struct run_config *c, const char *value)
{
	return value_bool(value, &c->machine.semihosting.enable) ? NULL : "on or off";
}

static const char *set_directory(struct run_config *c, const char *value)
{
	c->machine.semihosting.directory = value;
	return NULL;
}

static const char *set_command_line(struct run_config *c, const char *value)
{
	c->machine.semihosting.command_line = value;
	return NULL;
}

static const char *set_eot(struct run_config *c, const char *value)
{
	return value_bool(value, &c->machine.uart[0].shutdown_on_eot) ? NULL : "on or off";
}

static const char *set_itm(struct run_config *c, const char *value)
{
	c->machine.itm_file = value;
	return NULL;
}

static const char *set_report_messages(struct run_config *c, const char *value)
{
	return value_bool(value, &c->report_messages) ? NULL : "on or off";
}

static const char *set_report_jobs(struct run_config *c, const char *value)
{
	return value_bool(value, &c->report_jobs) ? NULL : "on or off";
}

static const char *set_cycle_limit(struct run_config *c, const char *value)
{
	u64 cycles;

	if (!value_u64(value, &cycles))
		return "a number of cycles";
	c->limits.cycles = cycles;
	return NULL;
}

static const char *set_sim_limit(struct run_config *c, const char *value)
{
	double seconds;

	if (!value_seconds(value, &seconds))
		return "a number of seconds";
	c->limits.sim_seconds = seconds;
	return NULL;
}

static const char *set_trail(struct run_config *c, const char *value)
{
	return value_bool(value, &c->trail) ? NULL : "on or off";
}

static const struct { const char *name; const char *(*set)(struct run_config *c, const char *value); } own[] = {
	{ "npu", set_npu }, { "cpu-timing", set_timing }, { "engine", set_engine }, { "host-simd", set_host_simd },
	{ "threads", set_threads },
	{ "semihosting", set_semihosting }, { "semihosting-dir", set_directory }, { "semihosting-cmdline", set_command_line },
	{ "eot", set_eot }, { "itm", set_itm }, { "report-jobs", set_report_jobs },
	{ "report-messages", set_report_messages }, { "trail", set_trail }, { "cyclelimit", set_cycle_limit }, { "simlimit", set_sim_limit },
};

static bool is_uart(const char *name)
{
	return !strncmp(name, "uart", 4) && name[4] >= '0' && name[4] < '0' + CONFIG_UARTS && !name[5];
}

/* The standard streams belong to the program around us: callbacks stand for them. */
static void no_standard_streams(struct machine_config *c)
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
	if (api_told(record_read(&c->texts->record, path, &c->run.machine, &c->run.limits, why, sizeof why), why, error)) {
		fvpsim_config_free(c);
		return NULL;
	}
	c->texts->repeats = true;
	no_standard_streams(&c->run.machine);
	return c;
}

int fvpsim_config_set(struct fvpsim_config *c, const char *name, const char *value, struct fvpsim_error *error)
{
	struct machine_config *m = &c->run.machine;
	char *kept = api_texts_keep(c->texts, value), why[512];
	const char *possible = NULL;
	bool found = false;

	if (!kept)
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	for (unsigned i = 0; i < ARRAY_LEN(own) && !found; i++)
		if (!strcmp(own[i].name, name)) {
			found = true;
			possible = own[i].set(&c->run, kept);
		}
	if (!found && is_uart(name)) {
		found = true;
		m->uart[name[4] - '0'].out_file = kept;
	}
	if (possible)
		return api_fail(error, FVPSIM_USAGE, "%.100s: '%.100s' is not possible; give %s", name, value, possible);
	if (!found && params_set(&c->run, name, kept, why, sizeof why) == PARAMS_WRONG)
		return api_fail(error, FVPSIM_USAGE, "%s", why);
	no_standard_streams(m);
	return api_ok(error);
}
