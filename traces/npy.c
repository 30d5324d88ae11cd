/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/npy.h"
#include "traces/output.h"

#include <string.h>

bool npy_write(const char *path, const char *type, const u32 *shape, unsigned rank, const void *data, char *why, size_t why_size)
{
	FILE *f = output_create(path, why, why_size);
	char text[256];
	u64 bytes = (u64)(type[1] - '0');
	int n;

	if (!f)
		return false;
	n = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", type[1] == '1' ? '|' : '<', type);
	for (unsigned i = 0; i < rank; i++) {
		n += snprintf(text + n, sizeof text - (size_t)n, "%u,%s", shape[i], i + 1 < rank ? " " : "");
		bytes *= shape[i];
	}
	n += snprintf(text + n, sizeof text - (size_t)n, "), }");
	while ((10 + n + 1) % 64) /* data begins at a multiple of 64 */
		text[n++] = ' ';
	text[n++] = '\n';
	fwrite("\x93NUMPY\x01\x00", 1, 8, f);
	fputc(n & 0xff, f);
	fputc(n >> 8, f);
	fwrite(text, 1, (size_t)n, f);
	fwrite(data, 1, bytes, f);
	return output_finish(f, path, why, why_size);
}
