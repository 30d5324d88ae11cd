/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/symbols.h"

#include <stdio.h>

static const struct image_function *find(const struct machine *m, u32 addr, struct image **image)
{
	const struct image_function *f = NULL;

	for (unsigned i = 0; i < m->image_count && !f; i++)
		f = image_function_at(*image = &m->images[i], addr);
	return f;
}

u32 symbols_function(const struct machine *m, u32 addr)
{
	struct image *image;
	const struct image_function *f = find(m, addr, &image);

	return f ? f->addr : addr & ~1u;
}

const char *symbols_name(const struct machine *m, u32 addr, char *text, size_t size)
{
	struct image *image;
	const struct image_function *f = find(m, addr, &image);

	if (f)
		return image_function_name(image, f);
	snprintf(text, size, "0x%08x", addr & ~1u);
	return text;
}

bool symbols_line(struct machine *m, u32 addr, const char **file, int *line)
{
	for (unsigned i = 0; i < m->image_count; i++)
		if (image_function_at(&m->images[i], addr) && image_line_at(&m->images[i], addr, file, line))
			return true;
	return false;
}
