/* SPDX-License-Identifier: Apache-2.0 */
/* A method of a program: loaded into tables once, then run as often as wanted. */
#ifndef RUNTIME_EXECUTOR_METHOD_H
#define RUNTIME_EXECUTOR_METHOD_H

#include "runtime/core/kernel.h"
#include "runtime/executor/memory.h"
#include "runtime/program/program.h"

#define METHOD_MAX_BUFFERS 16 /* planned memories */

struct method;
struct delegate;

/* What runs the parts of a program that a compiler has put aside ("EthosUBackend"). */
struct backend {
	const char *id;
	/* Reads d->data once, at loading. False with a line in c->why. */
	bool (*prepare)(struct kernel_context *c, struct method *m, struct delegate *d);
	/* Arguments as the call has them: inputs, then outputs. */
	bool (*run)(struct kernel_context *c, struct method *m, struct delegate *d, struct value *const *args,
		    unsigned count);
};

struct delegate {
	const struct backend *backend;
	struct span data;
	void *state; /* the backend's own */
};

/* EVENT_NPU: inside of a delegate's. EVENT_INSTRUCTION: the executor never tells it. */
enum event_kind { EVENT_KERNEL, EVENT_DELEGATE, EVENT_NPU, EVENT_METHOD, EVENT_INSTRUCTION };

/* Told what ran and when; all may be NULL. Times are those of `now`. */
struct tracer {
	uint64_t (*now)(void);
	void (*event)(struct tracer *t, enum event_kind kind, const char *name, uint32_t instruction, uint64_t start,
		      uint64_t end);
	void (*outputs)(struct tracer *t, const char *name, uint32_t instruction, struct value *const *args,
			unsigned count);
};

/* What a method needs from its surroundings; it all must stay. */
struct method_environment {
	struct memory *tables;   /* for what is made of the program's description */
	struct memory *planned;  /* for the tensors that the compiler has planned */
	uint8_t *temp;           /* for kernels, one call at a time */
	size_t temp_bytes;
	const struct kernel_entry *kernels;
	unsigned kernel_count;
	const struct backend *const *backends; /* ends with NULL */
	struct tracer *tracer;   /* NULL: none */
};

struct method_operator {
	const char *name;     /* "aten::add.out" */
	const struct kernel_entry *kernel;
};

struct instruction {
	uint8_t kind;         /* enum instruction_kind */
	uint16_t count;       /* arguments */
	uint32_t index;       /* operator or delegate; a jump's destination */
	struct value **args;  /* move: from, to; jump: condition */
};

struct method {
	const struct method_environment *environment;
	struct program *program;
	const char *name;
	struct value *values;
	struct value **inputs, **outputs;
	struct method_operator *operators;
	struct delegate *delegates;
	struct instruction *instructions;
	struct span buffers[METHOD_MAX_BUFFERS]; /* planned memories; [0] is number 1 */
	uint32_t value_count, input_count, output_count, operator_count, delegate_count, instruction_count, buffer_count;
	struct kernel_context context;
	uint32_t at;           /* number of the instruction that is running */
	uint64_t steps;        /* instructions run by the last method_run() */
	uint64_t step_limit;   /* ends a program that does not end by itself; 0: none */
	char why[256];         /* why the last function failed: one line without its end */
};

/* Fills m from the method of this name (NULL: "forward", else the first). Nothing of a program that does not make
 * sense is taken in. False with a line in m->why. */
bool method_load(struct method *m, struct program *p, const char *name, const struct method_environment *e);

/* Puts bytes into input number `index`: a tensor takes `bytes` bytes in its order in memory; a number takes 8, 4, 2 or
 * 1 bytes of an integer, 8 or 4 of a double, 1 of a bool. Data without planned memory is used where it lies, so it must
 * stay. False with a line in m->why. */
bool method_set_input(struct method *m, uint32_t index, const void *data, size_t bytes);

/* Gives the tensor input this shape, within its bounds, before method_set_input(). */
bool method_resize_input(struct method *m, uint32_t index, const int32_t *sizes, unsigned rank);

/* Runs all instructions. False with a line in m->why that names the instruction and the operator. */
bool method_run(struct method *m);

/* Parts of method_load() and method_run() in files of their own. */
bool method_fail(struct method *m, const char *format, ...) __attribute__((format(printf, 2, 3))); /* false */
bool method_out_of_memory(struct method *m, const struct memory *from); /* false; says how much is missing */
bool method_load_values(struct method *m, struct flat_table plan);
void method_fetch_list(struct value *list); /* brings the items of a list up to date */

#endif
