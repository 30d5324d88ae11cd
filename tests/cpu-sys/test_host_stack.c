/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves the fast path keeps nothing on the host's stack: a handler's slow twin jumps on, it does not call. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <pthread.h>

#include "cpu/engine/engine.h"

#define CCR 0xE000ED14u
#define CPACR 0xE000ED88u
#define STACK_BYTES (256 * 1024)
#define CYCLES 25000 /* of one run; each slow operation may not keep 10 bytes */

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(host_stack, .init = setup, .fini = teardown);

static void *run(void *unused)
{
	(void)unused;
	cpu_run(c, r->sched.now + CYCLES * sched_period(25000000));
	return NULL;
}

static void run_on_small_stack(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	cr_assert_eq(pthread_attr_init(&attr), 0);
	cr_assert_eq(pthread_attr_setstacksize(&attr, STACK_BYTES), 0);
	cr_assert_eq(pthread_create(&thread, &attr, run, NULL), 0);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cr_assert_eq(pthread_attr_destroy(&attr), 0);
	cr_expect_geq(cpu_instructions(c), CYCLES);
}

Test(host_stack, a_register_that_is_polled)
{
	rig_poke(r, RIG_PC, 0xE7FD6802); /* ldr r2, [r0]; b to it */
	c->core.r[0] = CCR;
	c->core.r[15] = RIG_PC;
	run_on_small_stack();
	cr_expect_eq(c->core.r[2], rig_read(r, CCR));
}

Test(host_stack, vectors_under_a_predicate)
{
	rig_poke(r, RIG_PC, 0x0840EF00); /* vadd.i8 q0, q0, q0 */
	rig_poke(r, RIG_PC + 4, 0xBF00E7FC); /* b to it */
	rig_write(r, CPACR, 0xF << 20);
	c->core.r[15] = RIG_PC;
	engine_run_one(c); /* there is an FP context from here on */
	c->fp.ltpsize = 0;
	c->core.r[14] = 8;
	run_on_small_stack();
	cr_expect(c->core.fp_ready);
}
