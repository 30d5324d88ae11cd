/* SPDX-License-Identifier: Apache-2.0 */
/* SIE-300 memory protection controller (Arm CoreLink SIE-300 TRM, 101526): a look-up table with one
 * bit per block of a memory, 1 = Non-secure.
 *
 * When the board checks gates (devices/set.h), a Non-secure access to a Secure block is a bus error
 * or reads as zero and is ignored when written, as CTRL says, and is recorded in INT_INFO1/2; and so is a Secure
 * access to a Non-secure block. The lock makes CTRL, BLK_LUT and INT_EN read-only. A gating request is acknowledged and gates nothing. Constants: the two
 * addresses of the memory, its size, the block size (powers of two, of pages at least; at most 2048
 * blocks), and its bit in SACFG's SECMPCINTSTAT. SACFG is its peer. */
#include "devices/classes.h"
#include "devices/sacfg.h"

#define REGS(R)                                                                     \
	R(0x000, 1, CTRL, RW, 0x100, 0x800001d0, "4 bus error, 6 gating request, 7 acknowledge, 8 auto-increment, 31 lock") \
	R(0x010, 1, BLK_MAX, RO, 0, 0xffffffff, "highest index")                    \
	R(0x014, 1, BLK_CFG, RO, 0, 0xffffffff, "block size is 2 to the power of this + 5") \
	R(0x018, 1, BLK_IDX, RW, 0, 0xffffffff, "index of the visible table word")  \
	R(0x01c, 1, BLK_LUT, RW, 0, 0xffffffff, "table word, 1 = Non-secure")       \
	R(0x020, 1, INT_STAT, RO, 0, 1, "violation")                                \
	R(0x024, 1, INT_CLEAR, WO, 0, 1, "clears the violation")                    \
	R(0x028, 1, INT_EN, RW, 0, 1, "violation interrupt enable")                 \
	R(0x02c, 1, INT_INFO1, RO, 0, 0xffffffff, "offset of the refused access")   \
	R(0x030, 1, INT_INFO2, RO, 0, 0xffffffff, "16 non-secure, 17 configured non-secure") \
	R(0x034, 1, INT_SET, WO, 0, 1, "sets the violation, for tests")

REG_TABLE(REGS)

#define AUTO_INCREMENT 0x100u
#define BUS_ERROR 0x10u
#define LOCK 0x80000000u
enum { GATE_REQUEST = 0x40, GATE_ACKNOWLEDGE = 0x80 };
enum { INFO_NON_SECURE = 1 << 16, INFO_CONFIGURED = 1 << 17 };
#define MAX_WORDS 64
static const char *const wires[] = {"violation", NULL};
static const char *const params[] = {"NS base", "S base", "size", "block", "bit", NULL};

struct mpc_state {
	u32 table[MAX_WORDS];
};

static u32 words(const struct device *d)
{
	u32 block = d->param[MPC_PARAM_BLOCK], blocks = (d->param[MPC_PARAM_SIZE] + block - 1) / block;

	return (blocks + 31) / 32;
}

static void set_violation(struct device *d, bool on)
{
	*device_reg(d, INT_STAT) = on;
	device_wire(d, 0, on && *device_reg(d, INT_EN));
	sacfg_mpc_interrupt(d->peer, d->param[MPC_PARAM_BIT], on && *device_reg(d, INT_EN));
}

/* Nothing to tell before the board is complete: `host` is the bus from then on. */
static void table_changed(const struct device *d)
{
	if (d->host)
		bus_gates_changed(d->host);
}

static u32 *visible_word(struct device *d)
{
	struct mpc_state *s = d->state;

	return &s->table[*device_reg(d, BLK_IDX) % words(d)];
}

/* An access to the table word moves the index on, when asked for. */
static void step_index(struct device *d)
{
	u32 *index = device_reg(d, BLK_IDX);

	if (*device_reg(d, CTRL) & AUTO_INCREMENT)
		*index = (*index + 1) % words(d);
}

