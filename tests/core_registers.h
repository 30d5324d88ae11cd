/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the core and how to reach them (Armv8-M ARM, D1.2), for test programs that run on a guest. */
#ifndef TESTS_CORE_REGISTERS_H
#define TESTS_CORE_REGISTERS_H

#include <stdint.h>

typedef uint32_t u32;

#define R32(addr) (*(volatile u32 *)(addr))
#define R8(addr) (*(volatile uint8_t *)(addr))
#define SYST_CSR R32(0xE000E010)
#define SYST_RVR R32(0xE000E014)
#define SYST_CVR R32(0xE000E018)
#define ICSR R32(0xE000ED04)
#define VTOR R32(0xE000ED08)
#define AIRCR R32(0xE000ED0C)
#define SCR R32(0xE000ED10)
#define CCR R32(0xE000ED14)
#define SYS_PRIO(n) R8(0xE000ED14 + (n)) /* exception number 4..15 */
#define SHPR3 R32(0xE000ED20)
#define SHCSR R32(0xE000ED24)
#define CFSR R32(0xE000ED28)
#define HFSR R32(0xE000ED2C)
#define MMFAR R32(0xE000ED34)
#define BFAR R32(0xE000ED38)
#define CPACR R32(0xE000ED88)
#define NSACR R32(0xE000ED8C)
#define MPU_CTRL R32(0xE000ED94)
#define MPU_RNR R32(0xE000ED98)
#define MPU_RBAR R32(0xE000ED9C)
#define MPU_RLAR R32(0xE000EDA0)
#define MPU_MAIR0 R32(0xE000EDC0)
#define SAU_CTRL R32(0xE000EDD0)
#define SAU_RNR R32(0xE000EDD8)
#define SAU_RBAR R32(0xE000EDDC)
#define SAU_RLAR R32(0xE000EDE0)
#define SFSR R32(0xE000EDE4)
#define SFAR R32(0xE000EDE8)
#define DEMCR R32(0xE000EDFC)
#define STIR R32(0xE000EF00)
#define FPCCR R32(0xE000EF34)
#define FPCAR R32(0xE000EF38)
#define VTOR_NS R32(0xE002ED08)

#define MRS(name) ({ u32 v_; __asm volatile("mrs %0, " #name : "=r"(v_)); v_; })
#define MSR(name, value) __asm volatile("msr " #name ", %0" :: "r"(value) : "memory")
#define BARRIER() __asm volatile("dsb\n isb" ::: "memory")

#endif
