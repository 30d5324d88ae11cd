/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of the program by all three command lines, with their files: several images, data, HEX, parameter files,
 * networks, states. The host neither crashes nor hangs, reports are JSON, messages hold no control characters, nothing
 * outside the working folder changes.
 *
 * Input: the program's name (0 ours, 1 an FVP's, 2 `fvp-sim npu`), then files: number in names[], 16 bits of length, bytes.
 * The lines of the first are the arguments; those with a path of more than one part or for debuggers are left out. */
int fvp_sim_main(int argc, char **argv);
#define main fvp_sim_main
#include "sim/cli/main.c"
#undef main

#include "tests/fuzz/json_check.h"
#include "tests/fuzz/npu_seed.h"
#include "tests/fuzz/watched.h"
#include "tests/loader/elf_builder.h"

#include <dirent.h>
#include <stdlib.h>

enum { ARGUMENTS = 48, HEADER = 3, SIZE_MAX_MESSAGES = 1 << 16 };
enum program { OURS, FVP, NPU, PROGRAMS };
enum { ARGS, ELF_A, ELF_B, HEX, DATA_FILE, PARAMETERS, MODEL, INI, STATE, FILES };
static const char *const names[FILES] = { NULL, "a.elf", "b.elf", "c.hex", "d.bin", "p.txt", "m.tflite", "v.ini", "s.state" };

static bool left_out(const char *argument)
{
	return strchr(argument, '/') || strstr(argument, "..") || strstr(argument, "gdb");
}

static void write_file(unsigned number, const u8 *bytes, size_t size)
{
	FILE *f = fopen(names[number], "wb");

	for (size_t i = 0; f && i < size; i++) /* a parameter names no file elsewhere */
		fputc(number == PARAMETERS && bytes[i] == '/' ? '_' : bytes[i], f);
	if (!f || fclose(f))
		abort();
}

/* Writes the files; the arguments are copied to `text`. */
static void unpack(const u8 *data, size_t size, char *text)
{
	for (size_t at = 1; at + HEADER <= size;) {
		const unsigned number = data[at] % FILES;
		const size_t asked = data[at + 1] | (size_t)data[at + 2] << 8, room = size - at - HEADER;
		const size_t bytes = asked < room ? asked : room;

		at += HEADER;
		if (number == ARGS) {
			memcpy(text, data + at, bytes);
			text[bytes] = 0;
		} else {
			write_file(number, data + at, bytes);
		}
		at += bytes;
	}
}

/* The limit goes last, so that it holds. */
static int arguments(enum program program, char *text, char **argv)
{
	static char own[] = "fvp-sim", fvp[] = "FVP_Corstone_SSE-300_Ethos-U55", npu[] = "npu";
	static char cycles[] = "--cyclelimit", work[] = "--work-limit", count[] = "20000", steps[] = "200000";
	int argc = 0;

	argv[argc++] = program == FVP ? fvp : own;
	if (program == NPU)
		argv[argc++] = npu;
	for (char *save = NULL, *a = strtok_r(text, "\n", &save); a && argc < ARGUMENTS - 3; a = strtok_r(NULL, "\n", &save))
		if (!left_out(a))
			argv[argc++] = a;
	argv[argc++] = program == NPU ? work : cycles;
	argv[argc++] = program == NPU ? steps : count;
	argv[argc] = NULL;
	return argc;
}

static void fail_with(const char *what, const char *where)
{
	fprintf(stderr, "%s: %.80s\n", what, where);
	abort();
}

static void check_messages(int fd)
{
	static char text[SIZE_MAX_MESSAGES];
	const ssize_t size = pread(fd, text, sizeof text - 1, 0);

	for (ssize_t i = 0; i < size; i++)
		if ((u8)text[i] < ' ' && text[i] != '\n')
			fail_with("a message controls the terminal", text + i - (i < 40 ? i : 40));
}

static void check_reports(void)
{
	static char text[1 << 18];
	DIR *d = opendir(".");

	for (struct dirent *e; d && (e = readdir(d));) {
		const char *dot = strrchr(e->d_name, '.');
		FILE *f = dot && !strcmp(dot, ".json") ? fopen(e->d_name, "rb") : NULL;

		if (!f)
			continue;
		const size_t size = fread(text, 1, sizeof text, f);
		const char *wrong = size < sizeof text ? json_check(text, size) : NULL;

		fclose(f);
		if (size && wrong)
			fail_with("a report is not JSON", wrong);
	}
	if (d)
		closedir(d);
}

