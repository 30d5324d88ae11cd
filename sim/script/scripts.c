/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/script/scripts.h"
#include "sim/machine.h"
#include "sim/script/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct { const char *device, *module; } names[CONFIG_SCRIPTS] = {
#define VSI(n) { "VSI" #n, "arm_vsi" #n }
	VSI(0), VSI(1), VSI(2), VSI(3), VSI(4), VSI(5), VSI(6), VSI(7), { "VIO", "arm_vio" },
#undef VSI
};

static void name_all(struct scripts *s, struct machine *m)
{
	const char *folder = s->folder ? s->folder : "", *slash = *folder && folder[strlen(folder) - 1] != '/' ? "/" : "";

	for (unsigned i = 0; i < CONFIG_SCRIPTS; i++) {
		struct script *one = &s->script[i];

		one->device = names[i].device;
		one->module = names[i].module;
		snprintf(one->path, sizeof one->path, "%s%s%s.py", folder, slash, one->module);
		one->machine = m;
		one->number = i;
		one->child.port = -1;
		one->host = (struct script_host){ .call = script_call, .ctx = one, .bus = m->bus };
	}
}

/* ---- start ---- */

static enum failure check_folder(const char *folder, char *why, size_t why_size)
{
	struct stat s;

	if (!stat(folder, &s) && S_ISDIR(s.st_mode))
		return FAIL_NONE;
	snprintf(why, why_size, "folder of scripts (--scripts, v_path): %s: %s; give the folder of arm_vsi0.py to arm_vsi7.py and arm_vio.py",
		 folder, errno == ENOENT ? strerror(ENOENT) : "is no folder that can be read");
	return FAIL_NO_INPUT;
}

/* Is there such a script? *failure: it cannot be read. */
static bool is_there(const struct script *s, enum failure *failure, char *why, size_t why_size)
{
	if (!access(s->path, R_OK))
		return true;
	if (errno != ENOENT) {
		snprintf(why, why_size, "%s: %s", s->path, strerror(errno));
		*failure = FAIL_NO_INPUT;
	}
	return false;
}

/* The first answer: its functions. False with a line in `why`, empty: there is no time. */
static bool greet(struct script *s, char *why, size_t why_size)
{
	const struct wait *w = &s->machine->wait;
	struct child_answer a = { .kind = CHILD_NO_TIME };
	char text[CHILD_TEXT] = "";

	*why = 0;
	if (script_begins(s))
		a = child_receive(&s->child, w);
	if (a.kind == CHILD_FAILED && child_receive_bytes(&s->child, w, (u8 *)text, a.bytes)) {
		snprintf(why, why_size, "%s; correct the script", text);
	} else if (a.kind != CHILD_NUMBER && a.kind != CHILD_NO_TIME) {
		child_how(&s->child, text, sizeof text);
		snprintf(why, why_size, "%s: cannot be imported: its python3 %s; correct the script", s->path, text);
	}
	s->host.hooks = a.number;
	return a.kind == CHILD_NUMBER;
}

/* Its functions, and init. */
static enum failure begin(struct script *s, char *why, size_t why_size)
{
	struct script_call init = { .hook = HOOK_init };
	const bool greeted = greet(s, why, why_size);

	s->calls = 0;
	s->failed = false;
	if (greeted && (!(s->host.hooks >> HOOK_init & 1) || script_do(s, &init, why, why_size)))
		return FAIL_NONE;
	if (*why)
		return FAIL_BAD_INPUT;
	snprintf(why, why_size, "%s: %s has not ended within the time limit; raise it, or correct the script", s->path, greeted ? "init()" : "its import");
	return FAIL_NO_INPUT;
}

/* All at once, as python3 takes a while; then one after the other. */
static enum failure start_all(struct scripts *s, char *why, size_t why_size)
{
	enum failure failure = FAIL_NONE;
	unsigned there = 0;

	for (unsigned i = 0; i < CONFIG_SCRIPTS && !failure; i++) {
		struct script *one = &s->script[i];

		if (!is_there(one, &failure, why, why_size))
			continue;
		there++;
		if (!child_start(&one->child, s->folder, one->module, one->path, why, why_size))
			failure = FAIL_NO_INPUT;
	}
	for (unsigned i = 0; i < CONFIG_SCRIPTS && !failure; i++)
		if (s->script[i].child.pid)
			failure = begin(&s->script[i], why, why_size);
	if (!there && !failure)
		diag_report(s->script[0].machine->diag, DIAG_NOTE, "VSI004", "folder of scripts (--scripts, v_path): %s has no arm_vsi0.py to arm_vsi7.py and no "
			    "arm_vio.py: VSI and VIO keep what is written to them", s->folder);
	return failure;
}

static void connect_all(struct scripts *s, struct machine *m)
{
	for (unsigned i = 0; i < CONFIG_SCRIPTS; i++) {
		struct device *d = device_set_find(m->devices, s->script[i].device);

		if (d && s->script[i].host.hooks)
			script_connect(d, &s->script[i].host);
	}
}

static bool recorded(const struct machine_config *c)
{
	for (unsigned i = 0; i < CONFIG_SCRIPTS; i++)
		if (c->script_hooks[i])
			return true;
	return false;
}

enum failure scripts_new(struct scripts **out, struct machine *m, char *why, size_t why_size)
{
	const char *folder = m->config.script_folder && *m->config.script_folder ? m->config.script_folder : NULL;
	enum failure failure = folder ? check_folder(folder, why, why_size) : FAIL_NONE;
	struct scripts *s;

	*out = NULL;
	if (failure || (!folder && !recorded(&m->config)))
		return failure;
	*out = s = calloc(1, sizeof *s);
	if (!s) {
		snprintf(why, why_size, "host memory is short");
		return FAIL_INTERNAL;
	}
	s->folder = folder;
	name_all(s, m);
	if (folder)
		failure = start_all(s, why, why_size);
	for (unsigned i = 0; i < CONFIG_SCRIPTS && !folder; i++)
		s->script[i].host.hooks = m->config.script_hooks[i];
	if (!failure)
		connect_all(s, m);
	return failure;
}

void scripts_free(struct scripts *s)
{
	for (unsigned i = 0; i < CONFIG_SCRIPTS && s; i++)
		child_dismiss(&s->script[i].child);
	for (unsigned i = 0; i < CONFIG_SCRIPTS && s; i++) {
		child_end(&s->script[i].child);
		state_buffer_free(&s->script[i].data);
	}
	free(s);
}

/* ---- records and states ---- */

void scripts_note_hooks(const struct scripts *s, u32 hooks[CONFIG_SCRIPTS])
{
	for (unsigned i = 0; i < CONFIG_SCRIPTS; i++)
		hooks[i] = s ? s->script[i].host.hooks : 0;
}

bool scripts_untouched(const struct scripts *s, char *why, size_t why_size)
{
	for (unsigned i = 0; i < CONFIG_SCRIPTS && s; i++)
		if (s->script[i].calls) {
			snprintf(why, why_size, "%s has been called, and what it holds cannot be saved: save before the program uses %s, or record the run",
				 s->script[i].path, s->script[i].device);
			return false;
		}
	return true;
}

bool scripts_begin_again(struct scripts *s, char *why, size_t why_size)
{
	for (unsigned i = 0; i < CONFIG_SCRIPTS && s; i++) {
		struct script *one = &s->script[i];

		if (!one->calls)
			continue;
		child_end(&one->child);
		if (!child_start(&one->child, s->folder, one->module, one->path, why, why_size) || begin(one, why, why_size))
			return false;
	}
	return true;
}
