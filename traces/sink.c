/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/sink.h"
#include "traces/output.h"

#include <string.h>

bool sink_open(struct sink *s, const char *path, bool unbuffered, char *why, size_t why_size)
{
	*s = (struct sink){ .unbuffered = unbuffered };
	if (!path || !*path)
		return true;
	if (!strcmp(path, "-")) {
		s->file = stdout;
		return true;
	}
	s->file = output_create(path, why, why_size);
	s->own = true;
	return s->file != NULL;
}

void sink_put(struct sink *s, u8 byte)
{
	if (s->bytes++ < s->seen || !s->file)
		return;
	putc(byte, s->file);
	if (s->unbuffered)
		fflush(s->file);
}

bool sink_flush(struct sink *s)
{
	return !s->file || (fflush(s->file) == 0 && !ferror(s->file));
}

void sink_close(struct sink *s)
{
	sink_flush(s);
	if (s->own && s->file)
		fclose(s->file);
	*s = (struct sink){ 0 };
}
