/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/output.h"

#include <errno.h>
#include <string.h>

FILE *output_create(const char *path, char *why, size_t why_size)
{
	FILE *file = fopen(path, "wb");

	if (!file)
		snprintf(why, why_size, "%s: %s", *path ? path : "''", strerror(errno));
	return file;
}

bool output_finish(FILE *file, const char *path, char *why, size_t why_size)
{
	const bool lost = ferror(file);

	if (fclose(file) == 0 && !lost)
		return true;
	snprintf(why, why_size, "%s: cannot be written", path);
	return false;
}

bool output_write(const char *path, const void *data, u64 size, char *why, size_t why_size)
{
	FILE *file = output_create(path, why, why_size);

	if (!file)
		return false;
	fwrite(data, 1, size, file);
	return output_finish(file, path, why, why_size);
}
