/* SPDX-License-Identifier: Apache-2.0 */
/* SSE-300 Secure and Non-secure access configuration (Corstone SSE-300 TRM, 101773; Corstone Reference Systems Architecture Ma1, 102803).
 *
 * NSPPC bit 1: the block takes Non-secure accesses only, 0: Secure ones only; ...PPPC bit 1: those of unprivileged code, too. The
 * bits only refuse anything when the board checks gates (see devices/set.h); NSCCFG always
 * works. A refused access sets its bit in SECPPCINTSTAT; SECRESPCFG says whether it is a bus error or
 * reads as zero and is ignored when written. The same goes for what the controllers behind managers refuse: Non-secure accesses to
 * Secure addresses. Bridges never buffer what fails. NSACFG's peer is SACFG: it holds the Non-secure privilege bits. */
#include "devices/sacfg.h"

#include "devices/classes.h"

#define REGS(R)                                                                 \
	R(0x000, 1, SPCSECCTRL, RW, 0, 1, "0: locks the security registers")    \
	R(0x004, 1, BUSWAIT, RW, 1, 0x00010001, "bus access control")           \
	R(0x010, 1, SECRESPCFG, RW, 0, 1, "0: violations of peripherals are bus errors") \
	R(0x014, 1, NSCCFG, RW, 0, 3, "non-secure callable: 0 code, 1 RAM")     \
	R(0x01c, 1, SECMPCINTSTAT, RO, 0, 0xffffffff, "MPC interrupts")         \
	R(0x020, 1, SECPPCINTSTAT, RO, 0, 0x00f100f3, "PPC interrupts")         \
	R(0x024, 1, SECPPCINTCLR, WO, 0, 0x00f100f3, "PPC interrupts, clear")   \
	R(0x028, 1, SECPPCINTEN, RW, 0, 0x00f100f3, "PPC interrupts, enable")   \
	R(0x030, 1, SECMSCINTSTAT, RO, 0, 0xffffffff, "MSC interrupts")         \
	R(0x034, 1, SECMSCINTCLR, WO, 0, 0xffffffff, "MSC interrupts, clear")   \
	R(0x038, 1, SECMSCINTEN, RW, 0, 0xffffffff, "MSC interrupts, enable")   \
	R(0x040, 1, BRGINTSTAT, RO, 0, 0xffffffff, "bridge interrupts")         \
	R(0x044, 1, BRGINTCLR, WO, 0, 0xffffffff, "bridge interrupts, clear")   \
	R(0x048, 1, BRGINTEN, RW, 0, 0xffffffff, "bridge interrupts, enable")   \
	R(0x050, 1, MAINNSPPC0, RW, 0, 0xffff, "non-secure access")             \
	R(0x060, 4, MAINNSPPCEXP, RW, 0, 0xffff, "non-secure access")           \
	R(0x070, 2, PERIPHNSPPC, RW, 0, 0xffff, "non-secure access")            \
	R(0x080, 4, PERIPHNSPPCEXP, RW, 0, 0xffff, "non-secure access")         \
	R(0x090, 1, MAINSPPPC0, RW, 0, 0xffff, "secure unprivileged access")    \
	R(0x0a0, 4, MAINSPPPCEXP, RW, 0, 0xffff, "secure unprivileged access")  \
	R(0x0b0, 2, PERIPHSPPPC, RW, 0, 0xffff, "secure unprivileged access")   \
	R(0x0b8, 1, NPUSPPORPL, RW, 0, 1, "NPU's privilege at its reset (SSE-310 and on)") \
	R(0x0c0, 4, PERIPHSPPPCEXP, RW, 0, 0xffff, "secure unprivileged access")\
	R(0x0d0, 1, NSMSCEXP, RW, 0, 0xffff, "security of expansion managers")

REG_TABLE(REGS)

#define UNPRIVILEGED 0x40 /* distance of the ...PPPC... from the ...NSPPC... registers */

static const struct reg_row ns_rows[] = {
	{0x090, 1, "MAINNSPPPC0", RW, 0, 0xffff, "non-secure unprivileged access"},
	{0x0a0, 4, "MAINNSPPPCEXP", RW, 0, 0xffff, "non-secure unprivileged access"},
	{0x0b0, 2, "PERIPHNSPPPC", RW, 0, 0xffff, "non-secure unprivileged access"},
	{0x0b8, 1, "NPUSPPORPL", RW, 0, 1, "NPU's privilege at its reset (SSE-310 and on)"},
	{0x0c0, 4, "PERIPHNSPPPCEXP", RW, 0, 0xffff, "non-secure unprivileged access"},
};

