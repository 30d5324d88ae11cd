/* SPDX-License-Identifier: Apache-2.0 */
/* Host registers as the public core driver uses them.
 *
 * Source: ethosu55_interface.h, ethosu65_interface.h, ethosu85_interface.h,
 * ethosu_device_u55_u65.c and ethosu_device_u85.c of the core driver. A reset completes at once
 * (the driver polls STATUS and finds it done). Power and clock requests are stored and have no
 * effect. Access is open to every security level: the board's gates decide who reaches the window. */
#include <string.h>

#include "npu/private.h"

#define HIGH UINT32_MAX
#define NO UINT16_MAX

enum access { RO, RW, FN };

static const struct {
	u16 offset, offset85;
	u8 access;
	u32 reset, mask;
} rows[NPU_REGISTERS] = {
#define R(offset_, offset85_, name_, access_, reset_, mask_, doc_) \
	[NPU_REG_##name_] = { offset_, offset85_, access_, reset_, mask_ },
#include "npu/register.def"
#undef R
};

enum {
	CMD_START = 1u << 0,
	CMD_CLEAR_IRQ = 1u << 1,
	CMD_STOP = 1u << 4,
};

static const char *const names[NPU_REGISTERS] = {
#define R(offset_, offset85_, name_, access_, reset_, mask_, doc_) [NPU_REG_##name_] = #name_,
#include "npu/register.def"
#undef R
};

static bool is_high_part(enum npu_register r)
{
	return r == NPU_REG_QBASE_HI ||
	       (r >= NPU_REG_BASEP0 && r <= NPU_REG_BASEP7_HI && rows[r].offset % 8 == 4);
}

static bool is_u85(const struct npu *n)
{
	return n->options.config->product == NPU_U85;
}

static int find_register(const struct npu *n, u32 offset)
{
	bool u85 = is_u85(n);

	for (int i = 0; i < NPU_REGISTERS; i++)
		if ((u85 ? rows[i].offset85 : rows[i].offset) == offset && offset != NO)
			return i;
	return -1;
}

unsigned npu_register_count(void)
{
	return NPU_REGISTERS;
}

const char *npu_register_at(const struct npu *n, unsigned i, u32 *offset)
{
	*offset = is_u85(n) ? rows[i].offset85 : rows[i].offset;
	return *offset != NO ? names[i] : NULL;
}

void npu_update_irq(struct npu *n)
{
	irq_set(&n->options.irq, (n->s.status & (STATUS_IRQ | STATUS_PMU_IRQ)) != 0);
}

void npu_soft_reset(struct npu *n, u32 protection)
{
	struct npu_state *s = &n->s;

	if (s->status & STATUS_RUNNING)
		npu_job_abort(n, NPU_END_RESET);
	npu_pmu_sync(n);
	for (int i = 0; i < NPU_REGISTERS; i++)
		s->reg[i] = rows[i].reset;
	s->reg[NPU_REG_PROT] = protection & 3;
	s->status = 0;
	s->history = 0;
	s->qread = 0;
	s->fault_interface = s->fault_channel = 0;
	memset(&s->commands, 0, sizeof(s->commands));
	npu_replay_leave(n);
	npu85_carry_forget(&n->carry);
	npu_pmu_reset(n);
	npu_update_irq(n);
}

/* One limit counter: bursts and outstanding transactions. */
static void set_limit(struct npu_ports *p, unsigned i, unsigned beats, u32 reads, u32 writes)
{
	p->burst_bytes[i] = (u16)(64u << (beats > 2 ? 2 : beats));
	p->reads[i] = (u8)(reads + 1);
	p->writes[i] = (u8)(writes + 1);
}

static unsigned region_index(const struct npu *n, unsigned region)
{
	return (n->s.reg[NPU_REG_REGIONCFG] >> (2 * region)) & 3;
}

/* U85: REGIONCFG names a MEM_ATTR, which names the port. Limits 0 and 2 stand for SRAM and EXT. */
static void ports_of_u85(const struct npu *n, struct npu_ports *p)
{
	const u32 *reg = n->s.reg;

	for (unsigned i = 0; i < NPU_REGIONS; i++)
		p->region_attr[i] = (reg[NPU_REG_MEM_ATTR0 + region_index(n, i)] >> 1) & 2;
	p->stream_attr = (reg[NPU_REG_MEM_ATTR0 + (reg[NPU_REG_QCONFIG] & 3)] >> 1) & 2;
	for (unsigned i = 0; i < 4; i++) {
		u32 limit = reg[i < 2 ? NPU_REG_AXI_SRAM : NPU_REG_AXI_EXT];
		set_limit(p, i, limit >> 16 & 3, limit & 63, limit >> 8 & 31);
	}
}

void npu_ports_of(const struct npu *n, struct npu_ports *p)
{
	const u32 *reg = n->s.reg;

	for (unsigned i = 0; i < NPU_PORTS; i++)
		p->adapter[i] = n->s.adapter[i];
	if (is_u85(n)) {
		ports_of_u85(n, p);
		return;
	}
	for (unsigned i = 0; i < NPU_REGIONS; i++)
		p->region_attr[i] = (u8)region_index(n, i);
	p->stream_attr = reg[NPU_REG_QCONFIG] & 3;
	for (unsigned i = 0; i < 4; i++) {
		u32 limit = reg[NPU_REG_AXI_LIMIT0 + i];
		set_limit(p, i, limit & 3, limit >> 16 & 63, limit >> 24 & 31);
	}
}

void npu_region_bytes_of(const struct npu *n, const struct npu_op *op, struct npu_region_bytes *out)
{
	struct npu_ports ports;

	npu_ports_of(n, &ports);
	npu_timing_regions(n->options.config, &ports, op, out);
}

static u32 status(const struct npu *n)
{
	const struct npu_state *s = &n->s;

	return s->status | (u32)s->fault_interface << 11 | (u32)s->fault_channel << 12 |
	       (u32)s->history << 16;
}

/* NPU_SET registers can be read back at 0x800 (cmd0) and 0xa00 (cmd1). */
static u32 read_shadow(const struct npu *n, u32 offset)
{
	if (offset < 0xa00) {
		u32 op = ((offset - 0x800) & 0x100) >> 1 | ((offset & 0xff) >> 2);
		return n->s.commands.c0[op & 0xff];
	}
	u32 at = offset & 0xff, op = ((offset & 0x100) >> 1) | (at >> 6) << 4 | ((at & 0x3f) >> 3);
	if (is_u85(n) && offset >= 0xbc0)
		op = NPU85_CMD_DMA0_IDX_MAX % 256 + ((offset - 0xbc0) >> 3 & 1);
	u64 v = n->s.commands.c1[op];
	return offset & 4 ? (u32)(v >> 32) : (u32)v;
}

static u32 read_window(const struct npu *n, u32 offset)
{
	u32 at = n->s.reg[NPU_REG_DEBUG_ADDRESS] + (offset - 0x400), v = 0;

	if (at + 4 <= NPU_SHRAM_BYTES)
		memcpy(&v, n->s.shram + at, 4);
	return v;
}

u32 npu_read(struct npu *n, u32 offset)
{
	if (offset >= 0x400 && offset < 0x800)
		return read_window(n, offset);
	if (offset >= 0x800 && offset < 0xc00) {
		npu_replay_settle(n);
		return read_shadow(n, offset);
	}
	int r = find_register(n, offset);
	if (r < 0)
		return 0;
	if (rows[r].access != FN)
		return n->s.reg[r];
	switch (r) {
	case NPU_REG_ID: return n->options.config->id_register;
	case NPU_REG_CONFIG: return n->options.config->config_register;
	case NPU_REG_STATUS: return status(n);
	case NPU_REG_QREAD: return n->s.qread;
	case NPU_REG_PID0: return n->options.config->product == NPU_U55 ? 0x80 : is_u85(n) ? 0x82 : 0x81;
	case NPU_REG_COND_STATUS: return n->carry.flag;
	case NPU_REG_CMD:
	case NPU_REG_RESET:
	case NPU_REG_QBASE:
	case NPU_REG_QBASE_HI:
	case NPU_REG_QSIZE: return n->s.reg[r];
	default: return npu_pmu_read(n, (enum npu_register)r);
	}
}

u32 npu_peek(struct npu *n, u32 offset)
{
	const struct npu_pmu pmu = n->s.pmu;
	const struct npu_result result = n->result;
	const struct irq_line irq = n->options.irq;
	const u32 status_before = n->s.status;

	n->options.irq = (struct irq_line){ 0 };
	const u32 value = npu_read(n, offset);
	n->options.irq = irq;
	n->s.status = status_before;
	n->s.pmu = pmu;
	n->result = result;
	return value;
}

static void write_cmd(struct npu *n, u32 value)
{
	struct npu_state *s = &n->s;

	s->history &= (u16)~(value >> 16);
	if (value & CMD_CLEAR_IRQ) {
		s->status &= ~(u32)(STATUS_IRQ | STATUS_PMU_IRQ);
		npu_update_irq(n);
	}
	if ((value & CMD_STOP) && (s->status & STATUS_RUNNING))
		npu_job_abort(n, NPU_END_STOP);
	if ((value & CMD_START) && !(s->status & STATUS_RUNNING))
		npu_job_start(n);
}

static u32 mask_of(const struct npu *n, enum npu_register r)
{
	if (is_high_part(r))
		return n->options.config->address_bits > 32 ? 0xff : 0;
	return rows[r].mask;
}

static void write_at(struct npu *n, int r, u32 value)
{
	if (rows[r].access == RO)
		return;
	if (rows[r].access == FN && r >= NPU_REG_PMCR) {
		npu_pmu_write(n, (enum npu_register)r, value);
		return;
	}
	n->s.reg[r] = (n->s.reg[r] & ~mask_of(n, r)) | (value & mask_of(n, r));
	switch (r) {
	case NPU_REG_RESET:
		npu_soft_reset(n, value);
		break;
	case NPU_REG_CMD:
		write_cmd(n, value);
		break;
	case NPU_REG_QBASE:
	case NPU_REG_QBASE_HI:
	case NPU_REG_QSIZE:
		if (!(n->s.status & STATUS_RUNNING))
			n->s.status &= ~(u32)STATUS_END;
		break;
	default:
		break;
	}
}

void npu_write(struct npu *n, u32 offset, u32 value)
{
	int r = find_register(n, offset);

	if (r >= 0)
		write_at(n, r, value);
}

static void set(struct npu *n, enum npu_register r, u32 value)
{
	if ((is_u85(n) ? rows[r].offset85 : rows[r].offset) != NO)
		write_at(n, (int)r, value);
}

/* As the driver does: fields 0 and 1 stand for port 0, 2 and 3 for port 1. */
static void set_ports(struct npu *n, enum npu_memory_mode mode)
{
	static const u16 regions[] = {
		[NPU_MEMORY_SHARED] = 0x5553, [NPU_MEMORY_DEDICATED] = 0x555b, [NPU_MEMORY_SRAM_ONLY] = 0x5551,
	};
	bool u65 = n->options.config->product == NPU_U65;

	set(n, NPU_REG_QCONFIG, mode == NPU_MEMORY_SRAM_ONLY ? 0 : 2);
	set(n, NPU_REG_REGIONCFG, regions[mode]);
	if (is_u85(n)) {
		set(n, NPU_REG_MEM_ATTR2, 4);
		set(n, NPU_REG_MEM_ATTR3, 4);
		set(n, NPU_REG_AXI_SRAM, 0x20f0b);
		set(n, NPU_REG_AXI_EXT, 0x21f3f);
		return;
	}
	for (unsigned i = 0; i < 4; i++)
		set(n, NPU_REG_AXI_LIMIT0 + i, u65 ? 0x1f3f0000 : 0x0f1f0000);
}

void npu_start(struct npu *n, enum npu_memory_mode mode, u64 stream, u32 stream_bytes, const u64 *base,
	       unsigned bases)
{
	set(n, NPU_REG_RESET, 1);
	set(n, NPU_REG_QBASE, (u32)stream);
	set(n, NPU_REG_QBASE_HI, (u32)(stream >> 32));
	set(n, NPU_REG_QSIZE, stream_bytes);
	set_ports(n, mode);
	for (unsigned i = 0; i < bases && i < NPU_REGIONS; i++) {
		set(n, NPU_REG_BASEP0 + 2 * i, (u32)base[i]);
		set(n, NPU_REG_BASEP0 + 2 * i + 1, (u32)(base[i] >> 32));
	}
	set(n, NPU_REG_CMD, CMD_START);
}
