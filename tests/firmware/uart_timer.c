/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts of devices: a system timer that reloads itself, a UART that receives and sends by interrupt.
 * Echoes its input in capitals until a full stop, then ends by end-of-transmission. No semihosting. */
#include "tests/firmware/firmware.h"

#ifndef UART0
#define UART0 0x59303000
#endif
#define UART_DATA R32(UART0)
#define UART_STATE R32(UART0 + 0x04)
#define UART_CTRL R32(UART0 + 0x08)
#define UART_INTCLEAR R32(UART0 + 0x0c)
#define UART_BAUDDIV R32(UART0 + 0x10)
#define COUNTER_CONTROL R32(0x58100000)
#define TIMER_CTL R32(0x5800002c)
#define TIMER_RELOAD R32(0x58000048)
#define TIMER_AUTO R32(0x5800004c)

enum { QUEUE = 64, COUNTER_TICKS = 1000 };

static volatile char queue[QUEUE];
static volatile u32 head, tail, sending, beats, ended;

static void send(char c)
{
	MSR(primask, 1);
	if (sending) {
		queue[head++ % QUEUE] = c;
	} else {
		sending = 1;
		UART_DATA = (u32)c;
	}
	MSR(primask, 0);
}

static void print(const char *text)
{
	while (*text)
		send(*text++);
}

void UARTTX0_Handler(void)
{
	UART_INTCLEAR = 1;
	if (head != tail)
		UART_DATA = (u32)queue[tail++ % QUEUE];
	else
		sending = 0;
}

void UARTRX0_Handler(void)
{
	const char c = (char)UART_DATA;

	UART_INTCLEAR = 2;
	ended |= c == '.';
	send(c >= 'a' && c <= 'z' ? (char)(c - 32) : c);
}

void TIMER0_Handler(void)
{
	TIMER_AUTO = 1; /* bit 1 is written as 0: the interrupt is cleared */
	beats++;
}

int main(void)
{
	UART_BAUDDIV = 16;
	UART_CTRL = 0xf; /* transmit and receive, both interrupts */
	NVIC_ISER(IRQ_UARTRX0 / 32) = 1u << IRQ_UARTRX0 % 32;
	NVIC_ISER(IRQ_UARTTX0 / 32) = 1u << IRQ_UARTTX0 % 32;
	NVIC_ISER(0) = 1u << IRQ_TIMER0;
	COUNTER_CONTROL = 1;
	TIMER_RELOAD = COUNTER_TICKS;
	TIMER_AUTO = 1;
	TIMER_CTL = 1;
	print("ready\n");
	while (!ended)
		__asm volatile("wfi");
	while (beats < 20)
		__asm volatile("wfi");
	TIMER_CTL = 0;
	print(beats >= 20 ? "\n20 beats\n\4" : "\ntoo few beats\n\4");
	for (;;)
		__asm volatile("wfi");
}
