/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel gets, what it can ask for, and the table that a program finds it in (runtime/README.md). */
#ifndef RUNTIME_CORE_KERNEL_H
#define RUNTIME_CORE_KERNEL_H

#include "runtime/core/value.h"

#define KERNEL_WHY_BYTES 160

struct kernel_context {
	uint8_t *temp;      /* memory for this call alone */
	size_t temp_bytes;
	size_t temp_used;
	size_t temp_peak;   /* most that any call used */
	size_t temp_short;  /* bytes that the failed call lacked; 0: it did not fail for memory */
	uint64_t random;    /* state of the generator that kernels draw random numbers from */
	char why[KERNEL_WHY_BYTES]; /* why the last failed call failed: one line without its end */
};

/* Runs one operator. The kinds of args[0..] agree with the signature of its row, and tensors have data; all else the
 * kernel checks itself before it touches memory. False after kernel_fail(). */
typedef bool kernel_function(struct kernel_context *c, struct value *const *args);

struct kernel_entry {
	const char *name;      /* with overload: "aten::add.out" */
	const char *signature; /* kinds of the arguments, see runtime/README.md */
	kernel_function *run;
};

/* The kernels of this image: made from the rows of kernels.def, all or those that a program needs. */
extern const struct kernel_entry kernel_table[];
extern const unsigned kernel_count;

/* Memory for this call, aligned to 16 bytes, not cleared; the executor takes it back when the kernel returns. NULL
 * (after kernel_fail) when there is not enough. 0 bytes give a pointer, too. */
void *kernel_temp(struct kernel_context *c, size_t bytes);

/* Notes why the call failed; always false, so that a kernel can return it. The text says what is wrong with which
 * argument; the executor puts the operator's name in front. Directives as format_text()'s. */
__attribute__((format(printf, 2, 3))) bool kernel_fail(struct kernel_context *c, const char *format, ...);

/* Gives an output its shape: sizes of its rank. False (after kernel_fail) when a static tensor has another one, when
 * the rank differs, or when a bounded one is too small. Strides follow the tensor's order. */
bool kernel_resize(struct kernel_context *c, struct tensor *t, const int32_t *sizes, unsigned rank);

/* As kernel_resize() to a list of sizes. */
bool kernel_resize_list(struct kernel_context *c, struct tensor *t, const struct value *sizes);

/* As kernel_resize() to the sizes of `like`. */
bool kernel_resize_like(struct kernel_context *c, struct tensor *t, const struct tensor *like);

/* The entry by this name in a table; NULL when there is none. */
const struct kernel_entry *kernel_find(const struct kernel_entry *table, unsigned count, const char *name);

/* Of the rows of one operator, which stand behind each other from `first` on, the first whose signature the arguments agree
 * with; NULL when there is none, and `why` says what `first` lacks. Behind a table's last row is one without a name. */
const struct kernel_entry *kernel_fitting(const struct kernel_entry *first, struct value *const *args, unsigned count, char *why,
					  size_t why_bytes);

/* Whether the arguments agree with the signature; else false, and `why` names the first that does not. There may be
 * more arguments than letters: programs repeat an output as the result. */
bool kernel_arguments_fit(const char *signature, struct value *const *args, unsigned count, char *why, size_t why_bytes);

#endif
