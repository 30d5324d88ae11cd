/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that share work; see team.h. Operations follow each other within microseconds: a thread looks for the next
 * work for a while before it sleeps. */
#include "npu/kernels/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_A_THREAD 4 /* numbers of parts take 16 bits */
/* A look takes 3 to 50 ns, depending on the host. (No clock is asked: the library calls none.) */
#define LOOKS 4000      /* for work, at least: what waking a thread takes in a virtual machine, 60 us */
#define LOOKS_MOST 20000 /* bridges what lies between two inferences */
#define LOOKS_A_PART 500 /* more, for each part that was done before; one takes 10 us and more */
#define PARTS_ALONE 128 /* done before threads start, which takes as long with AVX-512: 0.2 to 0.3 ms with their end */

struct member {
	struct npu_team *team;
	pthread_t thread;
	unsigned place; /* from 1 on; the caller's is 0 */
};

struct npu_team {
	unsigned threads; /* wanted, the caller included */
	unsigned started; /* members at work */
	bool refused;     /* the host gives no more */
	unsigned alone;   /* parts that were done before any had started */
	u64 part_products;
	pthread_mutex_t lock;
	pthread_cond_t wake, done;
	/* One operation's work, a round. It is taken without the lock, which two that want it at a time get slowly: who has taken a part
	 * may look at `work` and `ctx` until that part has ended, as the round is not over before. */
	npu_team_fn *work;
	void *ctx;
	u32 round;          /* its number; 0: none yet; atomic, as the next four */
	u32 left;           /* parts of the round that have not ended */
	u32 asleep;         /* members that wait for `wake`, or are about to */
	bool waiting;       /* the caller waits for `done` */
	bool over;          /* members end */
	/* By place: the parts at home there that nobody has taken yet, from the first one to that behind them; atomic, each in a line
	 * of its own. */
	struct {
		u32 parts;
		u8 line[60];
	} home[NPU_TEAM_MOST] __attribute__((aligned(64)));
	npu_team_later_fn *later; /* for members without a round; with the lock held, but for a look */
	void *later_ctx;
	unsigned inside; /* of them are in it */
	struct member member[NPU_TEAM_MOST];
};

static inline void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void tell(struct npu_team *t, pthread_cond_t *whom)
{
	pthread_mutex_lock(&t->lock);
	pthread_cond_broadcast(whom);
	pthread_mutex_unlock(&t->lock);
}

static bool has_later(const struct npu_team *t)
{
	return __atomic_load_n(&t->later, __ATOMIC_RELAXED) != NULL;
}

/* Whether members that have seen that round have something else to do. */
static bool is_new(const struct npu_team *t, u32 seen)
{
	return __atomic_load_n(&t->round, __ATOMIC_SEQ_CST) != seen || __atomic_load_n(&t->over, __ATOMIC_SEQ_CST);
}

/* Looks whether there is something to do for a member that has seen that round and has done `parts` since it last looked in vain for
 * so long as it does at least. */
static void look_for_work(struct npu_team *t, u32 seen, u32 *parts)
{
	const u32 more = *parts < (LOOKS_MOST - LOOKS) / LOOKS_A_PART ? *parts * LOOKS_A_PART : LOOKS_MOST - LOOKS;
	u32 looks = 0;

	for (; looks < LOOKS + more && !is_new(t, seen) && !has_later(t); looks++)
		relax();
	if (looks >= LOOKS)
		*parts = 0;
}

/* Waits for work. True: there is a round after *seen, which becomes that one, or all is over. False: there is other work. */
static bool next_round(struct npu_team *t, u32 *seen, u32 *parts)
{
	look_for_work(t, *seen, parts);
	if (!is_new(t, *seen) && !has_later(t)) {
		pthread_mutex_lock(&t->lock);
		__atomic_add_fetch(&t->asleep, 1, __ATOMIC_SEQ_CST); /* who begins a round after this sees it, else the round is seen here */
		while (!is_new(t, *seen) && !has_later(t))
			pthread_cond_wait(&t->wake, &t->lock);
		__atomic_sub_fetch(&t->asleep, 1, __ATOMIC_SEQ_CST);
		pthread_mutex_unlock(&t->lock);
	}
	const bool round = is_new(t, *seen);
	*seen = __atomic_load_n(&t->round, __ATOMIC_SEQ_CST);
	return round;
}

static void set_later(struct npu_team *t, npu_team_later_fn *work, void *ctx)
{
	__atomic_store_n(&t->later, work, __ATOMIC_RELAXED);
	t->later_ctx = ctx;
}

/* A piece of what can be done later, if there is any. */
static void do_later(struct npu_team *t, unsigned place)
{
	pthread_mutex_lock(&t->lock);
	npu_team_later_fn *work = t->later;
	void *ctx = t->later_ctx;
	if (work) {
		t->inside++;
		pthread_mutex_unlock(&t->lock);
		const bool more = work(ctx, place);
		pthread_mutex_lock(&t->lock);
		t->inside--;
		if (!more && t->later == work)
			set_later(t, NULL, NULL);
		pthread_cond_signal(&t->done);
	}
	pthread_mutex_unlock(&t->lock);
}

/* The parts at home at a place. */
static u32 parts_at(const struct npu_team *t, unsigned parts, unsigned place)
{
	const u32 first = parts * place / t->threads, end = parts * (place + 1) / t->threads;

	return first | end << 16;
}

