/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/interrupt.h"
#include "memory/types.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { TIMERS = 3 };
#define MAX_SECONDS 1e9 /* thirty years: longer limits are none */

/* The only state outside the machine: a signal has no other way in. */
static struct fvpsim_machine *volatile target;

enum { NOTHING = -1 }; /* a reason for a signal only */
static volatile sig_atomic_t asked; /* for an end */

static timer_t timers[TIMERS]; /* the first one: what interrupts the host's calls */
static unsigned timer_count;

static void on_alarm(int number, siginfo_t *info, void *context);

/* SIGALRM and the calls that it finds waiting: they go on, or fail with EINTR. Also in signal handlers. */
static void catch_alarm(int flags)
{
	const struct sigaction action = { .sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | flags };

	sigaction(SIGALRM, &action, NULL);
}

/* What reads the run's output may keep it waiting for ever, and with it the end. */
static void interrupt_calls(void)
{
	static const struct itimerspec often = { { .tv_nsec = INTERRUPT_MS * 1000000 }, { .tv_nsec = INTERRUPT_MS * 1000000 } };

	catch_alarm(0);
	if (timer_count)
		timer_settime(timers[0], 0, &often, NULL);
}

/* `reason`: enum fvpsim_reason or NOTHING. */
static void ask(int reason)
{
	struct fvpsim_machine *m = target;

	if (!m || reason == NOTHING)
		return;
	if (!asked)
		interrupt_calls();
	asked = 1;
	fvpsim_end_run(m, reason);
}

bool interrupt_asked(void)
{
	return asked;
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
	ask(FVPSIM_REASON_INTERRUPTED);
}

/* SIGPIPE: nobody reads the program's output any more; the report is still written. SIGXCPU: ulimit -t. Both come
 * again and again. */
static void on_host(int number)
{
	(void)number;
	ask(FVPSIM_REASON_INTERRUPTED);
}

static void on_alarm(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	ask(info->si_value.sival_int);
}

/* Calls of the host that were interrupted go on, up to the first signal that asks for an end. */
static void catch(const int *numbers, size_t count, void (*handler)(int))
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction before;

	for (size_t i = 0; i < count; i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
			sigaction(numbers[i], &action, NULL);
}

static void unblock_alarm(void)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
}

static bool new_timer(clockid_t clock, int reason)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM, .sigev_value.sival_int = reason };

	if (timer_create(clock, &event, &timers[timer_count]) != 0)
		return false;
	timer_count++;
	return true;
}

/* The signal comes again every tenth of a second: one that came too early is not lost. */
static void limit(clockid_t clock, double seconds, bool from_start, int reason)
{
	struct itimerspec when = { .it_interval.tv_nsec = 100000000 };

	if (!(seconds > 0) || seconds > MAX_SECONDS || !new_timer(clock, reason))
		return;
	when.it_value.tv_sec = (time_t)seconds;
	when.it_value.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (!when.it_value.tv_sec && !when.it_value.tv_nsec)
		when.it_value.tv_nsec = 1;
	timer_settime(timers[timer_count - 1], from_start ? TIMER_ABSTIME : 0, &when, NULL);
}

static void delete_timers(void)
{
	while (timer_count)
		timer_delete(timers[--timer_count]);
}

void interrupt_waits(double host_seconds)
{
	unblock_alarm();
	catch_alarm(0);
	limit(CLOCK_MONOTONIC, host_seconds, false, FVPSIM_REASON_TIME_LIMIT);
}

void interrupt_start(struct fvpsim_machine *m, double host_seconds, double cpu_seconds)
{
	static const int person[] = { SIGINT, SIGTERM, SIGHUP }, host[] = { SIGPIPE, SIGXCPU };

	delete_timers();
	asked = 0;
	target = m;
	unblock_alarm();
	catch_alarm(SA_RESTART);
	new_timer(CLOCK_MONOTONIC, NOTHING);
	catch(person, ARRAY_LEN(person), on_person);
	catch(host, ARRAY_LEN(host), on_host);
	limit(CLOCK_MONOTONIC, host_seconds, false, FVPSIM_REASON_TIME_LIMIT);
	limit(CLOCK_PROCESS_CPUTIME_ID, cpu_seconds, true, FVPSIM_REASON_CPU_LIMIT);
}

void interrupt_stop(void)
{
	delete_timers();
	target = NULL;
}
