/* SPDX-License-Identifier: Apache-2.0 */
/* SSE-320 security blocks as far as boot software's register accesses need them (device headers of
 * TF-M's corstone320 platform): lifecycle manager, key management unit, security alarm manager.
 *
 * Registers are storage with the values of a virgin device; nothing is provisioned, no key is
 * exported, no alarm is raised. The lifecycle manager's OTP is memory of the board. */
#include "devices/classes.h"

static const struct reg_row lcm_rows[] = {
	{0x000, 1, "LCS_VALUE", RO, 0, 0xffffffff, "lifecycle state: chip manufacturing"},
	{0x004, 1, "KEY_ERR", RO, 0, 0xffffffff, "zero count errors of keys"},
	{0x008, 1, "TP_MODE", RO, 0, 0xffffffff, "virgin"},
	{0x00c, 1, "FATAL_ERR", RW, 0, 0xffffffff, "fatal error"},
	{0x010, 1, "DM_RMA_LOCK", RW, 0, 1, "lock of the RMA flag"},
	{0x014, 1, "SP_ENABLE", RW, 0, 0xffffffff, "secure provisioning"},
	{0x018, 1, "OTP_ADDR_WIDTH", RO, 14, 0xffffffff, "address bits of the OTP"},
	{0x01c, 1, "OTP_SIZE", RO, 0x4000, 0xffffffff, "bytes of the OTP"},
	{0x020, 1, "GPPC", RO, 0, 0xffffffff, "general purpose persistent configuration"},
	{0x100, 4, "DCU_EN", RW, 0, 0xffffffff, "debug control enable"},
	{0x110, 4, "DCU_LOCK", RW, 0, 0xffffffff, "debug control lock"},
	{0x120, 4, "DCU_SP_DISABLE_MASK", RO, 0, 0xffffffff, "debug bits off in provisioning"},
	{0x130, 4, "DCU_DISABLE_MASK", RO, 0, 0xffffffff, "debug bits off"},
};

static const struct reg_row kmu_rows[] = {
	{0x000, 1, "BC", RO, 0x00000005, 0xffffffff, "build configuration: key slots"},
	{0x004, 1, "IS", RO, 0, 0xffffffff, "interrupt status"},
	{0x008, 1, "IE", RW, 0, 0xffffffff, "interrupt enable"},
	{0x00c, 1, "IC", WO, 0, 0xffffffff, "interrupt clear"},
	{0x010, 1, "PRBGSI", RW, 0, 0xffffffff, "random generator seed input"},
	{0x030, 32, "KSC", RW, 0, 0xffffffff, "key slot configuration"},
	{0x0b0, 32, "DKPA", RW, 0, 0xffffffff, "destination address of a key"},
	{0x130, 256, "KSK", RW, 0, 0xffffffff, "key slots, eight words each"},
	{0x530, 3, "RD", RO, 0, 0xffffffff, "random numbers of 8, 16, 32 bits: 0, so that runs repeat"},
};

static const struct reg_row sam_rows[] = {
	{0x000, 1, "BC", RO, 0, 0xffffffff, "build configuration"},
	{0x004, 2, "ES", RO, 0, 0xffffffff, "event status"},
	{0x00c, 2, "ECL", WO, 0, 0xffffffff, "event clear"},
	{0x014, 2, "EM", RW, 0, 0xffffffff, "event mask"},
	{0x01c, 2, "IM", RW, 0, 0xffffffff, "interrupt mask"},
	{0x024, 8, "RRLS", RW, 0, 0xffffffff, "response lists"},
	{0x044, 8, "EC", RW, 0, 0xffffffff, "event counters"},
	{0x064, 1, "ECTIV", RW, 0, 0xffffffff, "event counter timer initial value"},
	{0x068, 1, "WDCIV", RW, 0, 0xffffffff, "watchdog counter initial value"},
	{0x06c, 1, "RL", RW, 0, 0xffffffff, "register lock"},
};

static const char *const kmu_wires[] = {"interrupt", NULL};
static const char *const sam_wires[] = {"critical", "severe", NULL};

const struct device_class lcm_class = {
	.kind = "SSE-320 lifecycle manager", .size = 0x1000, .rows = lcm_rows,
	.row_count = ARRAY_LEN(lcm_rows),
};

const struct device_class kmu_class = {
	.kind = "SSE-320 key management unit", .size = 0x1000, .rows = kmu_rows,
	.row_count = ARRAY_LEN(kmu_rows), .wires = kmu_wires,
};

const struct device_class sam_class = {
	.kind = "SSE-320 security alarm manager", .size = 0x1000, .rows = sam_rows,
	.row_count = ARRAY_LEN(sam_rows), .wires = sam_wires,
};
