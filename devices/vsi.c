/* SPDX-License-Identifier: Apache-2.0 */
/* Arm virtual streaming interface of the FVPs (AVH, arm_vsi.h): an interrupt, a timer of 1 MHz that counts
 * simulated time, a DMA that moves a block each time the timer overflows, and 64 registers.
 *
 * A script says what is read, is told what is written and may change it, and is the peripheral at the other end of
 * the DMA (devices/script.h). Without one, or where it lacks the function, registers keep what is written, and the DMA
 * moves nothing.
 *
 * The documents do not say in which order an overflow happens. Arm's own scripts only work in this one: the block is
 * moved (their timerEvent ends a stream of one block), then timerEvent, then the status is read, which
 * timerEvent may have changed, and where the timer asks for an interrupt it is written back with bit 0 set, which a
 * script may refuse. Arm's driver for recorded data (SDS) has blocks of any size, though the documents say multiples of 4, and
 * intervals of 0, which are 1 here. Its DMA reaches what the processor reaches, TCMs included, and passes all gates. */
#include "devices/classes.h"
#include "devices/script.h"

#define REGS(R)                                                                      \
	R(0x000, 1, IRQ_ENABLE, RW, 0, 0xffffffff, "interrupt enable")               \
	R(0x004, 1, IRQ_SET, WO, 0, 0xffffffff, "sets the interrupt")                \
	R(0x008, 1, IRQ_CLEAR, WO, 0, 0xffffffff, "clears the interrupt")            \
	R(0x00c, 1, IRQ_STATUS, RO, 0, 0xffffffff, "interrupt status")               \
	R(0x100, 1, TIMER_CONTROL, RW, 0, 0xf, "0 run, 1 periodic, 2 interrupt, 3 DMA on overflow") \
	R(0x104, 1, TIMER_INTERVAL, RW, 0, 0xffffffff, "microseconds")               \
	R(0x108, 1, TIMER_COUNT, RO, 0, 0xffffffff, "overflows")                     \
	R(0x200, 1, DMA_CONTROL, RW, 0, 3, "0 enable, 1 memory to peripheral")       \
	R(0x204, 1, DMA_ADDRESS, RW, 0, 0xffffffff, "memory address")                \
	R(0x208, 1, DMA_BLOCK_SIZE, RW, 0, 0xffffffff, "bytes per block")            \
	R(0x20c, 1, DMA_BLOCK_NUM, RW, 0, 0xffffffff, "blocks")                      \
	R(0x210, 1, DMA_BLOCK_INDEX, RO, 0, 0xffffffff, "block in progress")         \
	R(0x300, 64, USER, RW, 0, 0xffffffff, "user registers")

REG_TABLE(REGS)

enum { RUN = 1, PERIODIC = 2, INTERRUPT = 4, TRANSFER = 8 }; /* TIMER_CONTROL */
enum { ENABLE = 1, TO_PERIPHERAL = 2 };                      /* DMA_CONTROL */
enum { EVENT_OVERFLOW };
static const char *const wires[] = {"interrupt", NULL};

/* What has been told already. */
struct vsi { u32 no_script, no_memory; };

static void set_status(struct device *d, u32 status)
{
	*device_reg(d, IRQ_STATUS) = status;
	device_wire(d, 0, (status & *device_reg(d, IRQ_ENABLE)) != 0);
}

static void change_status(struct device *d, u32 status)
{
	set_status(d, script_ask(d, HOOK_wrIRQ, status, 0, status));
}

static u32 read_status(struct device *d)
{
	set_status(d, script_ask(d, HOOK_rdIRQ, 0, 0, *device_reg(d, IRQ_STATUS)));
	return *device_reg(d, IRQ_STATUS);
}

/* ---- DMA ---- */

static bool told(u32 *before)
{
	const bool was = *before;

	*before = true;
	return was;
}

/* The block's bytes in memory; NULL, told once: nobody is there to move them, or there is no memory. */
static const u8 *block_bytes(struct device *d, enum script_hook hook, u64 addr, u32 bytes)
{
	const struct script_host *host = d->host;
	struct vsi *v = d->state;
	const u8 *at = script_has(d, hook) ? bus_span(host->bus, BUS_CPU, addr, bytes) : NULL;

	if (!script_has(d, hook) && !told(&v->no_script))
		diag_report(d->diag, DIAG_NOT_MODELLED, "VSI001", "%s: the DMA moves nothing: no script with a function %s was given; "
			    "-C ...v_path=DIR names the folder of the scripts", d->name, hook == HOOK_rdDataDMA ? "rdDataDMA" : "wrDataDMA");
	else if (script_has(d, hook) && !at && !told(&v->no_memory))
		diag_report(d->diag, DIAG_GUEST, "VSI002", "%s: the DMA moves nothing: %u bytes at 0x%08llx are not all memory", d->name,
			    bytes, (unsigned long long)addr);
	return at;
}

