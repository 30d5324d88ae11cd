/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked for: a kind, a file, filters. Private to sim/trace/. */
#ifndef SIM_TRACE_FILTER_H
#define SIM_TRACE_FILTER_H

#include "sim/trace/kind.h"

/* KIND[=FILE][,FILTER...]; cuts `text`, in which *name and *path lie (NULL: no file is named). Without a machine only the form
 * of function= is checked. False: with a line in `why`. */
bool trace_parse(const struct machine *m, char *text, char **name, char **path, struct trace_filter *f, char *why, size_t why_size);

/* Does what is called `name` look at all filters that were given? It would not keep less otherwise. False: with a line in `why`. */
bool trace_filters_fit(const char *name, unsigned filters, const struct trace_filter *f, char *why, size_t why_size);

#endif
