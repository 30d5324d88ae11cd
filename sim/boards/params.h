/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the Corstone FVPs that tools pass (`-C name=value`), with the defaults their
 * documents and published command lines show. '#' in a name stands for the number of a serial port.
 * The boards differ in the instance names before the parameter's own name (BOARD, CPU, NPU, SYSTEM:
 * string literals ending in a dot) and in few defaults; a board's own rows follow these. */
#ifndef SIM_BOARDS_PARAMS_H
#define SIM_BOARDS_PARAMS_H

#include "sim/boards/params_rest.h"

#define CORSTONE_PARAMS(BOARD, CPU, NPU, SYSTEM, MACS, SVTOR, TCM) \
	/* NPU */ \
	{NPU "num_macs", PARAM_INT, MACS, "MAC units of the Ethos-U", "[0x20..0x800]", MEANS_MACS}, \
	{NPU "extra_args", PARAM_STRING, "", "arguments of the NPU model", "", MEANS_NPU_ARGS}, \
	{NPU "diagnostics", PARAM_INT, "0", "verbosity of the NPU model", "[0x0..0x4]", MEANS_NOTHING}, \
	{NPU "config", PARAM_STRING, "", "old form of num_macs: H32, H64, H128, H256", "", MEANS_MACS}, \
	/* serial ports and terminals */ \
	{BOARD "uart#.out_file", PARAM_STRING, "", "output file, - for standard output", "", MEANS_UART_OUT}, \
	{BOARD "uart#.in_file", PARAM_STRING, "", "input file, - for standard input", "", MEANS_UART_IN}, \
	{BOARD "uart#.unbuffered_output", PARAM_BOOL, "0", "flush after each character", "", MEANS_UART_UNBUFFERED}, \
	{BOARD "uart#.shutdown_on_eot", PARAM_BOOL, "0", "end when character 4 is sent", "", MEANS_UART_EOT}, \
	{BOARD "uart#.shutdown_tag", PARAM_STRING, "", "end when this text is sent", "", MEANS_UART_TAG}, \
	{BOARD "uart#.rx_overrun_mode", PARAM_INT, "1", "0: input that the program does not read in time is lost; 1, 2: it waits", "[0x0..0x2]", MEANS_UART_OVERRUN}, \
	{BOARD "uart#.uart_enable", PARAM_BOOL, "0", "enabled at reset", "", MEANS_NOTHING}, \
	{BOARD "uart#.untimed_fifos", PARAM_BOOL, "0", "no transmission time", "", MEANS_NOTHING}, \
	{BOARD "uart#.clock_rate", PARAM_INT, "14745600", "clock of the port in Hz", "", MEANS_NOTHING}, \
	{BOARD "uart#.baud_rate", PARAM_INT, "38400", "baud rate", "", MEANS_NOTHING}, \
	{BOARD "uart#.in_file_escape_sequence", PARAM_STRING, "##", "escape in input file", "", MEANS_NOTHING}, \
	{BOARD "uart#_adapter_tx.ENABLE", PARAM_BOOL, "0", "DMA triggers of the transmitter", "", MEANS_NOTHING}, \
	{BOARD "uart#_adapter_rx.ENABLE", PARAM_BOOL, "0", "DMA triggers of the receiver", "", MEANS_NOTHING}, \
	{BOARD "telnetterminal#.start_telnet", PARAM_BOOL, "1", "start a terminal", "", MEANS_TERMINAL_START}, \
	{BOARD "telnetterminal#.quiet", PARAM_BOOL, "0", "no line on start", "", MEANS_NOTHING}, \
	{BOARD "telnetterminal#.start_port", PARAM_INT, "5000", "first port tried", "", MEANS_NOTHING}, \
	{BOARD "telnetterminal#.mode", PARAM_STRING, "telnet", "telnet or raw", "", MEANS_NOTHING}, \
	{BOARD "telnetterminal#.terminal_command", PARAM_STRING, "", "command of the terminal", "", MEANS_NOTHING}, \
	/* board */ \
	{BOARD "visualisation.disable-visualisation", PARAM_BOOL, "0", "no window", "", MEANS_NOTHING}, \
	{BOARD "visualisation.rate_limit-enable", PARAM_BOOL, "1", "run no faster than real time", "", MEANS_NOTHING}, \
	{BOARD "visualisation.window_title", PARAM_STRING, "", "title of the window", "", MEANS_NOTHING}, \
	{BOARD "visualisation.trap_key", PARAM_INT, "0x4a", "key that frees the mouse", "", MEANS_NOTHING}, \
	{BOARD "v_path", PARAM_STRING, "", "directory of VSI and VIO scripts", "", MEANS_SCRIPTS}, \
	{BOARD "smsc_91c111.enabled", PARAM_BOOL, "0", "Ethernet controller", "", MEANS_NOTHING}, \
	{BOARD "smsc_91c111.mac_address", PARAM_STRING, "00:02:f7:ef:00:02", "Ethernet address", "", MEANS_NOTHING}, \
	{BOARD "hostbridge.userNetworking", PARAM_BOOL, "0", "user mode networking", "", MEANS_NOTHING}, \
	{BOARD "hostbridge.userNetPorts", PARAM_STRING, "", "forwarded ports", "", MEANS_NOTHING}, \
	{BOARD "hostbridge.userNetSubnet", PARAM_STRING, "172.20.51.0/24", "subnet of user mode networking", "", MEANS_NOTHING}, \
	{BOARD "hostbridge.interfaceName", PARAM_STRING, "", "host interface", "", MEANS_NOTHING}, \
	{BOARD "DISABLE_GATING", PARAM_BOOL, "1", "0: check accesses against MPC and PPC", "", MEANS_DISABLE_GATING}, \
	BOARD_REST_PARAMS(BOARD, SYSTEM) \
	{"core_clk.mul", PARAM_INT, "0x17d7840", "core clock in Hz", "[0x1..0x2cb4178000]", MEANS_CLOCK}, \
	{"core_clk.div", PARAM_INT, "1", "core clock divider", "", MEANS_NOTHING}, \
	{"refcounter.base_frequency", PARAM_INT, "100000000", "system counter in Hz", "", MEANS_NOTHING}, \
	{"idau.NUM_IDAU_REGION", PARAM_INT, "18", "regions of the IDAU; 0: there is none, the SAU alone decides", "", MEANS_IDAU_REGIONS}, \
	{"refcounter.non_arch_start_at_default", PARAM_BOOL, "1", "system counter runs at reset, before software starts it", "", MEANS_COUNTER_RUNS}, \
	{"NSC_CFG_0", PARAM_BOOL, "0", "NSCCFG at reset: code may be Non-secure callable", "", MEANS_NSC_CODE}, \
	{"NSC_CFG_1", PARAM_BOOL, "0", "NSCCFG at reset: RAM may be Non-secure callable", "", MEANS_NSC_RAM}, \
	/* processor */ \
	{CPU "semihosting-enable", PARAM_BOOL, "0", "semihosting", "", MEANS_SEMIHOSTING}, \
	{CPU "semihosting-cmd_line", PARAM_STRING, "", "program arguments", "", MEANS_SEMIHOSTING_CMDLINE}, \
	{CPU "semihosting-cwd", PARAM_STRING, "", "directory of host files", "", MEANS_SEMIHOSTING_DIR}, \
	{CPU "semihosting-heap_base", PARAM_INT, "0", "heap base told to the program", "[0x0..0xffffffff]", MEANS_SEMIHOSTING_HEAP_BASE}, \
	{CPU "semihosting-heap_limit", PARAM_INT, "0x20700000", "heap limit told to the program", "[0x0..0xffffffff]", MEANS_SEMIHOSTING_HEAP_LIMIT}, \
	{CPU "semihosting-stack_base", PARAM_INT, "0x20800000", "stack base told to the program", "[0x0..0xffffffff]", MEANS_SEMIHOSTING_STACK_BASE}, \
	{CPU "semihosting-stack_limit", PARAM_INT, "0x20700000", "stack limit told to the program", "[0x0..0xffffffff]", MEANS_SEMIHOSTING_STACK_LIMIT}, \
	{CPU "semihosting-Thumb_SVC", PARAM_INT, "0xab", "number of the trap", "", MEANS_NOTHING}, \
	{CPU "semihosting-ARM_SVC", PARAM_INT, "0x123456", "number of the trap", "", MEANS_NOTHING}, \
	{CPU "semihosting-Thumb_HLT", PARAM_INT, "0x3c", "number of the trap", "", MEANS_NOTHING}, \
	{CPU "semihosting-ARM_HLT", PARAM_INT, "0xf000", "number of the trap", "", MEANS_NOTHING}, \
	{CPU "semihosting-hlt-enable", PARAM_BOOL, "0", "semihosting by HLT", "", MEANS_NOTHING}, \
	{CPU "INITSVTOR", PARAM_INT, SVTOR, "secure vector base at reset", "[0x0..0xffffffff]", MEANS_INITSVTOR}, \
	{SYSTEM "iotss3_systemcontrol.INITSVTOR_RST", PARAM_INT, SVTOR, "as INITSVTOR", "[0x0..0xffffffff]", MEANS_INITSVTOR}, \
	{SYSTEM "iotss3_systemcontrol.cpu0wait", PARAM_BOOL, "0", "the processor waits at reset until CPUWAIT is 0", "", MEANS_CPU_WAITS}, \
	{CPU "INITNSVTOR", PARAM_INT, "0", "non-secure vector base at reset", "[0x0..0xffffffff]", MEANS_INITNSVTOR}, \
	{CPU "FPU", PARAM_BOOL, "1", "floating point", "", MEANS_NOTHING}, \
	{CPU "MVE", PARAM_INT, "2", "vector extension: 0 none, 1 integer, 2 float", "[0x0..0x2]", MEANS_NOTHING}, \
	{CPU "DSP", PARAM_BOOL, "1", "DSP extension", "", MEANS_NOTHING}, \
	{CPU "vfp-present", PARAM_BOOL, "1", "floating point", "", MEANS_NOTHING}, \
	{CPU "ase-present", PARAM_BOOL, "1", "vector extension", "", MEANS_NOTHING}, \
	{CPU "SECEXT", PARAM_BOOL, "1", "security extension", "", MEANS_NOTHING}, \
	{CPU "MPU_S", PARAM_INT, "8", "secure MPU regions", "[0x0..0x10]", MEANS_MPU_S}, \
	{CPU "MPU_NS", PARAM_INT, "8", "non-secure MPU regions", "[0x0..0x10]", MEANS_MPU_NS}, \
	{CPU "SAU", PARAM_INT, "8", "SAU regions", "[0x0..0x8]", MEANS_SAU}, \
	{CPU "IRQLVL", PARAM_INT, "3", "bits of interrupt priority", "[0x3..0x8]", MEANS_PRIORITY_BITS}, \
	{CPU "ITM", PARAM_BOOL, "1", "instrumentation trace", "", MEANS_NOTHING}, \
	{CPU "CPIF", PARAM_BOOL, "1", "coprocessor interface", "", MEANS_NOTHING}, \
	{CPU "CFGITCMSZ", PARAM_INT, TCM, "ITCM size, 2^(n-1) KiB", "[0x3..0xf]", MEANS_MEMORY_SIZE}, \
	{CPU "CFGDTCMSZ", PARAM_INT, TCM, "DTCM size, 2^(n-1) KiB", "[0x3..0xf]", MEANS_MEMORY_SIZE}, \
	{CPU "DCACHESZ", PARAM_INT, "15", "data cache: 1, 3, 7, 15, 31 for 4 to 64 KiB, even: none", "[0x0..0x1f]", MEANS_DCACHE_SIZE}, \
	{CPU "ICACHESZ", PARAM_INT, "15", "instruction cache: 1, 3, 7, 15, 31 for 4 to 64 KiB, even: none", "[0x0..0x1f]", MEANS_ICACHE_SIZE}, \
	{CPU "dcache-state_modelled", PARAM_BOOL, "0", "data cache contents", "", MEANS_NOTHING}, \
	{CPU "icache-state_modelled", PARAM_BOOL, "0", "instruction cache contents", "", MEANS_NOTHING}, \
	{CPU "cpi_mul", PARAM_INT, "1", "cycles per instruction, numerator", "[0x1..0xffffffff]", MEANS_CPI_MUL}, \
	{CPU "cpi_div", PARAM_INT, "1", "cycles per instruction, denominator", "[0x1..0xffffffff]", MEANS_CPI_DIV}, \
	{CPU "LOCK_S_MPU", PARAM_BOOL, "0", "1: Secure MPU registers cannot be written", "", MEANS_LOCK + CPU_LOCK_SMPU}, \
	{CPU "LOCK_NS_MPU", PARAM_BOOL, "0", "1: Non-secure MPU registers cannot be written", "", MEANS_LOCK + CPU_LOCK_NSMPU}, \
	{CPU "LOCK_SAU", PARAM_BOOL, "0", "1: SAU registers cannot be written", "", MEANS_LOCK + CPU_LOCK_SAU}, \
	{CPU "LVL_WIDTH", PARAM_INT, "3", "bits of interrupt priority", "[0x3..0x8]", MEANS_PRIORITY_BITS}, \
	{CPU "NUM_IRQ", PARAM_INT, "480", "interrupts", "", MEANS_NOTHING}, \
	{CPU "NUMIRQ", PARAM_INT, "480", "interrupts", "", MEANS_NOTHING}, \
	{CPU "NUM_IDAU_REGION", PARAM_INT, "0", "regions of an IDAU in the core", "", MEANS_NOTHING}, \
	{CPU "BIGENDINIT", PARAM_BOOL, "0", "big-endian data", "", MEANS_LITTLE_ENDIAN}, \
	{CPU "CFGBIGEND", PARAM_BOOL, "0", "big-endian data", "", MEANS_LITTLE_ENDIAN}, \
	{CPU "CFGPAHBSZ", PARAM_INT, "0", "size of the peripheral port", "", MEANS_NOTHING}, \
	{CPU "CFGMEMALIAS", PARAM_INT, "0", "address bits of aliases of the TCMs", "", MEANS_NOTHING}, \
	{CPU "INITTCMEN", PARAM_INT, "3", "TCMs enabled at reset", "", MEANS_NOTHING}, \
	{CPU "INITPAHBEN", PARAM_BOOL, "0", "peripheral port enabled at reset", "", MEANS_NOTHING}, \
	{CPU "INITL1RSTDIS", PARAM_BOOL, "0", "caches keep their contents at reset", "", MEANS_NOTHING}, \
	{CPU "LOCKSVTAIRCR", PARAM_BOOL, "0", "1: VTOR_S, AIRCR.PRIS and BFHFNMINS cannot be written", "", MEANS_LOCK + CPU_LOCK_SVTAIRCR}, \
	{CPU "LOCKNSVTOR", PARAM_BOOL, "0", "1: VTOR_NS cannot be written", "", MEANS_LOCK + CPU_LOCK_NSVTOR}, \
	{CPU "LOCKSMPU", PARAM_BOOL, "0", "1: Secure MPU registers cannot be written", "", MEANS_LOCK + CPU_LOCK_SMPU}, \
	{CPU "LOCKNSMPU", PARAM_BOOL, "0", "1: Non-secure MPU registers cannot be written", "", MEANS_LOCK + CPU_LOCK_NSMPU}, \
	{CPU "LOCKSAU", PARAM_BOOL, "0", "1: SAU registers cannot be written", "", MEANS_LOCK + CPU_LOCK_SAU}, \
	{CPU "LOCKTCM", PARAM_BOOL, "0", "1: ITCMCR and DTCMCR cannot be written", "", MEANS_LOCK + CPU_LOCK_TCM}, \
	{CPU "LOCKITGU", PARAM_BOOL, "0", "1: registers of the ITCM gate unit cannot be written", "", MEANS_LOCK + CPU_LOCK_ITGU}, \
	{CPU "LOCKDTGU", PARAM_BOOL, "0", "1: registers of the DTCM gate unit cannot be written", "", MEANS_LOCK + CPU_LOCK_DTGU}, \
	{CPU "ITGUBLKSZ", PARAM_INT, "8", "blocks of the ITCM gate unit have 2^(n+5) bytes", "[0x0..0xf]", MEANS_ITGU_BLOCK}, \
	{CPU "DTGUBLKSZ", PARAM_INT, "8", "blocks of the DTCM gate unit have 2^(n+5) bytes", "[0x0..0xf]", MEANS_DTGU_BLOCK}, \
	{CPU "LOCKPAHB", PARAM_BOOL, "0", "1: PAHBCR cannot be written", "", MEANS_LOCK + CPU_LOCK_PAHB}, \
	{CPU "ETM", PARAM_BOOL, "1", "embedded trace", "", MEANS_NOTHING}, \
	{CPU "DBGLVL", PARAM_INT, "2", "level of debug", "", MEANS_NOTHING}, \
	{CPU "baseline", PARAM_BOOL, "0", "Armv8-M Baseline", "", MEANS_NOTHING}, \
	{CPU "FPMVE", PARAM_INT, "5", "floating point and vector extension", "", MEANS_NOTHING}, \
	{CPU "vfp-enable_at_reset", PARAM_BOOL, "0", "floating point enabled at reset", "", MEANS_NOTHING}, \
	{CPU "semihosting-prefix", PARAM_BOOL, "0", "semihosting output with the core's name", "", MEANS_NOTHING}, \
	{CPU "min_sync_level", PARAM_INT, "0", "host tuning", "", MEANS_NOTHING}, \
	{CPU "scheduler_mode", PARAM_INT, "0", "host tuning", "", MEANS_NOTHING}, \
	{CPU "max_code_cache_mb", PARAM_INT, "256", "host tuning", "", MEANS_NOTHING}, \
	CPU_REST_PARAMS(CPU)

/* What the MPS3 boards have besides: sizes of the FPGA's memory and of the subsystem's volatile memory. */
#define MPS3_PARAMS \
	{"mps3_board.FPGA_SRAM_SIZE", PARAM_INT, "2", "FPGA SRAM in MiB", "[0x1..0x10]", MEANS_MEMORY_SIZE}, \
	{"mps3_board.platform_type", PARAM_INT, "1", "0 the original MPS3, 1 SSE-300 and later", "", MEANS_NOTHING}, \
	{"mps3_board.sse300.NUMVMBANK", PARAM_INT, "2", "volatile memory banks", "[0x1..0x4]", MEANS_VM_BANKS}, \
	{"mps3_board.sse300.VM_BANK_SIZE", PARAM_INT, "2048", "bank size in KiB", "[0x1..0x8000]", MEANS_VM_BANK_KIB},

#endif
