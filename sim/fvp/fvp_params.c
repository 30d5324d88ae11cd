/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fvp/fvp_params.h"
#include "loader/file.h"
#include "sim/exit.h"
#include "sim/params/message.h"

#include <stdio.h>
#include <string.h>

/* `where` begins messages: "", or the line of a file. `absent` counts parameters of parts that are
 * not modelled; the first is told. */
static int set(struct request *c, const char *name, char *value, const char *where, unsigned *absent)
{
	struct fvpsim_error error;
	bool modelled;

	if (fvpsim_config_parameter(c->config, name, value, &modelled, &error)) {
		message("fvp-sim: %s%s\n", where, error.text);
		return EXIT_USAGE;
	}
	if (!modelled && !c->quiet && !(*absent)++)
		message("fvp-sim: note: %s%s\n", where, error.text);
	return 0;
}

static int no_value(const char *text, const char *where)
{
	message("fvp-sim: %s'%.100s' is not possible; give INSTANCE.PARAMETER=VALUE\n", where, text);
	return EXIT_USAGE;
}

int fvp_set_parameter(struct request *c, char *text)
{
	char *equals = strchr(text, '=');
	unsigned absent = 0;

	if (!equals)
		return no_value(text, "-C: ");
	*equals = 0;
	return set(c, text, equals + 1, "", &absent);
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

static int set_line(struct request *c, char *line, const char *where, unsigned *absent)
{
	char *equals;

	cut_comment(line);
	line = strip(line);
	equals = strchr(line, '=');
	if (!*line)
		return 0;
	if (!equals)
		return no_value(line, where);
	*equals = 0;
	return set(c, strip(line), strip(equals + 1), where, absent);
}

static int set_lines(struct request *c, char *text, const char *path)
{
	char where[512];
	unsigned absent = 0;
	int status = 0, number = 0;

	for (char *line = text, *next; line && !status; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		number++;
		snprintf(where, sizeof where, "line %d of %.400s: ", number, path);
		status = set_line(c, line, where, &absent);
	}
	if (absent > 1)
		message("fvp-sim: note: %.400s: %u more of such parameters\n", path, absent - 1);
	return status;
}

/* Some editors begin a file with a byte order mark. */
static char *behind_mark(char *text)
{
	static const char mark[] = "\xef\xbb\xbf";

	return strncmp(text, mark, strlen(mark)) ? text : text + strlen(mark);
}

int fvp_parameter_file(struct request *c, const char *path)
{
	struct file_bytes file;
	char why[512];
	int status = EXIT_BAD_INPUT;

	if (!file_read(path, &file, why, sizeof why)) {
		message("fvp-sim: --config-file: %s\n", why);
		return EXIT_NO_INPUT;
	}
	if (memchr(file.data, 0, file.size))
		message("fvp-sim: --config-file: %s: is not text\n", path);
	else
		status = set_lines(c, behind_mark((char *)file.data), path);
	file_free(&file);
	return status;
}
