/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers of fused sequences. */
#include "cpu/engine/handler.h"

handler_fn *handler_fused(const u16 *ops, const u8 *lengths, unsigned n)
{
	return NULL;
}
