/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static void output(void *ctx, int stream, const void *bytes, size_t count)
{
	struct heard *h = ctx;
	void *state;
	size_t size;

	(void)stream;
	if (h->bytes + count < sizeof h->text) {
		memcpy(h->text + h->bytes, bytes, count);
		h->bytes += count;
	}
	h->refused = fvpsim_save(h->machine, &state, &size, NULL);
	if (h->stop)
		fvpsim_stop(h->machine);
}

static void message(void *ctx, int kind, const char *id, const char *text)
{
	(void)kind, (void)id, (void)text;
	((struct heard *)ctx)->messages++;
}

static void operation(void *ctx, const struct fvpsim_operation *op)
{
	struct heard *h = ctx;

	cr_expect(ne(ptr, (void *)op->kind, NULL));
	cr_expect(ne(ptr, (void *)op->bound, NULL));
	h->operations++;
}

struct fvpsim_machine *make(const char *board, struct heard *h, const char *program)
{
	const struct fvpsim_callbacks callbacks = {
		.size = sizeof callbacks, .ctx = h, .output = output, .message = message, .operation = operation,
	};
	struct fvpsim_error error;
	struct fvpsim_config *c = fvpsim_config_new(board, &error);
	struct fvpsim_machine *m = c ? fvpsim_machine_new(c, &error) : NULL;

	cr_assert(ne(ptr, m, NULL), "%s", error.text);
	fvpsim_config_free(c); /* the machine lives on */
	memset(h, 0, sizeof *h);
	h->machine = m;
	cr_assert(eq(int, fvpsim_set_callbacks(m, &callbacks, &error), FVPSIM_OK));
	if (program)
		cr_assert(eq(int, fvpsim_load(m, program, &error), FVPSIM_OK), "%s", error.text);
	return m;
}

struct fvpsim_counts counts_of(struct fvpsim_machine *m)
{
	struct fvpsim_counts c = { .size = sizeof c };

	cr_assert(eq(int, fvpsim_get_counts(m, &c, NULL), FVPSIM_OK));
	return c;
}

int run(struct fvpsim_machine *m, const struct fvpsim_until *until)
{
	struct fvpsim_error error;
	int stop = -1;

	cr_assert(eq(int, fvpsim_run(m, until, &stop, &error), FVPSIM_OK), "%s", error.text);
	return stop;
}
