/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of devices are remembered with what may be done there: never longer than it is true. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define DEVICE 0x40000000u
#define PAGES 12u /* more than are remembered */
#define SYSTICK 0xE000E010u

static struct rig *r;
static struct cpu *c;
static unsigned accesses;

static enum bus_status device_read(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 *value)
{
	accesses++;
	*value = offset;
	return BUS_OK;
}

static enum bus_status device_write(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 value)
{
	accesses++;
	return BUS_OK;
}

static const struct bus_device_ops device_ops = { device_read, device_write };

static void setup(void)
{
	r = rig_new();
	c = r->c;
	accesses = 0;
	cr_assert(bus_add_device(r->bus, "device", DEVICE, PAGES << BUS_PAGE_SHIFT, BUS_CPU, &device_ops, NULL));
}
static void teardown(void) { rig_free(r); }
TestSuite(devices, .init = setup, .fini = teardown);

static u32 drawn(void)
{
	static u32 state = 1;

	state ^= state << 13;
	state ^= state >> 17;
	return state ^= state << 5;
}

/* What SAU and MPU say to the access. */
static enum protect_result asked(const struct protect_request *q)
{
	struct sau_result attribution;
	struct mpu_result mpu;

	sau_lookup(c, q->addr, false, q->secure, &attribution);
	if (!q->secure && !attribution.ns)
		return PROTECT_SECURITY;
	mpu_lookup(c, q->addr, q->secure, q->privileged, &mpu);
	return mpu.perm & (q->kind == PROTECT_WRITE ? PERM_WRITE : PERM_READ) ? PROTECT_OK : PROTECT_MPU;
}

/* A region of SAU or MPU, either Security state's, or its control register. */
static void change_something(void)
{
	const u32 alias = drawn() & 1 ? 0x20000 : 0, base = DEVICE + (drawn() % (PAGES * 128)) * 32, limit = base + (drawn() & 0x3FE0);

	switch (drawn() % 4) {
	case 0: /* SAU */
		rig_write(r, 0xE000EDD8, drawn() % 4);
		rig_write(r, 0xE000EDDC, base);
		rig_write(r, 0xE000EDE0, limit | (drawn() & 3));
		break;
	case 1:
		rig_write(r, 0xE000EDD0, drawn() & 3);
		break;
	case 2: /* MPU */
		rig_write(r, 0xE000ED98 + alias, drawn() % 4);
		rig_write(r, 0xE000ED9C + alias, base | (drawn() & 7));
		rig_write(r, 0xE000EDA0 + alias, limit | (drawn() & 1));
		break;
	default:
		rig_write(r, 0xE000ED94 + alias, drawn() & 7);
		break;
	}
}

Test(devices, what_is_remembered_is_what_sau_and_mpu_say)
{
	unsigned allowed = 0;

	for (unsigned round = 0; round < 20000; round++) {
		if (drawn() % 8 == 0)
			change_something();
		struct protect_request q = { .addr = DEVICE + (drawn() % (PAGES << 10)) * 4, .bytes = 4 };
		q.kind = drawn() & 1 ? PROTECT_WRITE : PROTECT_READ;
		q.secure = drawn() & 1;
		q.privileged = drawn() & 1;
		const enum protect_result said = asked(&q);
		const unsigned before = accesses;
		u32 value = 0;
		cr_assert_eq(access_do(c, &q, &value), said, "round %u", round);
		cr_assert_eq(accesses - before, said == PROTECT_OK);
		if (said == PROTECT_OK && q.kind == PROTECT_READ)
			cr_assert_eq(value, q.addr - DEVICE);
		allowed += said == PROTECT_OK;
	}
	cr_assert(allowed > 2000 && allowed < 18000, "both answers occur");
}

Test(devices, registers_of_the_core_stay_privileged)
{
	u32 value;

	rig_write(r, SYSTICK + 4, 1000);
	cr_assert_eq(rig_read(r, SYSTICK + 4), 1000);
	c->sys->control[BANK_S] |= CONTROL_NPRIV;
	access_select(c);
	cr_assert_not(cpu_load(c, SYSTICK + 4, 4, ACC_NORMAL, &value), "the core's own registers are privileged");
}
