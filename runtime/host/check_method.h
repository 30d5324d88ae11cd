/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a method of a program can run in an image: all that loading it finds out there, before there is an image. */
#ifndef RUNTIME_HOST_CHECK_METHOD_H
#define RUNTIME_HOST_CHECK_METHOD_H

#include "runtime/program/program.h"

enum { OPERATOR_BYTES = 128 }; /* of a name, as an image takes them */

struct accelerator {
	const char *name; /* "ethos-u55-128"; "none" for an image without an NPU */
	uint32_t config;  /* product and MACs per cycle, as its CONFIG register has them */
	bool exists;
};

/* By its name. False: there is none such. */
bool accelerator_named(const char *name, struct accelerator *out);

/* Whether it runs this payload of Vela's. False with a line in `why`. */
bool accelerator_runs(const struct accelerator *a, const void *payload, size_t bytes, char *why, size_t why_bytes);

/* Whether the method (NULL: the one that images take) can run beside that accelerator, with inputs of so many bytes in all
 * (0: zeros). False with a line in `why`. */
bool check_method(struct program *p, const char *name, const struct accelerator *a, uint64_t inputs, char *why, size_t why_bytes);

/* Name of the operator of entry `index` of a method's list ("aten::add.out"). */
void operator_name(struct program *p, struct flat_vector list, uint32_t index, char name[OPERATOR_BYTES]);

#endif
