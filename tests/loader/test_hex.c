/* SPDX-License-Identifier: Apache-2.0 */
/* Intel HEX images: every kind of record, and one exact line for every kind of damage. */
#include "loader/image.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define END ":00000001FF\n"

static char path[64];

static void save(const char *text)
{
	FILE *f;

	snprintf(path, sizeof path, "/tmp/fvp-sim-test-%d.hex", (int)getpid());
	f = fopen(path, "wb");
	cr_assert(f && fwrite(text, 1, strlen(text), f) == strlen(text));
	fclose(f);
}

static void cleanup(void)
{
	if (*path)
		unlink(path);
}

TestSuite(hex, .fini = cleanup);

static void opens(struct image *image, const char *text)
{
	char why[256] = "";

	save(text);
	cr_assert(eq(int, image_open(image, path, why, sizeof why), IMAGE_OK), "%s", why);
}

static void refused(const char *text, const char *expected)
{
	struct image image;
	char why[256] = "", line[256];

	save(text);
	snprintf(line, sizeof line, "%s: %s", path, expected);
	cr_assert(eq(int, image_open(&image, path, why, sizeof why), IMAGE_DAMAGED));
	cr_expect(eq(str, why, line));
	cr_expect(eq(ptr, image.segments, NULL), "a refused image must be empty");
}

static void has_segment(const struct image *image, unsigned n, u32 addr, const char *bytes)
{
	const struct image_segment *s = &image->segments[n];

	cr_assert(lt(uint, n, image->segment_count));
	cr_expect(eq(u32, s->paddr, addr));
	cr_expect(eq(u32, s->vaddr, addr));
	cr_expect(eq(u32, s->file_size, (u32)strlen(bytes)));
	cr_expect(eq(u32, s->memory_size, s->file_size));
	cr_expect(not(memcmp(s->bytes, bytes, s->file_size)));
}

Test(hex, neighbours_are_one_segment)
{
	struct image image;

	opens(&image, ":020000041000EA\r\n"
		      ":03010000616263D6\r\n"
		      ":02010300646531\r\n"
		      ":010200007885\r\n"
		      "\r\n"
		      ":0400000510000100E6\r\n" END "no longer read");
	cr_expect(eq(uint, image.segment_count, 2));
	has_segment(&image, 0, 0x10000100, "abcde");
	has_segment(&image, 1, 0x10000200, "x");
	cr_expect(image.has_entry);
	cr_expect(eq(u32, image.entry, 0x10000101));
	cr_expect(eq(uint, image.function_count, 0));
	image_close(&image);
}

Test(hex, without_a_start_record_there_is_no_entry)
{
	struct image image;
	const char *file;
	int line;

	opens(&image, ":01000000619E\n:0400000300000000F9\n" END);
	cr_expect(not(image.has_entry), "an 8086's start says nothing");
	cr_expect(not(image_line_at(&image, 0, &file, &line)));
	has_segment(&image, 0, 0, "a");
	image_close(&image);
}

Test(hex, banks_in_any_order)
{
	struct image image;

	opens(&image, ":01FFFF0061A0\n:020000040001F9\n:01000000629D\n:020000040000FA\n:01000000639C\n" END);
	cr_expect(eq(uint, image.segment_count, 2));
	has_segment(&image, 0, 0xffff, "ab");
	has_segment(&image, 1, 0, "c");
	image_close(&image);
}

Test(hex, addresses_wrap_within_an_8086_segment)
{
	struct image image;

	opens(&image, ":020000021000EC\n:02FFFF00797A0D\n" END);
	cr_expect(eq(uint, image.segment_count, 2));
	has_segment(&image, 0, 0x1ffff, "y");
	has_segment(&image, 1, 0x10000, "z");
	image_close(&image);
}

Test(hex, damage)
{
	refused(":0300", "line 1: not a record of an Intel HEX file, or cut short; build or copy the file again");
	refused(":01000000619E\n:03010000616263D7\n" END, "line 2: the checksum is wrong; build or copy the file again");
	refused(":01000000619E\nS1\n" END, "line 2: not a record of an Intel HEX file; build or copy the file again");
	refused(":00000006FA\n" END, "line 1: a record of a type that Intel HEX does not have; build or copy the file again");
	refused(":0100000400FB\n" END, "line 1: a record of the wrong length; build or copy the file again");
	refused(":01000000619E\n", "truncated: the end record is missing; build or copy the file again");
	refused(END, "no record has any bytes: nothing to load; build the file again");
}
