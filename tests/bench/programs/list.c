/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a shuffled linked list: pointer chasing with a dependent branch. */
#include "bench.h"

#define NODES 512
struct node { struct node *next; int value; };
static struct node node[NODES];

unsigned bench(void)
{
	for (int i = 0; i < NODES; i++) {
		node[i].next = &node[(i * 167 + 41) % NODES];
		node[i].value = i * 37 & 255;
	}
	unsigned sum = 0;
	struct node *p = node;
	for (int i = 0; i < 40000000; i++) {
		if (p->value & 1)
			sum += (unsigned)p->value;
		else
			sum ^= (unsigned)p->value << 3;
		p = p->next;
	}
	return sum;
}
