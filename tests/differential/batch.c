/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void buffer_add(struct buffer *b, const void *data, u64 bytes)
{
	if (b->bytes + bytes > b->room) {
		b->room = (b->bytes + bytes) * 2;
		b->data = realloc(b->data, b->room);
	}
	memcpy(b->data + b->bytes, data, bytes);
	b->bytes += bytes;
}

bool buffer_load(struct buffer *b, const char *path)
{
	static u8 part[65536];
	FILE *f = fopen(path, "rb");
	bool ok;
	size_t n;

	if (!f)
		return false;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buffer_add(b, part, n);
	ok = !ferror(f);
	return fclose(f) == 0 && ok;
}

void buffer_free(struct buffer *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

void batch_begin(struct buffer *b, u64 seed)
{
	struct batch_head head = {.magic = CASE_MAGIC};

	gen_pool(seed, head.pool);
	buffer_add(b, &head, sizeof(head));
}

void batch_add(struct buffer *b, const struct gen_case *c, u32 units)
{
	struct case_in in = c->in;
	u16 code[GEN_MAX_HALFWORDS + 8];
	u32 cut = units ? c->unit_end[units - 1] : 0;

	/* What is behind the cut stays, as far as possible: literals are read from there. */
	memcpy(code, c->code, sizeof(code));
	code[cut] = code[cut + 1] = CASE_END;
	in.code_words = (c->halfwords + 7) / 2;
	buffer_add(b, &in, sizeof(in));
	buffer_add(b, code, in.code_words * 4);
	((struct batch_head *)b->data)->count++;
}

const struct case_out *result_next(const u8 *data, u64 bytes, u64 *at)
{
	const struct case_out *r = (const struct case_out *)(data + *at);

	if (*at + sizeof(*r) > bytes || *at + sizeof(*r) + (u64)r->changed * 8 > bytes)
		return NULL;
	*at += sizeof(*r) + (u64)r->changed * 8;
	return r;
}

const u32 *result_pairs(const struct case_out *r) { return (const u32 *)(r + 1); }

bool result_equal(const struct case_out *a, const struct case_out *b)
{
	return a->changed == b->changed && !memcmp(a, b, sizeof(*a) + (size_t)a->changed * 8);
}

struct qemu { char dir[40]; pid_t pid; };

static void path_of(const struct qemu *q, const char *name, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", q->dir, name);
}

static bool write_file(const char *path, const void *data, u64 bytes)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(data, 1, bytes, f) == bytes;
	return f && fclose(f) == 0 && ok;
}

static void remove_files(const struct qemu *q)
{
	static const char *const names[] = { "cases.bin", "results.bin" };
	char path[80];

	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		path_of(q, names[i], path, sizeof(path));
		unlink(path);
	}
	rmdir(q->dir);
}

static void run_qemu(const struct qemu *q, const char *image)
{
	if (chdir(q->dir) == 0)
		execlp("qemu-system-arm", "qemu-system-arm", "-M", "mps3-an547", "-cpu", "cortex-m55",
		       "-icount", "shift=0", "-nographic", "-monitor", "none", "-serial", "none",
		       "-semihosting", "-kernel", image, (char *)NULL);
	_exit(127);
}

struct qemu *qemu_start(const char *elf, const struct buffer *batch)
{
	struct qemu *q = calloc(1, sizeof(*q));
	char *image = realpath(elf, NULL), path[80];

	strcpy(q->dir, "/tmp/fvp-sim-differential-XXXXXX");
	if (!image || !mkdtemp(q->dir)) {
		free(image);
		free(q);
		return NULL;
	}
	path_of(q, "cases.bin", path, sizeof(path));
	q->pid = write_file(path, batch->data, batch->bytes) ? fork() : -1;
	if (q->pid == 0)
		run_qemu(q, image);
	free(image);
	if (q->pid > 0)
		return q;
	remove_files(q);
	free(q);
	return NULL;
}

bool qemu_finish(struct qemu *q, struct buffer *results)
{
	char path[80];
	int status = -1;

	waitpid(q->pid, &status, 0);
	path_of(q, "results.bin", path, sizeof(path));
	const bool ok = buffer_load(results, path) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	remove_files(q);
	free(q);
	return ok;
}
