/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the public interface share. Private to sim/api/. */
#ifndef SIM_API_PRIVATE_H
#define SIM_API_PRIVATE_H

#include "include/fvpsim.h"
#include "sim/history/trail.h"
#include "sim/host.h"
#include "sim/machine.h"
#include "sim/name_list.h"
#include "sim/network/npu_capture.h"
#include "sim/record.h"
#include "sim/report/origin.h"
#include "sim/run.h"

#include <stdio.h>

enum { API_WHY = 1020, API_HELD = 512, API_UNTIL = 256, API_WATCHED = 4096, API_HISTORY_MIB = 256, API_HISTORY_MOST = 1 << 20 };

/* Texts of parameters and the record to repeat, shared by a configuration and the machines made from it. */
struct api_texts;

struct fvpsim_config {
	struct run_config run;
	struct api_texts *texts;
};

struct api_texts *api_texts_new(void); /* NULL: out of host memory */
struct api_texts *api_texts_share(struct api_texts *t); /* one more user: t itself */
void api_texts_drop(struct api_texts *t); /* frees them when nobody else has them */
/* A copy that lives as long as they do; NULL: out of host memory. */
char *api_texts_keep(struct api_texts *t, const char *text);
const struct record *api_texts_record(const struct api_texts *t); /* NULL: none */
struct record *api_texts_repeat(struct api_texts *t); /* the one to repeat, to be filled */

/* Sets a parameter that is our own; false: there is none of that name. *possible: what would have been, NULL when it is set. */
bool api_parameter_own(struct run_config *c, const char *name, const char *value, const char **possible);

struct api_watch;

struct fvpsim_machine {
	struct machine *m;
	struct run_config run; /* what it was made with */
	struct api_texts *texts;
	struct fvpsim_callbacks callbacks;
	struct diag diag;
	struct machine_host host;
	struct record *record; /* of this run, made or repeated; NULL: none */
	bool repeats;
	bool traces_npu; /* as ethosu.extra_args asks */
	bool told_making; /* the messages of its making have been handed on */
	bool inside;   /* a call that runs callbacks is under way */
	int asked;     /* fvpsim_stop; only atomic accesses */
	char held[API_HELD]; /* output of one stream that has not been handed on yet */
	size_t held_bytes;
	int held_stream;
	char until[API_UNTIL]; /* text at which a run stops */
	size_t until_matched;
	int until_stream;
	bool until_seen;
	struct api_watch *watch; /* the user's */
	u32 watched;             /* address of the one that stopped the latest run */
	bool watched_made;       /* one has, in this run */
	u32 *breakpoint;         /* the user's */
	unsigned breakpoints;
	struct tracing *tracing; /* NULL: nothing is traced */
	struct name_list data;   /* files that were loaded as raw bytes */
	struct name_list dumps;  /* files of memory that were written */
	struct npu_names *names; /* of the NPU's operations; NULL: not known */
	struct inferences *jobs; /* for the report; NULL: not asked for */
	bool trail_begun;
	struct trail trail;      /* what the way to an end is found from */
	struct limits trail_limits; /* of the present run */
	struct origin origin;    /* of the end, once it has been looked for */
	bool origin_known;
	struct npu_capture capture; /* of the operation at work, where somebody wants its tensors */
};

/* Fills *error, where there is one; returns kind. */
int api_fail(struct fvpsim_error *error, int kind, const char *format, ...) PRINTF_LIKE(3, 4);
int api_ok(struct fvpsim_error *error);
/* Fills *error, where there is one, with a failure and its line, or with none; returns its kind. */
int api_told(enum failure failure, const char *why, struct fvpsim_error *error);
/* FVPSIM_OK unless a callback of the machine is under way. */
int api_outside(const struct fvpsim_machine *m, struct fvpsim_error *error);
int api_refuse_inside(struct fvpsim_error *error); /* the error that it gives else */
/* Likewise, and unless the run is recorded or repeated, which the user must not meddle with. */
int api_apart(const struct fvpsim_machine *m, struct fvpsim_error *error);

/* Takes away serial ports and the ITM from the standard streams. */
void api_no_standard_streams(struct machine_config *c);

/* Starts the core, unless it has been, and what its parameters ask to be traced. Fails for that. */
int api_start(struct fvpsim_machine *m, struct fvpsim_error *error);

/* Makes a machine that is new one that repeats the record of its configuration. */
int api_repeat(struct fvpsim_machine *m, const struct fvpsim_config *c, struct fvpsim_error *error);
void api_record_free(struct fvpsim_machine *m);

/* Is there a breakpoint of the user at addr? */
bool api_breaks_at(const struct fvpsim_machine *m, u32 addr);

/* The trace that the parameters of the FVPs' NPU model ask for. */
int api_trace_npu(struct fvpsim_machine *m, struct fvpsim_error *error);

/* Ends traces and gives back what the report needs, of a machine that ends. */
void api_inside_free(struct fvpsim_machine *m);

/* As machine_run; keeps the trail where it is wanted. */
void api_trail_run(struct fvpsim_machine *m, const struct limits *limits);
/* The machine is about to become another one, or a debugger's. */
void api_trail_forget(struct fvpsim_machine *m);

/* Frees the watchpoints, of a machine that ends. */
void api_watch_free(struct fvpsim_machine *m);

/* Hands on what is held back. */
void api_flush(struct fvpsim_machine *m);

/* An operation as the interface tells it; `size` stays. */
void api_operation(struct fvpsim_operation *out, const struct npu_op *op, const struct npu_cost *cost,
		   const struct npu_config *config, const struct npu_names *names);

/* An operation's tensor as the interface tells it; `size` stays. */
void api_tensor(struct fvpsim_tensor *out, enum npu_role role, const struct npu_tensor *tensor);
/* The tensors of an operation that has ended, one call each. */
void api_tell_tensors(const struct fvpsim_callbacks *callbacks, const struct npu_capture *capture);

/* What `write` writes, as a text of the user's. */
int api_give_text(void (*write)(void *ctx, FILE *out), void *ctx, char **text, struct fvpsim_error *error);

/* The error for a structure whose member `size` says nothing. */
int api_sizeless(struct fvpsim_error *error);
/* Copies the user's callbacks, as many as he knows. */
int api_copy_callbacks(struct fvpsim_callbacks *to, const struct fvpsim_callbacks *from, struct fvpsim_error *error);
/* Copies `from`, of `full` bytes, into a structure of the caller's whose `size` says how much of it he knows. */
int api_copy_out(void *to, const void *from, size_t full, struct fvpsim_error *error);

#endif
