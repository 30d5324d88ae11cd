/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of parts that are modelled which change nothing here: a list that --list-params of an
 * FVP has written, with all its 1,700 names, is a parameter file (-f), too. Names, types and
 * defaults: such a list of FVP_MPS3_Corstone_SSE-300. */
#ifndef SIM_BOARDS_PARAMS_REST_H
#define SIM_BOARDS_PARAMS_REST_H

#include "sim/board.h"

#define REST_BOOL(NAME, VALUE, TEXT) {NAME, PARAM_BOOL, VALUE, TEXT, "", MEANS_NOTHING}
#define REST_INT(NAME, VALUE, TEXT) {NAME, PARAM_INT, VALUE, TEXT, "", MEANS_NOTHING}
#define REST_TEXT(NAME, VALUE, TEXT) {NAME, PARAM_STRING, VALUE, TEXT, "", MEANS_NOTHING}

/* Memory here begins as zeros unless told otherwise: the FVPs' words are 0xdfdfdfcf and 0xcfdfdfdf. */
#define FILL_WORD(NAME, TEXT) {NAME, PARAM_INT, "0", TEXT " word of the pattern that memory begins with", "[0x0..0xffffffff]", MEANS_FILL}
#define FILL_PARAMS(NAME) \
	FILL_WORD(NAME ".fill1", "first"), FILL_WORD(NAME ".fill2", "second"), \
	REST_BOOL(NAME ".enable_atomic_ops", "0", "atomic bus transfers"),

#define MEMORY_PARAMS(NAME) \
	REST_INT(NAME ".read_latency", "0", "picoseconds per byte"), \
	REST_INT(NAME ".write_latency", "0", "picoseconds per byte"), \
	FILL_PARAMS(NAME)

