/* SPDX-License-Identifier: Apache-2.0 */
/* Boards, accelerators, parameters. */
#include "sim/api/private.h"
#include "sim/accuracy.h"
#include "sim/params/fvp_names.h"
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

static const char *set_cpu_memory(struct run_config *c, const char *value)
{
	c->machine.cpu_memory = value;
	return NULL;
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

/* A limit of the host's time, which the caller looks after. */
static const char *set_host_limit(double *limit, const char *value)
{
	return value_seconds(value, limit) ? NULL : "a number of seconds";
}

static const char *set_time_limit(struct run_config *c, const char *value)
{
	return set_host_limit(&c->limits.host_seconds, value);
}

static const char *set_cpu_limit(struct run_config *c, const char *value)
{
	return set_host_limit(&c->limits.cpu_seconds, value);
}

static const char *set_date(struct run_config *c, const char *value)
{
	return value_date(value, &c->machine.start_date) ? NULL : "a date (UTC) like 2026-12-31 or 2026-12-31T23:59:59, or seconds since 1970";
}

static const char *set_start(struct run_config *c, const char *value)
{
	c->start_given = value_u32(value, &c->start_address);
	return c->start_given ? NULL : "an address";
}

static const char *set_memory(struct run_config *c, const char *value)
{
	c->memory = value;
	return NULL;
}

static const char *set_vela_config(struct run_config *c, const char *value)
{
	c->vela_config = value;
	return NULL;
}

static const char *set_system_config(struct run_config *c, const char *value)
{
	c->system_config = value;
	return NULL;
}

static const char *set_gdb_history(struct run_config *c, const char *value)
{
	u64 mib;

	if (!value_u64(value, &mib) || mib > API_HISTORY_MOST)
		return "a number of MiB, 0 for none";
	c->gdb_history_mib = mib;
	return NULL;
}

static const char *set_standard_streams(struct run_config *c, const char *value)
{
	return value_bool(value, &c->standard_streams) ? NULL : "on or off";
}

static const char *set_as_fvp(struct run_config *c, const char *value)
{
	if (!value_bool(value, &c->fvp))
		return "on or off";
	c->limits.await = c->fvp;
	return NULL;
}

static const char *set_trail(struct run_config *c, const char *value)
{
	return value_bool(value, &c->trail) ? NULL : "on or off";
}

static const struct { const char *name; const char *(*set)(struct run_config *c, const char *value); } own[] = {
	{ "npu", set_npu }, { "cpu-timing", set_timing }, { "cpu-memory", set_cpu_memory },
	{ "engine", set_engine }, { "host-simd", set_host_simd },
	{ "threads", set_threads },
	{ "semihosting", set_semihosting }, { "semihosting-dir", set_directory }, { "semihosting-cmdline", set_command_line },
	{ "eot", set_eot }, { "itm", set_itm }, { "report-jobs", set_report_jobs },
	{ "report-messages", set_report_messages }, { "trail", set_trail }, { "cyclelimit", set_cycle_limit }, { "simlimit", set_sim_limit },
	{ "timelimit", set_time_limit }, { "cpulimit", set_cpu_limit }, { "date", set_date }, { "start", set_start }, { "memory", set_memory },
	{ "vela-config", set_vela_config }, { "system-config", set_system_config }, { "gdb-history", set_gdb_history },
	{ "standard-streams", set_standard_streams }, { "as-fvp", set_as_fvp },
};

static bool is_uart(const char *name)
{
	return !strncmp(name, "uart", 4) && name[4] >= '0' && name[4] < '0' + CONFIG_UARTS && !name[5];
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
	if (api_told(record_read(&c->texts->record, path, &c->run.machine, &c->run.limits, why, sizeof why), why, error)) {
		fvpsim_config_free(c);
		return NULL;
	}
	c->texts->repeats = true;
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
		c->run.machine.uart[name[4] - '0'].out_file = kept;
	}
	if (possible)
		return api_fail(error, FVPSIM_USAGE, "%.100s: '%.100s' is not possible; give %s", name, value, possible);
	if (c->texts->repeats)
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
