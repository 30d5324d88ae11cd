/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fvp_params.h"
#include "loader/file.h"
#include "sim/exit.h"
#include "sim/params.h"

#include <stdio.h>
#include <string.h>

static int set(struct run_config *c, const char *name, char *value)
{
	char why[256];

	switch (params_set(c, name, value, why, sizeof why)) {
	case PARAMS_SET:
		return 0;
	case PARAMS_ABSENT:
		if (!c->quiet)
			fprintf(stderr, "fvp-sim: note: %s\n", why);
		return 0;
	case PARAMS_WRONG:
		break;
	}
	fprintf(stderr, "fvp-sim: %s\n", why);
	return EXIT_USAGE;
}

static int no_value(const char *text)
{
	fprintf(stderr, "fvp-sim: -C: '%s' is not possible; give INSTANCE.PARAMETER=VALUE\n", text);
	return EXIT_USAGE;
}

int fvp_set_parameter(struct run_config *c, char *text)
{
	char *equals = strchr(text, '=');

	if (!equals)
		return no_value(text);
	*equals = 0;
	return set(c, text, equals + 1);
}

/* Cuts white space at both ends. */
static char *strip(char *text)
{
	char *end;

	text += strspn(text, " \t\r");
	end = text + strlen(text);
	while (end > text && strchr(" \t\r", end[-1]))
		end--;
	*end = 0;
	return text;
}

/* Quotes protect '#'. */
static void cut_comment(char *line)
{
	char quote = 0;

	for (; *line && (quote || *line != '#'); line++)
		if (quote ? *line == quote : *line == '\'' || *line == '"')
			quote = quote ? 0 : *line;
	*line = 0;
}

static int set_line(struct run_config *c, char *line)
{
	char *equals;

	cut_comment(line);
	line = strip(line);
	equals = strchr(line, '=');
	if (!*line)
		return 0;
	if (!equals)
		return no_value(line);
	*equals = 0;
	return set(c, strip(line), strip(equals + 1));
}

int fvp_parameter_file(struct run_config *c, const char *path)
{
	struct file_bytes file;
	char why[256];
	int status = 0, number = 0;

	if (!file_read(path, &file, why, sizeof why)) {
		fprintf(stderr, "fvp-sim: --config-file: %s\n", why);
		return EXIT_NO_INPUT;
	}
	/* Values are kept by the configuration: the text lives as long as the process. */
	for (char *line = (char *)file.data, *next; line && !status; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		number++;
		status = set_line(c, line);
	}
	if (status)
		fprintf(stderr, "fvp-sim: this was line %d of %s\n", number, path);
	return status;
}
