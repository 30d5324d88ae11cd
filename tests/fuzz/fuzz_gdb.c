/* SPDX-License-Identifier: Apache-2.0 */
/* What a debugger may send: any bytes, to a machine that stands still; where it is let go, it runs a little. */
#include "sim/gdb/session.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { RUN_INSTRUCTIONS = 200, MAX_RUNS = 20 };

static struct machine *machine_for_all(void)
{
	static const struct diag quiet = { 0 };
	static struct machine *m;
	struct machine_config config;
	char why[256];

	if (m)
		return m;
	machine_config_init(&config, board_find("corstone-300"));
	if (machine_new(&m, &config, &quiet, why, sizeof why))
		return NULL;
	return m;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	/* a loop that stores: movs r0, #1; lsls r0, r0, #24; str r0, [r0]; b to the store */
	static const u16 program[] = { 0x2001, 0x0600, 0x6000, 0xe7fd };
	static const struct limits none;
	static struct gdb g;
	struct machine *m = machine_for_all();
	unsigned runs = 0;

	if (!m)
		return 0;
	m->stop = STOP_NONE;
	cpu_reset(m->cpu);
	cpu_poke(m->cpu, 0x10000000, program, sizeof program);
	cpu_set_start(m->cpu, 0x10000001, 0x30001000);
	g = (struct gdb){ .machine = m, .limits = &none, .link = { .listener = -1, .in = -1, .out = -1 }, .history_bytes = 1 << 22 };
	points_listen(&g);
	session_begin(&g);
	for (size_t i = 0; i < size && !g.over; i++) {
		session_feed(&g, data[i]);
		if (g.halted || g.over)
			continue;
		cpu_set_last_instruction(m->cpu, cpu_instructions(m->cpu) + RUN_INSTRUCTIONS);
		if (runs++ < MAX_RUNS)
			machine_run_on(m, &none);
		g.halted = true;
	}
	session_end(&g);
	text_free(&g.reply);
	text_free(&g.wire);
	text_free(&g.xml);
	return 0;
}

size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static const char *const packets[] = {
		"?", "g", "pf", "P0=01020304", "m10000000,40", "M30000000,4:01020304", "X30000000,4:abcd", "qSupported:swbreak+", "Z0,10000004,2",
		"vCont;c", "bs", "bc", "vCont;s:1", "vCont;r10000000,10000010", "Z2,1000000,4", "c", "z2,1000000,4", "qRcmd,68656c70",
		"qXfer:features:read:target.xml:0,100", "qXfer:memory-map:read::0,100", "vFlashErase:28000000,1000", "vFlashWrite:28000000:abc",
		"vFlashDone", "qSearch:memory:10000000;2000;\1\2", "qCRC:10000000,20", "QStartNoAckMode", "Z4,1000000,4", "s", "qRcmd,72756e2d746f2035", "G00", "H g1", "D", "k",
	};
	size_t bytes = 0;

	if (index)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(packets); i++) {
		u8 sum = 0;

		for (const char *c = packets[i]; *c; c++)
			sum = (u8)(sum + (u8)*c);
		bytes += (size_t)snprintf((char *)out + bytes, FUZZ_MAX_BYTES - bytes, "$%s#%02x+", packets[i], sum);
	}
	return bytes;
}
