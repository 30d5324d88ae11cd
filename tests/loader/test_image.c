/* SPDX-License-Identifier: Apache-2.0 */
/* ELF and Intel HEX images: what is read from sound files, and one exact line for every kind of damage. */
#include "loader/image.h"
#include "tests/loader/elf_builder.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const u8 code[16] = { 0x00, 0x10, 0x00, 0x20, 0x09, 0x00, 0x00, 0x10, 0xfe, 0xe7 };
static const u8 data[4] = { 1, 2, 3, 4 };

static char path[64];

/* One segment of code so far. */
static void begin_code(struct elf_builder *b, u32 entry)
{
	memset(b, 0, sizeof *b);
	b->entry = entry;
	elf_add_segment(b, 0x10000000, 0x10000000, code, sizeof code, sizeof code);
}

static void sound(struct elf_builder *b)
{
	begin_code(b, 0x10000009);
	elf_add_segment(b, 0x20000000, 0x70000000, data, sizeof data, 0x100);
	elf_add_segment(b, 0x20001000, 0x20001000, NULL, 0, 0x1000);
	elf_add_function(b, "second", 0x10000041, 0);
	elf_add_function(b, "first", 0x10000009, 0x10);
	elf_build(b);
}

static void save(const void *bytes, size_t size)
{
	FILE *f;

	snprintf(path, sizeof path, "/tmp/fvp-sim-test-%d.elf", (int)getpid());
	f = fopen(path, "wb");
	cr_assert(f && fwrite(bytes, 1, size, f) == size);
	fclose(f);
}

static void cleanup(void)
{
	if (*path)
		unlink(path);
}

TestSuite(image, .fini = cleanup);

static void opens(struct image *image, const struct elf_builder *b)
{
	char why[256] = "";

	save(b->bytes, b->size);
	cr_assert(eq(int, image_open(image, path, why, sizeof why), IMAGE_OK), "%s", why);
}

/* The file is refused with exactly "PATH: expected". */
static void refused(const void *bytes, size_t size, const char *expected)
{
	struct image image;
	char why[256] = "", line[256];

	save(bytes, size);
	snprintf(line, sizeof line, "%s: %s", path, expected);
	cr_assert(eq(int, image_open(&image, path, why, sizeof why), IMAGE_DAMAGED));
	cr_expect(eq(str, why, line));
	cr_expect(eq(ptr, image.segments, NULL), "a refused image must be empty");
}

/* Refused after a change of `size` bytes at `offset` of a sound file. */
static void refused_with(size_t offset, const void *bytes, size_t size, const char *expected)
{
	static struct elf_builder b;

	sound(&b);
	memcpy(b.bytes + offset, bytes, size);
	refused(b.bytes, b.size, expected);
}

#define REFUSED_WITH_FIELD(type, at, field, value, expected)                                       \
	do {                                                                                       \
		const __typeof__(((type *)NULL)->field) v = (value);                               \
		refused_with((at) + offsetof(type, field), &v, sizeof v, expected);                \
	} while (0)

Test(image, segments_by_physical_address)
{
	static struct elf_builder b;
	struct image image;

	sound(&b);
	opens(&image, &b);
	cr_expect(eq(u32, image.entry, 0x10000009));
	cr_assert(eq(u32, image.segment_count, 3));
	cr_expect(eq(u32, image.segments[1].paddr, 0x70000000));
	cr_expect(eq(u32, image.segments[1].vaddr, 0x20000000));
	cr_expect(eq(u32, image.segments[1].file_size, 4));
	cr_expect(eq(u32, image.segments[1].memory_size, 0x100));
	cr_expect(eq(int, memcmp(image.segments[1].bytes, data, 4), 0));
	cr_expect(eq(u32, image.segments[2].file_size, 0));
	image_close(&image);
}

Test(image, functions_are_sorted_and_found)
{
	static struct elf_builder b;
	struct image image;
	char text[64];

	sound(&b);
	opens(&image, &b);
	cr_assert(eq(u32, image.function_count, 2));
	cr_expect(eq(str, (char *)image.functions[0].name, "first"));
	cr_expect(eq(u32, image.functions[0].addr, 0x10000008));
	image_describe(&image, 0x1000000d, text, sizeof text);
	cr_expect(eq(str, text, "first+0x4"));
	image_describe(&image, 0x10000018, text, sizeof text);
	cr_expect(eq(str, text, ""), "one past the end is not in the function");
	image_describe(&image, 0x10000040, text, sizeof text);
	cr_expect(eq(str, text, "second+0x0"), "a function of unknown size has its first instruction");
	image_describe(&image, 0, text, sizeof text);
	cr_expect(eq(str, text, ""));
	image_close(&image);
}

