/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts stencils out of object files (x86-64) and writes them as a C table: cut-stencils OUTPUT.c OBJECT...
 *
 * A stencil is a function st_VARIANT__OPERATION: its section holds the hot part, .text.unlikely.NAME the cold one. Its
 * relocations become holes. Three things make it short: a jump to a cold part that is only a jump goes to that one's
 * target, and the cold part is dropped where nothing is left of it; a jump to what follows is dropped at the hot
 * part's end. Constants that it reads by a distance become arrays of the table; what needs an address of a constant is left out. Part of the build, so it runs on the host that
 * builds. */
#include <fcntl.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/stencil/cut.h"

#define PREFIX ".text.st_"
#define COLD ".text.unlikely.st_"
#define APART ".apart.text." /* what an asm of a stencil puts aside (UNLESS_UNALIGNED): behind the cold part */

static struct cut found;

void fail(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fprintf(stderr, "cut-stencils: ");
	vfprintf(stderr, format, list);
	fprintf(stderr, "\n");
	va_end(list);
	exit(1);
}

/* An object file: its sections and names, and which of the constants found are its. */
struct object { Elf *elf; size_t names; Elf_Data *symbols; size_t symbol_names; unsigned first_constants; };

static Elf_Scn *section_named(const struct object *o, const char *name, GElf_Shdr *header)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));)
		if (gelf_getshdr(s, header) && strcmp(elf_strptr(o->elf, o->names, header->sh_name), name) == 0)
			return s;
	return NULL;
}

/* The constants of a section, as they are known in the table; NULL: they hold addresses themselves. */
static const char *constants_of(const struct object *o, size_t section, const char *name)
{
	char rela[160];
	GElf_Shdr header;
	Elf_Data *data = elf_getdata(elf_getscn(o->elf, section), NULL);

	for (unsigned i = o->first_constants; i < found.constants_count; i++)
		if (found.constants[i].section == section)
			return found.constants[i].symbol;
	snprintf(rela, sizeof(rela), ".rela%s", name);
	if (!data || section_named(o, rela, &header))
		return NULL;
	if (found.constants_count == MAX_CONSTANTS)
		fail("too many sections of constants");
	struct constants *k = &found.constants[found.constants_count];
	unsigned char *bytes = malloc(data->d_size);
	if (!bytes)
		fail("no memory");
	memcpy(bytes, data->d_buf, data->d_size);
	*k = (struct constants){ .bytes = bytes, .size = (unsigned)data->d_size, .section = section };
	snprintf(k->symbol, sizeof(k->symbol), CONSTANTS "%u", found.constants_count++);
	return k->symbol;
}

/* What a relocation refers to: *hot or *cold for the stencil's own sections, else a symbol's name. */
static void hole_symbol(const struct object *o, const struct stencil *s, size_t symbol, struct hole *h)
{
	GElf_Sym sym;
	GElf_Shdr header;
	Elf_Scn *section;
	char cold[128];

	if (!gelf_getsym(o->symbols, (int)symbol, &sym))
		fail("%s: no symbol %zu", s->name, symbol);
	if (sym.st_shndx == SHN_UNDEF) {
		snprintf(h->symbol, sizeof(h->symbol), "%s", elf_strptr(o->elf, o->symbol_names, sym.st_name));
		return;
	}
	section = elf_getscn(o->elf, sym.st_shndx);
	if (!section || !gelf_getshdr(section, &header))
		fail("%s: a symbol without a section", s->name);
	const char *name = elf_strptr(o->elf, o->names, header.sh_name);
	snprintf(cold, sizeof(cold), ".text.unlikely.%s", s->name);
	h->add += (long)sym.st_value;
	if (strcmp(name, cold) == 0) {
		strcpy(h->symbol, "*cold");
	} else if (strncmp(name, APART, strlen(APART)) == 0 && strcmp(name + strlen(APART), s->name) == 0) {
		strcpy(h->symbol, "*cold");
		h->add += s->apart;
	} else if (strncmp(name, ".text.", 6) == 0 && strcmp(name + 6, s->name) == 0) {
		strcpy(h->symbol, "*hot");
	} else {
		const char *constants = strncmp(name, ".rodata", 7) == 0 ? constants_of(o, sym.st_shndx, name) : NULL;
		snprintf(h->symbol, sizeof(h->symbol), "%.60s", constants ? constants : name);
	}
}

