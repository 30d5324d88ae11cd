/* SPDX-License-Identifier: Apache-2.0 */
/* Who wants to know what the machine does. */
#include "sim/listen.h"

static bool is_told(const struct machine *m, const struct machine_listener *l)
{
	return l->again || !machine_in_past(m);
}

static void device_news(void *ctx, const struct device *d, enum device_news news, unsigned number, u32 value)
{
	struct machine *m = ctx;

	for (unsigned i = 0; i < m->listener_count; i++)
		if (m->listener[i].device && is_told(m, &m->listener[i]))
			m->listener[i].device(m->listener[i].ctx, d, news, number, value);
}

/* Devices tell nothing while nobody wants it. */
static void listen_devices(struct machine *m)
{
	bool wanted = false;

	for (unsigned i = 0; i < m->listener_count; i++)
		wanted |= m->listener[i].device != NULL;
	device_set_listen(m->devices, wanted ? &(struct device_listener){ device_news, m } : NULL);
}

bool machine_listen(struct machine *m, const struct machine_listener *l)
{
	if (m->listener_count == MACHINE_LISTENERS)
		return false;
	m->listener[m->listener_count++] = *l;
	listen_devices(m);
	return true;
}

void machine_unlisten(struct machine *m, const void *ctx)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < m->listener_count; i++)
		if (m->listener[i].ctx != ctx)
			m->listener[kept++] = m->listener[i];
	m->listener_count = kept;
	listen_devices(m);
}

static void begins(void *ctx, const struct npu_op *op, const struct npu_view *view)
{
	struct machine *m = ctx;

	for (unsigned i = 0; i < m->listener_count; i++)
		if (m->listener[i].npu.begins && is_told(m, &m->listener[i]))
			m->listener[i].npu.begins(m->listener[i].npu.ctx, op, view);
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct machine *m = ctx;

	for (unsigned i = 0; i < m->listener_count; i++)
		if (m->listener[i].npu.operation && is_told(m, &m->listener[i]))
			m->listener[i].npu.operation(m->listener[i].npu.ctx, op, cost);
}

static void job(void *ctx, bool running)
{
	struct machine *m = ctx;

	for (unsigned i = 0; i < m->listener_count; i++)
		if (m->listener[i].npu.job && is_told(m, &m->listener[i]))
			m->listener[i].npu.job(m->listener[i].npu.ctx, running);
}

struct npu_listener listen_npu(struct machine *m)
{
	return (struct npu_listener){ .begins = begins, .operation = operation, .job = job, .ctx = m };
}

void listen_uart(struct machine *m, unsigned port, u8 byte)
{
	for (unsigned i = 0; i < m->listener_count; i++)
		if (m->listener[i].uart)
			m->listener[i].uart(m->listener[i].ctx, port, byte);
}
