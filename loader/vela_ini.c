/* SPDX-License-Identifier: Apache-2.0 */
#include "loader/vela_ini.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST_INHERITANCE = 8, LONGEST = 80 };

/* Part of a text. */
struct span { const char *at; size_t size; };

static struct span trimmed(const char *at, const char *end)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	return (struct span){ at, (size_t)(end - at) };
}

static bool is(struct span s, const char *text)
{
	return s.size == strlen(text) && !strncasecmp(s.at, text, s.size);
}

/* One line after the other, without comments that fill a line; false at the end. */
static bool next_line(const char **text, struct span *line)
{
	do {
		if (!**text)
			return false;
		const char *end = *text + strcspn(*text, "\n");

		*line = trimmed(*text, end);
		*text = *end ? end + 1 : end;
	} while (!line->size || *line->at == ';' || *line->at == '#');
	return true;
}

/* The name in "[name]", empty for other lines. */
static struct span section_name(struct span line)
{
	if (line.size < 2 || line.at[0] != '[' || line.at[line.size - 1] != ']')
		return (struct span){ line.at, 0 };
	return trimmed(line.at + 1, line.at + line.size - 1);
}

/* The lines behind a section's head, NULL: there is none of this name. */
static const char *find_section(const char *text, const char *name)
{
	struct span line;

	while (next_line(&text, &line))
		if (is(section_name(line), name))
			return text;
	return NULL;
}

/* The value of a key in the section itself. */
static bool own_value(const char *lines, const char *key, struct span *out)
{
	struct span line;

	while (next_line(&lines, &line) && !section_name(line).size) {
		const char *equals = memchr(line.at, '=', line.size);

		if (!equals || !is(trimmed(line.at, equals), key))
			continue;
		*out = trimmed(equals + 1, line.at + line.size);
		return true;
	}
	return false;
}

/* The value of a key in the section or in those it inherits from. */
static bool value_of(const char *text, const char *section, const char *key, struct span *out)
{
	char name[LONGEST];
	const char *lines = find_section(text, section);

	for (unsigned i = 0; lines && i < DEEPEST_INHERITANCE; i++) {
		if (own_value(lines, key, out))
			return true;
		if (!own_value(lines, "inherit", out))
			return false;
		snprintf(name, sizeof name, "%.*s", (int)out->size, out->at);
		lines = find_section(text, name);
	}
	return false;
}

static bool no_section(const char *text, const char *kind, const char *name, char *why, size_t why_size)
{
	struct span line;
	size_t n = (size_t)snprintf(why, why_size, "no section [%s.%.40s]", kind, name);
	const char *before = "; there are:";

	while (next_line(&text, &line) && n < why_size) {
		const struct span s = section_name(line);
		const size_t prefix = strlen(kind) + 1;

		if (s.size <= prefix || strncasecmp(s.at, kind, prefix - 1) != 0)
			continue;
		n += (size_t)snprintf(why + n, why_size - n, "%s %.*s", before, (int)(s.size - prefix), s.at + prefix);
		before = "";
	}
	if (*before && n < why_size)
		snprintf(why + n, why_size - n, ", nor any other %s", kind);
	return false;
}

/* A number of the memory `area`, times `scale`; the default where the file has none. */
static bool number(const char *text, const char *section, struct span area, const char *what, double scale, u32 *out,
		   char *why, size_t why_size)
{
	char key[LONGEST], digits[LONGEST], *end;
	struct span v;

	snprintf(key, sizeof key, "%.*s_%s", (int)area.size, area.at, what);
	if (!value_of(text, section, key, &v))
		return true;
	snprintf(digits, sizeof digits, "%.*s", (int)v.size, v.at);
	const double value = strtod(digits, &end) * scale;

	if (end == digits || (*end && *end != ';' && !isspace((unsigned char)*end)) || !(value >= 0 && value <= 65535)) {
		snprintf(why, why_size, "[%s]: %s=%s is no number from 0 to 65535", section, key, digits);
		return false;
	}
	*out = (u32)(value + 0.5);
	return true;
}

static bool read_memory(const char *text, const char *section, unsigned port, struct vela_memory *m, char *why, size_t size)
{
	char key[] = "axi0_port";
	struct span area;
	u32 ports = 1;

	key[3] = (char)('0' + port);
	if (!value_of(text, section, key, &area)) {
		snprintf(why, size, "[%s] has no %s: which memory lies behind that port?", section, key);
		return false;
	}
	*m = (struct vela_memory){ .per_mille = 1000 };
	if (!number(text, section, area, "read_latency", 1, &m->read_latency, why, size) ||
	    !number(text, section, area, "write_latency", 1, &m->write_latency, why, size) ||
	    !number(text, section, area, "max_reads", 1, &m->max_reads, why, size) ||
	    !number(text, section, area, "max_writes", 1, &m->max_writes, why, size) ||
	    !number(text, section, area, "clock_scale", 1000, &m->per_mille, why, size) ||
	    !number(text, section, area, "ports_used", 1, &ports, why, size))
		return false;
	if (!m->per_mille || !ports) {
		snprintf(why, size, "[%s]: %.*s moves nothing (clock_scale or ports_used is 0)", section, (int)area.size, area.at);
		return false;
	}
	m->per_mille *= ports;
	return true;
}

bool vela_ini_system(const char *text, const char *name, struct vela_memory out[VELA_PORTS], char *why, size_t why_size)
{
	char section[LONGEST];

	snprintf(section, sizeof section, "System_Config.%s", name);
	if (!find_section(text, section))
		return no_section(text, "System_Config", name, why, why_size);
	for (unsigned port = 0; port < VELA_PORTS; port++)
		if (!read_memory(text, section, port, &out[port], why, why_size))
			return false;
	return true;
}

static bool read_area(const char *text, const char *section, const char *key, u8 *out, char *why, size_t why_size)
{
	struct span v;

	if (value_of(text, section, key, &v) && (is(v, "Axi0") || is(v, "Axi1"))) {
		*out = v.at[3] == '1';
		return true;
	}
	snprintf(why, why_size, "[%s]: %s must be Axi0 or Axi1", section, key);
	return false;
}

bool vela_ini_mode(const char *text, const char *name, struct vela_mode *out, char *why, size_t why_size)
{
	char section[LONGEST];

	snprintf(section, sizeof section, "Memory_Mode.%s", name);
	if (!find_section(text, section))
		return no_section(text, "Memory_Mode", name, why, why_size);
	return read_area(text, section, "const_mem_area", &out->constants, why, why_size) &&
	       read_area(text, section, "arena_mem_area", &out->arena, why, why_size);
}
