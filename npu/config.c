/* SPDX-License-Identifier: Apache-2.0 */
/* Table of accelerators; see config.h. */
#include "npu/config.h"

#include <ctype.h>
#include <stddef.h>

#define U55(name_, macs_, h, w, d, kib, config) { \
	.name = name_, .product = NPU_U55, .macs = macs_, .cores = 1, .address_bits = 32, \
	.axi_bytes = 8, .ofm_ublock_h = h, .ofm_ublock_w = w, .ofm_ublock_d = d, .ifm_ublock_d = 8, \
	.shram_kib = kib, .lut_base = ((kib) - 2) * 1024, .pmu_counters = 4, .sram_ports = 1, \
	.ext_ports = 1, .id_register = 0x10104201, .config_register = config }
#define U65(name_, macs_, cores_, config) { \
	.name = name_, .product = NPU_U65, .macs = macs_, .cores = cores_, .address_bits = 40, \
	.axi_bytes = 16, .ofm_ublock_h = 2, .ofm_ublock_w = 2, .ofm_ublock_d = 8, .ifm_ublock_d = 8, \
	.shram_kib = 48, .lut_base = 46 * 1024, .pmu_counters = 4, .sram_ports = 1, \
	.ext_ports = 1, .id_register = 0x10066001, .config_register = config }
#define U85(name_, macs_, cores_, h, w, d, sram, ext, config) { \
	.name = name_, .product = NPU_U85, .macs = macs_, .cores = cores_, .address_bits = 40, \
	.axi_bytes = 16, .ofm_ublock_h = h, .ofm_ublock_w = w, .ofm_ublock_d = d, .ifm_ublock_d = 8, \
	.shram_kib = 0, .lut_base = 0, .pmu_counters = 8, .sram_ports = sram, \
	.ext_ports = ext, .id_register = 0x20007000, .config_register = config }

const struct npu_config npu_configs[] = {
	U55("ethos-u55-32", 32, 1, 1, 4, 16, 0x00001005),
	U55("ethos-u55-64", 64, 1, 1, 8, 16, 0x00001006),
	U55("ethos-u55-128", 128, 1, 2, 8, 24, 0x00001807),
	U55("ethos-u55-256", 256, 2, 2, 8, 48, 0x00003008),
	U65("ethos-u65-256", 256, 1, 0x10003008),
	U65("ethos-u65-512", 512, 2, 0x10006009),
	/* U85 chooses its ublock per operation (ACC_FORMAT); here the first of the list. */
	U85("ethos-u85-128", 128, 1, 1, 2, 8, 2, 1, 0x20000117),
	U85("ethos-u85-256", 256, 1, 1, 2, 16, 2, 1, 0x20000118),
	U85("ethos-u85-512", 512, 2, 2, 2, 16, 2, 1, 0x20001119),
	U85("ethos-u85-1024", 1024, 4, 2, 2, 32, 2, 2, 0x2000251a),
	U85("ethos-u85-2048", 2048, 4, 2, 2, 64, 4, 2, 0x2000261b),
	{ .name = NULL },
};

static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		int ca = *a == '_' ? '-' : tolower((unsigned char)*a);
		if (ca != *b)
			return false;
	}
	return *a == *b;
}

const struct npu_config *npu_config_find(const char *name)
{
	for (const struct npu_config *c = npu_configs; c->name; c++)
		if (same_name(name, c->name))
			return c;
	return NULL;
}

const struct npu_config *npu_config_of_register(u32 config_register)
{
	/* product and log2(MACs) identify every configuration */
	for (const struct npu_config *c = npu_configs; c->name; c++)
		if ((c->config_register & 0xf000000f) == (config_register & 0xf000000f))
			return c;
	return NULL;
}