/* Functions of the program itself, not of a library. */
static bool in_reach(const char *symbol)
{
	static const char *const own[] = { "H_", "go_", "slot_base", CONSTANTS, "fp16_", "fp32_", "fp64_" };

	for (unsigned i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strncmp(symbol, own[i], strlen(own[i])) == 0)
			return true;
	return false;
}

static void add_holes(const struct object *o, struct stencil *s, const char *section, unsigned base)
{
	char name[160];
	GElf_Shdr header;

	snprintf(name, sizeof(name), ".rela%s", section);
	Elf_Scn *rela = section_named(o, name, &header);
	Elf_Data *data = rela ? elf_getdata(rela, NULL) : NULL;
	for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
		GElf_Rela r;
		struct hole *h = &s->hole[s->holes++];
		if (s->holes == MAX_HOLES || !gelf_getrela(data, (int)i, &r))
			fail("%s: too many holes", s->name);
		*h = (struct hole){ .at = base + (unsigned)r.r_offset, .add = (long)r.r_addend };
		hole_symbol(o, s, GELF_R_SYM(r.r_info), h);
		switch (GELF_R_TYPE(r.r_info)) {
		case R_X86_64_32: case R_X86_64_32S: h->kind = FILL_WORD; break;
		case R_X86_64_PC32: case R_X86_64_PLT32: h->kind = FILL_DISTANCE; break;
		case R_X86_64_8: h->kind = FILL_BYTE; break;
		case R_X86_64_PC16: /* LINES_SKIP: the distance of a jump that begins here */
			h->kind = FILL_SKIP;
			h->at += 1;
			h->add -= 4;
			break;
		default: s->why_not = "a relocation that no hole is made of";
		}
		if (h->symbol[0] == '.')
			s->why_not = "constants elsewhere";
		else if (h->symbol[0] != '*' && !in_reach(h->symbol))
			s->why_not = "calls what may be far away";
		else if (h->kind != FILL_DISTANCE && h->kind != FILL_SKIP && strncmp(h->symbol, "H_", 2) != 0)
			s->why_not = "an address elsewhere";
	}
}

