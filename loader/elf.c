/* SPDX-License-Identifier: Apache-2.0 */
/* ELF for the Arm Architecture (AAELF32): executables of class 32, little-endian. libelf checks
 * the structure; it is that of elfutils, the well-kept reader of Debian. */
#include "loader/image_private.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

static bool check_header(const struct opening *o, GElf_Ehdr *header)
{
	const struct file_bytes *f = &o->image->private->file;

	if (f->size < SELFMAG || memcmp(f->data, ELFMAG, SELFMAG))
		return image_fail(o, "neither an ELF nor an Intel HEX file; raw bytes are loaded by --data FILE@ADDR");
	if (f->size < sizeof(Elf32_Ehdr))
		return image_fail(o, "truncated: the ELF header is incomplete; build or copy the file again");
	if (f->data[EI_CLASS] != ELFCLASS32)
		return image_fail(o, "a 64-bit ELF file; a Cortex-M program is 32-bit: build it with arm-none-eabi-gcc");
	if (f->data[EI_DATA] != ELFDATA2LSB)
		return image_fail(o, "a big-endian ELF file; only little-endian programs run here: build it without -mbig-endian");
	o->image->private->elf = elf_memory((char *)f->data, f->size);
	if (!o->image->private->elf || !gelf_getehdr(o->image->private->elf, header))
		return image_fail(o, "the ELF header is damaged; build or copy the file again");
	if (header->e_machine != EM_ARM)
		return image_fail(o, "not an Arm program (ELF machine differs); build it with arm-none-eabi-gcc");
	if (header->e_type != ET_EXEC)
		return image_fail(o, "not a linked executable (ELF type is not EXEC); link it with a linker script");
	return true;
}

static bool add_segment(const struct opening *o, const GElf_Phdr *p)
{
	struct image *image = o->image;
	const struct file_bytes *f = &image->private->file;
	struct image_segment *s = &image->segments[image->segment_count];

	if (p->p_offset > f->size || p->p_filesz > f->size - p->p_offset)
		return image_fail(o, "truncated: a segment reaches beyond the end of the file; build or copy it again");
	if (p->p_memsz > UINT32_MAX || p->p_filesz > p->p_memsz || p->p_paddr + p->p_memsz > UINT64_C(1) << 32)
		return image_fail(o, "a segment has impossible sizes: more bytes in the file than in memory, or beyond 4 GiB; "
				     "link it again");
	*s = (struct image_segment){
		.paddr = (u32)p->p_paddr,
		.vaddr = (u32)p->p_vaddr,
		.file_size = (u32)p->p_filesz,
		.memory_size = (u32)p->p_memsz,
		.bytes = f->data + p->p_offset,
	};
	image->segment_count++;
	return true;
}

static bool read_segments(const struct opening *o, const GElf_Ehdr *header)
{
	Elf *elf = o->image->private->elf;
	size_t count;
	bool any = false;

	if (header->e_phnum && header->e_phoff >= o->image->private->file.size)
		return image_fail(o, "truncated: the program headers lie beyond the end of the file; build or copy it again");
	if (elf_getphdrnum(elf, &count) != 0 || !count)
		return image_fail(o, "no program headers: nothing to load; link it with a linker script");
	o->image->segments = calloc(count, sizeof *o->image->segments);
	if (!o->image->segments)
		return image_fail(o, "host memory is short");
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p))
			return image_fail(o, "truncated: the program headers are incomplete; build or copy the file again");
		if (p.p_type != PT_LOAD || !p.p_memsz)
			continue;
		if (!add_segment(o, &p))
			return false;
		any |= p.p_filesz > 0;
	}
	return any ? true : image_fail(o, "no segment has any bytes: nothing to load; look at the linker script");
}

/* Of several names of one function that which asks for it finds the last: weak ones are aliases, as those of handlers that a
 * program has not got; else the symbol table's last, as gdb does. */
