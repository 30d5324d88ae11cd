/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/network/npu_tensors.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loader/npy.h"
#include "npu/inspect.h"
#include "sim/network/npu_capture.h"
#include "traces/json.h"
#include "traces/npy.h"

struct npu_tensors {
	const struct npu_config *config;
	const struct npu_names *names; /* NULL: not known */
	char *directory;
	bool compare, open, failed, differs;
	struct json json;
	u32 count;              /* operations so far, of all jobs */
	u32 compared;           /* of these the folder has the result */
	struct npu_capture at;  /* the operation at work */
	char why[512];
};

static void fail(struct npu_tensors *l, const char *text)
{
	if (!l->failed)
		snprintf(l->why, sizeof l->why, "%s", text);
	l->failed = true;
}

static void begins(void *ctx, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_tensors *l = ctx;

	if (!l->failed && !npu_capture_begin(&l->at, l->config, op, view))
		fail(l, "host memory is short");
}

static void file_name(const struct npu_tensors *l, const char *what, char *out, size_t size)
{
	snprintf(out, size, "%04u_%s.npy", l->count, what);
}

static void write_tensor(struct npu_tensors *l, enum npu_role role, const struct npu_fm *fm)
{
	const struct npu_tensor *t = &l->at.tensor[role];
	const char *what = npu_role_name(role);
	char name[32], path[4096], why[400];

	if (!t->data || l->failed)
		return;
	file_name(l, what, name, sizeof name);
	snprintf(path, sizeof path, "%s/%s", l->directory, name);
	if (!npy_write(path, t->type, t->shape, 4, t->data, why, sizeof why)) {
		fail(l, why);
		return;
	}
	json_object(&l->json, what);
	json_string(&l->json, "file", name);
	json_string(&l->json, "type", t->type);
	json_array(&l->json, "shape");
	for (unsigned i = 0; i < 4; i++)
		json_u64(&l->json, NULL, t->shape[i]);
	json_close(&l->json, ']');
	if (fm) {
		char zero[16];

		snprintf(zero, sizeof zero, "%d", fm->zero_point);
		json_string(&l->json, "zero_point", zero);
		json_u64(&l->json, "region", fm->region);
		json_u64(&l->json, "address", fm->base[0]);
	}
	json_close(&l->json, '}');
}

static void write_operation(struct npu_tensors *l, const struct npu_cost *cost)
{
	const struct npu_op *op = &l->at.op;

	json_object(&l->json, NULL);
	json_u64(&l->json, "number", l->count);
	json_u64(&l->json, "index", op->index);
	json_string(&l->json, "operation", npu_op_name(op));
	json_u64(&l->json, "offset", op->offset);
	if (npu_names_find(l->names, op->offset))
		json_string(&l->json, "source", npu_names_find(l->names, op->offset));
	json_u64(&l->json, "cycles", cost->cycles);
	if (op->kind != NPU_DMA) {
		json_u64(&l->json, "ofm_scale", op->u85.enabled ? op->u85.ofm_scale.scale : op->ofm_scale.scale);
		json_u64(&l->json, "ofm_shift", op->u85.enabled ? op->u85.ofm_scale.shift : op->ofm_scale.shift);
		json_string(&l->json, "scales", op->per_channel ? "per channel" : "one");
	}
	write_tensor(l, NPU_ROLE_IFM, &op->ifm);
	write_tensor(l, NPU_ROLE_IFM2, &op->ifm2);
	write_tensor(l, NPU_ROLE_WEIGHTS, NULL);
	write_tensor(l, NPU_ROLE_OFM, npu_stored(op));
	json_close(&l->json, '}');
}

static i64 element(const u8 *data, const char *type, u64 index)
{
	const unsigned bytes = (unsigned)(type[1] - '0');
	u64 v = 0;

	memcpy(&v, data + index * bytes, bytes);
	return *type == 'i' ? (i64)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes) : (i64)v;
}

static void as_taken(const struct npu_tensor *t, struct npu_fm *fm, const u8 *tiles[NPU_TILES])
{
	if (!t->data)
		return;
	npu_inspect_plain(fm);
	tiles[0] = t->data;
}

/* What the message says of the accumulator: of the same operation with its inputs in the plain order in which they were taken. */
static void behind(const struct npu_tensors *l, u32 y, u32 x, u32 c, char *text, size_t size)
{
	struct npu_op op = l->at.op;
	struct npu_view view = l->at.view;
	i64 acc = 0;

	*text = 0;
	as_taken(&l->at.tensor[NPU_ROLE_IFM], &op.ifm, view.ifm);
	as_taken(&l->at.tensor[NPU_ROLE_IFM2], &op.ifm2, view.ifm2);
	switch (npu_inspect_accumulator(l->config, &op, &view, y, x, c, &acc)) {
	case NPU_INSPECT_OK:
		snprintf(text, size, "; its accumulator is %" PRId64, acc);
		break;
	case NPU_INSPECT_CHAINED:
		snprintf(text, size, "; no accumulator: an input came from an earlier operation through a chain buffer, which is not in memory");
		break;
	case NPU_INSPECT_KEPT:
		snprintf(text, size, "; no accumulator: it started from what the operation before left there, which is not in memory");
		break;
	case NPU_INSPECT_NONE:
	case NPU_INSPECT_FAILED:
		break;
	}
}

