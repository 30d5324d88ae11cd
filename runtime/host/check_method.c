/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/check_method.h"
#include "runtime/apps/inputs.h"
#include "runtime/core/format.h"
#include "runtime/delegate/vela_stream.h"
#include "runtime/ethosu/payload.h"
#include "runtime/executor/method.h"
#include "runtime/executor/prim.h"
#include "runtime/program/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BACKEND "EthosUBackend"

/* Address space that loading takes, much more than a board has; pages that nobody writes cost nothing. */
#define MEMORY_BYTES ((size_t)1 << 30)

/* The rows of all kernels; loading looks no further than their names. */
static const struct kernel_entry rows[] = {
#define K(name, signature, function) { name, signature, NULL },
#include "runtime/kernels/kernels.def"
#undef K
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What loading gets from its surroundings, and the accelerator that delegates are to run on. */
struct surroundings {
	struct method_environment environment; /* the first member: a method knows its address */
	const struct accelerator *accelerator;
};

/* Products by CONFIG[31:28]. */
static const unsigned products[] = { 55, 65, 85 };
enum { PRODUCTS = sizeof products / sizeof *products, PRODUCT_SHIFT = 28, MACS_MASK = 15 };

bool accelerator_named(const char *name, struct accelerator *out)
{
	unsigned product, macs;

	*out = (struct accelerator){ .name = name };
	if (!strcmp(name, "none"))
		return true;
	if (sscanf(name, "ethos-u%u-%u", &product, &macs) != 2)
		return false;
	for (unsigned i = 0; i < PRODUCTS; i++)
		for (unsigned log = 0; log < MACS_MASK; log++)
			if (products[i] == product && 1u << log == macs) {
				out->config = i << PRODUCT_SHIFT | log;
				out->exists = true;
			}
	return out->exists;
}

bool accelerator_runs(const struct accelerator *a, const void *payload, size_t bytes, char *why, size_t why_bytes)
{
	struct ethosu_payload p;
	uint32_t product;

	if (!ethosu_payload_read(payload, (uint32_t)bytes, &p)) {
		format_text(why, why_bytes, "its command stream is damaged");
		return false;
	}
	if (ethosu_payload_fits(&p, a->config))
		return true;
	product = p.config >> PRODUCT_SHIFT;
	format_text(why, why_bytes, "it was compiled for ethos-u%u-%u, not for %s: name the right one by --npu, or compile it again",
		    product < PRODUCTS ? products[product] : 0, 1u << (p.config & MACS_MASK), a->name);
	return false;
}

static bool prepare(struct kernel_context *c, struct method *m, struct delegate *d)
{
	const struct surroundings *s = (const struct surroundings *)m->environment;
	struct vela_stream stream;

	return vela_stream_read(m->program, d->data, &stream, c->why, sizeof c->why) &&
	       accelerator_runs(s->accelerator, stream.commands.data, stream.commands.bytes, c->why, sizeof c->why);
}

static const struct backend backend = { .id = BACKEND, .prepare = prepare };
static const struct backend *const backends[] = { &backend, NULL };

void operator_name(struct program *p, struct flat_vector list, uint32_t index, char name[OPERATOR_BYTES])
{
	const struct flat_table t = flat_table_element(&p->flat, list, index);
	uint32_t bytes;
	const char *first = flat_string(&p->flat, t, OPERATOR_NAME, &bytes);
	const char *overload = flat_string(&p->flat, t, OPERATOR_OVERLOAD, &bytes);

	format_text(name, OPERATOR_BYTES, "%s%s%s", first, *overload ? "." : "", overload);
}

/* All that are missing in one line: they are one decision. */
static bool has_kernels(struct program *p, struct flat_table plan, char *why, size_t why_bytes)
{
	const struct flat_vector list = flat_vector(&p->flat, plan, PLAN_OPERATORS, 4);
	size_t used = 0;

	for (uint32_t i = 0; i < list.count; i++) {
		char name[OPERATOR_BYTES];

		operator_name(p, list, i, name);
		if (prim_find(name) || kernel_find(rows, ROWS, name))
			continue;
		used += format_text(why + used, why_bytes - used, "%s%s", used ? ", " : "there are no kernels for ", name);
		if (used >= why_bytes)
			return false;
	}
	if (used)
		format_text(why + used, why_bytes - used,
			    ": keep these operators out of the program, or write kernels for them (runtime/README.md)");
	return !used;
}

static bool has_backends(struct program *p, struct flat_table plan, const struct accelerator *a, char *why, size_t why_bytes)
{
	const struct flat_vector list = flat_vector(&p->flat, plan, PLAN_DELEGATES, 4);

	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t bytes;
		const char *id = flat_string(&p->flat, flat_table_element(&p->flat, list, i), DELEGATE_ID, &bytes);
		const bool is_known = !strcmp(id, BACKEND);

		if (is_known && a->exists)
			continue;
		format_text(why, why_bytes, is_known ? "delegate %u is for %.64s: name the accelerator that it was compiled for by --npu" :
			    "delegate %u is for %.64s, and the runtime has no backend but " BACKEND ": export the program without it", (unsigned)i, id);
		return false;
	}
	return true;
}

