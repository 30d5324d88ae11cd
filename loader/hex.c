/* SPDX-License-Identifier: Apache-2.0 */
/* Intel HEX (Intel, Hexadecimal Object File Format Specification, revision A, 1988): all six kinds of
 * record. Merged images of several programs come in this form. The bytes are decoded in place,
 * over the text they come from: each takes two characters there. */
#include "loader/image_private.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_DATA = 255 };

enum record_type { DATA, END, SEGMENT_BASE, SEGMENT_START, LINEAR_BASE, LINEAR_START };

struct record {
	u8 length, type;
	u16 offset;
	u8 data[MAX_DATA];
};

struct reader {
	const struct opening *o;
	const u8 *at, *end;   /* text not yet read */
	u8 *out;              /* where the next decoded byte goes */
	unsigned line;
	u32 base;             /* of the data records' offsets */
	u32 wrap;             /* mask of base-relative addresses: 16 bits wrap within a segment */
	unsigned room;        /* allocated segments */
	bool ended;
};

static bool fail(const struct reader *r, const char *text)
{
	char line[160];

	snprintf(line, sizeof line, "line %u: %s", r->line, text);
	return image_fail(r->o, line);
}

static int digit(u8 c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool byte(struct reader *r, u8 *sum, u8 *value)
{
	const int high = r->end - r->at >= 2 ? digit(r->at[0]) : -1, low = high < 0 ? -1 : digit(r->at[1]);

	if (low < 0)
		return fail(r, "not a record of an Intel HEX file, or cut short; build or copy the file again");
	r->at += 2;
	*value = (u8)(high << 4 | low);
	*sum = (u8)(*sum + *value);
	return true;
}

static bool read_record(struct reader *r, struct record *record)
{
	u8 sum = 0, high = 0, low = 0, check = 0;

	if (!byte(r, &sum, &record->length) || !byte(r, &sum, &high) || !byte(r, &sum, &low) ||
	    !byte(r, &sum, &record->type))
		return false;
	record->offset = (u16)(high << 8 | low);
	for (unsigned i = 0; i < record->length; i++)
		if (!byte(r, &sum, &record->data[i]))
			return false;
	if (!byte(r, &sum, &check))
		return false;
	return sum ? fail(r, "the checksum is wrong; build or copy the file again") : true;
}

static u32 number(const struct record *record)
{
	u32 value = 0;

	for (unsigned i = 0; i < record->length; i++)
		value = value << 8 | record->data[i];
	return value;
}

static struct image_segment *add_segment(struct reader *r, u32 addr)
{
	struct image *image = r->o->image;

	if (image->segment_count == r->room) {
		struct image_segment *grown = realloc(image->segments, (r->room * 2 + 4) * sizeof *grown);

		if (!grown)
			return NULL;
		image->segments = grown;
		r->room = r->room * 2 + 4;
	}
	image->segments[image->segment_count] = (struct image_segment){ .paddr = addr, .vaddr = addr, .bytes = r->out };
	return &image->segments[image->segment_count++];
}

/* Bytes that follow each other go into one segment. */
static bool put(struct reader *r, u32 addr, u8 value)
{
	struct image *image = r->o->image;
	struct image_segment *s = image->segment_count ? &image->segments[image->segment_count - 1] : NULL;

	if (!s || (u64)s->paddr + s->file_size != addr)
		s = add_segment(r, addr);
	if (!s)
		return fail(r, "host memory is short");
	*r->out++ = value;
	s->memory_size = ++s->file_size;
	return true;
}

static bool put_data(struct reader *r, const struct record *record)
{
	for (unsigned i = 0; i < record->length; i++)
		if (!put(r, r->base + ((record->offset + i) & r->wrap), record->data[i]))
			return false;
	return true;
}

static bool take_record(struct reader *r, const struct record *record)
{
	static const u8 lengths[] = { [SEGMENT_BASE] = 2, [SEGMENT_START] = 4, [LINEAR_BASE] = 2, [LINEAR_START] = 4 };

	if (record->type > LINEAR_START)
		return fail(r, "a record of a type that Intel HEX does not have; build or copy the file again");
	if (record->type != DATA && record->length != lengths[record->type])
		return fail(r, "a record of the wrong length; build or copy the file again");
	switch ((enum record_type)record->type) {
	case DATA:
		return put_data(r, record);
	case END:
		r->ended = true;
		return true;
	case SEGMENT_BASE:
		r->base = number(record) << 4;
		r->wrap = 0xffff;
		return true;
	case SEGMENT_START: /* CS:IP of an 8086: says nothing here */
		return true;
	case LINEAR_BASE:
		r->base = number(record) << 16;
		r->wrap = UINT32_MAX;
		return true;
	case LINEAR_START:
		r->o->image->entry = number(record) | 1;
		r->o->image->has_entry = true;
		return true;
	}
	return true;
}

static bool read_line(struct reader *r)
{
	struct record record;

	r->line++;
	if (r->at < r->end && *r->at == ':') {
		r->at++;
		if (!read_record(r, &record) || !take_record(r, &record))
			return false;
	}
	while (r->at < r->end && *r->at != '\n') {
		if (*r->at != '\r' && *r->at != ' ' && *r->at != '\t')
			return fail(r, "not a record of an Intel HEX file; build or copy the file again");
		r->at++;
	}
	r->at += r->at < r->end;
	return true;
}

bool hex_read(const struct opening *o)
{
	struct file_bytes *f = &o->image->private->file;
	struct reader r = { .o = o, .at = f->data, .end = f->data + f->size, .out = f->data, .wrap = UINT32_MAX };

	while (r.at < r.end && !r.ended)
		if (!read_line(&r))
			return false;
	if (!r.ended)
		return image_fail(o, "truncated: the end record is missing; build or copy the file again");
	return o->image->segment_count ? true
				       : image_fail(o, "no record has any bytes: nothing to load; build the file again");
}