static void move_block(struct device *d, u64 addr, u32 bytes)
{
	const bool out = *device_reg(d, DMA_CONTROL) & TO_PERIPHERAL;
	struct script_call c = { .hook = out ? HOOK_wrDataDMA : HOOK_rdDataDMA, .number = { bytes }, .bytes = bytes };
	const struct script_host *host = d->host;
	const u8 *at = block_bytes(d, c.hook, addr, bytes);

	if (!at)
		return;
	if (out) {
		bus_will_read(host->bus, (u32)addr, bytes);
		c.data = at;
	}
	host->call(host->ctx, &c);
	if (out || !c.data)
		return;
	bus_will_write(host->bus, (u32)addr, bytes);
	bus_put(host->bus, BUS_CPU, (u32)addr, c.data, bytes);
}

static void transfer(struct device *d)
{
	const u32 bytes = *device_reg(d, DMA_BLOCK_SIZE), blocks = *device_reg(d, DMA_BLOCK_NUM);
	u32 *index = device_reg(d, DMA_BLOCK_INDEX);

	if (!(*device_reg(d, DMA_CONTROL) & ENABLE) || !bytes)
		return;
	move_block(d, *device_reg(d, DMA_ADDRESS) + (u64)*index * bytes, bytes);
	*index = *index + 1 < blocks ? *index + 1 : 0;
}

/* ---- timer ---- */

static void plan(struct device *d)
{
	const u64 interval = *device_reg(d, TIMER_INTERVAL), microseconds = interval ? interval : 1;

	device_schedule(d, EVENT_OVERFLOW, *device_reg(d, TIMER_CONTROL) & RUN ? d->sched->now + microseconds * d->period : SCHED_NEVER);
}

static void overflow(struct device *d, const struct sched_event *ev)
{
	u32 *control = device_reg(d, TIMER_CONTROL);

	++*device_reg(d, TIMER_COUNT);
	if (*control & TRANSFER)
		transfer(d);
	script_ask(d, HOOK_timerEvent, 0, 0, 0);
	read_status(d);
	if (*control & INTERRUPT)
		change_status(d, *device_reg(d, IRQ_STATUS) | 1);
	if (!(*control & PERIODIC))
		*control &= ~(u32)RUN;
	plan(d);
}

/* ---- registers ---- */

/* What a script makes of a word that was written, in the bits that exist. */
static u32 rewrite(struct device *d, u32 offset, enum script_hook hook, u32 number)
{
	u32 *reg = device_reg(d, offset);

	*reg = script_ask(d, hook, number, *reg, *reg) & d->cls->rows[d->row_of[offset / 4] - 1].mask;
	return *reg;
}

static u32 vsi_read(struct device *d, u32 offset, u32 stored)
{
	u32 *reg = device_reg(d, offset);

	if (offset == IRQ_STATUS)
		return read_status(d);
	if (offset >= USER)
		*reg = stored = script_ask(d, HOOK_rdRegs, (offset - USER) / 4, 0, stored);
	return stored;
}

static void write_timer(struct device *d, u32 offset, u32 old)
{
	const u32 now = rewrite(d, offset, HOOK_wrTimer, (offset - TIMER_CONTROL) / 4);

	if (offset != TIMER_CONTROL || !((now ^ old) & RUN))
		return;
	if (now & RUN)
		*device_reg(d, TIMER_COUNT) = 0;
	plan(d);
}

static void write_dma(struct device *d, u32 offset, u32 old)
{
	const u32 now = rewrite(d, offset, HOOK_wrDMA, (offset - DMA_CONTROL) / 4);

	if (offset == DMA_CONTROL && !(now & old & ENABLE))
		*device_reg(d, DMA_BLOCK_INDEX) = 0;
}

static void vsi_write(struct device *d, u32 offset, u32 value, u32 old)
{
	const u32 status = *device_reg(d, IRQ_STATUS);

	if (offset == IRQ_ENABLE)
		set_status(d, status);
	else if (offset == IRQ_SET)
		change_status(d, status | value);
	else if (offset == IRQ_CLEAR)
		change_status(d, status & ~value);
	else if (offset < DMA_CONTROL)
		write_timer(d, offset, old);
	else if (offset < USER)
		write_dma(d, offset, old);
	else
		rewrite(d, offset, HOOK_wrRegs, (offset - USER) / 4);
}

const struct device_class vsi_class = {
	.kind = "virtual streaming interface (VSI)", .size = 0x10000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .state_size = sizeof(struct vsi), .clock_hz = 1000000, .wires = wires, .read = vsi_read,
	.write = vsi_write, .event = overflow,
};
