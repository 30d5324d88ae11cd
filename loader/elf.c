/* SPDX-License-Identifier: Apache-2.0 */
/* ELF for the Arm Architecture (AAELF32): executables of class 32, little-endian. libelf checks
 * the structure, libdw reads the line table; both from elfutils, the well-kept reader of Debian. */
#include "loader/file.h"
#include "loader/image.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image_private {
	struct file_bytes file;
	Elf *elf;
	Dwarf *dwarf;
	bool dwarf_tried;
};

struct opening {
	struct image *image;
	char *why;
	size_t why_size;
};

static bool fail(const struct opening *o, const char *text)
{
	snprintf(o->why, o->why_size, "%s: %s", o->image->path, text);
	return false;
}

static bool check_header(const struct opening *o, GElf_Ehdr *header)
{
	const struct file_bytes *f = &o->image->private->file;

	if (f->size < SELFMAG || memcmp(f->data, ELFMAG, SELFMAG))
		return fail(o, "not an ELF file");
	if (f->size < sizeof(Elf32_Ehdr))
		return fail(o, "truncated: the ELF header is incomplete; build or copy the file again");
	if (f->data[EI_CLASS] != ELFCLASS32)
		return fail(o, "a 64-bit ELF file; a Cortex-M program is 32-bit: build it with arm-none-eabi-gcc");
	if (f->data[EI_DATA] != ELFDATA2LSB)
		return fail(o, "a big-endian ELF file; only little-endian programs run here");
	o->image->private->elf = elf_memory((char *)f->data, f->size);
	if (!o->image->private->elf || !gelf_getehdr(o->image->private->elf, header))
		return fail(o, "the ELF header is damaged");
	if (header->e_machine != EM_ARM)
		return fail(o, "not an Arm program (ELF machine differs); build it with arm-none-eabi-gcc");
	if (header->e_type != ET_EXEC)
		return fail(o, "not a linked executable (ELF type is not EXEC); link it with a linker script");
	return true;
}

static bool add_segment(const struct opening *o, const GElf_Phdr *p)
{
	struct image *image = o->image;
	const struct file_bytes *f = &image->private->file;
	struct image_segment *s = &image->segments[image->segment_count];

	if (p->p_offset > f->size || p->p_filesz > f->size - p->p_offset)
		return fail(o, "truncated: a segment reaches beyond the end of the file; build or copy it again");
	if (p->p_memsz > UINT32_MAX || p->p_filesz > p->p_memsz || p->p_paddr + p->p_memsz > UINT64_C(1) << 32)
		return fail(o, "a segment has impossible sizes");
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

static bool read_segments(const struct opening *o)
{
	Elf *elf = o->image->private->elf;
	size_t count;
	bool any = false;

	if (elf_getphdrnum(elf, &count) != 0 || !count)
		return fail(o, "no program headers: nothing to load");
	o->image->segments = calloc(count, sizeof *o->image->segments);
	if (!o->image->segments)
		return fail(o, "out of host memory");
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p))
			return fail(o, "truncated: the program headers are incomplete");
		if (p.p_type != PT_LOAD || !p.p_memsz)
			continue;
		if (!add_segment(o, &p))
			return false;
		any |= p.p_filesz > 0;
	}
	return any ? true : fail(o, "no segment has any bytes: nothing to load");
}

static int by_address(const void *a, const void *b)
{
	const struct image_function *x = a, *y = b;

	return x->addr != y->addr ? (x->addr > y->addr) - (x->addr < y->addr) : strcmp(x->name, y->name);
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
		image->function_count += f->name && *f->name;
	}
	qsort(image->functions, image->function_count, sizeof *image->functions, by_address);
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

bool image_open(struct image *image, const char *path, char *why, size_t why_size)
{
	const struct opening o = { image, why, why_size };
	GElf_Ehdr header;

	*image = (struct image){ .path = strdup(path) };
	image->private = calloc(1, sizeof *image->private);
	elf_version(EV_CURRENT);
	if (!image->path || !image->private) {
		snprintf(why, why_size, "out of host memory");
	} else if (file_read(path, &image->private->file, why, why_size) && check_header(&o, &header) &&
		   read_segments(&o)) {
		image->entry = (u32)header.e_entry;
		read_symbols(image);
		return true;
	}
	image_close(image);
	return false;
}

void image_close(struct image *image)
{
	if (image->private) {
		dwarf_end(image->private->dwarf);
		elf_end(image->private->elf);
		file_free(&image->private->file);
	}
	free(image->private);
	free(image->segments);
	free(image->functions);
	free(image->path);
	*image = (struct image){ 0 };
}

const struct image_function *image_function_at(const struct image *image, u32 addr)
{
	unsigned low = 0, high = image->function_count;

	addr &= ~1u;
	while (low < high) {
		const unsigned mid = (low + high) / 2;

		if (image->functions[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	const struct image_function *f = &image->functions[low - 1];

	return addr - f->addr < (f->size ? f->size : 2) ? f : NULL;
}

bool image_symbol(const struct image *image, const char *name, u32 *addr)
{
	for (unsigned i = 0; i < image->function_count; i++)
		if (!strcmp(image->functions[i].name, name)) {
			*addr = image->functions[i].addr;
			return true;
		}
	return false;
}

static Dwarf_Line *line_of(Dwarf *dwarf, u32 addr)
{
	Dwarf_Off offset = 0, next;
	size_t header_size;

	while (dwarf_nextcu(dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
		Dwarf_Die die;
		Dwarf_Line *line;

		if (dwarf_offdie(dwarf, offset + header_size, &die) && (line = dwarf_getsrc_die(&die, addr)))
			return line;
		offset = next;
	}
	return NULL;
}

bool image_line_at(struct image *image, u32 addr, const char **file, int *line)
{
	struct image_private *p = image->private;
	Dwarf_Line *found;

	if (p && !p->dwarf_tried) {
		p->dwarf = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
		p->dwarf_tried = true;
	}
	if (!p || !p->dwarf || !(found = line_of(p->dwarf, addr & ~1u)) || dwarf_lineno(found, line) != 0)
		return false;
	*file = dwarf_linesrc(found, NULL, NULL);
	return *file != NULL;
}

void image_describe(struct image *image, u32 addr, char *text, size_t size)
{
	const struct image_function *f = image_function_at(image, addr);
	const char *file, *slash;
	int line, n;

	*text = 0;
	if (!f)
		return;
	n = snprintf(text, size, "%s+0x%x", f->name, (addr & ~1u) - f->addr);
	if (n < 0 || (size_t)n >= size || !image_line_at(image, addr, &file, &line))
		return;
	slash = strrchr(file, '/');
	snprintf(text + n, size - (size_t)n, " (%s:%d)", slash ? slash + 1 : file, line);
}
