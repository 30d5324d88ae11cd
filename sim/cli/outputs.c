/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/outputs.h"
#include "sim/params/message.h"
#include "traces/output.h"

#include <stdio.h>

struct names {
	const char *name[2 * REQUEST_FILES + 20]; /* serial ports, and single files */
	unsigned count;
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

static struct names outputs_of(const struct request *c)
{
	struct names n = { .count = 0 };

	add_ports(&n, c, true);
	add(&n, c->uart0);
	add(&n, c->itm);
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

bool outputs_check(const struct request *c)
{
	const struct names out = outputs_of(c), in = inputs_of(c);

	for (unsigned i = 0; i < out.count; i++) {
		const char *path = out.name[i];

		if (hit(path, &in, in.count)) {
			message("fvp-sim: %s is read by this run and would be written over; write to another file\n", path);
			return false;
		}
		if (!c->fvp && hit(path, &out, i)) { /* the FVPs take one file for several serial ports */
			message("fvp-sim: %s is given for two outputs; give each a file of its own\n", path);
			return false;
		}
	}
	return true;
}