#define DISABLED_INTERRUPTS(CPU, WORD) \
	REST_INT(CPU "IRQDIS" #WORD, "0", "interrupts that the core lacks, a bit for each"),

#define CPU_REST_PARAMS(CPU) \
	DISABLED_INTERRUPTS(CPU, 0) DISABLED_INTERRUPTS(CPU, 1) DISABLED_INTERRUPTS(CPU, 2) \
	DISABLED_INTERRUPTS(CPU, 3) DISABLED_INTERRUPTS(CPU, 4) DISABLED_INTERRUPTS(CPU, 5) \
	DISABLED_INTERRUPTS(CPU, 6) DISABLED_INTERRUPTS(CPU, 7) DISABLED_INTERRUPTS(CPU, 8) \
	DISABLED_INTERRUPTS(CPU, 9) DISABLED_INTERRUPTS(CPU, 10) DISABLED_INTERRUPTS(CPU, 11) \
	DISABLED_INTERRUPTS(CPU, 12) DISABLED_INTERRUPTS(CPU, 13) DISABLED_INTERRUPTS(CPU, 14) \
	REST_INT(CPU "BEATS_PER_TICK", "2", "beats of vector instructions at a time"), \
	REST_BOOL(CPU "BF_is_nop", "0", "branch future does nothing"), \
	REST_BOOL(CPU "has_cde", "0", "custom datapath extension"), \
	REST_TEXT(CPU "cde_impl_name", "", "plug-in of the custom datapath extension"), \
	REST_INT(CPU "CDEMAPPEDONCP", "255", "coprocessors of the custom datapath extension"), \
	REST_INT(CPU "CFGNOCDECP", "0", "coprocessors that are not"), \
	REST_INT(CPU "CPNSPRESENT", "255", "coprocessors in Non-secure state"), \
	REST_INT(CPU "CPSPRESENT", "255", "coprocessors in Secure state"), \
	REST_INT(CPU "ECOREVNUM", "0", "revision of changes after tape-out"), \
	REST_INT(CPU "WICLINES", "35", "lines of the wake-up interrupt controller"), \
	REST_INT(CPU "master_id", "0", "number of the core on the bus"), \
	REST_BOOL(CPU "has_pmu", "0", "performance counters"), \
	REST_INT(CPU "num_pmu_counters", "31", "performance counters"), \
	REST_BOOL(CPU "has_unpriviledged_debug", "1", "unprivileged debug"), \
	REST_INT(CPU "icache-ways", "2", "ways of the instruction cache"), \
	REST_INT(CPU "dcache-ways", "4", "ways of the data cache"), \
	REST_BOOL(CPU "aircr_iesb_is_writable", "1", "AIRCR.IESB can be written"), \
	REST_BOOL(CPU "aircr_iesb_reset", "0", "AIRCR.IESB at reset"), \
	REST_BOOL(CPU "delay_faultmask_update", "0", "FAULTMASK takes effect at a barrier"), \
	REST_BOOL(CPU "delay_sysreg_update", "0", "system registers take effect at a barrier"), \
	REST_BOOL(CPU "duplicate_CADI_TCM_writes", "0", "a debugger writes TCMs and what is behind"), \
	REST_BOOL(CPU "execute_via_archex", "1", "host tuning"), \
	REST_BOOL(CPU "ecc_on", "0", "error correction"), \
	FILL_WORD(CPU "tcm_fill_pattern_1", "first"), FILL_WORD(CPU "tcm_fill_pattern_2", "second"), \
	REST_INT(CPU "trace_style", "0", "form of instruction traces"), \
	REST_TEXT(CPU "unpred_config_json_file", "", "choices where behaviour is unpredictable"), \
	REST_TEXT(CPU "mve_unpred_config_json", "", "the same of vector instructions"), \
	REST_TEXT(CPU "ras_ERRFR0", "", "fields of the error record"), \
	REST_INT(CPU "ras_error_record", "1", "error records"), \
	REST_INT(CPU "ras_fhi_pin", "0", "pin of the fault handling interrupt"), \
	REST_INT(CPU "ras_eri_pin", "1", "pin of the error recovery interrupt"), \
	REST_INT(CPU "ras_cei_pin", "2", "pin of the critical error interrupt"), \
	REST_BOOL(CPU "ras_fhi_support", "1", "fault handling interrupt"), \
	REST_BOOL(CPU "ras_eri_support", "1", "error recovery interrupt"), \
	REST_BOOL(CPU "ras_cei_support", "1", "critical error interrupt"),

#define EXPANSION_PPC(BOARD, NUMBER) \
	REST_INT(BOARD "AHBPPCEXP_DIS" #NUMBER, "0", "ports that the expansion PPC lacks, a bit for each"), \
	REST_INT(BOARD "APBPPCEXP_DIS" #NUMBER, "0", "ports that the expansion PPC lacks, a bit for each"),

#define BOARD_REST_PARAMS(BOARD, SYSTEM) \
	MEMORY_PARAMS(BOARD "ddr") MEMORY_PARAMS(BOARD "sram") MEMORY_PARAMS(BOARD "qspi_sram") \
	FILL_PARAMS(BOARD "ssram1") FILL_PARAMS(BOARD "ssram2") \
	EXPANSION_PPC(BOARD, 0) EXPANSION_PPC(BOARD, 1) EXPANSION_PPC(BOARD, 2) EXPANSION_PPC(BOARD, 3) \
	REST_BOOL(BOARD "HAS_CRYPTO", "0", "CryptoCell"), \
	REST_BOOL(BOARD "HAS_CSS", "0", "CoreSight infrastructure"), \
	REST_INT(BOARD "extra_psram_size", "0x2000000", "size of further PSRAM"), \
	REST_BOOL(BOARD "gpio_test_enable", "0", "connections for a test of the GPIO"), \
	REST_TEXT(BOARD "hostbridge.userNetOptions", "", "user mode networking"), \
	REST_INT(BOARD "smsc_91c111.cache_size", "65536", "buffers of the Ethernet controller"), \
	REST_BOOL(BOARD "smsc_91c111.not_lan911x", "0", "a driver for LAN911x finds nothing"), \
	REST_BOOL(BOARD "smsc_91c111.promiscuous", "1", "the host's port takes every frame"), \
	REST_INT(SYSTEM "NUMCPU", "1", "processors"), \
	REST_BOOL(SYSTEM "iotss3_systemcontrol.cpu1wait", "1", "the second processor waits at reset"), \
	REST_BOOL(SYSTEM "iotss3_systemcontrol.cpu2wait", "1", "the third processor waits at reset"), \
	REST_BOOL(SYSTEM "iotss3_systemcontrol.cpu3wait", "1", "the fourth processor waits at reset"),

#endif