Test(image, functions_without_a_size_go_on_to_the_next_or_the_end_of_their_section)
{
	static struct elf_builder b;
	struct image image;
	char text[64];

	begin_code(&b, 0x10000003);
	elf_add_function(&b, "start", 0x10000003, 0);
	elf_add_function(&b, "handler", 0x10000007, 0);
	elf_add_alias(&b, "unused_handler", 0x10000007, 0);
	elf_build(&b);
	opens(&image, &b);
	image_describe(&image, 0x10000005, text, sizeof text);
	cr_expect(eq(str, text, "start+0x2"));
	image_describe(&image, 0x1000000e, text, sizeof text);
	cr_expect(eq(str, text, "handler+0x8"), "the strong one of two names");
	image_describe(&image, 0x10000010, text, sizeof text);
	cr_expect(eq(str, text, ""), "behind the section");
	image_close(&image);
}

Test(image, the_last_symbol_is_shown_of_several_of_one_address)
{
	static struct elf_builder b;
	struct image image;
	char text[64];

	begin_code(&b, 0x10000003);
	elf_add_alias(&b, "zebra", 0x10000003, 4);
	elf_add_alias(&b, "ape", 0x10000003, 4);
	elf_build(&b);
	opens(&image, &b);
	image_describe(&image, 0x10000004, text, sizeof text);
	cr_expect(eq(str, text, "ape+0x2"));
	image_close(&image);
}

Test(image, long_names_are_cut)
{
	static struct elf_builder b;
	struct image image;
	char text[6];

	sound(&b);
	opens(&image, &b);
	image_describe(&image, 0x10000008, text, sizeof text);
	cr_expect(eq(str, text, "first"));
	image_close(&image);
}

Test(image, files_that_are_no_program)
{
	struct image image;
	char why[256];

	refused("", 0, "neither an ELF nor an Intel HEX file; raw bytes are loaded by --data FILE@ADDR");
	refused("hello world", 11, "neither an ELF nor an Intel HEX file; raw bytes are loaded by --data FILE@ADDR");
	refused("\177ELF\1\1\1", 7, "truncated: the ELF header is incomplete; build or copy the file again");
	cr_expect(eq(int, image_open(&image, "/nonexistent/x.elf", why, sizeof why), IMAGE_UNREADABLE));
	cr_expect(eq(str, why, "/nonexistent/x.elf: No such file or directory"));
	cr_expect(eq(int, image_open(&image, "/tmp", why, sizeof why), IMAGE_UNREADABLE));
	cr_expect(eq(str, why, "/tmp: is a directory"));
}

Test(image, headers_of_other_machines)
{
	refused_with(EI_CLASS, "\2", 1,
		     "a 64-bit ELF file; a Cortex-M program is 32-bit: build it with arm-none-eabi-gcc");
	refused_with(EI_DATA, "\2", 1, "a big-endian ELF file; only little-endian programs run here: build it without -mbig-endian");
	REFUSED_WITH_FIELD(Elf32_Ehdr, 0, e_machine, EM_386,
			   "not an Arm program (ELF machine differs); build it with arm-none-eabi-gcc");
	REFUSED_WITH_FIELD(Elf32_Ehdr, 0, e_type, ET_REL,
			   "not a linked executable (ELF type is not EXEC); link it with a linker script");
	REFUSED_WITH_FIELD(Elf32_Ehdr, 0, e_phnum, 0, "no program headers: nothing to load; link it with a linker script");
}

Test(image, damaged_segments)
{
	const size_t ph = sizeof(Elf32_Ehdr);

	REFUSED_WITH_FIELD(Elf32_Phdr, ph, p_offset, 0x7fffffff,
			   "truncated: a segment reaches beyond the end of the file; build or copy it again");
	REFUSED_WITH_FIELD(Elf32_Phdr, ph, p_memsz, 1,
			   "a segment has impossible sizes: more bytes in the file than in memory, or beyond 4 GiB; link it again");
	REFUSED_WITH_FIELD(Elf32_Phdr, ph, p_paddr, 0xfffffff8,
			   "a segment has impossible sizes: more bytes in the file than in memory, or beyond 4 GiB; link it again");
}

Test(image, nothing_to_load)
{
	static struct elf_builder b;

	memset(&b, 0, sizeof b);
	elf_add_segment(&b, 0x20000000, 0x20000000, NULL, 0, 0x1000);
	elf_build(&b);
	refused(b.bytes, b.size, "no segment has any bytes: nothing to load; look at the linker script");
}

/* Every shorter file is refused or read without harm; the sections are at its end, so that a cut
 * there only costs the symbols. */
Test(image, every_truncation)
{
	static struct elf_builder b;

	sound(&b);
	for (u32 size = 0; size < b.size; size++) {
		struct image image;
		char why[256] = "", text[64];

		save(b.bytes, size);
		if (image_open(&image, path, why, sizeof why) == IMAGE_OK) {
			image_describe(&image, 0x10000008, text, sizeof text);
			image_close(&image);
		} else {
			cr_expect(ne(str, why, ""));
		}
	}
}
