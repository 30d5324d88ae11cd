/* SPDX-License-Identifier: Apache-2.0 */
/* Timers, counters and watchdogs: values at exact times. */
#include "rig.h"
#include "devices/rtc.h"
#include "devices/sys_counter.h"

#define SLOW_TIMER 0x4802f000
#define COUNTER 0x58100000
#define RESET_MASK 0x58021104
#define COUNTER_READ 0x48101000
#define SYSTIMER0 0x48000000
#define SLOW_WATCHDOG 0x5802e000
#define NS_WATCHDOG 0x48040000
#define NS_REFRESH 0x48041000
#define FPGAIO 0x49302000
#define RTC 0x4930b000
#define VSI0 0x4ff00000

Test(timers, cmsdk_timer_counts_reloads_and_interrupts)
{
	struct rig *r = rig_new(false);

	rig_write(r, SLOW_TIMER + 0x08, 9); /* RELOAD, period 10 */
	rig_write(r, SLOW_TIMER + 0x00, 9); /* enable, interrupt */
	rig_wait(r, 8 * HZ_32K);
	cr_expect(eq(u32, rig_read(r, SLOW_TIMER + 0x04), 1));
	cr_expect(r->irq[2] == 0);
	rig_wait(r, HZ_32K);
	cr_expect(zero(u32, rig_read(r, SLOW_TIMER + 0x04)));
	cr_expect(r->irq[2]);
	rig_write(r, SLOW_TIMER + 0x0c, 1);
	cr_expect(r->irq[2] == 0);
	rig_wait(r, HZ_32K);
	cr_expect(eq(u32, rig_read(r, SLOW_TIMER + 0x04), 9));
	rig_wait(r, 9 * HZ_32K - 1);
	cr_expect(r->irq[2] == 0);
	rig_wait(r, 1);
	cr_expect(r->irq[2]);
	rig_write(r, SLOW_TIMER + 0x00, 0);
	rig_wait(r, 100 * HZ_32K);
	cr_expect(zero(u32, rig_read(r, SLOW_TIMER + 0x04)), "stopped");
	rig_free(r);
}

Test(timers, system_counter_runs_when_enabled_and_scales)
{
	struct rig *r = rig_new(false);

	rig_wait(r, 1000 * HZ_100MHZ);
	cr_expect(zero(u32, rig_read(r, COUNTER_READ)));
	rig_write(r, COUNTER + 0x00, 1);
	rig_wait(r, 1000 * HZ_100MHZ);
	cr_expect(eq(u32, rig_read(r, COUNTER_READ), 1000));
	cr_expect(eq(u32, rig_read(r, COUNTER + 0x08), 1000));
	rig_write(r, COUNTER + 0x00, 0);
	rig_write(r, COUNTER + 0x0c, 1);
	rig_write(r, COUNTER + 0x08, 0xffffffff);
	rig_write(r, COUNTER + 0x10, 0x00800000); /* half speed */
	rig_write(r, COUNTER + 0x00, 5);
	rig_wait(r, 4 * HZ_100MHZ);
	cr_expect(eq(u32, rig_read(r, COUNTER_READ), 1));
	cr_expect(eq(u32, rig_read(r, COUNTER_READ + 4), 2));
	rig_free(r);
}

Test(timers, system_timer_compares)
{
	struct rig *r = rig_new(false);

	rig_write(r, SYSTIMER0 + 0x28, 500); /* TVAL */
	rig_write(r, SYSTIMER0 + 0x2c, 1);
	rig_wait(r, 1000 * HZ_100MHZ);
	cr_expect(r->irq[3] == 0, "counter is off");
	rig_write(r, COUNTER, 1);
	rig_wait(r, 500 * HZ_100MHZ - 1);
	cr_expect(r->irq[3] == 0);
	cr_expect(eq(u32, rig_read(r, SYSTIMER0 + 0x2c), 1));
	rig_wait(r, 1);
	cr_expect(r->irq[3]);
	cr_expect(eq(u32, rig_read(r, SYSTIMER0 + 0x2c), 5));
	rig_write(r, SYSTIMER0 + 0x2c, 3);
	cr_expect(r->irq[3] == 0, "masked");
	cr_expect(eq(u32, rig_read(r, SYSTIMER0 + 0x2c), 7));
	rig_wait(r, 10 * HZ_100MHZ);
	cr_expect(eq(u32, rig_read(r, SYSTIMER0 + 0x28), (u32)-10));
	rig_free(r);
}