/* As an image does it, with memory that is never short. */
static bool loads(struct program *p, const char *name, const struct accelerator *a, uint64_t inputs, char *why, size_t why_bytes)
{
	struct memory memory[2] = { { .bytes = MEMORY_BYTES, .name = "table" }, { .bytes = MEMORY_BYTES, .name = "planned" } };
	const struct surroundings s = { { .tables = &memory[0], .planned = &memory[1], .kernels = rows, .kernel_count = ROWS,
					  .backends = backends }, a };
	struct method *m = malloc(sizeof *m);
	bool ok = false;

	for (unsigned i = 0; i < 2; i++)
		memory[i].base = malloc(MEMORY_BYTES);
	if (!m || !memory[0].base || !memory[1].base)
		format_text(why, why_bytes, "host memory is short");
	else if (method_load(m, p, name, &s.environment))
		ok = !inputs || inputs_fit(inputs, inputs_bytes(m), why, why_bytes);
	else
		format_text(why, why_bytes, "%s", m->why);
	free(m);
	free(memory[0].base);
	free(memory[1].base);
	return ok;
}

/* The name stands in front of what was found out. */
static void give_method(struct program *p, struct flat_table plan, char *why, size_t why_bytes)
{
	uint32_t bytes;
	const char *name = flat_string(&p->flat, plan, PLAN_NAME, &bytes);
	char *text = strdup(why);

	format_text(why, why_bytes, "method %.64s: %s", name, text ? text : "host memory is short");
	free(text);
}

static bool give_methods(struct program *p, const char *name, char *why, size_t why_bytes)
{
	const struct flat_vector plans = flat_vector(&p->flat, p->root, PROGRAM_PLANS, 4);
	size_t used = format_text(why, why_bytes, "the program has no method %.64s", name ? name : "at all");

	for (uint32_t i = 0; i < plans.count && used < why_bytes; i++) {
		uint32_t bytes;

		used += format_text(why + used, why_bytes - used, "%s%.64s", i ? ", " : "; it has ",
				    flat_string(&p->flat, flat_table_element(&p->flat, plans, i), PLAN_NAME, &bytes));
	}
	return false;
}

bool check_method(struct program *p, const char *name, const struct accelerator *a, uint64_t inputs, char *why, size_t why_bytes)
{
	const struct flat_table plan = program_method(p, name);

	if (!plan.at && !p->flat.bad)
		return give_methods(p, name, why, why_bytes);
	if (has_backends(p, plan, a, why, why_bytes) && has_kernels(p, plan, why, why_bytes) && loads(p, name, a, inputs, why, why_bytes))
		return true;
	if (p->flat.bad)
		format_text(why, why_bytes, "the program is damaged");
	else
		give_method(p, plan, why, why_bytes);
	return false;
}
