/* SPDX-License-Identifier: Apache-2.0 */
/* Bundled programs (.bpte, schema bundled_program_schema.fbs): a program, sets of inputs, the outputs they should give. */
#ifndef RUNTIME_APPS_BUNDLE_H
#define RUNTIME_APPS_BUNDLE_H

#include "runtime/executor/method.h"

struct bundle {
	struct flat flat;
	struct flat_table root, test; /* test: the case that is run */
};

/* How far the outputs of a method are from what was expected. */
struct bundle_errors {
	double mean_absolute, max_absolute, mean_relative, max_relative;
	size_t outside; /* elements that differ by more than the tolerance */
};

/* Whether the bytes begin as a bundle does. */
bool bundle_is(const void *bytes, size_t size);

/* Opens it and finds the program in it. False with a line in `why`. */
bool bundle_open(struct bundle *b, const void *bytes, size_t size, struct span *program, char *why, size_t why_bytes);

/* How many tests of the method it has. */
uint32_t bundle_tests(struct bundle *b, const char *method);

/* Chooses a test of the method and sets its inputs. */
bool bundle_set_inputs(struct bundle *b, struct method *m, uint32_t index, char *why, size_t why_bytes);

/* Compares the outputs: numbers with a point within atol + rtol * |expected|, all others exactly. False with a line in
 * `why` when they cannot be compared: another type, shape or order. */
bool bundle_compare(struct bundle *b, const struct method *m, double atol, double rtol, struct bundle_errors *out,
		    char *why, size_t why_bytes);

#endif