static void differ(struct npu_tensors *l, const struct npu_tensor *ofm, u64 at, i64 expected)
{
	const struct npu_fm *fm = npu_stored(&l->at.op);
	const u32 c = (u32)(at % fm->depth), x = (u32)(at / fm->depth % fm->width), y = (u32)(at / fm->depth / fm->width);
	const char *name = npu_names_find(l->names, l->at.op.offset);
	char text[500];
	const int n = snprintf(text, sizeof text, "operation %u (%s%s%s at offset 0x%x of the command stream): element [0, %u, %u, %u] of the OFM is %" PRId64
			 ", expected %" PRId64, l->count, npu_op_name(&l->at.op), name ? ", " : "", name ? name : "", l->at.op.offset, y, x, c, element(ofm->data, ofm->type, at), expected);

	if (n > 0 && (size_t)n < sizeof text)
		behind(l, y, x, c, text + n, sizeof text - (size_t)n);
	fail(l, text);
	l->differs = true;
}

/* A folder of a reference may have some operations only. */
static void compare(struct npu_tensors *l)
{
	const struct npu_tensor *ofm = &l->at.tensor[NPU_ROLE_OFM];
	char name[32], path[4096], why[400];
	struct npy found;

	file_name(l, "ofm", name, sizeof name);
	snprintf(path, sizeof path, "%s/%s", l->directory, name);
	if (!ofm->data || l->failed || !npy_exists(path))
		return;
	l->compared++;
	if (!npy_read(path, &found, why, sizeof why)) {
		fail(l, why);
		return;
	}
	if (found.count * (u64)(found.type[1] - '0') != ofm->bytes || strcmp(found.type, ofm->type) != 0) {
		snprintf(why, sizeof why, "%s: %" PRIu64 " elements of type %s; operation %u writes %ux%ux%u of type %s", name, found.count, found.type, l->count,
			 ofm->shape[1], ofm->shape[2], ofm->shape[3], ofm->type);
		fail(l, why);
	} else {
		for (u64 i = 0; i < found.count; i++)
			if (element(found.data, found.type, i) != element(ofm->data, ofm->type, i)) {
				differ(l, ofm, i, element(found.data, found.type, i));
				break;
			}
	}
	npy_free(&found);
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct npu_tensors *l = ctx;

	if (l->failed)
		return;
	if (!npu_capture_end(&l->at))
		fail(l, "host memory is short");
	else if (l->compare)
		compare(l);
	else
		write_operation(l, cost);
	l->count++;
}

void npu_tensors_name(struct npu_tensors *l, const struct npu_names *names)
{
	l->names = names;
}

static bool is_folder(const char *path)
{
	struct stat s;

	if (stat(path, &s) != 0)
		return false;
	errno = S_ISDIR(s.st_mode) ? 0 : ENOTDIR;
	return !errno;
}

bool npu_tensors_share(const struct npu_tensors *l, const char *directory, char *why, size_t why_size)
{
	struct stat own, other;

	if (!l || stat(l->directory, &own) != 0 || stat(directory, &other) != 0 || own.st_dev != other.st_dev || own.st_ino != other.st_ino)
		return false;
	snprintf(why, why_size, "%s is compared with and would be written over; write to another folder", directory);
	return true;
}

struct npu_tensors *npu_tensors_new(const struct npu_config *config, const char *directory, bool compares, char *why, size_t why_size)
{
	struct npu_tensors *l = calloc(1, sizeof *l);
	char path[4096];

	snprintf(why, why_size, "host memory is short");
	if (!l || !(l->directory = strdup(directory))) {
		free(l);
		return NULL;
	}
	l->config = config;
	l->compare = compares;
	snprintf(path, sizeof path, "%s/index.json", directory);
	if (compares ? !is_folder(directory) : mkdir(directory, 0777) != 0 && errno != EEXIST)
		snprintf(why, why_size, "%s: %s", *directory ? directory : "''", strerror(errno));
	else if (compares || json_begin(&l->json, path, why, why_size))
		l->open = true;
	if (!l->open) {
		npu_tensors_free(l);
		return NULL;
	}
	if (!compares) {
		json_string(&l->json, "schema", "fvp-sim-npu-layers");
		json_u64(&l->json, "version", 1);
		json_string(&l->json, "accelerator", config->name);
		json_array(&l->json, "operations");
	}
	return l;
}

struct npu_listener npu_tensors_listener(struct npu_tensors *l)
{
	return (struct npu_listener){ .begins = begins, .operation = operation, .ctx = l };
}

bool npu_tensors_end(struct npu_tensors *l, bool *differs, char *why, size_t why_size)
{
	if (l->compare && l->count && !l->compared) {
		char text[300];

		snprintf(text, sizeof text, "%.200s has the result of none of the %u operations (NNNN_ofm.npy): nothing was compared", l->directory, l->count);
		fail(l, text);
	}
	bool ok = !l->failed;

	if (l->failed)
		snprintf(why, why_size, "%s", l->why);
	if (!l->compare) {
		json_close(&l->json, ']');
		ok &= json_end(&l->json, l->failed ? l->why : why, l->failed ? sizeof l->why : why_size);
	}
	l->open = false;
	*differs = l->differs;
	return ok;
}

void npu_tensors_free(struct npu_tensors *l)
{
	if (!l)
		return;
	npu_capture_clear(&l->at);
	free(l->directory);
	free(l);
}
