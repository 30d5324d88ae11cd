/* SPDX-License-Identifier: Apache-2.0 */
/* A fault in a function of which only weak names exist: the debug information has the first. */
#include "guest.h"

__attribute__((weak, noipa)) void own_name(void)
{
	R32(0x5fff0000) = 1;
}

void another_name(void) __attribute__((weak, alias("own_name")));
void the_last_name(void) __attribute__((weak, alias("own_name")));

void ending(void)
{
	the_last_name();
}
