/* SPDX-License-Identifier: Apache-2.0 */
/* Corstone-320: SSE-320 subsystem with a Cortex-M85 and an Ethos-U85 on the MPS4 board, as the FVP
 * shows it. Sources: Corstone SSE-320 TRM, the device headers of TF-M's corstone320
 * platform, the addresses that Arm's released runner images use.
 *
 * The boot memory is a ROM on silicon; software installs its handlers there, so it accepts
 * writes, as on the FVP. The SRAM's Secure address is not its Non-secure one plus 0x10000000.
 * The FPGA window answers at its address on MPS3 boards, too: some board support prints there.
 * Where the headers put the touch and audio I2C controllers, the system counter answers. The
 * CryptoCell reads zero. SYSINFO's values are those of SSE-300. */
#include "sim/boards/boards.h"
#include "sim/boards/params.h"
#include "sim/boards/rows.h"

#define SUBSYSTEM "mps4_board.subsystem."

static const struct board_memory memories[] = {
	{"ITCM", 0x00000000, 0x10000000, 32 * KIB, true, BUS_CPU, SUBSYSTEM "cpu0.CFGITCMSZ", SIZE_TCM_CODE, NULL, ITCM_PORT, false},
	{"BOOT", 0x11000000, 0, 128 * KIB, false, BOTH, NULL, 0, NULL, 0, false},
	{"SRAM", 0x01000000, 0x12000000, 2 * MIB, true, BOTH, NULL, 0, "sram", 0, false},
	{"DTCM", 0x20000000, 0x30000000, 32 * KIB, true, BUS_CPU, SUBSYSTEM "cpu0.CFGDTCMSZ", SIZE_TCM_CODE, NULL, DTCM_PORT, false},
	{"ISRAM", 0x21000000, 0x31000000, 4 * MIB, true, BOTH, NULL, 0, "iotss3_internal_sram1", 0, false},
	{"QSPI", 0x28000000, 0x38000000, 8 * MIB, true, BOTH, NULL, 0, "qspi_sram", 0, true},
	{"DDR", 0x60000000, 0, 2048 * MIB, false, BOTH, NULL, 0, "ddr", 0, true},
};

static const struct board_param params[] = {
	CORSTONE_PARAMS("mps4_board.", SUBSYSTEM "cpu0.", SUBSYSTEM "ethosu.", SUBSYSTEM, "256", "0x11000000", "6")
	{SUBSYSTEM "cpu0.CFGPACBTI", PARAM_BOOL, "0", "pointer authentication", "", MEANS_PACBTI},
	{"vis_hdlcd.disable_visualisation", PARAM_BOOL, "0", "no window", "", MEANS_NOTHING},
	{"mps4_board.isp_c55_capture_fr.do_capture", PARAM_BOOL, "0", "write camera frames", "", MEANS_NOTHING},
	{"mps4_board.isp_c55_capture_ds.do_capture", PARAM_BOOL, "0", "write camera frames", "", MEANS_NOTHING},
	{"mps4_board.isp_c55_camera.image_file", PARAM_STRING, "", "camera picture", "", MEANS_NOTHING},
	{NULL, 0, NULL, NULL, NULL, MEANS_NOTHING},
};

#define AHB 0x40000000u
#define IO 0x48100000u
#define FPGA 0x48200000u

static const struct device_row devices[] = {
	SUBSYSTEM_ROWS(0x11000000, 14, 14, 14, 14),
	SUBSYSTEM_ROWS_310_UP(I(57), I(58), I(24), I(25), I(26)),
	PLAIN("TIMING_ADAPTER0", timing_adapter_class, 0x40006000, PPC(PPC_PERIPH_EXP0, 5)),
	PLAIN("TIMING_ADAPTER1", timing_adapter_class, 0x40006800, PPC(PPC_PERIPH_EXP0, 5)),
	MPC("SRAM_MPC", 0x57000000, 0x01000000, 0x12000000, 2 * MIB, 16 * KIB, 16),
	MPC("QSPI_MPC", 0x57001000, 0x28000000, 0x38000000, 8 * MIB, 256 * KIB, 17),
	SECURE("CC3XX", absent_class, 0x50094000),
	{"KMU", &kmu_class, ONLY_S(0x5009e000), IRQS(I(20)), NULL, 0, {0}, 0},
	{"LCM", &lcm_class, ONLY_S(0x500a0000), IRQS(WIRE_RESET(RESET_BY_REQUEST)), NULL, 0, {0}, 0},
	{"SAM", &sam_class, ONLY_S(0x58042000), IRQS(I(30), I(31)), NULL, 0, {0}, 0},
	GPIO(0, AHB, I(69)), GPIO(1, AHB, I(70)), GPIO(2, AHB, I(71)), GPIO(3, AHB, I(72)),
	{"HDLCD", &hdlcd_class, NS_S(AHB + 0x310000), IRQS(I(133)), NULL, PPC(PPC_MAIN_EXP0, 7), {0}, 0},
	AHB_ROWS(AHB, 8),
	IO_ROWS(IO, WIRE_NONE, WIRE_NONE, WIRE_NONE),
	FPGA_ROWS(FPGA, MPS3_FPGA, 0x41055550, WIRE_NONE, I(128), NO_TRIGGER),
	PLAIN("ISP_C55", absent_class, 0x48300000, 0),
	PLAIN("CAMERA", absent_class, 0x48400000, 0),
	VIRTUAL_ROWS,
};

const struct board corstone_320 = {
	.name = "corstone-320",
	.title = "Cortex-M85, Ethos-U85, MPS4",
	.default_npu = "ethos-u85-256",
	.cpu = { CORSTONE_M85 },
	.npu = {NS_S(0x40004000), 16, {"TIMING_ADAPTER0", "TIMING_ADAPTER1"}},
	CORSTONE_TABLES,
};
