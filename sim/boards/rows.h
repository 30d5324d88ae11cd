/* SPDX-License-Identifier: Apache-2.0 */
/* Device rows that the Corstone-3xx boards share. Addresses are the Non-secure ones; the Secure
 * alias of a block lies 0x10000000 above. Sources: the Corstone SSE-300, SSE-310 and
 * SSE-320 TRMs, AN547, AN552, AN555, the device headers of TF-M's corstone platforms. */
#ifndef SIM_BOARDS_ROWS_H
#define SIM_BOARDS_ROWS_H

#include "devices/classes.h"
#include "sim/board.h"

#define KIB 1024u
#define MIB (1024u * 1024u)
#define BOTH (BUS_CPU | BUS_NPU)

#define NS_S(ns) (ns), (ns) + 0x10000000u
#define ONLY_S(s) 0, (s)
#define ONLY_NS(ns) (ns), 0
#define IRQS(...) {__VA_ARGS__}
#define I WIRE_IRQ

#define PLAIN(name, cls, at, ppc) {name, &cls, NS_S(at), {0}, NULL, ppc, {0}, 0}
#define SECURE(name, cls, at) {name, &cls, ONLY_S(at), {0}, NULL, 0, {0}, 0}

/* TCMs as managers other than the core see them, through its slave port (SSE TRMs, "memory map") */
#define ITCM_PORT 0x0a000000u
#define DTCM_PORT 0x24000000u

/* ---- subsystem ---- */

#define SYSTIMER(n, irq, bit) \
	{"SYSTIMER" #n, &sys_timer_class, NS_S(0x48000000u + 0x1000u * (n)), IRQS(I(irq)), \
	 "SYSCNTR", PPC(PPC_PERIPH0, bit), {0}, 0}
/* `bit`: in SACFG's SECMPCINTSTAT, internal memories from 0, expansion from 16 */
#define MPC(name, at, ns, s, bytes, block, bit) \
	{name, &mpc_class, ONLY_S(at), IRQS(I(9)), "SACFG", 0, {ns, s, bytes, block, bit}, 0}

#define PPU(name, at, irq) {name, &ppu_class, ONLY_S(at), IRQS(I(irq)), NULL, 0, {0}, 0}

/* The interrupts are those of the power policy units of system, core, management and debug. */
#define SUBSYSTEM_ROWS(svtor, sys_ppu, cpu_ppu, mgmt_ppu, dbg_ppu)                                  \
	SECURE("SYSCNTR", sys_counter_class, 0x58100000),                                           \
	{"SYSCNTR_READ", &sys_counter_read_class, NS_S(0x48101000), {0}, "SYSCNTR", 0, {0}, 0},        \
	SYSTIMER(0, 3, 0), SYSTIMER(1, 4, 1), SYSTIMER(2, 5, 2), SYSTIMER(3, 27, 5),                \
	PLAIN("CPU0_PWRCTRL", cpu_pwrctrl_class, 0x40012000, 0),                                    \
	PLAIN("CPU0_IDENTITY", cpu_identity_class, 0x4001f000, 0),                                  \
	{"CPU0_SECCTRL", &cpu_secctrl_class, ONLY_S(0x50011000),                                    \
	 IRQS(WIRE_LOCK(0), WIRE_LOCK(1), WIRE_LOCK(2), WIRE_LOCK(3), WIRE_LOCK(4), WIRE_LOCK(5)), NULL, 0, {0}, 0}, \
	{"SACFG", &sacfg_class, ONLY_S(0x50080000), IRQS(I(10), I(11), I(12)), NULL, 0, {0}, 0},       \
	{"NSACFG", &nsacfg_class, ONLY_NS(0x40080000), {0}, "SACFG", 0, {0}, 0},                       \
	PLAIN("SYSINFO", sysinfo_class, 0x48020000, 0),                                             \
	{"NS_WATCHDOG", &sys_watchdog_class, ONLY_NS(0x48040000), IRQS(I(1), I(0)), "SYSCNTR",      \
	 PPC(PPC_PERIPH0, 6), {0}, 0},                                                                 \
	{"NS_WATCHDOG_REFRESH", &sys_watchdog_refresh_class, ONLY_NS(0x48041000), {0},              \
	 "NS_WATCHDOG", PPC(PPC_PERIPH0, 6), {0}, 0},                                                  \
	{"SYSCTRL", &sysctrl_class, ONLY_S(0x58021000), IRQS(WIRE_RESET(RESET_BY_SOFTWARE), WIRE_RESET(RESET_BY_NS_WATCHDOG), \
	 WIRE_DEBUG(0), WIRE_DEBUG(1), WIRE_DEBUG(2), WIRE_DEBUG(3), WIRE_RESET(RESET_BY_CORE), WIRE_CORE_WAITS),                                \
	 "NS_WATCHDOG", 0, {svtor}, 0},                                                             \
	PPU("SYS_PPU", 0x58022000, sys_ppu),                                                        \
	PPU("CPU0_PPU", 0x58023000, cpu_ppu),                                                       \
	PPU("MGMT_PPU", 0x58028000, mgmt_ppu),                                                      \
	PPU("DBG_PPU", 0x58029000, dbg_ppu),                                                        \
	{"SLOWCLK_WATCHDOG", &cmsdk_watchdog_class, ONLY_S(0x5802e000),                             \
	 IRQS(WIRE_NMI, WIRE_RESET(RESET_BY_SLOWCLK_WATCHDOG)), NULL, 0, {0}, 0},                                                 \
	{"SLOWCLK_TIMER", &cmsdk_timer_class, NS_S(0x4802f000), IRQS(I(2)), NULL,                   \
	 PPC(PPC_PERIPH1, 0), {0}, 0},                                                                 \
	{"S_WATCHDOG", &sys_watchdog_class, ONLY_S(0x58040000), IRQS(WIRE_NMI, WIRE_RESET(RESET_BY_SECURE_WATCHDOG)),         \
	 "SYSCNTR", 0, {0}, 0},                                                                        \
	{"S_WATCHDOG_REFRESH", &sys_watchdog_refresh_class, ONLY_S(0x58041000), {0},                \
	 "S_WATCHDOG", 0, {0}, 0},                                                                     \
	MPC("ISRAM0_MPC", 0x50083000, 0x21000000, 0x31000000, 2 * MIB, 32 * KIB, 0),                   \
	MPC("ISRAM1_MPC", 0x50084000, 0x21200000, 0x31200000, 2 * MIB, 32 * KIB, 1),                   \
	MPC("DDR_MPC", 0x57002000, 0x60000000, 0, 2048 * MIB, MIB, 18)