static int by_address(const void *a, const void *b)
{
	const struct image_function *x = a, *y = b;

	if (x->addr != y->addr)
		return (x->addr > y->addr) - (x->addr < y->addr);
	return x->weak != y->weak ? y->weak - x->weak : (x->order > y->order) - (x->order < y->order);
}

/* Assembler code often says no size: such a function goes on to the next one, or to its section's end. */
static void end_functions(struct image *image)
{
	u32 next = 0;

	for (unsigned i = image->function_count; i--;) {
		struct image_function *f = &image->functions[i];

		if (i + 1 < image->function_count && f[1].addr != f->addr)
			next = f[1].addr;
		if (f->size)
			continue;
		f->size = f->room;
		if (next > f->addr && next - f->addr < f->size)
			f->size = next - f->addr;
	}
}

/* Bytes of its section from a symbol on. */
static u32 room_behind(const struct image *image, const GElf_Sym *sym)
{
	Elf_Scn *section = elf_getscn(image->private->elf, sym->st_shndx);
	GElf_Shdr header;
	const u64 addr = sym->st_value & ~UINT64_C(1);

	if (!section || !gelf_getshdr(section, &header) || addr < header.sh_addr || addr - header.sh_addr >= header.sh_size)
		return 0;
	return (u32)(header.sh_size - (addr - header.sh_addr));
}

/* Functions of one symbol table section; damaged symbols are left out. */
static void read_functions(struct image *image, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	image->functions = calloc(count ? count : 1, sizeof *image->functions);
	if (!image->functions)
		return;
	for (size_t i = 0; i < count; i++) {
		struct image_function *f = &image->functions[image->function_count];
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC || !sym.st_shndx)
			continue;
		f->name = elf_strptr(image->private->elf, header->sh_link, sym.st_name);
		f->addr = (u32)sym.st_value & ~1u;
		f->size = (u32)sym.st_size;
		f->order = (u32)i;
		f->weak = GELF_ST_BIND(sym.st_info) == STB_WEAK;
		f->room = f->size ? 0 : room_behind(image, &sym);
		image->function_count += f->name && *f->name;
	}
	qsort(image->functions, image->function_count, sizeof *image->functions, by_address);
	end_functions(image);
}

static void read_symbols(struct image *image)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(image->private->elf, s));) {
		GElf_Shdr header;

		if (gelf_getshdr(s, &header) && header.sh_type == SHT_SYMTAB) {
			read_functions(image, s, &header);
			return;
		}
	}
}

/* Symbol i of a table, when it has that name and a place. */
static bool symbol_matches(const struct image *image, const GElf_Shdr *header, Elf_Data *data, size_t i, const char *name,
			   GElf_Sym *sym)
{
	const char *found;

	if (!gelf_getsym(data, (int)i, sym) || !sym->st_shndx || GELF_ST_TYPE(sym->st_info) > STT_FUNC)
		return false;
	found = elf_strptr(image->private->elf, header->sh_link, sym->st_name);
	return found && !strcmp(found, name);
}

bool image_symbol(const struct image *image, const char *name, u32 *addr)
{
	Elf *elf = image->private->elf;
	bool any = false;

	for (Elf_Scn *s = NULL; elf && *name && (s = elf_nextscn(elf, s));) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(s, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize || !(data = elf_getdata(s, NULL)))
			continue;
		for (size_t i = 0; i < data->d_size / header.sh_entsize; i++) {
			GElf_Sym sym;

			if (!symbol_matches(image, &header, data, i, name, &sym))
				continue;
			*addr = (u32)sym.st_value & (GELF_ST_TYPE(sym.st_info) == STT_FUNC ? ~1u : ~0u);
			any = true;
			if (GELF_ST_BIND(sym.st_info) != STB_LOCAL)
				return true;
		}
	}
	return any;
}

bool elf_read(const struct opening *o)
{
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	if (!check_header(o, &header) || !read_segments(o, &header))
		return false;
	o->image->entry = (u32)header.e_entry;
	o->image->has_entry = true;
	read_symbols(o->image);
	return true;
}
