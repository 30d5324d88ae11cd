/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON with stable formatting: two spaces of indent, keys in the order written. Strings are UTF-8; bytes that
 * are not become U+FFFD. */
#ifndef TRACES_JSON_H
#define TRACES_JSON_H

#include "memory/types.h"

#include <stdio.h>

struct json {
	FILE *file;
	const char *path;
	unsigned depth;
	bool first; /* nothing in the present object or array yet */
};

/* Creates `path` with an object open; false with a line in `why`. */
bool json_begin(struct json *j, const char *path, char *why, size_t why_size);
/* Closes the object and the file; false with a line in `why` when not all of it was written. */
bool json_end(struct json *j, char *why, size_t why_size);

/* The same in a file that is open already and stays so; it is for its owner to see that all was written. */
void json_into(struct json *j, FILE *f);
void json_into_end(struct json *j);

/* Opens an object or an array, or writes a value. key: NULL inside an array. */
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_close(struct json *j, char bracket); /* '}' or ']' */
void json_u64(struct json *j, const char *key, u64 value);
void json_string(struct json *j, const char *key, const char *value);
/* value / 10^digits as a decimal number, so that no floating point rounding gets in. */
void json_fixed(struct json *j, const char *key, u64 value, unsigned digits);

#endif