/* Blocks that SSE-310 and SSE-320 have and SSE-300 has not; the DMA's interrupts. */
#define SUBSYSTEM_ROWS_310_UP(...)                                                                  \
	{"DMA350", &dma350_class, NS_S(0x40002000), IRQS(__VA_ARGS__), "SACFG", 0, {0}, 0},            \
	PPU("NPU0_PPU", 0x5802a000, 14)

/* ---- board ---- */

#define PINS4(first) I(first), I((first) + 1), I((first) + 2), I((first) + 3)
#define PINS16(first) PINS4(first), PINS4((first) + 4), PINS4((first) + 8), PINS4((first) + 12)

#define GPIO(n, ahb, ...) \
	{"GPIO" #n, &gpio_class, NS_S((ahb) + 0x100000u + 0x1000u * (n)), IRQS(__VA_ARGS__), NULL, \
	 PPC(PPC_MAIN_EXP0, n), {0}, 0}
#define DMA(n, ahb) \
	{"DMA" #n, &dma_pl080_class, NS_S((ahb) + 0x200000u + 0x1000u * (n)), {0}, NULL, \
	 PPC(PPC_MAIN_EXP1, n), {0}, 0}

/* AHB side but for GPIO and DMA; `usb` is the protection bit of USB and Ethernet. */
#define AHB_ROWS(ahb, usb)                                                                          \
	PLAIN("AHB_USER0", absent_class, (ahb) + 0x104000u, PPC(PPC_MAIN_EXP0, 4)),                 \
	PLAIN("AHB_USER1", absent_class, (ahb) + 0x105000u, PPC(PPC_MAIN_EXP0, 5)),                 \
	PLAIN("AHB_USER2", absent_class, (ahb) + 0x106000u, PPC(PPC_MAIN_EXP0, 6)),                 \
	PLAIN("AHB_USER3", absent_class, (ahb) + 0x107000u, PPC(PPC_MAIN_EXP0, 7)),                 \
	PLAIN("ETHERNET", ethernet_class, (ahb) + 0x400000u, PPC(PPC_MAIN_EXP0, usb)),              \
	PLAIN("USB", absent_class, (ahb) + 0x500000u, PPC(PPC_MAIN_EXP0, usb)),                     \
	PLAIN("USER_APB0", absent_class, (ahb) + 0x700000u, 0),                                     \
	PLAIN("USER_APB1", absent_class, (ahb) + 0x701000u, 0),                                     \
	PLAIN("USER_APB2", absent_class, (ahb) + 0x702000u, 0),                                     \
	PLAIN("USER_APB3", absent_class, (ahb) + 0x703000u, 0),                                     \
	PLAIN("QSPI_CONFIG", absent_class, (ahb) + 0x800000u, 0),                                   \
	PLAIN("QSPI_WRITE", absent_class, (ahb) + 0x801000u, 0)

#define SPI(name, at, bit, ...) \
	{name, &spi_class, NS_S(at), IRQS(__VA_ARGS__), NULL, PPC(PPC_PERIPH_EXP1, bit), {0}, 0}

