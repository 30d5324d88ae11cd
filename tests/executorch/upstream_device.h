/* SPDX-License-Identifier: Apache-2.0 */
/* The device header that ExecuTorch's own runner wants from CMSIS, for upstream.py. NPU_IRQ: the accelerator's interrupt. */
#ifndef TESTS_EXECUTORCH_UPSTREAM_DEVICE_H
#define TESTS_EXECUTORCH_UPSTREAM_DEVICE_H

#define __FPU_PRESENT 1U
#define __FPU_DP 1U
#define __DSP_PRESENT 1U
#define __PMU_PRESENT 1U
#define __PMU_NUM_EVENTCNT 8U
#define __MPU_PRESENT 1U
#define __SAUREGION_PRESENT 1U
#define __VTOR_PRESENT 1U
#define __ICACHE_PRESENT 1U
#define __DCACHE_PRESENT 1U
#define __NVIC_PRIO_BITS 3U
#define __CM55_REV 0x0001U
/* Debian's gcc 12 does not define it for the Cortex-M55; without it the runner counts no cycles. */
#define __ARM_ARCH_8_1M_MAIN__ 1

typedef enum {
	NonMaskableInt_IRQn = -14, HardFault_IRQn, MemoryManagement_IRQn, BusFault_IRQn, UsageFault_IRQn, SecureFault_IRQn,
	SVCall_IRQn = -5, DebugMonitor_IRQn, PendSV_IRQn = -2, SysTick_IRQn, ethosu_IRQn = NPU_IRQ,
} IRQn_Type;

#include "core_cm55.h"

#endif
