/* SPDX-License-Identifier: Apache-2.0 */
/* What our tests use of Criterion (https://criterion.readthedocs.io, 2.4). Criterion itself starts tests in copies of the process that
 * are loaded anew at the same addresses, which works neither under qemu-user nor beside a library that stands before the C library's
 * mmap, and its assertions compile five times as long. Here a test is a child made by fork. A folder's tests are one program, as each program takes
 * 30 ms to link; its argument says whose turn it is: "test_rows.c", or all of them. */
#ifndef CRITERION_H
#define CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct criterion_options {
	void (*init)(void), (*fini)(void);
};

struct criterion_parameters {
	void *first;
	size_t size, count;
};

struct criterion_test {
	const char *file;         /* where it is written */
	const char *suite, *name; /* no name: options of the suite */
	void (*run)(void *parameter);
	struct criterion_parameters (*parameters)(void); /* NULL: it runs once */
	struct criterion_options options;
	struct criterion_test *next;
};

void criterion_add(struct criterion_test *test);

/* Prints where and what; the format and its arguments may be missing. */
void criterion_failed(const char *file, int line, const char *condition, const char *format, ...);
_Noreturn void criterion_end(void); /* of the test, at once */
void criterion_log(const char *format, ...);

#define CRITERION_ADD_(suite_, name_, text, run_, parameters_, ...) \
	__attribute__((constructor)) static void criterion_add_##suite_##_##name_(void) \
	{ \
		static struct criterion_test test = { __FILE__, #suite_, text, run_, parameters_, { __VA_ARGS__ }, NULL }; \
		criterion_add(&test); \
	}
#define TestSuite(suite, ...) CRITERION_ADD_(suite, , NULL, NULL, NULL, __VA_ARGS__) struct criterion_test
#define Test(suite, name, ...) \
	static void suite##_##name##_test(void *); \
	CRITERION_ADD_(suite, name, #name, suite##_##name##_test, NULL, __VA_ARGS__) \
	static void suite##_##name##_test(void *criterion_unused_ __attribute__((unused)))
#define ParameterizedTestParameters(suite, name) static struct criterion_parameters suite##_##name##_parameters(void)
#define cr_make_param_array(type, array, count) ((struct criterion_parameters){ (array), sizeof(type), (count) })
#define ParameterizedTest(parameter, suite, name, ...) \
	static void suite##_##name##_test(parameter); \
	static void suite##_##name##_run(void *p) { suite##_##name##_test(p); } \
	CRITERION_ADD_(suite, name, #name, suite##_##name##_run, suite##_##name##_parameters, __VA_ARGS__) \
	static void suite##_##name##_test(parameter)

#define cr_log_info(...) criterion_log(__VA_ARGS__)
#define CRITERION_CHECK_(condition, text, end, ...) \
	do { \
		if (!(condition)) { \
			criterion_failed(__FILE__, __LINE__, text, "" __VA_ARGS__); \
			end; \
		} \
	} while (0)
#define CRITERION_ASSERT_(condition, text, ...) CRITERION_CHECK_(condition, text, criterion_end(), __VA_ARGS__)
#define CRITERION_EXPECT_(condition, text, ...) CRITERION_CHECK_(condition, text, (void)0, __VA_ARGS__)

#define cr_assert(c, ...) CRITERION_ASSERT_(c, #c, __VA_ARGS__)
#define cr_expect(c, ...) CRITERION_EXPECT_(c, #c, __VA_ARGS__)
#define cr_assert_not(c, ...) CRITERION_ASSERT_(!(c), "not " #c, __VA_ARGS__)
#define cr_expect_not(c, ...) CRITERION_EXPECT_(!(c), "not " #c, __VA_ARGS__)
#define cr_assert_null(p, ...) CRITERION_ASSERT_((p) == NULL, #p " == NULL", __VA_ARGS__)
#define cr_assert_not_null(p, ...) CRITERION_ASSERT_((p) != NULL, #p " != NULL", __VA_ARGS__)
#define cr_assert_eq(a, b, ...) CRITERION_ASSERT_((a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) CRITERION_EXPECT_((a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...) CRITERION_ASSERT_((a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...) CRITERION_EXPECT_((a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) CRITERION_ASSERT_((a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...) CRITERION_EXPECT_((a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) CRITERION_ASSERT_((a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) CRITERION_EXPECT_((a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...) CRITERION_ASSERT_((a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...) CRITERION_EXPECT_((a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) CRITERION_ASSERT_((a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...) CRITERION_EXPECT_((a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) CRITERION_ASSERT_(!strcmp(a, b), #a " is text " #b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) CRITERION_EXPECT_(!strcmp(a, b), #a " is text " #b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, bytes, ...) CRITERION_EXPECT_(!memcmp(a, b, bytes), #a " has the bytes of " #b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, by, ...) CRITERION_ASSERT_(__builtin_fabs((double)(a) - (double)(b)) <= (double)(by), #a " is about " #b, __VA_ARGS__)

#endif
