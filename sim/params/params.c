/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/params/params.h"
#include "sim/params/params_memory.h"
#include "sim/params/params_names.h"
#include "sim/params/values.h"

#include <stdlib.h>
#include <string.h>

/* One parameter being set; number and flag hold the value as the parameter's type says. */
struct setting {
	struct machine_config *c;
	const struct board_param *param;
	unsigned digit; /* of '#' */
	char *text;
	u64 number;
	bool flag;
};

static const struct npu_config *npu_with_macs(const struct npu_config *present, u64 macs)
{
	for (const struct npu_config *n = npu_configs; n->name; n++)
		if (present && n->product == present->product && n->macs == macs)
			return n;
	return NULL;
}

static bool set_macs(const struct setting *s)
{
	u64 macs = s->number;

	if (s->param->type == PARAM_STRING && (s->text[0] != 'H' || !value_u64(s->text + 1, &macs)))
		return !*s->text;

	const struct npu_config *npu = npu_with_macs(s->c->npu, macs);

	if (npu)
		s->c->npu = npu;
	return npu != NULL;
}

static bool set_small(unsigned *to, u64 value, u64 limit)
{
	*to = (unsigned)value;
	return value <= limit;
}

static bool set_u32(u32 *to, u64 value)
{
	*to = (u32)value;
	return value <= UINT32_MAX;
}

/* Bit 0: there is one, of 4 KiB and as many more as the other bits say, a power of two. */
static bool set_cache(unsigned *bytes, u64 code)
{
	const u64 pages = code / 2 + 1;

	*bytes = code & 1 ? (unsigned)pages * 4096 : 0;
	return code < 32 && (!(code & 1) || !(pages & (pages - 1)));
}

/* Another vector base than the board's means: start from that table, not at the ELF entry. */
static bool set_vector_base(const struct setting *s)
{
	if ((s->number & ~UINT64_C(127)) == s->c->board->cpu.initsvtor)
		return true;
	s->c->initsvtor_given = true;
	return set_u32(&s->c->cpu.initsvtor, s->number & ~UINT64_C(127));
}

static bool set_lock(const struct setting *s)
{
	const u32 input = 1u << (s->param->meaning - MEANS_LOCK);

	s->c->cpu_locks = s->flag ? s->c->cpu_locks | input : s->c->cpu_locks & ~input;
	return true;
}

static bool apply_uart(const struct setting *s)
{
	struct uart_config *u = &s->c->uart[s->digit];

	switch (s->param->meaning) {
	case MEANS_UART_OUT: u->out_file = s->text; break;
	case MEANS_UART_IN: u->in_file = s->text; break;
	case MEANS_UART_UNBUFFERED: u->unbuffered = s->flag; break;
	case MEANS_UART_EOT: u->shutdown_on_eot = s->flag; break;
	case MEANS_UART_OVERRUN: u->overruns = !s->number; return s->number <= 2;
	default: u->shutdown_tag = s->text; break;
	}
	return true;
}

static bool apply(const struct setting *s)
{
	struct machine_config *c = s->c;

	if (s->param->meaning >= MEANS_LOCK)
		return set_lock(s);
	switch (s->param->meaning) {
	case MEANS_LOCK: case MEANS_LOCKS_END:
	case MEANS_NOTHING: case MEANS_TERMINAL_START: return true;
	case MEANS_NPU_ARGS: c->npu_args = s->text; return true;
	case MEANS_SCRIPTS: c->script_folder = s->text; return true;
	case MEANS_LITTLE_ENDIAN: return !s->flag;
	case MEANS_VM_BANKS: return memory_set_banks(c, s->number);
	case MEANS_MACS: return set_macs(s);
	case MEANS_UART_OUT: case MEANS_UART_IN: case MEANS_UART_UNBUFFERED: case MEANS_UART_EOT:
	case MEANS_UART_TAG: case MEANS_UART_OVERRUN: return apply_uart(s);
	case MEANS_SEMIHOSTING: c->semihosting.enable = s->flag; return true;
	case MEANS_SEMIHOSTING_CMDLINE: c->semihosting.command_line = s->text; return true;
	case MEANS_SEMIHOSTING_DIR: c->semihosting.directory = s->text; return true;
	case MEANS_SEMIHOSTING_HEAP_BASE: return set_u32(&c->semihosting.heap_base, s->number);
	case MEANS_SEMIHOSTING_HEAP_LIMIT: return set_u32(&c->semihosting.heap_limit, s->number);
	case MEANS_SEMIHOSTING_STACK_BASE: return set_u32(&c->semihosting.stack_base, s->number);
	case MEANS_SEMIHOSTING_STACK_LIMIT: return set_u32(&c->semihosting.stack_limit, s->number);
	case MEANS_INITSVTOR: return set_vector_base(s);
	case MEANS_INITNSVTOR: return set_u32(&c->cpu.initnsvtor, s->number & ~UINT64_C(127));
	case MEANS_CLOCK: c->cpu.clock_hz = s->number; return s->number > 0;
	case MEANS_MEMORY_SIZE: case MEANS_VM_BANK_KIB: return memory_set_size(c, s->param->name, s->number);
	case MEANS_FILL: return memory_set_fill(c, s->param->name, s->number);
	case MEANS_MPU_S: return set_small(&c->cpu.mpu_s_regions, s->number, 16);
	case MEANS_MPU_NS: return set_small(&c->cpu.mpu_ns_regions, s->number, 16);
	case MEANS_SAU: return set_small(&c->cpu.sau_regions, s->number, 8);
	case MEANS_PRIORITY_BITS: return s->number >= 3 && set_small(&c->cpu.priority_bits, s->number, 8);
	case MEANS_ITGU_BLOCK: return set_small(&c->cpu.tgu_block[0], s->number, 15);
	case MEANS_DTGU_BLOCK: return set_small(&c->cpu.tgu_block[1], s->number, 15);
	case MEANS_ICACHE_SIZE: return set_cache(&c->cpu.icache_size, s->number);
	case MEANS_DCACHE_SIZE: return set_cache(&c->cpu.dcache_size, s->number);
	case MEANS_CPI_MUL: return set_u32(&c->cpu.cpi_mul, s->number) && s->number;
	case MEANS_CPI_DIV: return set_u32(&c->cpu.cpi_div, s->number) && s->number;
	case MEANS_PACBTI: c->cpu.pacbti = s->param->type == PARAM_BOOL ? s->flag : s->number != 0; return true;
	case MEANS_DISABLE_GATING: c->gating = !s->flag; return true;
	case MEANS_IDAU_REGIONS: c->no_idau = !s->number; return true;
	case MEANS_CPU_WAITS: c->cpu_waits = s->flag; return true;
	case MEANS_COUNTER_RUNS: c->counter_waits = !s->flag; return true;
	case MEANS_NSC_CODE: c->nsccfg = (c->nsccfg & ~1u) | s->flag; return true;
	case MEANS_NSC_RAM: c->nsccfg = (c->nsccfg & ~2u) | (u32)s->flag << 1; return true;
	}
	return true;
}

