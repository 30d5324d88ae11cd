/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/outputs.h"
#include "sim/params/message.h"
#include "traces/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct names {
	const char *name[2 * REQUEST_FILES + 2 * REQUEST_TRACES + 20]; /* serial ports, and single files */
	unsigned count, ports; /* of these serial ports and the ITM, which come first */
	char *copy[2 * REQUEST_TRACES]; /* of names that are part of a value */
	unsigned copies;
};

static void add(struct names *n, const char *name)
{
	if (name && *name)
		n->name[n->count++] = name;
}

/* Files of the configuration that are written, or read. */
static void add_ports(struct names *n, const struct request *c, bool wanted)
{
	const char *name;
	bool written;

	for (unsigned i = 0; (name = fvpsim_config_file(c->config, i, &written)); i++)
		if (written == wanted)
			add(n, name);
}

/* KIND[=FILE][,FILTER...] */
static void add_traces(struct names *n, const char *const *trace, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const size_t kind = strcspn(trace[i], "=,");
		char *name = trace[i][kind] == '=' ? strndup(trace[i] + kind + 1, strcspn(trace[i] + kind + 1, ",")) : NULL;

		if (name)
			n->copy[n->copies++] = name;
		add(n, name);
	}
}

static void free_names(struct names *n)
{
	for (unsigned i = 0; i < n->copies; i++)
		free(n->copy[i]);
}

/* The file of CYCLE=FILE or FUNCTION=FILE; NULL: nothing is saved. */
static const char *saved(const struct request *c)
{
	return c->save_at ? strchr(c->save_at, '=') + 1 : NULL;
}

static struct names outputs_of(const struct request *c)
{
	struct names n = { .count = 0 };

	add_ports(&n, c, true);
	add(&n, c->uart0);
	add(&n, c->itm);
	n.ports = n.count;
	add_traces(&n, c->traces, c->trace_count);
	add_traces(&n, c->profiles, c->profile_count);
	add(&n, saved(c));
	add(&n, c->report);
	add(&n, c->record);
	for (unsigned i = 0; i < c->dump_count; i++)
		add(&n, c->dumps[i].path);
	return n;
}

static struct names inputs_of(const struct request *c)
{
	struct names n = { .count = 0 };

	for (unsigned i = 0; i < c->image_count; i++)
		add(&n, c->images[i]);
	for (unsigned i = 0; i < c->data_count; i++)
		add(&n, c->data[i].path);
	add_ports(&n, c, false);
	add(&n, c->replay);
	add(&n, c->restore);
	add(&n, c->debug_db);
	add(&n, c->vela_config);
	return n;
}

/* The first of the names that writing `path` would change, NULL: none. */
static const char *hit(const char *path, const struct names *n, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (output_hits(path, n->name[i]))
			return n->name[i];
	return NULL;
}

bool outputs_is_tensor(const char *path, const char *folder)
{
	const char *name = folder ? output_name_in(path, folder) : NULL, *ending = name ? strrchr(name, '.') : NULL;

	return name && (!strcmp(name, "index.json") || (ending && !strcmp(ending, ".npy")));
}

static bool are_apart(const struct request *c, const struct names *out, const struct names *in)
{
	for (unsigned i = 0; i < out->count; i++) {
		const char *path = out->name[i];

		if (hit(path, in, in->count)) {
			message("fvp-sim: %s is read by this run and would be written over; write to another file\n", path);
			return false;
		}
		if ((!c->fvp || i >= out->ports) && hit(path, out, i)) { /* the FVPs take one file for several serial ports */
			message("fvp-sim: %s is given for two outputs; give each a file of its own\n", path);
			return false;
		}
		if (outputs_is_tensor(path, c->dump_layers)) {
			message("fvp-sim: %s is a file of --npu-dump-layers; give the other output a name of its own\n", path);
			return false;
		}
	}
	return true;
}

bool outputs_check(const struct request *c)
{
	struct names out = outputs_of(c), in = inputs_of(c);
	const bool apart = are_apart(c, &out, &in);

	free_names(&out);
	free_names(&in);
	return apart;
}

bool outputs_possible(const struct request *c)
{
	const char *last[] = { saved(c), c->report, c->record };
	char why[400] = "";
	bool ok = true;

	for (unsigned i = 0; i < c->dump_count && ok; i++)
		ok = output_possible(c->dumps[i].path, why, sizeof why);
	for (unsigned i = 0; i < ARRAY_LEN(last) && ok; i++)
		ok = !last[i] || output_possible(last[i], why, sizeof why);
	if (!ok)
		message("fvp-sim: %s\n", why);
	return ok;
}
