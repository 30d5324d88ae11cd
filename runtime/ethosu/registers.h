/* SPDX-License-Identifier: Apache-2.0 */
/* Host registers of the Ethos-U55, U65 and U85 (their Technical Reference Manuals, register summary). The U85 has its
 * PMU at another offset, and other registers for the outstanding transactions. */
#ifndef RUNTIME_ETHOSU_REGISTERS_H
#define RUNTIME_ETHOSU_REGISTERS_H

#include <stdint.h>

#include BOARD_HEADER

#define ETHOSU_REG(offset) (*(volatile uint32_t *)(BOARD_ETHOSU_BASE + (offset)))
#define ETHOSU_ID ETHOSU_REG(0x000)
#define ETHOSU_STATUS ETHOSU_REG(0x004)
#define ETHOSU_CMD ETHOSU_REG(0x008)
#define ETHOSU_RESET ETHOSU_REG(0x00c)
#define ETHOSU_QBASE ETHOSU_REG(0x010)
#define ETHOSU_QBASE_HI ETHOSU_REG(0x014)
#define ETHOSU_QREAD ETHOSU_REG(0x018)
#define ETHOSU_QCONFIG ETHOSU_REG(0x01c)
#define ETHOSU_QSIZE ETHOSU_REG(0x020)
#define ETHOSU_PROT ETHOSU_REG(0x024)
#define ETHOSU_CONFIG ETHOSU_REG(0x028)
#define ETHOSU_REGIONCFG ETHOSU_REG(0x03c)
#define ETHOSU_AXI_LIMIT(n) ETHOSU_REG(0x040 + 4 * (n)) /* U55, U65 */
#define ETHOSU_MEM_ATTR(n) ETHOSU_REG(0x040 + 4 * (n))  /* U85 */
#define ETHOSU_AXI_SRAM ETHOSU_REG(0x050)               /* U85 */
#define ETHOSU_AXI_EXT ETHOSU_REG(0x054)                /* U85 */
#define ETHOSU_BASEP(n) ETHOSU_REG(0x080 + 8 * (n))
#define ETHOSU_BASEP_HI(n) ETHOSU_REG(0x084 + 8 * (n))

/* PMU, relative to its place: 0 on U55 and U65, 0x1000 on U85. */
#define ETHOSU_PMCR(pmu) ETHOSU_REG((pmu) + 0x180)
#define ETHOSU_PMCNTENSET(pmu) ETHOSU_REG((pmu) + 0x184)
#define ETHOSU_PMCNTENCLR(pmu) ETHOSU_REG((pmu) + 0x188)
#define ETHOSU_PMCCNTR(pmu) ETHOSU_REG((pmu) + 0x1a0)
#define ETHOSU_PMCCNTR_HI(pmu) ETHOSU_REG((pmu) + 0x1a4)
#define ETHOSU_PMCCNTR_CFG(pmu) ETHOSU_REG((pmu) + 0x1a8)
#define ETHOSU_PMEVCNTR(pmu, n) ETHOSU_REG((pmu) + 0x300 + 4 * (n))
#define ETHOSU_PMEVTYPER(pmu, n) ETHOSU_REG((pmu) + 0x380 + 4 * (n))

#define ETHOSU_STATUS_RESET (1u << 3)
#define ETHOSU_STATUS_END (1u << 5)
#define ETHOSU_STATUS_ERRORS (1u << 2 | 1u << 4 | 1u << 7 | 1u << 8)
#define ETHOSU_CMD_RUN (1u << 0)
#define ETHOSU_CMD_CLEAR_IRQ (1u << 1)
#define ETHOSU_CMD_CLOCK_Q (1u << 2)
#define ETHOSU_CMD_POWER_Q (1u << 3)
#define ETHOSU_RESET_PRIVILEGED_SECURE 1u

#define ETHOSU_PRODUCT(config) ((config) >> 28) /* 0: U55, 1: U65, 2: U85 */

#endif
