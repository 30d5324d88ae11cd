/* SPDX-License-Identifier: Apache-2.0 */
/* Corstone-310: SSE-310 subsystem with a Cortex-M85 and an Ethos-U55/U65 on the MPS3 board, as the
 * FVPs show it. Sources: Corstone SSE-310 TRM, AN555, the device headers of TF-M's
 * corstone310 platform. SYSINFO's values are those of SSE-300: those of SSE-310 are not public. */
#include "sim/boards/boards.h"
#include "sim/boards/params.h"
#include "sim/boards/rows.h"

static const struct board_memory memories[] = {
	{"ITCM", 0x00000000, 0x10000000, 32 * KIB, true, BUS_CPU, "cpu0.CFGITCMSZ", SIZE_TCM_CODE, NULL, ITCM_PORT, false},
	{"SRAM", 0x01000000, 0x11000000, 2 * MIB, true, BOTH, "mps3_board.FPGA_SRAM_SIZE", SIZE_MIB, "sram", 0, false},
	{"DTCM", 0x20000000, 0x30000000, 32 * KIB, true, BUS_CPU, "cpu0.CFGDTCMSZ", SIZE_TCM_CODE, NULL, DTCM_PORT, false},
	{"ISRAM", 0x21000000, 0x31000000, 4 * MIB, true, BOTH, "mps3_board.sse300.VM_BANK_SIZE", SIZE_KIB, "iotss3_internal_sram1", 0, false},
	{"QSPI", 0x28000000, 0x38000000, 8 * MIB, true, BOTH, NULL, 0, "qspi_sram", 0, true},
	{"DDR", 0x60000000, 0, 2048 * MIB, false, BOTH, NULL, 0, "ddr", 0, true},
};

static const struct board_param params[] = {
	CORSTONE_PARAMS("mps3_board.", "cpu0.", "ethosu.", "mps3_board.sse300.", "128", "0x11000000", "6")
	MPS3_PARAMS
	{"cpu0.ID_ISAR5.PACBTI", PARAM_INT, "0", "CFGPACBTI in early versions", "", MEANS_PACBTI},
	{"cpu0.CFGPACBTI", PARAM_BOOL, "0", "pointer authentication", "", MEANS_PACBTI},
	{NULL, 0, NULL, NULL, NULL, MEANS_NOTHING},
};

static const struct device_row devices[] = {
	SUBSYSTEM_ROWS(0x11000000, 14, 14, 14, 14),
	SUBSYSTEM_ROWS_310_UP(I(57), I(58)),
	MPS3_TIMING_ADAPTERS,
	MPC("SRAM_MPC", 0x57000000, 0x01000000, 0x11000000, 2 * MIB, 16 * KIB, 16),
	MPC("QSPI_MPC", 0x57001000, 0x28000000, 0x38000000, 8 * MIB, 256 * KIB, 17),
	MPS3_IO_ROWS(8),
	FPGA_ROWS(MPS3_FPGA, 0, 0x41055550, I(127), WIRE_NONE, WIRE_TRIGGER), /* application note 555 */
	PLAIN("CLCD", clcd_class, MPS3_FPGA + 0xa000, PPC(PPC_PERIPH_EXP2, 10)),
	VIRTUAL_ROWS,
};

const struct board corstone_310 = {
	.name = "corstone-310",
	.title = "Cortex-M85, Ethos-U55 or U65, MPS3 (AN555)",
	.default_npu = "ethos-u55-128",
	.cpu = { CORSTONE_M85 },
	.npu = {NS_S(0x40004000), 16, {"TIMING_ADAPTER0", "TIMING_ADAPTER1"}},
	CORSTONE_TABLES,
};