/* APB side: I2C and SPI controllers from `io`; the three interrupts may be WIRE_NONE. */
#define IO_ROWS(io, adc, shield0, shield1)                                                          \
	SPI("SPI_ADC", (io) + 0x2000u, 2, adc),                                                     \
	SPI("SPI_SHIELD0", (io) + 0x3000u, 3, shield0),                                             \
	SPI("SPI_SHIELD1", (io) + 0x4000u, 4, shield1),                                             \
	PLAIN("I2C_SHIELD0", i2c_class, (io) + 0x5000u, PPC(PPC_PERIPH_EXP1, 5)),                   \
	PLAIN("I2C_SHIELD1", i2c_class, (io) + 0x6000u, PPC(PPC_PERIPH_EXP1, 6)),                   \
	PLAIN("USER_APB", absent_class, (io) + 0x7000u, 0),                                         \
	PLAIN("I2C_DDR4_EEPROM", i2c_class, (io) + 0x8000u, PPC(PPC_PERIPH_EXP1, 8))
#define TOUCH_AND_AUDIO_ROWS(io)                                                                    \
	PLAIN("I2C_TOUCH", i2c_class, io, PPC(PPC_PERIPH_EXP1, 0)),                                 \
	PLAIN("I2C_AUDIO", i2c_class, (io) + 0x1000u, PPC(PPC_PERIPH_EXP1, 1))

/* A device of the FPGA window at `fpga`; `also` is a second place of that window, 0: none. */
#define FPGA_ROW(name, cls, fpga, also, offset, irqs, bit, ...) \
	{name, &cls, NS_S((fpga) + (offset)), irqs, NULL, PPC(PPC_PERIPH_EXP2, bit), {__VA_ARGS__}, \
	 (also) ? (also) + (offset) : 0}
#define UART(n, fpga, also, rx, tx, all, ...) \
	FPGA_ROW("UART" #n, uart_class, fpga, also, 0x3000u + 0x1000u * (n), \
		 IRQS(I(rx), I(tx), all, I(48), __VA_ARGS__), 3 + (n), 0)

/* APB side: FPGA control, audio, serial ports and clock; T: what the requests of two ports trigger. */
#define NO_TRIGGER(n) WIRE_NONE
#define FPGA_ROWS(fpga, also, scc_id, uart5_combined, rtc_irq, T)                                   \
	FPGA_ROW("SCC", scc_class, fpga, also, 0x0000u, IRQS(0), 0,                                 \
		 [SCC_PARAM_ID] = scc_id, [SCC_PARAM_AID] = 0x00200008),                            \
	FPGA_ROW("I2S", i2s_class, fpga, also, 0x1000u, IRQS(0), 1, 0),                             \
	FPGA_ROW("FPGAIO", fpgaio_class, fpga, also, 0x2000u, IRQS(0), 2, 0),                       \
	UART(0, fpga, also, 33, 34, I(43), T(0), T(1)), UART(1, fpga, also, 35, 36, I(44), T(2), T(3)), \
	UART(2, fpga, also, 37, 38, I(45), 0), UART(3, fpga, also, 39, 40, I(46), 0),               \
	UART(4, fpga, also, 41, 42, I(47), 0), UART(5, fpga, also, 125, 126, uart5_combined, 0),    \
	FPGA_ROW("RTC", rtc_class, fpga, also, 0xb000u, IRQS(rtc_irq), 11, 0)

/* ---- MPS3 board, Corstone-300 and -310 ---- */

#define MPS3_AHB 0x41000000u
#define MPS3_IO 0x49200000u
#define MPS3_FPGA 0x49300000u

#define MPS3_TIMING_ADAPTERS                                                                        \
	PLAIN("TIMING_ADAPTER0", timing_adapter_class, 0x48103000, PPC(PPC_PERIPH_EXP0, 5)),        \
	PLAIN("TIMING_ADAPTER1", timing_adapter_class, 0x48103200, PPC(PPC_PERIPH_EXP0, 5))

/* AHB side, and the APB side but for the FPGA's window; `usb` as for AHB_ROWS. */
#define MPS3_IO_ROWS(usb)                                                                           \
	GPIO(0, MPS3_AHB, I(69), PINS16(73)), GPIO(1, MPS3_AHB, I(70), PINS16(89)),                 \
	GPIO(2, MPS3_AHB, I(71), PINS16(105)), GPIO(3, MPS3_AHB, I(72), PINS4(121)),                \
	DMA(0, MPS3_AHB), DMA(1, MPS3_AHB), DMA(2, MPS3_AHB), DMA(3, MPS3_AHB),                     \
	AHB_ROWS(MPS3_AHB, usb),                                                                    \
	TOUCH_AND_AUDIO_ROWS(MPS3_IO),                                                              \
	IO_ROWS(MPS3_IO, I(53), I(54), I(55))

/* ---- virtual interfaces of the FVPs ---- */

#define VSI(n) \
	{"VSI" #n, &vsi_class, NS_S(0x4ff00000u + 0x10000u * (n)), IRQS(I(224 + (n))), NULL, \
	 PPC(PPC_PERIPH_EXP2, 12), {0}, 0}
#define VIRTUAL_ROWS                                                                                \
	PLAIN("VSOCKET", absent_class, 0x4fee0000, PPC(PPC_PERIPH_EXP2, 14)),                       \
	PLAIN("VIO", vio_class, 0x4fef0000, PPC(PPC_PERIPH_EXP2, 13)),                              \
	VSI(0), VSI(1), VSI(2), VSI(3), VSI(4), VSI(5), VSI(6), VSI(7)

#endif