static unsigned add_code(const struct object *o, struct stencil *s, const char *section, unsigned at)
{
	GElf_Shdr header;
	Elf_Scn *scn = section_named(o, section, &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	if (!data)
		return 0;
	if (at + data->d_size > MAX_CODE)
		fail("%s: too long", s->name);
	memcpy(s->code + at, data->d_buf, data->d_size);
	return (unsigned)data->d_size;
}

static struct hole *hole_at(struct stencil *s, unsigned at)
{
	for (unsigned i = 0; i < s->holes; i++)
		if (s->hole[i].at == at)
			return &s->hole[i];
	return NULL;
}

/* Jumps from the hot part to a jump in the cold part go where that leads. */
static void thread_jumps(struct stencil *s)
{
	bool needed = false;

	for (unsigned i = 0; i < s->holes; i++) {
		struct hole *h = &s->hole[i];
		if (strcmp(h->symbol, "*cold") != 0 || h->at >= s->hot)
			continue;
		unsigned to = s->hot + (unsigned)(h->add + 4);
		const struct hole *jump = s->code[to] == 0xe9 ? hole_at(s, to + 1) : NULL;
		if (jump) {
			strcpy(h->symbol, jump->symbol);
			h->add = jump->add;
		} else {
			needed = true;
		}
	}
	if (needed)
		return;
	unsigned n = 0;
	for (unsigned i = 0; i < s->holes; i++)
		if (s->hole[i].at < s->hot)
			s->hole[n++] = s->hole[i];
	s->holes = n;
	s->cold = 0;
}

/* What follows is laid behind the hot part. */
static void drop_last_jump(struct stencil *s)
{
	struct hole *last = s->hot >= 5 && s->code[s->hot - 5] == 0xe9 ? hole_at(s, s->hot - 4) : NULL;

	if (!last || strcmp(last->symbol, "H_NEXT") != 0)
		return;
	*last = s->hole[--s->holes];
	memmove(s->code + s->hot - 5, s->code + s->hot, s->cold);
	for (unsigned i = 0; i < s->holes; i++)
		if (s->hole[i].at >= s->hot)
			s->hole[i].at -= 5;
	s->hot -= 5;
}

static bool same(const struct stencil *a, const struct stencil *b)
{
	if (a->hot != b->hot || a->cold != b->cold || a->holes != b->holes ||
	    memcmp(a->code, b->code, a->hot + a->cold) != 0)
		return false;
	for (unsigned i = 0; i < a->holes; i++)
		if (a->hole[i].at != b->hole[i].at || a->hole[i].kind != b->hole[i].kind || a->hole[i].add != b->hole[i].add ||
		    strcmp(a->hole[i].symbol, b->hole[i].symbol) != 0)
			return false;
	return true;
}

/* The compiler's own words about a relocation are zeros, so equal stencils are equal bytes. */
static void keep(struct stencil *s)
{
	unsigned number = 0;

	while (number < found.kept_count && !same(found.kept[number], s))
		number++;
	if (found.name_count == MAX_STENCILS)
		fail("too many stencils");
	found.names[found.name_count++] = (struct name){ strdup(s->name), number + 1 };
	if (number < found.kept_count) {
		free(s);
		return;
	}
	found.kept = realloc(found.kept, (found.kept_count + 1) * sizeof(*found.kept));
	found.kept[found.kept_count++] = s;
}

static void leave_out(const char *name, const char *why)
{
	found.left_out++;
	if (getenv("CUT_STENCILS_TELL"))
		fprintf(stderr, "%s: %s\n", name, why);
}

static void cut_section(const struct object *o, const char *section)
{
	struct stencil *s = calloc(1, sizeof(*s));
	char cold[160], apart[160];

	snprintf(s->name, sizeof(s->name), "%s", section + strlen(".text."));
	snprintf(cold, sizeof(cold), ".text.unlikely.%s", s->name);
	snprintf(apart, sizeof(apart), "%s%s", APART, s->name);
	s->hot = add_code(o, s, section, 0);
	s->apart = add_code(o, s, cold, s->hot);
	s->cold = s->apart + add_code(o, s, apart, s->hot + s->apart);
	add_holes(o, s, section, 0);
	add_holes(o, s, cold, s->hot);
	add_holes(o, s, apart, s->hot + s->apart);
	if (s->hot == 1 && s->code[0] == 0xc3) { /* UNLESS_WANTED */
		free(s);
		return;
	}
	if (s->why_not) {
		leave_out(s->name, s->why_not);
		free(s);
		return;
	}
	thread_jumps(s);
	drop_last_jump(s);
	keep(s);
}

/* A function that is nothing but cold always takes the slow path: nothing is gained by a stencil. */
static void check_cold(const struct object *o, const char *cold)
{
	char hot[160];
	GElf_Shdr header;

	snprintf(hot, sizeof(hot), ".text.%s", cold + strlen(".text.unlikely."));
	if (!section_named(o, hot, &header))
		leave_out(hot, "all of it is cold");
}

static void cut_object(const char *path)
{
	struct object o = { .first_constants = found.constants_count };
	GElf_Shdr header;
	int fd = open(path, O_RDONLY);

	o.elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!o.elf || elf_getshdrstrndx(o.elf, &o.names) != 0)
		fail("%s: not an object file", path);
	for (Elf_Scn *s = NULL; (s = elf_nextscn(o.elf, s));)
		if (gelf_getshdr(s, &header) && header.sh_type == SHT_SYMTAB) {
			o.symbols = elf_getdata(s, NULL);
			o.symbol_names = header.sh_link;
		}
	for (Elf_Scn *s = NULL; (s = elf_nextscn(o.elf, s));) {
		const char *name = gelf_getshdr(s, &header) ? elf_strptr(o.elf, o.names, header.sh_name) : "";
		if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
			cut_section(&o, name);
		else if (strncmp(name, COLD, strlen(COLD)) == 0)
			check_cold(&o, name);
	}
	elf_end(o.elf);
	close(fd);
}

int main(int argc, char **argv)
{
	FILE *out = argc > 2 ? fopen(argv[1], "w") : NULL;

	if (!out)
		fail("usage: cut-stencils OUTPUT.c OBJECT...");
	elf_version(EV_CURRENT);
	for (int i = 2; i < argc; i++)
		cut_object(argv[i]);
	return write_table(out, &found) && fclose(out) == 0 ? 0 : 1;
}
