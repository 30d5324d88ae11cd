/* SPDX-License-Identifier: Apache-2.0 */
#include "devices/script.h"

void script_connect(struct device *d, struct script_host *host)
{
	d->host = host;
	d->asks_host = true;
}

u32 script_ask(struct device *d, enum script_hook hook, u32 first, u32 second, u32 otherwise)
{
	struct script_call c = { .hook = hook, .number = { first, second }, .answer = otherwise };
	const struct script_host *host = d->host;

	if (script_has(d, hook))
		host->call(host->ctx, &c);
	return c.answer;
}
