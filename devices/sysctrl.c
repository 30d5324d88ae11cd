/* SPDX-License-Identifier: Apache-2.0 */
/* SSE-300 system control (Corstone Reference Systems Architecture Ma1, 102803, "System Control Register Block").
 *
 * Modelled: software reset, the resets of Non-secure watchdog and core where RESET_MASK lets them through, reset syndrome, the vector base
 * for the next CPU reset, CPUWAIT, debug authentication, clock request bits reflected in their status bits. Power dependency registers are
 * storage. The core's request is a warm reset, which keeps GRETREG, CPUWAIT and the vector base; all others are cold ones. What RESET_MASK
 * has for the core at reset is for a board to decide, and not public of these: it may, so that programs that know nothing of it restart.
 * The peer is the Non-secure watchdog. */
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
	R(0x100, 1, RESET_SYNDROME, RW, 1, 0xffffffff, "causes of resets: 0 power-on, 1 Non-secure watchdog, 2 secure watchdog, 3 slow clock watchdog, 4 request, 5 software, 8 core, and 12 Lockup of the core; writing 0 clears") \
	R(0x104, 1, RESET_MASK, RW, 0x100, 0xffffffff, "which causes may reset the system: 1 Non-secure watchdog, 8 core") \
	R(0x108, 1, SWRESET, WO, 0, 0x200, "9 requests a system reset")                \
	R(0x10c, 1, GRETREG, RW, 0, 0xffff, "general purpose retention")               \
	R(0x110, 1, INITSVTOR0, RW, 0, 0xffffffff, "31:7 secure vector base at the next CPU reset, 0 lock") \
	R(0x120, 1, CPUWAIT, RW, 0, 1, "0: CPU 0 waits after a reset until this is 0")   \
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
#define LOCK 1u
enum { NS_WATCHDOG_RESETS = 2, CORE_RESETS = 0x100, SOFTWARE_RESETS = 0x200, WARM_CAUSES = 0x100,
	CORE_LOCKUP = 0x1000 }; /* RESET_MASK, SWRESET, RESET_SYNDROME */
enum { WIRE_RESET_REQUEST, WIRE_NS_WATCHDOG_RESET, WIRE_DEBUG_LOW, DEBUG_SIGNALS = 4, WIRE_CORE_RESET = WIRE_DEBUG_LOW + DEBUG_SIGNALS,
	WIRE_CORE_WAITS };
static const char *const wires[] = {"reset", "NS watchdog's reset", "no DBGEN", "no NIDEN", "no SPIDEN", "no SPNIDEN", "core's reset",
	"core waits", NULL};
static const char *const params[] = {"INITSVTOR0", "CPUWAIT", NULL};

struct sysctrl_state {
	u32 core_requests; /* bool: the core has asked for a reset, and waits for it */
};

static void pass_requests(struct device *d)
{
	const struct sysctrl_state *s = d->state;
	const u32 mask = *device_reg(d, RESET_MASK);

	device_wire(d, WIRE_NS_WATCHDOG_RESET, mask & NS_WATCHDOG_RESETS && sys_watchdog_requests_reset(d->peer));
	device_wire(d, WIRE_CORE_RESET, mask & CORE_RESETS && s->core_requests);
}

bool sysctrl_core_requests(struct device *sysctrl)
{
	struct sysctrl_state *s = sysctrl->state;

	s->core_requests = !(*device_reg(sysctrl, RESET_MASK) & CORE_RESETS);
	return !s->core_requests;
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
		pass_requests(d);
		break;
	case SWRESET:
		device_wire(d, WIRE_RESET_REQUEST, value & SOFTWARE_RESETS);
		device_wire(d, WIRE_RESET_REQUEST, false);
		break;
	case INITSVTOR0:
		if (old & LOCK)
			*device_reg(d, offset) = old;
		break;
	case CPUWAIT:
		device_wire(d, WIRE_CORE_WAITS, value & 1);
		break;
	}
}

static void sysctrl_reset(struct device *d)
{
	*device_reg(d, INITSVTOR0) = d->param[SYSCTRL_PARAM_INITSVTOR];
	*device_reg(d, CPUWAIT) = d->param[SYSCTRL_PARAM_CPUWAIT];
	device_wire(d, WIRE_CORE_WAITS, *device_reg(d, CPUWAIT));
}

/* What a warm reset leaves alone. */
static void sysctrl_restart(struct device *d, u32 causes)
{
	const u32 base = *device_reg(d, INITSVTOR0) & ~LOCK, retained = *device_reg(d, GRETREG), waits = *device_reg(d, CPUWAIT);
	const u32 syndrome = *device_reg(d, RESET_SYNDROME);

	device_reset(d);
	*device_reg(d, RESET_SYNDROME) = syndrome | causes;
	if (causes & ~(u32)WARM_CAUSES)
		return;
	*device_reg(d, INITSVTOR0) = base;
	*device_reg(d, GRETREG) = retained;
	*device_reg(d, CPUWAIT) = waits;
	device_wire(d, WIRE_CORE_WAITS, waits);
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

bool sysctrl_core_locked_up(struct device *sysctrl)
{
	*device_reg(sysctrl, RESET_SYNDROME) |= CORE_LOCKUP;
	return *device_reg(sysctrl, RESET_MASK) & NS_WATCHDOG_RESETS && sys_watchdog_runs(sysctrl->peer);
}

bool sysctrl_core_waits(const struct device *sysctrl)
{
	return device_word(sysctrl, CPUWAIT);
}

void sysctrl_set_core_waits(struct device *sysctrl, bool waits)
{
	sysctrl->param[SYSCTRL_PARAM_CPUWAIT] = waits;
	*device_reg(sysctrl, CPUWAIT) = waits;
	device_wire(sysctrl, WIRE_CORE_WAITS, waits);
}

const struct device_class sysctrl_class = {
	.kind = "SSE system control", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x041bb854, .wires = wires, .params = params, .state_size = sizeof(struct sysctrl_state),
	.write = sysctrl_write, .reset = sysctrl_reset, .restart = sysctrl_restart, .peer_changed = pass_requests, .start = sysctrl_start,
};
