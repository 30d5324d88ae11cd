/* SPDX-License-Identifier: Apache-2.0 */
/* Corstone-300: SSE-300 subsystem with a Cortex-M55 and an Ethos-U55/U65 on the MPS3 board, as the
 * FVPs show it. Sources: Corstone SSE-300 TRM (101773), AN547 and AN552, the device headers of
 * TF-M's corstone300 platforms, QEMU's mps3-an547 for identification values.
 *
 * Where sources differ on memory sizes the larger one is taken: no working image breaks. DDR is
 * 2 GiB of distinct cells, not four aliased pairs. */
#include "sim/boards/boards.h"
#include "sim/boards/params.h"
#include "sim/boards/rows.h"

static const struct board_memory memories[] = {
	{"ITCM", 0x00000000, 0x10000000, 512 * KIB, true, BUS_CPU, "cpu0.CFGITCMSZ", SIZE_TCM_CODE, NULL, ITCM_PORT, false},
	{"SRAM", 0x01000000, 0x11000000, 2 * MIB, true, BOTH, "mps3_board.FPGA_SRAM_SIZE", SIZE_MIB, "sram", 0, false},
	{"DTCM", 0x20000000, 0x30000000, 512 * KIB, true, BUS_CPU, "cpu0.CFGDTCMSZ", SIZE_TCM_CODE, NULL, DTCM_PORT, false},
	{"ISRAM", 0x21000000, 0x31000000, 4 * MIB, true, BOTH, "mps3_board.sse300.VM_BANK_SIZE", SIZE_KIB, "iotss3_internal_sram1", 0, false},
	{"QSPI", 0x28000000, 0x38000000, 8 * MIB, true, BOTH, NULL, 0, "qspi_sram", 0, true},
	{"DDR", 0x60000000, 0, 2048 * MIB, false, BOTH, NULL, 0, "ddr", 0, true},
};

static const struct board_param params[] = {
	CORSTONE_PARAMS("mps3_board.", "cpu0.", "ethosu.", "mps3_board.sse300.", "128", "0x10000000", "10")
	MPS3_PARAMS
	{NULL, 0, NULL, NULL, NULL, MEANS_NOTHING},
};

static const struct device_row devices[] = {
	SUBSYSTEM_ROWS(0x10000000, 15, 16, 14, 26),
	MPS3_TIMING_ADAPTERS,
	MPC("SRAM_MPC", 0x57000000, 0x01000000, 0x11000000, 2 * MIB, 16 * KIB, 16),
	MPC("QSPI_MPC", 0x57001000, 0x28000000, 0x38000000, 8 * MIB, 64 * KIB, 17),
	MPS3_IO_ROWS(4),
	PLAIN("FMC_USER_APB0", absent_class, MPS3_IO + 0xc000, 0),
	PLAIN("FMC_USER_APB1", absent_class, MPS3_IO + 0xd000, 0),
	PLAIN("FMC_USER_APB2", absent_class, MPS3_IO + 0xe000, 0),
	PLAIN("FMC_USER_APB3", absent_class, MPS3_IO + 0xf000, 0),
	/* application note 547, as QEMU's model */
	FPGA_ROWS(MPS3_FPGA, 0, 0x41055470, I(127), WIRE_NONE, NO_TRIGGER),
	PLAIN("CLCD", clcd_class, MPS3_FPGA + 0xa000, PPC(PPC_PERIPH_EXP2, 10)),
	VIRTUAL_ROWS,
};

const struct board corstone_300 = {
	.name = "corstone-300",
	.title = "Cortex-M55, Ethos-U55 or U65, MPS3 (AN547, AN552)",
	.default_npu = "ethos-u55-128",
	.cpu = {
		.model = CPU_CORTEX_M55,
		CORSTONE_CPU,
		.initsvtor = 0x10000000,
		.cpuid = 0x411fd220, /* r1p0 */
		.itcm_size_code = 10, .dtcm_size_code = 10,
	},
	.npu = {NS_S(0x48102000), 56, {"TIMING_ADAPTER0", "TIMING_ADAPTER1"}},
	CORSTONE_TABLES,
};
