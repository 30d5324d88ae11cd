/* SPDX-License-Identifier: Apache-2.0 */
/* SSE-300 system control (Corstone SSE-300 TRM, 101773, "System Control Register Block").
 *
 * Modelled: software reset, the Non-secure watchdog's reset where RESET_MASK lets it through, reset syndrome, the vector base
 * for the next CPU reset, debug authentication, retention over a restart, clock request bits reflected in their status bits. Power dependency
 * registers are storage, and so is RESET_MASK's bit for the core: its request always is a reset. The bits of syndrome, mask and
 * request are those of the device headers of TF-M's corstone320 platform. The peer is the Non-secure watchdog. */
#include "devices/sysctrl.h"

#include "devices/classes.h"
#include "devices/sys_watchdog.h"

#define REGS(R)                                                                        \
	R(0x000, 1, SECDBGSTAT, RO, 0, 0xffffffff, "debug: 0 DBGEN, 2 NIDEN, 4 SPIDEN, 6 SPNIDEN; the bit above: it decides, not the board") \
	R(0x004, 1, SECDBGSET, WO, 0, 0xffffffff, "sets secure debug configuration bits") \
	R(0x008, 1, SECDBGCLR, WO, 0, 0xffffffff, "clears secure debug configuration bits") \
	R(0x00c, 1, SCSECCTRL, RW, 0, 0xffffffff, "system security control")           \
	R(0x010, 1, CLK_CFG0, RW, 0, 0xffffffff, "15:0 clock requests, 31:16 their status") \
	R(0x014, 1, CLK_CFG1, RW, 0, 0xffffffff, "15:0 clock requests, 31:16 their status") \
	R(0x018, 1, CLOCK_FORCE, RW, 0, 0xffffffff, "keeps clocks running")            \
	R(0x100, 1, RESET_SYNDROME, RW, 1, 0xffffffff, "causes of resets: 0 power-on, 1 Non-secure watchdog, 2 secure watchdog, 3 slow clock watchdog, 4 request, 5 software, 8 core; writing 0 clears") \
	R(0x104, 1, RESET_MASK, RW, 0, 0xffffffff, "which causes may reset the system: 1 Non-secure watchdog, 8 core") \
	R(0x108, 1, SWRESET, WO, 0, 0x200, "9 requests a system reset")                \
	R(0x10c, 1, GRETREG, RW, 0, 0xffff, "general purpose retention")               \
	R(0x110, 1, INITSVTOR0, RW, 0, 0xffffffff, "31:7 secure vector base at the next CPU reset, 0 lock") \
	R(0x120, 1, CPUWAIT, RW, 0, 1, "0: CPU 0 waits after reset")                   \
	R(0x124, 1, NMI_ENABLE, RW, 0, 0xffffffff, "NMI sources")                      \
	R(0x1fc, 1, PWRCTRL, RW, 3, 3, "1 PPU access unlock, 0 policy unlock")         \
	R(0x200, 1, PDCM_PD_SYS_SENSE, RW, 0x7f, 0xffffffff, "power dependency")       \
	R(0x204, 1, PDCM_PD_CPU0_SENSE, RW, 0, 0xffffffff, "power dependency")         \
	R(0x214, 1, PDCM_PD_VMR0_SENSE, RW, 0x40000000, 0xffffffff, "power dependency")\
	R(0x218, 1, PDCM_PD_VMR1_SENSE, RW, 0x40000000, 0xffffffff, "power dependency")\
	R(0x21c, 1, PDCM_PD_VMR2_SENSE, RW, 0x40000000, 0xffffffff, "power dependency (SSE-320)")\
	R(0x220, 1, PDCM_PD_VMR3_SENSE, RW, 0x40000000, 0xffffffff, "power dependency (SSE-320)")\
	R(0x24c, 1, PDCM_PD_MGMT_SENSE, RW, 0, 0xffffffff, "power dependency")\
	R(0x25c, 1, LCM_DCU_FORCE_DIS, RW, 0, 0xffffffff, "debug control off (SSE-320)")

