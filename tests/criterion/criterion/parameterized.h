/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that run once for each parameter: all of it is in criterion.h. */
#ifndef CRITERION_PARAMETERIZED_H
#define CRITERION_PARAMETERIZED_H

#include "criterion.h"

#endif
