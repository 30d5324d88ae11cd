/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/timing/profiles.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct npu_memory_profile npu_memory_profiles[] = {
#define P(name, system, text, ...) { name, system, text, { __VA_ARGS__ } },
#include "npu/timing/profiles.def"
#undef P
	{ NULL, NULL, NULL, { { 0 } } },
};

static const struct { const char *name; size_t at; } fields[] = {
#define FIELD(name) { #name, offsetof(struct npu_adapter, name) }
	FIELD(read_latency), FIELD(write_latency), FIELD(max_reads), FIELD(max_writes), FIELD(window), FIELD(open),
	FIELD(cap),
#undef FIELD
};

static bool is_name(const char *text, size_t length, const char *name)
{
	return length == strlen(name) && !strncasecmp(text, name, length);
}

/* Boards give their variants of a system configuration longer names: ..._Mid_512 */
static bool is_system(const char *text, size_t length, const char *system)
{
	size_t known = strlen(system);

	return known && length >= known && !strncasecmp(text, system, known);
}

static const struct npu_memory_profile *find(const char *text, size_t length)
{
	for (const struct npu_memory_profile *p = npu_memory_profiles; p->name; p++)
		if (is_name(text, length, p->name) || is_system(text, length, p->system))
			return p;
	return NULL;
}

const struct npu_memory_profile *npu_memory_profile_default(const struct npu_config *config)
{
	const char *name = config->product == NPU_U55 ? "u55-high-end" :
			   config->product == NPU_U65 ? "u65-high-end" :
			   config->macs <= 256 ? "u85-low" : config->macs <= 1024 ? "u85-mid" : "u85-high";

	return find(name, strlen(name));
}

/* PORT.FIELD=VALUE */
static bool change(const char *text, size_t length, struct npu_adapter adapter[NPU_PORTS])
{
	const char *dot = memchr(text, '.', length), *equals = memchr(text, '=', length);
	char *end;
	unsigned port;

	if (!dot || !equals || equals < dot)
		return false;
	port = is_name(text, (size_t)(dot - text), "ext") ? 1 : 0;
	if (!port && !is_name(text, (size_t)(dot - text), "sram"))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		if (!is_name(dot + 1, (size_t)(equals - dot - 1), fields[i].name))
			continue;
		unsigned long value = strtoul(equals + 1, &end, 0);
		if (end == equals + 1 || end != text + length || value > UINT16_MAX)
			return false;
		*(u32 *)((char *)&adapter[port] + fields[i].at) = (u32)value;
		return true;
	}
	return false;
}

static bool unknown_profile(const char *text, size_t length, char *why, size_t why_size)
{
	const int shown = length < 60 ? (int)length : 60;
	size_t n = (size_t)snprintf(why, why_size, "there is no memory profile '%.*s'; profiles:", shown, text);

	for (const struct npu_memory_profile *p = npu_memory_profiles; p->name && n < why_size; p++)
		n += (size_t)snprintf(why + n, why_size - n, " %s", p->name);
	return false;
}

bool npu_memory_profile_parse(const char *text, const struct npu_memory_profile *base,
			      struct npu_memory_profile *out, char *why, size_t why_size)
{
	size_t length = strcspn(text, ",");
	const struct npu_memory_profile *p = length ? find(text, length) : base;

	if (!p)
		return unknown_profile(text, length, why, why_size);
	*out = *p;
	while (text[length]) {
		text += length + 1;
		length = strcspn(text, ",");
		if (!change(text, length, out->adapter)) {
			snprintf(why, why_size, "cannot read '%.60s': sram or ext, a field, a number up to 65535, "
				 "as in ext.read_latency=250", text);
			return false;
		}
	}
	return true;
}
