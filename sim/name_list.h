/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files, in the order of adding. */
#ifndef SIM_NAME_LIST_H
#define SIM_NAME_LIST_H

#include <stdbool.h>

struct name_list { char **name; unsigned count; };

/* Adds a copy; false: host memory is short. */
bool name_list_add(struct name_list *l, const char *name);
void name_list_free(struct name_list *l);

#endif
