/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/loader/elf_builder.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

enum { SECTIONS = 5, SYMTAB = 1, STRTAB = 2, SHSTRTAB = 3, TEXT = 4 };

void elf_add_segment(struct elf_builder *b, u32 vaddr, u32 paddr, const void *data, u32 file_size, u32 memory_size)
{
	assert(b->segment_count < ELF_MAX_SEGMENTS);
	b->segment[b->segment_count].vaddr = vaddr;
	b->segment[b->segment_count].paddr = paddr;
	b->segment[b->segment_count].data = data;
	b->segment[b->segment_count].file_size = file_size;
	b->segment[b->segment_count++].memory_size = memory_size;
}

void elf_add_function(struct elf_builder *b, const char *name, u32 addr, u32 size)
{
	assert(b->function_count < ELF_MAX_FUNCTIONS);
	b->function[b->function_count].name = name;
	b->function[b->function_count].addr = addr;
	b->function[b->function_count++].size = size;
}

void elf_add_alias(struct elf_builder *b, const char *name, u32 addr, u32 size)
{
	elf_add_function(b, name, addr, size);
	b->function[b->function_count - 1].weak = true;
}

/* The section of the first segment, which has the code, or none. */
static u16 section_of(const struct elf_builder *b, u32 addr)
{
	return addr - b->segment[0].vaddr < b->segment[0].memory_size ? TEXT : SHN_ABS;
}

/* Appends bytes at the next multiple of 4; returns their offset in the file. */
static u32 append(struct elf_builder *b, const void *data, u32 size)
{
	const u32 at = (b->size + 3) & ~3u;

	assert(at + size <= ELF_MAX_BYTES);
	if (size)
		memcpy(b->bytes + at, data, size);
	b->size = at + size;
	return at;
}

static void put_segments(struct elf_builder *b)
{
	for (unsigned i = 0; i < b->segment_count; i++) {
		Elf32_Phdr p = {
			.p_type = PT_LOAD,
			.p_vaddr = b->segment[i].vaddr,
			.p_paddr = b->segment[i].paddr,
			.p_filesz = b->segment[i].file_size,
			.p_memsz = b->segment[i].memory_size,
			.p_flags = PF_R | PF_X,
			.p_align = 4,
		};

		p.p_offset = append(b, b->segment[i].data, b->segment[i].file_size);
		memcpy(b->bytes + sizeof(Elf32_Ehdr) + i * sizeof p, &p, sizeof p);
	}
}

static void put_symbols(struct elf_builder *b, Elf32_Shdr *symtab, Elf32_Shdr *strtab)
{
	Elf32_Sym symbols[ELF_MAX_FUNCTIONS + 1] = { 0 };
	char names[1024] = "";
	u32 used = 1;

	for (unsigned i = 0; i < b->function_count; i++) {
		const u32 length = (u32)strlen(b->function[i].name) + 1;

		assert(used + length <= sizeof names);
		memcpy(names + used, b->function[i].name, length);
		symbols[i + 1] = (Elf32_Sym){
			.st_name = used,
			.st_value = b->function[i].addr,
			.st_size = b->function[i].size,
			.st_info = ELF32_ST_INFO(b->function[i].weak ? STB_WEAK : STB_GLOBAL, STT_FUNC),
			.st_shndx = section_of(b, b->function[i].addr),
		};
		used += length;
	}
	symtab->sh_size = (b->function_count + 1) * (u32)sizeof symbols[0];
	symtab->sh_offset = append(b, symbols, symtab->sh_size);
	strtab->sh_size = used;
	strtab->sh_offset = append(b, names, used);
}

static u32 put_sections(struct elf_builder *b)
{
	static const char names[] = "\0.symtab\0.strtab\0.shstrtab\0.text";
	Elf32_Shdr s[SECTIONS] = {
		[SYMTAB] = { .sh_name = 1, .sh_type = SHT_SYMTAB, .sh_link = STRTAB, .sh_info = 1,
			     .sh_entsize = sizeof(Elf32_Sym), .sh_addralign = 4 },
		[STRTAB] = { .sh_name = 9, .sh_type = SHT_STRTAB, .sh_addralign = 1 },
		[SHSTRTAB] = { .sh_name = 17, .sh_type = SHT_STRTAB, .sh_size = sizeof names, .sh_addralign = 1 },
		[TEXT] = { .sh_name = 27, .sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = b->segment[0].vaddr,
			   .sh_size = b->segment[0].memory_size, .sh_addralign = 4 },
	};

	put_symbols(b, &s[SYMTAB], &s[STRTAB]);
	s[SHSTRTAB].sh_offset = append(b, names, sizeof names);
	return append(b, s, sizeof s);
}

void elf_build(struct elf_builder *b)
{
	Elf32_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_ARM,
		.e_version = EV_CURRENT,
		.e_entry = b->entry,
		.e_phoff = sizeof h,
		.e_flags = EF_ARM_EABI_VER5,
		.e_ehsize = sizeof h,
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_phnum = (Elf32_Half)b->segment_count,
		.e_shentsize = sizeof(Elf32_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = SHSTRTAB,
	};

	memset(b->bytes, 0, sizeof b->bytes);
	b->size = (u32)(sizeof h + b->segment_count * sizeof(Elf32_Phdr));
	put_segments(b);
	h.e_shoff = put_sections(b);
	memcpy(b->bytes, &h, sizeof h);
}
