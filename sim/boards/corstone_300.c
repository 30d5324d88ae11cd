/* SPDX-License-Identifier: Apache-2.0 */
/* Corstone-300: SSE-300 subsystem with a Cortex-M55 and an Ethos-U55/U65 on the MPS3 board, as the
 * FVPs show it. Sources: Corstone SSE-300 TRM (101773), AN547 and AN552, the device headers of
 * TF-M's corstone300 platforms, QEMU's mps3-an547 for identification values.
 *
 * Where sources differ on memory sizes the larger one is taken: no working image breaks. DDR is
 * 2 GiB of distinct cells, not four aliased pairs. Wait states: TCMs and SRAMs 0; the QSPI and DDR
 * figures are guesses (no public measurement). */
#include "sim/boards/corstone_300.h"

#include "devices/classes.h"

#define KIB 1024u
#define MIB (1024u * 1024u)

/* Bits 31:28 decide (SSE-300 TRM, "security attribution"): odd ones are Secure. The code and
 * RAM regions 1 and 3 become non-secure callable through SACFG.NSCCFG. */
static void idau(u32 nsccfg, u32 addr, struct cpu_idau *out)
{
	u32 nibble = addr >> 28;

	out->region = (u8)nibble;
	out->secure = nibble & 1;
	out->exempt = nibble >= 0xe && !(addr & 0x0ff00000);
	out->nsc = (nibble == 1 && (nsccfg & 1)) || (nibble == 3 && (nsccfg & 2));
}

#define BOTH (BUS_CPU | BUS_NPU)

static const struct board_memory memories[] = {
	{"ITCM", 0x00000000, 0x10000000, 512 * KIB, true, BUS_CPU, 0, "cpu0.CFGITCMSZ", SIZE_TCM_CODE},
	{"SRAM", 0x01000000, 0x11000000, 2 * MIB, true, BOTH, 0, "mps3_board.FPGA_SRAM_SIZE", SIZE_MIB},
	{"DTCM", 0x20000000, 0x30000000, 512 * KIB, true, BUS_CPU, 0, "cpu0.CFGDTCMSZ", SIZE_TCM_CODE},
	{"ISRAM", 0x21000000, 0x31000000, 4 * MIB, true, BOTH, 0, "mps3_board.sse300.VM_BANK_SIZE", SIZE_KIB},
	{"QSPI", 0x28000000, 0x38000000, 8 * MIB, true, BOTH, 8, NULL, 0},
	{"DDR", 0x60000000, 0, 2048 * MIB, false, BOTH, 8, NULL, 0},
};

/* The secure alias of a block is 0x10000000 above. */
#define NS_S(ns) (ns), (ns) + 0x10000000u
#define ONLY_S(s) 0, (s)
#define ONLY_NS(ns) (ns), 0
#define IRQS(...) {__VA_ARGS__}
#define I WIRE_IRQ

#define UART(n, at, rx, tx, all, bit) \
	{"UART" #n, &uart_class, NS_S(at), IRQS(I(rx), I(tx), I(all), I(48)), NULL, \
	 PPC(PPC_PERIPH_EXP2, bit), {0}}
#define SYSTIMER(n, irq, bit) \
	{"SYSTIMER" #n, &sys_timer_class, NS_S(0x48000000u + 0x1000u * (n)), IRQS(I(irq)), \
	 "SYSCNTR", PPC(PPC_PERIPH0, bit), {0}}
#define PINS4(first) I(first), I((first) + 1), I((first) + 2), I((first) + 3)
#define PINS16(first) PINS4(first), PINS4((first) + 4), PINS4((first) + 8), PINS4((first) + 12)
#define GPIO(n, pins) \
	{"GPIO" #n, &gpio_class, NS_S(0x41100000u + 0x1000u * (n)), IRQS(I(69 + (n)), pins), NULL, \
	 PPC(PPC_MAIN_EXP0, n), {0}}
#define DMA(n) \
	{"DMA" #n, &dma_pl080_class, NS_S(0x41200000u + 0x1000u * (n)), {0}, NULL, \
	 PPC(PPC_MAIN_EXP1, n), {0}}
#define VSI(n) \
	{"VSI" #n, &vsi_class, NS_S(0x4ff00000u + 0x10000u * (n)), IRQS(I(224 + (n))), NULL, \
	 PPC(PPC_PERIPH_EXP2, 12), {0}}
#define PLAIN(name, cls, at, ppc) {name, &cls, NS_S(at), {0}, NULL, ppc, {0}}
#define SECURE(name, cls, at) {name, &cls, ONLY_S(at), {0}, NULL, 0, {0}}
#define MPC(name, at, ns, s, bytes, block) \
	{name, &mpc_class, ONLY_S(at), IRQS(I(9)), NULL, 0, {ns, s, bytes, block}}