static u32 mpc_read(struct device *d, u32 offset, u32 stored)
{
	u32 value;

	if (offset != BLK_LUT)
		return stored;
	value = *visible_word(d);
	step_index(d);
	return value;
}

/* Nothing is ever in flight: a request to stop transfers is acknowledged at once. */
static u32 gate_acknowledged(u32 ctrl)
{
	return ctrl & GATE_REQUEST ? ctrl | GATE_ACKNOWLEDGE : ctrl & ~(u32)GATE_ACKNOWLEDGE;
}

static void mpc_write(struct device *d, u32 offset, u32 value, u32 old)
{
	bool locked = *device_reg(d, CTRL) & LOCK;

	switch (offset) {
	case CTRL:
		*device_reg(d, CTRL) = old & LOCK ? old : gate_acknowledged(*device_reg(d, CTRL));
		break;
	case BLK_LUT:
		if (!locked && *visible_word(d) != value) {
			*visible_word(d) = value;
			table_changed(d);
		}
		step_index(d);
		break;
	case INT_CLEAR:
	case INT_SET:
		if (value & 1)
			set_violation(d, offset == INT_SET);
		break;
	case BLK_IDX:
		*device_reg(d, BLK_IDX) %= words(d);
		break;
	case INT_EN:
		*device_reg(d, INT_EN) = locked ? old : *device_reg(d, INT_EN);
		set_violation(d, *device_reg(d, INT_STAT));
		break;
	}
}

/* Offset of an address inside the protected memory, under either of its addresses. */
static u32 memory_offset(const struct device *d, u32 addr)
{
	u32 s_base = d->param[MPC_PARAM_S_BASE];

	return s_base && addr - s_base < d->param[MPC_PARAM_SIZE] ? addr - s_base
		: addr - d->param[MPC_PARAM_NS_BASE];
}

static bool allows(void *ctx, u32 addr, struct bus_attr attr)
{
	const struct device *d = ctx;
	const struct mpc_state *s = d->state;
	u32 block = memory_offset(d, addr) / d->param[MPC_PARAM_BLOCK];

	return attr.secure == !(s->table[block / 32] >> block % 32 & 1);
}

static enum bus_status refuse(void *ctx, u32 addr, struct bus_attr attr, bool write)
{
	struct device *d = ctx;

	if (!*device_reg(d, INT_STAT)) { /* the first one stays until it is cleared */
		*device_reg(d, INT_INFO1) = memory_offset(d, addr);
		*device_reg(d, INT_INFO2) = attr.secure ? INFO_CONFIGURED : INFO_NON_SECURE;
		set_violation(d, true);
	}
	return *device_reg(d, CTRL) & BUS_ERROR ? BUS_REFUSED : BUS_OK;
}

static const struct bus_gate_ops gate = {allows, refuse};

static bool mpc_start(struct device *d, struct bus *bus)
{
	u32 block = d->param[MPC_PARAM_BLOCK], size = d->param[MPC_PARAM_SIZE];

	if (block < BUS_PAGE_SIZE || (block & (block - 1)) || !words(d) || words(d) > MAX_WORDS)
		return false;
	if (!d->gating)
		return true;
	d->host = bus;
	return bus_add_gate(bus, d->param[MPC_PARAM_NS_BASE], size, &gate, d) &&
	       (!d->param[MPC_PARAM_S_BASE] || bus_add_gate(bus, d->param[MPC_PARAM_S_BASE], size, &gate, d));
}

static void mpc_reset(struct device *d)
{
	u32 block = d->param[MPC_PARAM_BLOCK], log2 = 0;

	while (block >> log2 > 1)
		log2++;
	*device_reg(d, BLK_CFG) = log2 > 5 ? log2 - 5 : 0;
	*device_reg(d, BLK_MAX) = block ? words(d) - 1 : 0;
	table_changed(d);
}

const struct device_class mpc_class = {
	.kind = "SIE-300 memory protection controller", .size = 0x1000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .pidr = 0x041bb860, .state_size = sizeof(struct mpc_state),
	.wires = wires, .params = params, .read = mpc_read, .write = mpc_write,
	.reset = mpc_reset, .start = mpc_start,
};
