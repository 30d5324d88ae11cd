/* SPDX-License-Identifier: Apache-2.0 */
/* A number on a line of its own, by semihosting. */
void print_decimal(unsigned value);

void print_decimal(unsigned value)
{
	char text[12];
	int at = 10;

	text[11] = 0;
	text[10] = '\n';
	do
		text[--at] = (char)('0' + value % 10);
	while (value /= 10);
	register int r0 __asm__("r0") = 4;
	register void *r1 __asm__("r1") = text + at;
	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}
