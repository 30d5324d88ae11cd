/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and peripheral protection controllers, and what they stand on: attribution of addresses. */
#include "devices/sacfg.h"
#include "rig.h"

static const struct bus_attr ns = {false, true, BUS_CPU}, secure = {true, true, BUS_CPU};

Test(mpc, geometry_and_table)
{
	struct rig *r = rig_new(false);

	cr_expect(eq(u32, rig_read(r, 0x57002014), 15), "1 MiB blocks");
	cr_expect(eq(u32, rig_read(r, 0x57002010), 63));
	cr_expect(eq(u32, rig_read(r, 0x57000014), 9), "16 KiB blocks");
	cr_expect(eq(u32, rig_read(r, 0x57000010), 3));
	rig_write(r, 0x5700001c, 0x11);
	rig_write(r, 0x5700001c, 0x22);
	cr_expect(eq(u32, rig_read(r, 0x57000018), 2), "the index moves on");
	rig_write(r, 0x57000018, 0);
	cr_expect(eq(u32, rig_read(r, 0x5700001c), 0x11));
	cr_expect(eq(u32, rig_read(r, 0x5700001c), 0x22));
	rig_write(r, 0x57000000, 0x140);
	cr_expect(eq(u32, rig_read(r, 0x57000000), 0x1c0), "gating acknowledged");
	rig_write(r, 0x57000000, 0x80000100);
	rig_write(r, 0x57000018, 0);
	rig_write(r, 0x5700001c, 0xff);
	rig_write(r, 0x57000018, 0);
	cr_expect(eq(u32, rig_read(r, 0x5700001c), 0x11), "locked");
	rig_write(r, 0x57000028, 1);
	cr_expect(zero(u32, rig_read(r, 0x57000028)), "the interrupt's enable, too");
	rig_write(r, 0x57000018, 0xffffffff);
	cr_expect(eq(u32, rig_read(r, 0x57000018), 3), "an index has as many bits as it needs");
	rig_free(r);
}

Test(mpc, gates_non_secure_accesses)
{
	struct rig *r = rig_new(true);
	u32 value;

	rig_write(r, 0x57000000, 0x10); /* no auto-increment, bus errors */
	rig_write(r, 0x57000018, 0);
	rig_write(r, 0x5700001c, 0x2); /* block 1 is Non-secure */
	rig_write(r, 0x57000028, 1);
	cr_expect(eq(int, bus_write(r->bus, 0x01004000, 4, ns, 42), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, 0x01004000, 4, ns, &value), BUS_OK));
	cr_expect(eq(u32, value, 42));
	cr_expect(r->irq[9] == 0);
	cr_expect(eq(int, bus_read(r->bus, 0x01008004, 4, ns, &value), BUS_REFUSED));
	cr_expect(r->irq[9]);
	cr_expect(eq(u32, rig_read(r, 0x5700002c), 0x8004));
	cr_expect(eq(u32, rig_read(r, 0x5008001c), 0x10000), "SECMPCINTSTAT");
	cr_expect(zero(u32, rig_read(r, 0x01008004)), "Secure passes");
	cr_expect(eq(int, bus_read(r->bus, 0x0100c008, 4, ns, &value), BUS_REFUSED));
	cr_expect(eq(u32, rig_read(r, 0x5700002c), 0x8004), "the first one stays");
	rig_write(r, 0x57000024, 1);
	cr_expect(zero(u32, rig_read(r, 0x5008001c)));
	cr_expect(eq(int, bus_read(r->bus, 0x11004010, 4, secure, &value), BUS_REFUSED), "a Secure access to a Non-secure block");
	cr_expect(eq(u32, rig_read(r, 0x5700002c), 0x4010));
	cr_expect(eq(u32, rig_read(r, 0x57000030), 0x20000));
	rig_free(r);
}

Test(mpc, answers_zeros_instead_of_bus_errors)
{
	struct rig *r = rig_new(true);
	u32 value;

	rig_write(r, 0x01000000, 42);
	cr_expect(eq(int, bus_read(r->bus, 0x01000000, 4, ns, &value), BUS_OK));
	cr_expect(zero(u32, value));
	cr_expect(eq(int, bus_write(r->bus, 0x01000000, 4, ns, 7), BUS_OK));
	cr_expect(eq(u32, rig_read(r, 0x01000000), 42));
	cr_expect(eq(u32, rig_read(r, 0x57000020), 1), "recorded all the same");
	rig_free(r);
}

/* ISRAM is one memory with two controllers. */
Test(mpc, each_half_of_the_internal_memory_has_its_own)
{
	struct rig *r = rig_new(true);
	u32 value;

	rig_write(r, 0x50083000, 0x10);
	rig_write(r, 0x50084000, 0x10);
	rig_write(r, 0x5008401c, 1);
	cr_expect(eq(int, bus_read(r->bus, 0x21000000, 4, ns, &value), BUS_REFUSED));
	cr_expect(eq(int, bus_read(r->bus, 0x21200000, 4, ns, &value), BUS_OK));
	rig_write(r, 0x50083018, 0);
	rig_write(r, 0x5008301c, 1);
	cr_expect(eq(int, bus_read(r->bus, 0x21000000, 4, ns, &value), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, 0x31008000, 4, ns, &value), BUS_REFUSED));
	rig_free(r);
}

