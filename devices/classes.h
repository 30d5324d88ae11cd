/* SPDX-License-Identifier: Apache-2.0 */
/* All kinds of devices. Each is described at the head of its .c file. */
#ifndef DEVICES_CLASSES_H
#define DEVICES_CLASSES_H

#include "devices/device.h"

/* name of the class struct */
#define DEVICE_CLASSES(C)       \
	C(uart_class)           \
	C(cmsdk_timer_class)    \
	C(cmsdk_dualtimer_class)\
	C(cmsdk_watchdog_class) \
	C(sys_counter_class)    \
	C(sys_counter_read_class) \
	C(sys_timer_class)      \
	C(sys_watchdog_class)   \
	C(sys_watchdog_refresh_class) \
	C(sysinfo_class)        \
	C(sysctrl_class)        \
	C(ppu_class)            \
	C(cpu_identity_class)   \
	C(cpu_pwrctrl_class)    \
	C(cpu_secctrl_class)    \
	C(sacfg_class)          \
	C(nsacfg_class)         \
	C(mpc_class)            \
	C(scc_class)            \
	C(fpgaio_class)         \
	C(clcd_class)           \
	C(gpio_class)           \
	C(rtc_class)            \
	C(spi_class)            \
	C(i2c_class)            \
	C(i2s_class)            \
	C(dma_pl080_class)      \
	C(ethernet_class)       \
	C(timing_adapter_class) \
	C(dma350_class)         \
	C(hdlcd_class)          \
	C(lcm_class)            \
	C(kmu_class)            \
	C(sam_class)            \
	C(vio_class)            \
	C(vsi_class)            \
	C(absent_class)

#define DECLARE(name) extern const struct device_class name;
DEVICE_CLASSES(DECLARE)
#undef DECLARE

/* Constants (device_row.param) of classes that have some. */
enum { SCC_PARAM_ID, SCC_PARAM_AID };
enum { MPC_PARAM_NS_BASE, MPC_PARAM_S_BASE, MPC_PARAM_SIZE, MPC_PARAM_BLOCK, MPC_PARAM_BIT };
enum { SYSCTRL_PARAM_INITSVTOR, SYSCTRL_PARAM_CPUWAIT };
enum { SYS_COUNTER_PARAM_RUNS };

#endif