Test(timers, system_timer_auto_increment)
{
	struct rig *r = rig_new(false);

	rig_write(r, COUNTER, 1);
	rig_write(r, SYSTIMER0 + 0x48, 100);
	rig_write(r, SYSTIMER0 + 0x4c, 1);
	rig_write(r, SYSTIMER0 + 0x2c, 1);
	for (unsigned n = 1; n <= 5; n++) {
		rig_wait(r, 100 * HZ_100MHZ - 1);
		cr_expect(r->irq[3] == 0, "period %u", n);
		rig_wait(r, 1);
		cr_expect(r->irq[3], "period %u", n);
		cr_expect(eq(u32, rig_read(r, SYSTIMER0 + 0x40), 100 * (n + 1)));
		rig_write(r, SYSTIMER0 + 0x4c, 1); /* writes the flag as 0 */
		cr_expect(r->irq[3] == 0);
	}
	cr_expect(eq(uint, r->irq_changes[3], 10));
	rig_free(r);
}

/* TRM, "System Timer operation": it starts counting only when both the timer and the auto-increment mode are enabled. */
Test(timers, a_period_begins_when_all_is_enabled)
{
	struct rig *r = rig_new(false);

	rig_write(r, COUNTER, 1);
	for (unsigned last = 0; last < 2; last++) {
		const u32 registers[] = { SYSTIMER0 + 0x2c, SYSTIMER0 + 0x4c };

		rig_write(r, SYSTIMER0 + 0x48, 100);
		rig_write(r, registers[!last], 1);
		rig_wait(r, 250 * HZ_100MHZ);
		rig_write(r, registers[last], 1);
		rig_wait(r, 100 * HZ_100MHZ - 1);
		cr_expect(r->irq[3] == 0, "order %u", last);
		rig_wait(r, 1);
		cr_expect(r->irq[3], "order %u", last);
		rig_write(r, SYSTIMER0 + 0x4c, 0);
		rig_write(r, SYSTIMER0 + 0x2c, 0);
	}
	rig_free(r);
}

Test(timers, slow_watchdog_interrupts_then_resets_and_obeys_its_lock)
{
	struct rig *r = rig_new(false);

	rig_write(r, SLOW_WATCHDOG + 0x00, 100);
	rig_write(r, SLOW_WATCHDOG + 0x08, 3);
	rig_write(r, SLOW_WATCHDOG + 0xc00, 0);
	rig_write(r, SLOW_WATCHDOG + 0x08, 0);
	cr_expect(eq(u32, rig_read(r, SLOW_WATCHDOG + 0xc00), 1));
	rig_wait(r, 99 * HZ_32K);
	cr_expect(eq(u32, rig_read(r, SLOW_WATCHDOG + 0x04), 1));
	cr_expect(r->nmi == 0);
	rig_wait(r, HZ_32K);
	cr_expect(r->nmi);
	cr_expect(zero(uint, r->resets));
	rig_write(r, SLOW_WATCHDOG + 0xc00, 0x1acce551);
	rig_write(r, SLOW_WATCHDOG + 0x0c, 1);
	cr_expect(r->nmi == 0);
	rig_wait(r, 200 * HZ_32K);
	cr_expect(eq(uint, r->resets, 1));
	rig_free(r);
}

Test(timers, system_watchdog_expires_twice_unless_refreshed)
{
	struct rig *r = rig_new(false);

	rig_write(r, COUNTER, 1);
	rig_write(r, NS_WATCHDOG + 0x08, 1000);
	rig_write(r, NS_WATCHDOG + 0x00, 1);
	for (unsigned n = 0; n < 5; n++) {
		rig_wait(r, 900 * HZ_100MHZ);
		rig_write(r, NS_REFRESH, 0);
	}
	cr_expect(zero(uint, r->irq_changes[1]));
	rig_wait(r, 1000 * HZ_100MHZ);
	cr_expect(r->irq[1]);
	cr_expect(r->irq[0] == 0);
	cr_expect(eq(u32, rig_read(r, NS_WATCHDOG), 3));
	rig_wait(r, 1000 * HZ_100MHZ);
	cr_expect(r->irq[0]);
	cr_expect(eq(u32, rig_read(r, NS_WATCHDOG), 7));
	rig_write(r, NS_REFRESH, 0);
	cr_expect(r->irq[0] == 0 && r->irq[1] == 0);
	rig_free(r);
}

