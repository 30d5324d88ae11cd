/* SPDX-License-Identifier: Apache-2.0 */
/* SSE-320 lifecycle manager and the one-time programmable memory behind it, as the driver and the device
 * headers of TF-M's corstone320 platform use them.
 *
 * Lifecycle state and test or production mode are what the OTP says at a reset. Secure provisioning begins
 * with a reset of the system some time after it was asked for, and ends with the next one. OTP bits can be
 * set only, and survive resets, not the end of the run. Keys are not checked: the words that hold their
 * counts of zeros read as "no error" once a transition has filled them. Debug control bits are storage. */
#include "devices/classes.h"

#include <string.h>

#define REGS(R)                                                                             \
	R(0x000, 1, LCS_VALUE, RO, 0, 0xffffffff, "lifecycle state")                        \
	R(0x004, 1, KEY_ERR, RO, 0, 0xffffffff, "zero count errors of keys")                \
	R(0x008, 1, TP_MODE, RO, 0, 0xffffffff, "test or production mode")                  \
	R(0x00c, 1, FATAL_ERR, RW, 0, 0xffffffff, "fatal error: all ones once its key was written") \
	R(0x010, 1, DM_RMA_LOCK, RW, 0, 1, "lock of the RMA flag")                          \
	R(0x014, 1, SP_ENABLE, RW, 0, 0xffffffff, "secure provisioning: all ones while it lasts") \
	R(0x018, 1, OTP_ADDR_WIDTH, RO, 14, 0xffffffff, "address bits of the OTP")          \
	R(0x01c, 1, OTP_SIZE, RO, 0x4000, 0xffffffff, "bytes of the OTP")                   \
	R(0x020, 1, GPPC, RO, 0, 0xffffffff, "general purpose persistent configuration")    \
	R(0x100, 4, DCU_EN, RW, 0, 0xffffffff, "debug control enable")                      \
	R(0x110, 4, DCU_LOCK, RW, 0, 0xffffffff, "debug control lock")                      \
	R(0x120, 4, DCU_SP_DISABLE_MASK, RO, 0xffffffff, 0xffffffff, "debug bits that stay in provisioning") \
	R(0x130, 4, DCU_DISABLE_MASK, RO, 0xffffffff, 0xffffffff, "debug bits that may be set") \
	R(0x1000, 0x1000, OTP, RW, 0, 0xffffffff, "one-time programmable memory")

REG_TABLE(REGS)

enum { OTP_BYTES = 0x4000 };
/* Words of the OTP that the manager itself looks at. */
enum {
	TP_MODE_CONFIG = OTP + 0xe0, CM_CONFIG_1 = OTP + 0xe4, CM_CONFIG_2 = OTP + 0xe8, DM_CONFIG = OTP + 0xec,
	CM_RMA_FLAG = OTP + 0xf0, DM_RMA_FLAG = OTP + 0xf4,
};
#define LCS_CM 0xcccc3c3cu
#define LCS_DM 0xdddd5a5au
#define LCS_SE 0xeeeea5a5u
#define LCS_RMA 0xffffc3c3u
#define TP_VIRGIN 0x000033ccu
#define TP_TCI 0x111155aau
#define TP_PCI 0x2222aa55u
#define TP_INVALID 0xdeadbeefu
#define CONFIG_TCI 0x0000ffffu
#define CONFIG_PCI 0xffff0000u
#define KEY_FATAL 0xfa7a1eeeu
#define KEY_PROVISIONING 0x5ec10e1eu
#define ALL_ONES 0xffffffffu
enum { PROVISIONING_CYCLES = 2000 };

enum { EVENT_PROVISIONING };
enum { WIRE_RESET_REQUEST };
static const char *const wires[] = {"reset", NULL};

struct lcm_state {
	bool provisioning; /* from the next reset on */
};

static u32 tp_mode(u32 config)
{
	return !config ? TP_VIRGIN : config == CONFIG_TCI ? TP_TCI : config == CONFIG_PCI ? TP_PCI : TP_INVALID;
}

static u32 lifecycle(const struct device *d)
{
	if (device_word(d, CM_RMA_FLAG) && device_word(d, DM_RMA_FLAG))
		return LCS_RMA;
	if (!device_word(d, CM_CONFIG_1))
		return LCS_CM;
	return device_word(d, DM_CONFIG) ? LCS_SE : LCS_DM;
}

static void look_at_otp(struct device *d)
{
	*device_reg(d, TP_MODE) = tp_mode(device_word(d, TP_MODE_CONFIG));
	*device_reg(d, LCS_VALUE) = lifecycle(d);
	*device_reg(d, GPPC) = device_word(d, CM_CONFIG_2) >> 8 & 0xffff;
}

static u32 lcm_read(struct device *d, u32 offset, u32 stored)
{
	return (offset == CM_CONFIG_1 || offset == DM_CONFIG) && stored == ALL_ONES ? 0 : stored;
}

static void lcm_write(struct device *d, u32 offset, u32 value, u32 old)
{
	u32 *reg = device_reg(d, offset);

	if (offset >= OTP)
		*reg = old | value;
	else if (offset >= DCU_EN && offset < DCU_LOCK)
		*reg = (*reg & ~device_word(d, offset - DCU_EN + DCU_LOCK)) | (old & device_word(d, offset - DCU_EN + DCU_LOCK));
	else if (offset >= DCU_LOCK)
		*reg |= old;
	else if (offset == FATAL_ERR)
		*reg = value == KEY_FATAL ? ALL_ONES : old;
	else if (offset == SP_ENABLE)
		*reg = old;
	if (offset == SP_ENABLE && value == KEY_PROVISIONING && !old)
		device_schedule(d, EVENT_PROVISIONING, d->sched->now + PROVISIONING_CYCLES * d->period);
}

static void provisioning_begins(struct device *d, const struct sched_event *ev)
{
	struct lcm_state *s = d->state;

	s->provisioning = true;
	device_wire(d, WIRE_RESET_REQUEST, true);
	device_wire(d, WIRE_RESET_REQUEST, false);
}

static void lcm_restart(struct device *d, u32 cause)
{
	const struct lcm_state *s = d->state;
	const bool provisioning = s->provisioning;
	u8 kept[OTP_BYTES];

	memcpy(kept, device_reg(d, OTP), sizeof kept);
	device_reset(d);
	memcpy(device_reg(d, OTP), kept, sizeof kept);
	look_at_otp(d);
	*device_reg(d, SP_ENABLE) = provisioning ? ALL_ONES : 0;
}

const struct device_class lcm_class = {
	.kind = "SSE-320 lifecycle manager", .size = OTP + OTP_BYTES, .rows = rows, .row_count = ARRAY_LEN(rows),
	.state_size = sizeof(struct lcm_state), .wires = wires, .read = lcm_read, .write = lcm_write,
	.event = provisioning_begins, .reset = look_at_otp, .restart = lcm_restart,
};
