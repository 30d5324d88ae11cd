/* SPDX-License-Identifier: Apache-2.0 */
/* libdw, loaded when debug information is asked for first: most runs never do, and loading it with what it needs itself is an
 * eighth of what the program's start takes. The loader's sources call it as if it were linked: here are those functions by
 * its names. Builds that link it (loader/meson.build) leave this file out. */
#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <pthread.h>
#include <stdio.h>

#define LIBDW "libdw.so.1"

/* What the loader calls: result, name, parameters, arguments. */
#define CALLS(CALL)                                                                                                             \
	CALL(int, dwarf_end, (Dwarf *d), (d))                                                                                   \
	CALL(Dwarf_OOM, dwarf_new_oom_handler, (Dwarf *d, Dwarf_OOM handler), (d, handler))                                     \
	CALL(int, dwarf_nextcu, (Dwarf *d, Dwarf_Off at, Dwarf_Off *next, size_t *header, Dwarf_Off *abbrev, uint8_t *address,  \
				 uint8_t *offset), (d, at, next, header, abbrev, address, offset))                              \
	CALL(Dwarf_Die *, dwarf_offdie, (Dwarf *d, Dwarf_Off at, Dwarf_Die *die), (d, at, die))                                 \
	CALL(int, dwarf_child, (Dwarf_Die *die, Dwarf_Die *child), (die, child))                                                \
	CALL(int, dwarf_siblingof, (Dwarf_Die *die, Dwarf_Die *sibling), (die, sibling))                                        \
	CALL(int, dwarf_tag, (Dwarf_Die *die), (die))                                                                           \
	CALL(const char *, dwarf_diename, (Dwarf_Die *die), (die))                                                              \
	CALL(int, dwarf_haspc, (Dwarf_Die *die, Dwarf_Addr pc), (die, pc))                                                      \
	CALL(int, dwarf_getsrclines, (Dwarf_Die *unit, Dwarf_Lines **lines, size_t *count), (unit, lines, count))               \
	CALL(Dwarf_Line *, dwarf_onesrcline, (Dwarf_Lines *lines, size_t i), (lines, i))                                        \
	CALL(Dwarf_Line *, dwarf_getsrc_die, (Dwarf_Die *unit, Dwarf_Addr addr), (unit, addr))                                  \
	CALL(int, dwarf_lineaddr, (Dwarf_Line *line, Dwarf_Addr *addr), (line, addr))                                           \
	CALL(int, dwarf_lineendsequence, (Dwarf_Line *line, bool *flag), (line, flag))                                          \
	CALL(int, dwarf_lineno, (Dwarf_Line *line, int *number), (line, number))                                                \
	CALL(const char *, dwarf_linesrc, (Dwarf_Line *line, Dwarf_Word *time, Dwarf_Word *length), (line, time, length))       \
	CALL(Dwarf_CFI *, dwarf_getcfi, (Dwarf *d), (d))                                                                        \
	CALL(int, dwarf_cfi_addrframe, (Dwarf_CFI *cfi, Dwarf_Addr addr, Dwarf_Frame **frame), (cfi, addr, frame))              \
	CALL(int, dwarf_frame_cfa, (Dwarf_Frame *f, Dwarf_Op **ops, size_t *count), (f, ops, count))                            \
	CALL(int, dwarf_frame_register, (Dwarf_Frame *f, int n, Dwarf_Op room[3], Dwarf_Op **ops, size_t *count),               \
	     (f, n, room, ops, count))

#define POINTER(result, name, parameters, arguments) result(*name) parameters;
static struct {
	Dwarf *(*dwarf_begin_elf)(Elf *elf, Dwarf_Cmd command, Elf_Scn *group);
	CALLS(POINTER)
} libdw;
static void *handle;

/* Tools that pack programs find here what is loaded when it runs (ELF dlopen metadata). */
#define NOTE "[{\"soname\":[\"" LIBDW "\"],\"feature\":\"debuginfo\",\"description\":\"source lines and callers\",\"priority\":\"required\"}]"
__attribute__((section(".note.dlopen"), used, aligned(4))) static const struct {
	unsigned name_bytes, text_bytes, type;
	char name[4];
	char text[(sizeof NOTE + 3) / 4 * 4];
} note = { 4, sizeof NOTE, 0x407c0c0a, "FDO", NOTE };

static bool find(const char *name, void *pointer)
{
	void *const found = dlsym(handle, name);

	*(void **)pointer = found;
	return found != NULL;
}

static void load(void)
{
	handle = dlopen(LIBDW, RTLD_NOW | RTLD_LOCAL);
	bool all = handle && find("dwarf_begin_elf", &libdw.dwarf_begin_elf);
#define FIND(result, name, parameters, arguments) all = all && find(#name, &libdw.name);
	CALLS(FIND)
	if (!all) {
		libdw.dwarf_begin_elf = NULL;
		fprintf(stderr, "no source lines and callers: %s\n", dlerror());
	}
}

__attribute__((destructor)) static void unload(void)
{
	if (handle)
		dlclose(handle);
}

/* All others come after it has opened something. */
Dwarf *dwarf_begin_elf(Elf *elf, Dwarf_Cmd command, Elf_Scn *group)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return libdw.dwarf_begin_elf ? libdw.dwarf_begin_elf(elf, command, group) : NULL;
}

#define FORWARD(result, name, parameters, arguments) \
	result name parameters { return libdw.name arguments; }
CALLS(FORWARD)