Test(ppc, gates_by_security_and_privilege)
{
	struct rig *r = rig_new(true);
	const struct bus_attr ns_user = {false, false, BUS_CPU};
	const struct bus_attr user = {true, false, BUS_CPU};
	u32 value;

	cr_expect(eq(int, bus_read(r->bus, UART0 + 0x10, 4, ns, &value), BUS_OK));
	cr_expect(zero(u32, value), "SECRESPCFG = 0: reads as zero");
	rig_write(r, 0x50080010, 1);
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns, &value), BUS_REFUSED));
	cr_expect(eq(u32, rig_read(r, 0x50080020), 0x40), "PERIPHEXP2");
	rig_write(r, 0x50080028, 0x40);
	cr_expect(r->irq[10]);
	rig_write(r, 0x50080024, 0x40);
	cr_expect(r->irq[10] == 0);
	rig_write(r, 0x50080088, 1 << 3); /* UART0 Non-secure */
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns, &value), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns_user, &value), BUS_REFUSED));
	rig_write(r, 0x400800c8, 1 << 3);
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns_user, &value), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, secure, &value), BUS_REFUSED), "Non-secure accesses only");
	rig_write(r, 0x50080088, 0);
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, secure, &value), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, user, &value), BUS_REFUSED));
	rig_write(r, 0x500800c8, 1 << 3);
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, user, &value), BUS_OK));
	rig_free(r);
}

/* Bits as software for these boards has them; UART0 is on the third controller of its kind. */
Test(ppc, each_controller_has_its_bit)
{
	static const struct { u32 addr, bit; } blocks[] = {
		{ 0x48000000, 1 << 0 }, { 0x4802f000, 1 << 1 }, { 0x48103000, 1 << 4 }, { 0x49202000, 1 << 5 }, { UART0, 1 << 6 }, { 0x41100000, 1 << 20 },
	};
	struct rig *r = rig_new(true);
	u32 value;

	rig_write(r, 0x50080010, 1);
	for (unsigned i = 0; i < ARRAY_LEN(blocks); i++) {
		bus_read(r->bus, blocks[i].addr, 4, ns, &value);
		cr_expect(eq(u32, rig_read(r, 0x50080020), blocks[i].bit), "%08x", blocks[i].addr);
		rig_write(r, 0x50080024, 0xffffffff);
	}
	rig_write(r, 0x50080028, 0xffffffff);
	cr_expect(eq(u32, rig_read(r, 0x50080028), 0x00f100f3), "bits that exist");
	rig_free(r);
}

Test(sacfg, its_lock_holds_up_to_a_reset)
{
	static const u32 locked[] = { 0x14, 0x50, 0x60, 0x6c, 0x70, 0x74, 0x80, 0x8c, 0x90, 0xa0, 0xb0, 0xb4, 0xc0, 0xcc, 0xd0 }, open[] = { 0x10, 0x28 };
	struct rig *r = rig_new(false);

	rig_write(r, 0x50080070, 2);
	rig_write(r, 0x50080000, 1);
	rig_write(r, 0x50080000, 0);
	cr_expect(eq(u32, rig_read(r, 0x50080000), 1));
	for (unsigned i = 0; i < ARRAY_LEN(locked); i++) {
		rig_write(r, 0x50080000 + locked[i], 1);
		cr_expect(eq(u32, rig_read(r, 0x50080000 + locked[i]), locked[i] == 0x70 ? 2 : 0), "%x", locked[i]);
	}
	for (unsigned i = 0; i < ARRAY_LEN(open); i++) {
		rig_write(r, 0x50080000 + open[i], 1);
		cr_expect(eq(u32, rig_read(r, 0x50080000 + open[i]), 1), "%x", open[i]);
	}
	device_reset(device_set_find(r->set, "SACFG"));
	cr_expect(zero(u32, rig_read(r, 0x50080000)));
	rig_write(r, 0x50080014, 1);
	cr_expect(eq(u32, rig_read(r, 0x50080014), 1));
	rig_free(r);
}

Test(sacfg, what_the_board_ties_nsccfg_to_survives_resets)
{
	struct rig *r = rig_new(false);
	struct device *sacfg = device_set_find(r->set, "SACFG");

	cr_expect(zero(u32, rig_read(r, 0x50080014)));
	sacfg_set_nsccfg(sacfg, 2);
	cr_expect(eq(u32, rig_read(r, 0x50080014), 2));
	rig_write(r, 0x50080014, 1);
	cr_expect(eq(u32, sacfg_nsccfg(sacfg), 1));
	device_reset(sacfg);
	cr_expect(eq(u32, sacfg_nsccfg(sacfg), 2));
	rig_free(r);
}

Test(board, attribution)
{
	const struct board *b = board_find("corstone-300");
	struct cpu_idau at;

	b->idau(0, 0x10000000, &at);
	cr_expect(at.secure && !at.nsc && !at.exempt && at.region == 1);
	b->idau(1, 0x10000000, &at);
	cr_expect(at.secure && at.nsc);
	b->idau(2, 0x30000000, &at);
	cr_expect(at.secure && at.nsc);
	b->idau(3, 0x50000000, &at);
	cr_expect(at.secure && !at.nsc);
	b->idau(3, 0x20000000, &at);
	cr_expect(at.secure == 0 && at.nsc == 0);
	b->idau(0, 0xe000ed00, &at);
	cr_expect(at.exempt);
	b->idau(0, 0xe0100000, &at);
	cr_expect(at.exempt == 0 && at.secure == 0);
}
