/* SPDX-License-Identifier: Apache-2.0 */
/* Runs tests one after the other, each in a child (criterion/criterion.h). The last line is Criterion's. */
#include <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct criterion_test *tests;
static int failures; /* of the test that runs */

void criterion_add(struct criterion_test *test)
{
	test->next = tests;
	tests = test;
}

void criterion_failed(const char *file, int line, const char *condition, const char *format, ...)
{
	va_list arguments;

	failures++;
	fprintf(stderr, "[----] %s:%d: Assertion Failed\n[----]   %s: ", file, line, condition);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

void criterion_end(void)
{
	fflush(NULL);
	_exit(1);
}

void criterion_log(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

static const struct criterion_test *suite_of(const struct criterion_test *test)
{
	static const struct criterion_test none;

	for (const struct criterion_test *s = tests; s; s = s->next)
		if (!s->name && !strcmp(s->suite, test->suite))
			return s;
	return &none;
}

static void run_hooks(void (*first)(void), void (*second)(void))
{
	if (first)
		first();
	if (second)
		second();
}

static void run_in_child(const struct criterion_test *test, void *parameter)
{
	const struct criterion_test *suite = suite_of(test);

	run_hooks(suite->options.init, test->options.init);
	test->run(parameter);
	run_hooks(test->options.fini, suite->options.fini);
	exit(failures != 0); /* not _exit: a sanitizer looks for leaks then */
}

static bool passes(const struct criterion_test *test, void *parameter)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0)
		run_in_child(test, parameter);
	if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
		return true;
	fprintf(stderr, "[FAIL] %s::%s%s\n", test->suite, test->name, child < 0 || WIFSIGNALED(status) ? ": it crashed" : "");
	return false;
}

/* Is the test written in the file that is asked for, if one is? */
static bool is_asked(const struct criterion_test *test, const char *file)
{
	const char *const slash = strrchr(test->file, '/');

	return !file || !strcmp(slash ? slash + 1 : test->file, file);
}

int main(int argc, char **argv)
{
	unsigned tested = 0, passed = 0;

	for (const struct criterion_test *t = tests; t; t = t->next) {
		const struct criterion_parameters once = { NULL, 0, t->name && is_asked(t, argv[1]) ? 1 : 0 };
		const struct criterion_parameters p = t->parameters && once.count ? t->parameters() : once;

		for (size_t i = 0; i < p.count; i++, tested++)
			passed += passes(t, (char *)p.first + i * p.size);
	}
	fprintf(stderr, "[====] Synthesis: Tested: %u | Passing: %u | Failing: %u\n", tested, passed, tested - passed);
	return tested == 0 || passed != tested;
}