static bool read_value(struct setting *s)
{
	if (s->param->type == PARAM_BOOL)
		return value_bool(s->text, &s->flag);
	return s->param->type == PARAM_STRING || value_u64(s->text, &s->number);
}

/* What would be possible: of MAC units the sizes of the board's product. */
static void explain_value(const struct setting *s, const char *name, char *why, size_t why_size)
{
	static const char *const types[] = { [PARAM_BOOL] = "0 or 1", [PARAM_INT] = "a number", [PARAM_STRING] = "text" };
	size_t n = (size_t)snprintf(why, why_size, "%.100s=%.60s is not possible; give ", name, s->text);

	if (s->param->meaning == MEANS_LITTLE_ENDIAN) {
		snprintf(why + n, why_size - n, "0: data is little-endian");
		return;
	}
	if (s->param->meaning != MEANS_MACS) {
		snprintf(why + n, why_size - n, "%s%s%s", types[s->param->type], *s->param->range ? " " : "", s->param->range);
		return;
	}
	n += (size_t)snprintf(why + n, why_size - n, "one of");
	for (const struct npu_config *c = npu_configs; c->name; c++)
		if (s->c->npu && c->product == s->c->npu->product)
			n += (size_t)snprintf(why + n, why_size - n, s->param->type == PARAM_STRING ? " H%u" : " %u", c->macs);
}

enum params_result params_set(struct run_config *run, const char *name, char *value, char *why, size_t why_size)
{
	struct setting s = { .c = &run->machine, .text = value };
	const size_t length = strlen(value);

	s.param = params_find(run->machine.board, name, &s.digit);
	if (!s.param && params_of_plugin(name))
		return PARAMS_SET;
	if (!s.param && params_of_absent_part(run->machine.board, name)) {
		snprintf(why, why_size, "the parameter '%.100s' belongs to a part that is not modelled: the program runs without", name);
		return PARAMS_ABSENT;
	}
	if (!s.param) {
		params_explain_unknown(run->machine.board, name, why, why_size);
		return PARAMS_WRONG;
	}
	if (length >= 2 && (value[0] == '\'' || value[0] == '"') && value[length - 1] == value[0]) {
		value[length - 1] = 0; /* quotes that a layer above has kept */
		s.text = value + 1;
	}
	if (read_value(&s) && apply(&s))
		return PARAMS_SET;
	explain_value(&s, name, why, why_size);
	return PARAMS_WRONG;
}

static void list_one(const struct board_param *p, const char *name, FILE *out)
{
	static const char *const types[] = { [PARAM_BOOL] = "bool", [PARAM_INT] = "int", [PARAM_STRING] = "string" };

	fprintf(out, "%s=%-20s # (%-6s, init-time) default = '%s' : %s", name, *p->value ? p->value : "''", types[p->type],
		p->value, p->text);
	fprintf(out, *p->range ? " : %s\n" : "\n", p->range);
}

void params_list(const struct board *board, FILE *out)
{
	fputs("# Parameters:\n"
	      "# instance.parameter=value       #(type, mode) default = 'def value' : description : [min..max]\n"
	      "#----------------------------------------------------------------------------------------------\n",
	      out);
	for (const struct board_param *p = board->params; p->name; p++) {
		char name[128];
		char *digit;

		snprintf(name, sizeof name, "%s", p->name);
		digit = strchr(name, '#');
		for (unsigned i = 0; i < (digit ? CONFIG_UARTS : 1); i++) {
			if (digit)
				*digit = (char)('0' + i);
			list_one(p, name, out);
		}
	}
}
