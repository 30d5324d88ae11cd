/* SPDX-License-Identifier: Apache-2.0 */
#include "loader/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool npy_exists(const char *path) { return access(path, F_OK) == 0; }

/* The header is a Python dictionary of three entries, in ASCII. */
static bool read_header(struct npy *n, const char *header)
{
	const char *descr = strstr(header, "'descr':"), *shape = strstr(header, "'shape':");
	const char *quote = descr ? strchr(descr + 8, '\'') : NULL;

	if (!quote || !shape || strstr(header, "'fortran_order': True") || !strchr("<|=", quote[1]) || !quote[1])
		return false;
	if ((quote[2] != 'i' && quote[2] != 'u') || !strchr("1248", quote[3]) || !quote[3] || quote[4] != '\'')
		return false;
	memcpy(n->type, quote + 2, 2);
	n->count = 1;
	for (const char *at = strchr(shape, '('); at && *at && *at != ')';) {
		at += strspn(at, "(, ");
		if (*at == ')')
			break;
		char *end;
		const u64 size = strtoull(at, &end, 10);

		if (end == at || (size && n->count > UINT64_MAX / 8 / size))
			return false;
		n->count *= size;
		at = end;
	}
	return true;
}

static bool parse(struct npy *n)
{
	const u8 *b = n->file.data;
	const u64 size = n->file.size, fixed = size > 6 && b[6] > 1 ? 12 : 10;
	u64 length;
	char *header;
	bool ok;

	if (size < fixed || memcmp(b, "\x93NUMPY", 6) != 0 || b[6] > 3)
		return false;
	length = fixed == 10 ? b[8] | (u64)b[9] << 8 : b[8] | (u64)b[9] << 8 | (u64)b[10] << 16 | (u64)b[11] << 24;
	if (length > size - fixed || !(header = calloc(1, length + 1)))
		return false;
	memcpy(header, b + fixed, length);
	ok = read_header(n, header) && n->count <= (size - fixed - length) / (u64)(n->type[1] - '0');
	free(header);
	n->data = b + fixed + length;
	return ok;
}

bool npy_read(const char *path, struct npy *out, char *why, size_t why_size)
{
	*out = (struct npy){ 0 };
	if (!file_read(path, &out->file, why, why_size))
		return false;
	if (parse(out))
		return true;
	snprintf(why, why_size, "%s: no numpy array of integers in C order, or a truncated one", path);
	npy_free(out);
	return false;
}

void npy_free(struct npy *n)
{
	file_free(&n->file);
	*n = (struct npy){ 0 };
}