/* Standard output is nobody's, standard error is kept. */
static void run_captured(int argc, char **argv)
{
	static int null = -1, messages = -1;
	const int out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);

	if (null < 0)
		null = open("/dev/null", O_RDWR);
	if (messages < 0)
		messages = fileno(tmpfile());
	if (ftruncate(messages, 0) || lseek(messages, 0, SEEK_SET) || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
		abort();
	fvp_sim_main(argc, argv);
	fflush(NULL);
	clearerr(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(error, STDERR_FILENO);
	close(out);
	close(error);
	check_messages(messages);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static char text[FUZZ_MAX_BYTES + 1];
	char *argv[ARGUMENTS];

	if (!size)
		return 0;
	watched_prepare(false);
	if (chdir(watched_folder()))
		abort();
	text[0] = 0;
	unpack(data, size, text);
	run_captured(arguments(data[0] % PROGRAMS, text, argv), argv);
	check_reports();
	watched_check();
	return 0;
}

/* A seed being made. */
static size_t add(u8 *out, size_t used, unsigned number, const void *bytes, size_t size)
{
	out[used] = (u8)number;
	out[used + 1] = (u8)size;
	out[used + 2] = (u8)(size >> 8);
	memcpy(out + used + HEADER, bytes, size);
	return used + HEADER + size;
}

static size_t add_text(u8 *out, size_t used, unsigned number, const char *text)
{
	return add(out, used, number, text, strlen(text));
}

/* Code that writes to the console, starts over, ends: r0 = 4 (SYS_WRITE0) and 0x18 (SYS_EXIT). */
static size_t add_image(u8 *out, size_t used, unsigned number, u32 base)
{
	static const u16 code[32] = { 0x2004, 0xa103, 0xbeab, 0x2018, 0x2126, 0x0649, 0xbeab, 0xe7fe, 0x6568, 0x6c6c, 0x0a6f, 0 };
	static struct elf_builder b;

	memset(&b, 0, sizeof b);
	b.entry = base | 1;
	elf_add_segment(&b, base, base, code, sizeof code, sizeof code + 64);
	elf_add_function(&b, "main", base | 1, 16);
	elf_build(&b);
	return add(out, used, number, b.bytes, b.size);
}

static const struct {
	enum program program;
	const char *arguments;
} seeds[] = {
	{ OURS, "--elf\na.elf\n--elf\nb.elf\n--data\nd.bin@0x31000000\n--data\na.elf@0x31001000\n--dump\no.bin@0x31000000,64\n--report\n"
		"r.json\n--uart0\nu.txt\n--stat" },
	{ OURS, "--elf\nc.hex\n--elf\na.elf\n--board\ncorstone-310\n--trace\ntarmac=t.txt\n--profile\nflat=f.txt\n--report\nr.json\n--cpu-timing\nm85" },
	{ OURS, "--elf\na.elf\n--board\ncorstone-320\n--npu\nethos-u85-512\n--config\nv.ini\n--system-config\nmine\n--report=r.json\n"
		"--trace\nperfetto=t.pf\n--trace\nvcd=t.vcd\n--profile\ncallgrind=c.out\n--profile\nlcov=l.info\n--date\n2027-02-03" },
	{ OURS, "--elf\na.elf\n--save-at\n3=s2.state\n--semihosting-cmdline\na \"b c\"\n--engine\nstep\n--itm\ni.txt\n--eot\non" },
	{ OURS, "--elf\na.elf\n--restore\ns.state" },
	{ FVP, "-a\na.elf\n-a\ncpu0=b.elf\n-f\np.txt\n--data\nd.bin@0x31000000\n--dump\no.bin@0:0x31000000,64\n--stat\n--report\nr.json" },
	{ FVP, "a.elf\n-f\np.txt\n-C\nethosu.num_macs=64\n-C\nethosu.extra_args=--pmu-trace x.csv\n-l\n-o\nl.txt" },
	{ FVP, "--list-memory\n-f\np.txt" },
	{ NPU, "--accelerator\nethos-u55-256\n--model\nm.tflite\n--input\nd.bin\n--output\nout\n--layers\n--report\nr.json" },
	{ NPU, "--accelerator\nethos-u85-512\n--model\nm.tflite\n--config\nv.ini\n--system-config\nmine\n--memory-mode\nShared_Sram\n--report\nr.json"
	       "\n--dump-layers\nl" },
};
static const char parameters[] = "# a comment\nmps3_board.uart0.out_file=u0.txt\nmps3_board.uart0.shutdown_on_eot=1\ncpu0.semihosting-enable=1\n"
	"cpu0.semihosting-cmd_line=\"one two\"\nethosu.num_macs=128\nmps3_board.visualisation.disable-visualisation=1\ncore_clk.mul=50000000\n"
	"cpu0.INITSVTOR=0x10000000\nmps3_board.FPGA_SRAM_SIZE=2\n";
static const char hex[] = ":020000041000EA\n:03010000616263D6\n:0400000510000100E6\n:00000001FF\n";
static const char ini[] = "[System_Config.mine]\ncore_clock=1e9\naxi0_port=Sram\naxi1_port=Dram\nSram_clock_scale=1.0\nDram_clock_scale=0.25\n"
	"Dram_read_latency=500\nDram_write_latency=250\n[Memory_Mode.Shared_Sram]\nconst_mem_area=Axi1\narena_mem_area=Axi0\n";

size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static u8 model[FUZZ_MAX_BYTES];
	size_t used = 1, size;

	if (index >= ARRAY_LEN(seeds))
		return 0;
	out[0] = seeds[index].program;
	used = add_text(out, used, ARGS, seeds[index].arguments);
	if (seeds[index].program == NPU) {
		size = npu_seed_case(index % 2 ? "conv_102_ethos-u85-512" : "conv_stride_101_ethos-u55-256", model);
		used = add(out, used, MODEL, model, size);
	} else {
		used = add_image(out, used, ELF_A, 0x10000000);
		used = add_image(out, used, ELF_B, 0x31002000);
		used = add_text(out, used, HEX, hex);
		used = add_text(out, used, PARAMETERS, parameters);
	}
	used = add_text(out, used, INI, ini);
	return add_text(out, used, DATA_FILE, "0123456789abcdef");
}