REG_TABLE(REGS)

#define VECTOR_BASE 0xffffff80u
enum { NS_WATCHDOG_RESETS = 2, SOFTWARE_RESETS = 0x200 }; /* RESET_MASK, SWRESET */
enum { WIRE_RESET_REQUEST, WIRE_NS_WATCHDOG_RESET, WIRE_DEBUG_LOW, DEBUG_SIGNALS = 4 };
static const char *const wires[] = {"reset", "NS watchdog's reset", "no DBGEN", "no NIDEN", "no SPIDEN", "no SPNIDEN", NULL};
static const char *const params[] = {"INITSVTOR0", NULL};

static void pass_watchdog(struct device *d)
{
	device_wire(d, WIRE_NS_WATCHDOG_RESET, *device_reg(d, RESET_MASK) & NS_WATCHDOG_RESETS && sys_watchdog_requests_reset(d->peer));
}

/* A pair of bits for each signal: its level, and whether that is used; the board's own are high. */
static void set_debug(struct device *d, u32 value)
{
	*device_reg(d, SECDBGSTAT) = value;
	for (unsigned i = 0; i < DEBUG_SIGNALS; i++)
		device_wire(d, WIRE_DEBUG_LOW + i, (value >> 2 * i & 3) == 2);
}

static bool sysctrl_start(struct device *d, struct bus *bus)
{
	return d->peer && d->peer->cls == &sys_watchdog_class;
}

static void sysctrl_write(struct device *d, u32 offset, u32 value, u32 old)
{
	switch (offset) {
	case SECDBGSET:
		set_debug(d, *device_reg(d, SECDBGSTAT) | value);
		break;
	case SECDBGCLR:
		set_debug(d, *device_reg(d, SECDBGSTAT) & ~value);
		break;
	case CLK_CFG0:
	case CLK_CFG1:
		*device_reg(d, offset) = (value & 0xffff) | value << 16;
		break;
	case RESET_SYNDROME:
		*device_reg(d, offset) = old & value;
		break;
	case RESET_MASK:
		pass_watchdog(d);
		break;
	case SWRESET:
		device_wire(d, WIRE_RESET_REQUEST, value & SOFTWARE_RESETS);
		device_wire(d, WIRE_RESET_REQUEST, false);
		break;
	case INITSVTOR0:
		if (old & 1)
			*device_reg(d, offset) = old;
		break;
	}
}

static void sysctrl_reset(struct device *d)
{
	*device_reg(d, INITSVTOR0) = d->param[SYSCTRL_PARAM_INITSVTOR];
}

static void sysctrl_restart(struct device *d, u32 causes)
{
	u32 base = *device_reg(d, INITSVTOR0), kept = *device_reg(d, GRETREG);
	u32 syndrome = *device_reg(d, RESET_SYNDROME);

	device_reset(d);
	*device_reg(d, INITSVTOR0) = base;
	*device_reg(d, GRETREG) = kept;
	*device_reg(d, RESET_SYNDROME) = syndrome | causes;
}

u32 sysctrl_vector_base(const struct device *sysctrl)
{
	return device_word(sysctrl, INITSVTOR0) & VECTOR_BASE;
}

void sysctrl_set_vector_base(struct device *sysctrl, u32 base)
{
	sysctrl->param[SYSCTRL_PARAM_INITSVTOR] = base & VECTOR_BASE;
	*device_reg(sysctrl, INITSVTOR0) = base & VECTOR_BASE;
}

const struct device_class sysctrl_class = {
	.kind = "SSE system control", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x041bb854, .wires = wires, .params = params, .write = sysctrl_write,
	.reset = sysctrl_reset, .restart = sysctrl_restart, .peer_changed = pass_watchdog, .start = sysctrl_start,
};
