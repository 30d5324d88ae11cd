/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates and gives back by each function of the C library; what it holds then stands beside. */
#include <stdlib.h>

static void *volatile kept[4];

int main(void)
{
	kept[0] = malloc(100);             /* 100 */
	kept[1] = calloc(10, 20);          /* 300 */
	kept[0] = realloc(kept[0], 400);   /* 600 */
	kept[0] = realloc(kept[0], 300);   /* 500 */
	kept[2] = realloc(NULL, 32);       /* 532 */
	if (realloc(kept[2], 0x7fffff00))  /* cannot be: stays */
		return 1;
	free(kept[1]);                     /* 332 */
	free(kept[2]);                     /* 300 */
	free(NULL);
	free(kept[0]);                     /* 0 */
	return 0;
}
