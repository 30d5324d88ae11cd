/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerators as data: every Ethos-U product and MAC configuration.
 * Sources: configuration tables of Vela 5.2 (architecture_features.py, ethos_u55/65/85.cpp),
 * register values of the public core driver's interface headers. */
#ifndef NPU_CONFIG_H
#define NPU_CONFIG_H

#include "memory/types.h"

/* Bits, so that tables can say "legal on". Values of the CONFIG.product field: log2. */
enum npu_product {
	NPU_U55 = 1,
	NPU_U65 = 2,
	NPU_U85 = 4,
};

struct npu_config {
	const char *name;    /* "ethos-u55-128" */
	u8 product;          /* enum npu_product */
	u16 macs;            /* multiply-accumulates per cycle, all cores */
	u8 cores;            /* weight decoders; U65-512: 2 */
	u8 address_bits;     /* 32 or 40 */
	u8 axi_bytes;        /* width of a port's data bus */
	u8 ofm_ublock_h, ofm_ublock_w, ofm_ublock_d; /* elements; per core */
	u8 ifm_ublock_d;
	u8 shram_kib;        /* per core; U85: 0 */
	u16 lut_base;        /* SHRAM byte address of the lookup tables */
	u8 pmu_counters;     /* event counters, without that of cycles */
	u8 sram_ports, ext_ports; /* AXI ports towards SRAM and external memory; U55/U65: M0 and M1, one each */
	u32 id_register;     /* reset values */
	u32 config_register;
};

/* All accelerators, in the order of the command line's help; ends with name NULL. */
extern const struct npu_config npu_configs[];

/* By name, NULL when unknown. Accepts any letter case and '_' for '-'. */
const struct npu_config *npu_config_find(const char *name);

/* By CONFIG register value as found in a compiled model (product, MACs, cores decide). */
const struct npu_config *npu_config_of_register(u32 config_register);

#endif