/* Its second expiry is an interrupt, and a reset when RESET_MASK says so, before or afterwards. */
Test(timers, non_secure_watchdog_resets_when_it_may)
{
	for (unsigned late = 0; late < 2; late++) {
		struct rig *r = rig_new(false);

		rig_write(r, COUNTER, 1);
		rig_write(r, RESET_MASK, late ? 0 : 2);
		rig_write(r, NS_WATCHDOG + 0x08, 1000);
		rig_write(r, NS_WATCHDOG + 0x00, 1);
		rig_wait(r, 1999 * HZ_100MHZ);
		cr_expect(zero(uint, r->resets));
		rig_wait(r, HZ_100MHZ);
		cr_expect(r->irq[0]);
		cr_expect(eq(uint, r->resets, !late));
		rig_write(r, RESET_MASK, 0x102);
		cr_expect(eq(uint, r->resets, 1));
		cr_expect(eq(int, r->last_reset, RESET_BY_NS_WATCHDOG));
		device_set_restart(r->set, 1u << RESET_BY_NS_WATCHDOG);
		cr_expect(eq(u32, rig_read(r, RESET_MASK - 4), 3), "RESET_SYNDROME");
		cr_expect(zero(u32, rig_read(r, NS_WATCHDOG)));
		rig_write(r, RESET_MASK, 2);
		cr_expect(eq(uint, r->resets, 1), "the request ended with the reset");
		rig_free(r);
	}
}

/* As the FVPs' counter does it; writes to it, and a reset of the system, work as ever. */
Test(timers, counter_runs_at_reset_when_told)
{
	struct rig *r = rig_new(false);
	struct device *counter = device_set_find(r->set, "SYSCNTR");

	rig_wait(r, 500 * HZ_100MHZ);
	cr_expect(zero(u32, rig_read(r, COUNTER + 8)), "nobody has started it");
	sys_counter_run_at_reset(counter);
	cr_expect(eq(u32, rig_read(r, COUNTER), 1));
	rig_wait(r, 500 * HZ_100MHZ);
	cr_expect(eq(u32, rig_read(r, COUNTER + 8), 500));
	device_set_restart(r->set, 1u << RESET_BY_CORE);
	cr_expect(zero(u32, rig_read(r, COUNTER + 8)));
	rig_wait(r, 30 * HZ_100MHZ);
	cr_expect(eq(u32, rig_read(r, COUNTER + 8), 30));
	rig_write(r, COUNTER, 0);
	rig_wait(r, 30 * HZ_100MHZ);
	cr_expect(eq(u32, rig_read(r, COUNTER + 8), 30));
	rig_free(r);
}

Test(timers, fpgaio_counts_simulated_time)
{
	struct rig *r = rig_new(false);

	rig_wait(r, SECONDS(3) / 2);
	cr_expect(eq(u32, rig_read(r, FPGAIO + 0x10), 1));
	cr_expect(eq(u32, rig_read(r, FPGAIO + 0x14), 150));
	cr_expect(eq(u32, rig_read(r, FPGAIO + 0x18), 37500000));
	rig_write(r, FPGAIO + 0x10, 0);
	rig_write(r, FPGAIO + 0x18, 0);
	rig_write(r, FPGAIO + 0x1c, 24); /* one in 25 clocks: microseconds */
	rig_wait(r, SECONDS(1) / 1000);
	cr_expect(eq(u32, rig_read(r, FPGAIO + 0x10), 0));
	cr_expect(eq(u32, rig_read(r, FPGAIO + 0x18), 1000));
	rig_free(r);
}

