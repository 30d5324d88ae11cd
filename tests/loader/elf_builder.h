/* SPDX-License-Identifier: Apache-2.0 */
/* Makes small 32-bit Arm ELF files in memory, sound ones that tests then damage. */
#ifndef TESTS_LOADER_ELF_BUILDER_H
#define TESTS_LOADER_ELF_BUILDER_H

#include "memory/types.h"

enum { ELF_MAX_SEGMENTS = 8, ELF_MAX_FUNCTIONS = 16, ELF_MAX_BYTES = 16384 };

struct elf_builder {
	u32 entry;
	struct { u32 vaddr, paddr, memory_size, file_size; const void *data; } segment[ELF_MAX_SEGMENTS];
	unsigned segment_count;
	struct { const char *name; u32 addr, size; bool weak; } function[ELF_MAX_FUNCTIONS];
	unsigned function_count;
	u8 bytes[ELF_MAX_BYTES]; /* the file, after elf_build */
	u32 size;
};

/* Adds a PT_LOAD segment; `data` must live until elf_build. */
void elf_add_segment(struct elf_builder *b, u32 vaddr, u32 paddr, const void *data, u32 file_size, u32 memory_size);

/* Adds a function symbol; addr with the Thumb bit, as linkers write it. */
void elf_add_function(struct elf_builder *b, const char *name, u32 addr, u32 size);

/* The same with weak binding. */
void elf_add_alias(struct elf_builder *b, const char *name, u32 addr, u32 size);

/* Lays the file out: header, program headers, data, symbols, strings, section headers. The first segment is section .text. */
void elf_build(struct elf_builder *b);

#endif