static const struct device_row devices[] = {
	/* subsystem */
	SECURE("SYSCNTR", sys_counter_class, 0x58100000),
	{"SYSCNTR_READ", &sys_counter_read_class, NS_S(0x48101000), {0}, "SYSCNTR", 0, {0}},
	SYSTIMER(0, 3, 0),
	SYSTIMER(1, 4, 1),
	SYSTIMER(2, 5, 2),
	SYSTIMER(3, 27, 5),
	PLAIN("CPU0_PWRCTRL", cpu_pwrctrl_class, 0x40012000, 0),
	PLAIN("CPU0_IDENTITY", cpu_identity_class, 0x4001f000, 0),
	SECURE("CPU0_SECCTRL", cpu_secctrl_class, 0x50011000),
	{"SACFG", &sacfg_class, ONLY_S(0x50080000), IRQS(I(10)), NULL, 0, {0}},
	{"NSACFG", &nsacfg_class, ONLY_NS(0x40080000), {0}, "SACFG", 0, {0}},
	PLAIN("SYSINFO", sysinfo_class, 0x48020000, 0),
	{"SYSCTRL", &sysctrl_class, ONLY_S(0x58021000), IRQS(WIRE_RESET), NULL, 0, {0x10000000}},
	SECURE("SYS_PPU", ppu_class, 0x58022000),
	SECURE("CPU0_PPU", ppu_class, 0x58023000),
	SECURE("MGMT_PPU", ppu_class, 0x58028000),
	SECURE("DBG_PPU", ppu_class, 0x58029000),
	{"SLOWCLK_WATCHDOG", &cmsdk_watchdog_class, ONLY_S(0x5802e000),
	 IRQS(WIRE_NMI, WIRE_RESET), NULL, 0, {0}},
	{"SLOWCLK_TIMER", &cmsdk_timer_class, NS_S(0x4802f000), IRQS(I(2)), NULL,
	 PPC(PPC_PERIPH1, 0), {0}},
	{"NS_WATCHDOG", &sys_watchdog_class, ONLY_NS(0x48040000), IRQS(I(1), I(0)), "SYSCNTR",
	 PPC(PPC_PERIPH0, 6), {0}},
	{"NS_WATCHDOG_REFRESH", &sys_watchdog_refresh_class, ONLY_NS(0x48041000), {0},
	 "NS_WATCHDOG", PPC(PPC_PERIPH0, 6), {0}},
	{"S_WATCHDOG", &sys_watchdog_class, ONLY_S(0x58040000), IRQS(WIRE_NMI, WIRE_RESET),
	 "SYSCNTR", 0, {0}},
	{"S_WATCHDOG_REFRESH", &sys_watchdog_refresh_class, ONLY_S(0x58041000), {0},
	 "S_WATCHDOG", 0, {0}},
	PLAIN("TIMING_ADAPTER0", timing_adapter_class, 0x48103000, PPC(PPC_PERIPH_EXP0, 5)),
	PLAIN("TIMING_ADAPTER1", timing_adapter_class, 0x48103200, PPC(PPC_PERIPH_EXP0, 5)),

	/* protection controllers of the memories */
	MPC("ISRAM0_MPC", 0x50083000, 0x21000000, 0x31000000, 2 * MIB, 16 * KIB),
	MPC("ISRAM1_MPC", 0x50084000, 0x21200000, 0x31200000, 2 * MIB, 16 * KIB),
	MPC("SRAM_MPC", 0x57000000, 0x01000000, 0x11000000, 2 * MIB, 16 * KIB),
	MPC("QSPI_MPC", 0x57001000, 0x28000000, 0x38000000, 8 * MIB, 64 * KIB),
	MPC("DDR_MPC", 0x57002000, 0x60000000, 0, 2048 * MIB, MIB),

	/* board, AHB side */
	GPIO(0, PINS16(73)), GPIO(1, PINS16(89)), GPIO(2, PINS16(105)), GPIO(3, PINS4(121)),
	PLAIN("AHB_USER0", absent_class, 0x41104000, PPC(PPC_MAIN_EXP0, 4)),
	PLAIN("AHB_USER1", absent_class, 0x41105000, PPC(PPC_MAIN_EXP0, 5)),
	PLAIN("AHB_USER2", absent_class, 0x41106000, PPC(PPC_MAIN_EXP0, 6)),
	PLAIN("AHB_USER3", absent_class, 0x41107000, PPC(PPC_MAIN_EXP0, 7)),
	DMA(0), DMA(1), DMA(2), DMA(3),
	PLAIN("ETHERNET", ethernet_class, 0x41400000, PPC(PPC_MAIN_EXP0, 4)),
	PLAIN("USB", absent_class, 0x41500000, PPC(PPC_MAIN_EXP0, 4)),
	PLAIN("USER_APB0", absent_class, 0x41700000, 0),
	PLAIN("USER_APB1", absent_class, 0x41701000, 0),
	PLAIN("USER_APB2", absent_class, 0x41702000, 0),
	PLAIN("USER_APB3", absent_class, 0x41703000, 0),
	PLAIN("QSPI_CONFIG", absent_class, 0x41800000, 0),
	PLAIN("QSPI_WRITE", absent_class, 0x41801000, 0),

	/* board, APB side */
	PLAIN("I2C_TOUCH", i2c_class, 0x49200000, PPC(PPC_PERIPH_EXP1, 0)),
	PLAIN("I2C_AUDIO", i2c_class, 0x49201000, PPC(PPC_PERIPH_EXP1, 1)),
	{"SPI_ADC", &spi_class, NS_S(0x49202000), IRQS(I(53)), NULL, PPC(PPC_PERIPH_EXP1, 2), {0}},
	{"SPI_SHIELD0", &spi_class, NS_S(0x49203000), IRQS(I(54)), NULL, PPC(PPC_PERIPH_EXP1, 3), {0}},
	{"SPI_SHIELD1", &spi_class, NS_S(0x49204000), IRQS(I(55)), NULL, PPC(PPC_PERIPH_EXP1, 4), {0}},
	PLAIN("I2C_SHIELD0", i2c_class, 0x49205000, PPC(PPC_PERIPH_EXP1, 5)),
	PLAIN("I2C_SHIELD1", i2c_class, 0x49206000, PPC(PPC_PERIPH_EXP1, 6)),
	PLAIN("USER_APB", absent_class, 0x49207000, 0),
	PLAIN("I2C_DDR4_EEPROM", i2c_class, 0x49208000, PPC(PPC_PERIPH_EXP1, 8)),
	PLAIN("FMC_USER_APB0", absent_class, 0x4920c000, 0),
	PLAIN("FMC_USER_APB1", absent_class, 0x4920d000, 0),
	PLAIN("FMC_USER_APB2", absent_class, 0x4920e000, 0),
	PLAIN("FMC_USER_APB3", absent_class, 0x4920f000, 0),
	/* ID: application note 547, as QEMU's model; AID: 8 configuration registers, revision C */
	{"SCC", &scc_class, NS_S(0x49300000), {0}, NULL, PPC(PPC_PERIPH_EXP2, 0),
	 {[SCC_PARAM_ID] = 0x41055470, [SCC_PARAM_AID] = 0x00200008}},
	{"I2S", &i2s_class, NS_S(0x49301000), {0}, NULL, PPC(PPC_PERIPH_EXP2, 1), {0}},
	PLAIN("FPGAIO", fpgaio_class, 0x49302000, PPC(PPC_PERIPH_EXP2, 2)),
	UART(0, 0x49303000, 33, 34, 43, 3),
	UART(1, 0x49304000, 35, 36, 44, 4),
	UART(2, 0x49305000, 37, 38, 45, 5),
	UART(3, 0x49306000, 39, 40, 46, 6),
	UART(4, 0x49307000, 41, 42, 47, 7),
	UART(5, 0x49308000, 125, 126, 127, 8),
	PLAIN("CLCD", clcd_class, 0x4930a000, PPC(PPC_PERIPH_EXP2, 10)),
	{"RTC", &rtc_class, NS_S(0x4930b000), {0}, NULL, PPC(PPC_PERIPH_EXP2, 11), {0}},

	/* virtual interfaces of the FVP */
	PLAIN("VSOCKET", absent_class, 0x4fee0000, PPC(PPC_PERIPH_EXP2, 14)),
	PLAIN("VIO", vio_class, 0x4fef0000, PPC(PPC_PERIPH_EXP2, 13)),
	VSI(0), VSI(1), VSI(2), VSI(3), VSI(4), VSI(5), VSI(6), VSI(7),
};

