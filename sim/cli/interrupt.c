/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { TIMERS = 2 };
#define MAX_SECONDS 1e9 /* thirty years: longer limits are none */

/* The only state outside the machine: a signal has no other way in. */
static struct machine *volatile target;

static void ask(enum stop_reason reason)
{
	struct machine *m = target;

	if (m)
		machine_ask_stop(m, reason);
}

/* `timeout` and others send a signal to the process and to its group: only one that comes
 * seconds later is a person who insists. */
static void on_person(int number)
{
	static volatile sig_atomic_t seen;
	static struct timespec first;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seen && now.tv_sec > first.tv_sec + 1)
		_exit(128 + number);
	if (!seen)
		first = now;
	seen = 1;
	ask(STOP_INTERRUPTED);
}

/* SIGPIPE: nobody reads the program's output any more; the report is still written. SIGXCPU: ulimit -t. Both come
 * again and again. */
static void on_host(int number)
{
	(void)number;
	ask(STOP_INTERRUPTED);
}

static void on_limit(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	ask((enum stop_reason)info->si_value.sival_int);
}

/* Calls of the host that were interrupted go on: all waiting looks at the machine's own sign. */
static void catch(const int *numbers, size_t count, void (*handler)(int))
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction before;

	for (size_t i = 0; i < count; i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
			sigaction(numbers[i], &action, NULL);
}

static timer_t timers[TIMERS];
static unsigned timer_count;

/* The signal comes again every tenth of a second: one that came too early is not lost. */
static void limit(clockid_t clock, double seconds, bool from_start, enum stop_reason reason)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM, .sigev_value.sival_int = reason };
	struct itimerspec when = { .it_interval.tv_nsec = 100000000 };
	sigset_t alarm;

	if (!(seconds > 0) || seconds > MAX_SECONDS)
		return;
	when.it_value.tv_sec = (time_t)seconds;
	when.it_value.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (!when.it_value.tv_sec && !when.it_value.tv_nsec)
		when.it_value.tv_nsec = 1;
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	if (timer_create(clock, &event, &timers[timer_count]) == 0)
		timer_settime(timers[timer_count++], from_start ? TIMER_ABSTIME : 0, &when, NULL);
}

void interrupt_start(struct machine *m, const struct limits *limits)
{
	static const int person[] = { SIGINT, SIGTERM, SIGHUP }, host[] = { SIGPIPE, SIGXCPU };
	const struct sigaction alarm = { .sa_sigaction = on_limit, .sa_flags = SA_SIGINFO | SA_RESTART };

	target = m;
	catch(person, ARRAY_LEN(person), on_person);
	catch(host, ARRAY_LEN(host), on_host);
	sigaction(SIGALRM, &alarm, NULL);
	limit(CLOCK_MONOTONIC, limits->host_seconds, false, STOP_TIME_LIMIT);
	limit(CLOCK_PROCESS_CPUTIME_ID, limits->cpu_seconds, true, STOP_CPU_LIMIT);
}

void interrupt_stop(void)
{
	while (timer_count)
		timer_delete(timers[--timer_count]);
	target = NULL;
}