/* Takes a part that is at home at `place`; false: there is none any more. */
static bool take(struct npu_team *t, unsigned place, u32 *part)
{
	u32 *const at = &t->home[place].parts, parts = __atomic_load_n(at, __ATOMIC_ACQUIRE);

	do
		if ((parts & 0xffff) == parts >> 16)
			return false;
	while (!__atomic_compare_exchange_n(at, &parts, parts + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	*part = parts & 0xffff;
	return true;
}

/* Parts of the round, until there are none: those at home first, whose data the thread's caches have if operations before were
 * shared alike; adds their number to *done. True: the last of all ended here. */
static bool work_on(struct npu_team *t, unsigned place, u32 *done)
{
	bool last = false;
	u32 part;

	for (unsigned i = 0; i < t->threads; i++)
		while (take(t, (place + i) % t->threads, &part)) {
			t->work(t->ctx, part, place);
			++*done;
			last = __atomic_sub_fetch(&t->left, 1, __ATOMIC_SEQ_CST) == 0;
		}
	return last;
}

static void *member_main(void *arg)
{
	const struct member *m = arg;
	struct npu_team *t = m->team;
	u32 parts = 0; /* done since it last looked for long */

	for (u32 seen = 0;;) {
		if (!next_round(t, &seen, &parts))
			do_later(t, m->place);
		else if (__atomic_load_n(&t->over, __ATOMIC_SEQ_CST))
			return NULL;
		else if (work_on(t, m->place, &parts) && __atomic_load_n(&t->waiting, __ATOMIC_SEQ_CST))
			tell(t, &t->done);
	}
}

struct npu_team *npu_team_new(unsigned threads, u64 part_products)
{
	struct npu_team *t = aligned_alloc(_Alignof(struct npu_team), sizeof(*t));

	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	t->threads = threads < NPU_TEAM_MOST ? threads : NPU_TEAM_MOST;
	t->part_products = part_products;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->wake, NULL);
	pthread_cond_init(&t->done, NULL);
	return t;
}

/* A new round for the members, once the one before is over. */
static void begin(struct npu_team *t, unsigned parts, npu_team_fn *work, void *ctx)
{
	const u32 before = t->round;

	t->work = work;
	t->ctx = ctx;
	__atomic_store_n(&t->left, parts, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < t->threads; i++)
		__atomic_store_n(&t->home[i].parts, parts_at(t, parts, i), __ATOMIC_RELEASE);
	__atomic_store_n(&t->round, before == UINT32_MAX ? 1 : before + 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&t->asleep, __ATOMIC_SEQ_CST))
		tell(t, &t->wake);
}

void npu_team_free(struct npu_team *t)
{
	if (!t)
		return;
	npu_team_later(t, NULL, NULL);
	__atomic_store_n(&t->over, true, __ATOMIC_SEQ_CST);
	tell(t, &t->wake);
	for (unsigned i = 0; i < t->started; i++)
		pthread_join(t->member[i].thread, NULL);
	pthread_cond_destroy(&t->wake);
	pthread_cond_destroy(&t->done);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

unsigned npu_team_parts(const struct npu_team *t, u64 products)
{
	if (!t || products < 2 * t->part_products)
		return 1;
	const u64 parts = products / t->part_products, most = PARTS_A_THREAD * t->threads;
	/* as many for each: three parts for two threads take as long as four of that size */
	const u64 equal = parts < t->threads ? parts : (parts + t->threads - 1) / t->threads * t->threads;
	return (unsigned)(equal < most ? equal : most);
}

unsigned npu_team_places(const struct npu_team *t)
{
	return t ? t->threads : 1;
}

/* Signals are the business of the threads that there were before. */
static void start(struct npu_team *t, unsigned members)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (t->started < members && !t->refused) {
		struct member *m = &t->member[t->started];
		*m = (struct member){ .team = t, .place = t->started + 1 };
		if (pthread_create(&m->thread, NULL, member_main, m) == 0)
			t->started++;
		else
			t->refused = true;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Whoever does one inference of a small network would wait longer for threads than it would have to work. */
static void start_in_time(struct npu_team *t, unsigned parts)
{
	if (t->started == 0 && t->alone < PARTS_ALONE)
		t->alone += parts;
	else if (t->started + 1 < t->threads)
		start(t, t->threads - 1);
}

static void wait_for_members(struct npu_team *t)
{
	for (unsigned i = 0; i < LOOKS && __atomic_load_n(&t->left, __ATOMIC_RELAXED); i++)
		relax();
	if (__atomic_load_n(&t->left, __ATOMIC_ACQUIRE) == 0)
		return;
	pthread_mutex_lock(&t->lock);
	__atomic_store_n(&t->waiting, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&t->left, __ATOMIC_SEQ_CST))
		pthread_cond_wait(&t->done, &t->lock);
	__atomic_store_n(&t->waiting, false, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&t->lock);
}

void npu_team_run(struct npu_team *t, unsigned parts, npu_team_fn *work, void *ctx)
{
	if (t && parts > 1)
		start_in_time(t, parts);
	if (!t || parts == 1 || t->started == 0) {
		for (unsigned part = 0; part < parts; part++)
			work(ctx, part, 0);
		return;
	}
	u32 done = 0;
	begin(t, parts, work, ctx);
	if (!work_on(t, 0, &done))
		wait_for_members(t);
}

void npu_team_later(struct npu_team *t, npu_team_later_fn *work, void *ctx)
{
	if (work && t->started + 1 < t->threads)
		start(t, t->threads - 1);
	pthread_mutex_lock(&t->lock);
	set_later(t, NULL, NULL);
	while (t->inside)
		pthread_cond_wait(&t->done, &t->lock);
	set_later(t, work, ctx);
	if (work)
		pthread_cond_broadcast(&t->wake);
	pthread_mutex_unlock(&t->lock);
}

void npu_team_wait(struct npu_team *t, bool (*still)(void *ctx), void *ctx)
{
	pthread_mutex_lock(&t->lock);
	while (still(ctx))
		pthread_cond_wait(&t->done, &t->lock);
	pthread_mutex_unlock(&t->lock);
}