const struct board corstone_300 = {
	.name = "corstone-300",
	.title = "Corstone-300: Cortex-M55, Ethos-U55 or U65, MPS3 (AN547, AN552)",
	.default_npu = "ethos-u55-128",
	.cpu = {
		.model = CPU_CORTEX_M55,
		.timing = CPU_TIMING_IPC1,
		.engine = CPU_ENGINE_TAIL,
		.clock_hz = 25000000,
		.initsvtor = 0x10000000,
		.initnsvtor = 0,
		.cpuid = 0x411fd220, /* r1p0 */
		.irqs = 480,
		.priority_bits = 8,
		.mpu_s_regions = 8, .mpu_ns_regions = 8, .sau_regions = 8,
		.itcm_size_code = 10, .dtcm_size_code = 10,
		.icache_size = 64 * KIB, .dcache_size = 64 * KIB,
		.fpu = true, .mve_int = true, .mve_fp = true, .dsp = true, .security = true,
		.cpi_mul = 1, .cpi_div = 1,
	},
	.idau = idau,
	.memories = memories, .memory_count = ARRAY_LEN(memories), .vm_banks = 2,
	.devices = devices, .device_count = ARRAY_LEN(devices),
	.params = corstone_300_params,
	.npu = {NS_S(0x48102000), 56, {"TIMING_ADAPTER0", "TIMING_ADAPTER1"}},
	.access_config = "SACFG",
};
