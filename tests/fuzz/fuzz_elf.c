/* SPDX-License-Identifier: Apache-2.0 */
/* ELF and Intel HEX files: opening, symbols, line table, inlined functions and frames of whatever bytes there are. */
#include "loader/image.h"
#include "tests/fuzz/fuzz.h"
#include "tests/loader/elf_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FRAMES = 8, FUNCTIONS = 100 };

/* What lies on the stack: nothing in half of the places. */
static bool word_at(void *ctx, u32 addr, u32 *value)
{
	(void)ctx;
	*value = addr + 4;
	return addr & 8;
}

static void count_line(void *ctx, u32 addr, const char *file, int line)
{
	*(size_t *)ctx += strlen(file) + addr + (size_t)line;
}

static void ask_about(struct image *image, u32 addr)
{
	const char *names[4];
	char text[128];
	u32 r[16] = { [13] = 0x30000100, [14] = addr, [15] = addr };
	size_t bytes = 0;

	image_describe(image, addr, text, sizeof text);
	for (unsigned n = image_inlined_at(image, addr, names, ARRAY_LEN(names)); n;)
		bytes += strlen(names[--n]);
	for (unsigned frame = 0; frame < FRAMES && image_unwind(image, addr, r, word_at, &bytes); frame++)
		addr = r[15];
}

/* Reads everything that a run could ask of an image. */
static void use(struct image *image)
{
	size_t sum = 0;
	u32 addr;

	ask_about(image, image->entry);
	ask_about(image, 0x10000008);
	for (unsigned i = 0; i < image->segment_count; i++) {
		const struct image_segment *s = &image->segments[i];
		const volatile u8 *bytes = s->bytes; /* read for the sanitizer's sake */

		for (u32 k = 0; k < s->file_size; k++)
			(void)bytes[k];
		ask_about(image, s->vaddr);
	}
	for (unsigned i = 0; i < image->function_count && i < FUNCTIONS; i++) {
		ask_about(image, image->functions[i].addr);
		image_symbol(image, image->functions[i].name, &addr);
	}
	image_each_line(image, count_line, &sum);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const int fd = memfd_create("elf", MFD_CLOEXEC);
	char path[32], why[256];
	struct image image;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (image_open(&image, path, why, sizeof why) == IMAGE_OK) {
		use(&image);
		image_close(&image);
	}
	close(fd);
	return 0;
}

size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static const u8 code[64];
	static struct elf_builder b;

	static const char hex[] = ":020000041000EA\n:03010000616263D6\n:0400000510000100E6\n:00000001FF\n";

	if (index > 2)
		return 0;
	if (index == 2) {
		memcpy(out, hex, sizeof hex - 1);
		return sizeof hex - 1;
	}
	memset(&b, 0, sizeof b);
	b.entry = 0x10000009;
	elf_add_segment(&b, 0x10000000, 0x10000000, code, sizeof code, sizeof code);
	elf_add_segment(&b, 0x20000000, 0x70000000, code, 8, 0x100);
	if (index) {
		elf_add_function(&b, "main", 0x10000009, 16);
		elf_add_function(&b, "handler", 0x10000021, 0);
	}
	elf_build(&b);
	memcpy(out, b.bytes, b.size);
	return b.size;
}