Test(timers, rtc_starts_at_zero_and_matches)
{
	struct rig *r = rig_new(false);

	rig_write(r, RTC + 0x10, 1);
	rig_write(r, RTC + 0x04, 3);
	rig_wait(r, SECONDS(2));
	cr_expect(eq(u32, rig_read(r, RTC), 2));
	cr_expect(zero(u32, rig_read(r, RTC + 0x18)));
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, RTC + 0x18), 1));
	rig_write(r, RTC + 0x1c, 1);
	cr_expect(zero(u32, rig_read(r, RTC + 0x14)));
	rig_write(r, RTC + 0x08, 1000);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, RTC), 1001));
	rig_free(r);
}

Test(timers, rtc_starts_at_a_date_and_goes_on_through_a_reset)
{
	struct rig *r = rig_new(false);

	rtc_set_start(device_set_find(r->set, "RTC"), 1767225600);
	rig_wait(r, SECONDS(2));
	cr_expect(eq(u32, rig_read(r, RTC), 1767225602));
	device_set_restart(r->set, 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, RTC), 1767225603));
	rig_write(r, RTC + 0x08, 0);
	cr_expect(eq(u32, rig_read(r, RTC), 0), "set by the program");
	rig_free(r);
}

/* In ticks this match lies beyond 64 bits, where it would wrap to 0.04 s. */
Test(timers, rtc_match_years_ahead)
{
	struct rig *r = rig_new(false);

	rig_write(r, RTC + 0x10, 1);
	rig_write(r, RTC + 0x04, 1825459049);
	rig_wait(r, SECONDS(1));
	cr_expect(zero(u32, rig_read(r, RTC + 0x14)));
	rig_free(r);
}

Test(timers, vsi_timer_ticks_in_microseconds)
{
	struct rig *r = rig_new(false);

	rig_write(r, VSI0 + 0x000, 1);
	rig_write(r, VSI0 + 0x104, 250);
	rig_write(r, VSI0 + 0x100, 7);
	rig_wait(r, SECONDS(1) / 1000);
	cr_expect(eq(u32, rig_read(r, VSI0 + 0x108), 4));
	cr_expect(r->irq[224]);
	rig_write(r, VSI0 + 0x008, 1);
	cr_expect(r->irq[224] == 0);
	rig_free(r);
}

/* The dual timer is on no board of ours yet, so it gets a bench of its own. */
Test(timers, dual_timer_periodic_and_one_shot)
{
	static struct sched sched;
	struct device *d;
	u32 value;
	const struct bus_attr attr = {true, true, BUS_CPU};

	sched_init(&sched);
	d = device_new(&cmsdk_dualtimer_class, &(struct device_config){
		.name = "DUALTIMER", .clock_hz = 25000000, .sched = &sched});
	const u64 clock = SCHED_TICKS_PER_SECOND / 25000000;

	device_bus_ops.write(d, 0x00, 4, attr, 100);
	device_bus_ops.write(d, 0x08, 4, attr, 0xe2); /* enable, periodic, irq, 32 bits */
	device_bus_ops.write(d, 0x20, 4, attr, 10);
	device_bus_ops.write(d, 0x28, 4, attr, 0xa7); /* enable, irq, /16, 32 bits, one-shot */
	sched_run(&sched, sched.now + 99 * clock);
	device_bus_ops.read(d, 0x04, 4, attr, &value);
	cr_expect(eq(u32, value, 1));
	cr_expect(zero(u32, *d->wire_level));
	sched_run(&sched, sched.now + clock);
	cr_expect(eq(u32, *d->wire_level, 5));
	device_bus_ops.write(d, 0x0c, 4, attr, 1);
	cr_expect(zero(u32, *d->wire_level));
	sched_run(&sched, sched.now + 60 * clock);
	cr_expect(eq(u32, *d->wire_level, 6));
	device_bus_ops.read(d, 0x30, 4, attr, &value);
	cr_expect(eq(u32, value, 1));
	sched_run(&sched, sched.now + 1000 * clock);
	device_bus_ops.read(d, 0x24, 4, attr, &value);
	cr_expect(zero(u32, value), "one-shot stays at 0");
	device_free(d);
}