static const char *const wires[] = {"PPC", "MSC", "bridge", NULL};
static const char *const params[] = {"NSCCFG", NULL};

static void update_wire(struct device *d)
{
	device_wire(d, 0, *device_reg(d, SECPPCINTSTAT) & *device_reg(d, SECPPCINTEN));
	device_wire(d, 1, *device_reg(d, SECMSCINTSTAT) & *device_reg(d, SECMSCINTEN));
	device_wire(d, 2, *device_reg(d, BRGINTSTAT) & *device_reg(d, BRGINTEN));
}

/* Bit of a controller in SECPPCINTSTAT: 0 PERIPH0 and on, 4 PERIPHEXP0 and on, 16 MAIN0 (nothing
 * on these boards), 20 MAINEXP0 and on. */
static unsigned interrupt_bit(u32 offset)
{
	if (offset >= PPC_PERIPH_EXP0)
		return 4 + (offset - PPC_PERIPH_EXP0) / 4;
	if (offset >= PPC_PERIPH0)
		return (offset - PPC_PERIPH0) / 4;
	return 20 + (offset - PPC_MAIN_EXP0) / 4;
}

/* SPCSECCTRL bit 0 makes them read-only, itself included, up to a reset. */
static bool is_locked(const struct device *d, u32 offset)
{
	return device_word(d, SPCSECCTRL) & 1 && (offset == NSCCFG || (offset >= MAINNSPPC0 && offset <= NSMSCEXP));
}

static const struct device *find_nsacfg(const struct device *sacfg)
{
	for (const struct device *user = sacfg->users; user; user = user->next_user)
		if (user->cls == &nsacfg_class)
			return user;
	return NULL;
}

bool sacfg_ppc_allows(const struct device *sacfg, u16 ppc, struct bus_attr attr)
{
	u32 offset = ppc >> 5, bit = 1u << (ppc & 31);
	const struct device *rights = attr.secure ? sacfg : find_nsacfg(sacfg);

	return attr.secure == !(device_word(sacfg, offset) & bit) &&
	       (attr.privileged || (rights && device_word(rights, offset + UNPRIVILEGED) & bit));
}

bool sacfg_ppc_refused(struct device *sacfg, u16 ppc)
{
	*device_reg(sacfg, SECPPCINTSTAT) |= 1u << interrupt_bit(ppc >> 5);
	update_wire(sacfg);
	return *device_reg(sacfg, SECRESPCFG) & 1;
}

bool sacfg_msc_refused(struct device *sacfg, u32 bit)
{
	*device_reg(sacfg, SECMSCINTSTAT) |= 1u << bit;
	update_wire(sacfg);
	return *device_reg(sacfg, SECRESPCFG) & 1;
}

void sacfg_mpc_interrupt(struct device *sacfg, u32 bit, bool level)
{
	u32 *status = device_reg(sacfg, SECMPCINTSTAT);

	*status = (*status & ~(1u << bit)) | (u32)level << bit;
}

u32 sacfg_nsccfg(struct device *sacfg)
{
	return *device_reg(sacfg, NSCCFG);
}

void sacfg_set_nsccfg(struct device *sacfg, u32 nsccfg)
{
	sacfg->param[0] = nsccfg & 3;
	*device_reg(sacfg, NSCCFG) = sacfg->param[0];
}

static void sacfg_reset(struct device *d)
{
	*device_reg(d, NSCCFG) = d->param[0];
}

static void sacfg_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (is_locked(d, offset))
		*device_reg(d, offset) = old;
	if (offset == SPCSECCTRL)
		*device_reg(d, offset) |= old;
	if (offset == SECPPCINTCLR)
		*device_reg(d, SECPPCINTSTAT) &= ~value;
	if (offset == SECMSCINTCLR)
		*device_reg(d, SECMSCINTSTAT) &= ~value;
	update_wire(d);
}

const struct device_class sacfg_class = {
	.kind = "SSE secure access configuration", .size = 0x1000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .pidr = 0x042bb852, .wires = wires, .params = params,
	.write = sacfg_write, .reset = sacfg_reset,
};

const struct device_class nsacfg_class = {
	.kind = "SSE non-secure access configuration", .size = 0x1000, .rows = ns_rows,
	.row_count = ARRAY_LEN(ns_rows), .pidr = 0x042bb853,
};
