// SPDX-License-Identifier: GPL-2.0
/*
 * The queue discipline "link": the way of packets from their sources to their receivers, in the terms of a simulator.
 *
 *   each source's access link  ->  queue, transmission  ->  random loss  ->  delay, egress link  ->  the device
 *
 * The delay is that of each packet where LINK_DELAYS has said so, and packets arrive in order unless they may overtake.
 * A packet is given to the device when the last of this is over, so that the device itself takes no time. The queue is
 * drop-tail of so many packets, the one in service included, or a child discipline of the kernel's, from which packets
 * are taken one by one as their transmission starts. At the same instant a packet leaves before another one arrives.
 *
 * Packets without data, SYN and FIN, which simulators do not send to receivers, go around the bottleneck: they have its
 * delays, that of its queue included, but take none of its room, and are not lost nor counted.
 */
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/tcp.h>
#include <linux/vmalloc.h>
#include <net/inet_ecn.h>
#include <net/netlink.h>
#include <net/pkt_sched.h>

#include "dumbbell.h"
#include "link.h"

struct generator {
	u64 state[4];
};

struct link {
	struct link_options options;
	struct Qdisc *child;		/* noop_qdisc: the drop-tail queue below */
	struct qdisc_watchdog watchdog;
	struct rb_root access;		/* packets on the access links, by when they reach the queue */
	u64 *access_free;		/* of each source: when its link has sent what it has */
	u32 first[LINK_GROUPS];		/* the number of each group's first source */
	u64 free_ns, carry;		/* when the transmission of what was accepted is over, and its fraction */
	u64 *ends;			/* a ring: drop-tail queue's ends of transmission */
	u32 ends_head;
	struct sk_buff *in_service;	/* of a child discipline */
	u64 service_end;
	u64 *delays, delays_used, late_ns, last_ns;	/* of the link behind the queue, where they vary */
	u32 delays_count;
	struct rb_root flight;		/* there, by when they are over, if they overtake one another */
	struct rb_root around;		/* packets without data, by when they are due at the device */
	struct sk_buff_head line;	/* by when they are due at the device: in order, or */
	struct rb_root egress;		/* with egress links, which order them anew */
	u64 *egress_free;		/* of each source's receiver */
	u32 level;			/* packets in the queue, the one in service included */
	u64 changed_at;
	u64 *time_at, *arrivals_at;
	struct generator losses;
	struct link_counters counters;
};

/* In the part of a packet's control block that queue disciplines leave alone, and in theirs. */
struct link_stamp {
	u64 sent;
};

static struct link_stamp *stamp(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct tc_skb_cb) > 40);
	return (struct link_stamp *)(skb->cb + 40);
}

static u64 *due(struct sk_buff *skb)
{
	return (u64 *)(((unsigned long)qdisc_skb_cb(skb)->data + 7) & ~7UL);
}

static struct link *named[LINK_NAMES];

/* The log: pages of records. */
struct log_page {
	struct list_head list;
	u32 used;
	struct link_log_record record[100];
};
static LIST_HEAD(log_pages);

static u64 splitmix64(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static void seed_generator(struct generator *g, u64 seed)
{
	int i;

	for (i = 0; i < 4; i++)
		g->state[i] = splitmix64(&seed);
}

/* xoshiro256++ of Blackman and Vigna. */
static u64 draw(struct generator *g)
{
	u64 *s = g->state;
	u64 result = rol64(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rol64(s[3], 45);
	return result;
}

static u32 ip_bytes(const struct sk_buff *skb)
{
	return skb->len - skb_network_offset(skb);
}

static const struct tcphdr *tcp_of(const struct sk_buff *skb)
{
	return (const struct tcphdr *)(skb_network_header(skb) + ip_hdr(skb)->ihl * 4);
}

static u32 payload(const struct sk_buff *skb)
{
	return ip_bytes(skb) - ip_hdr(skb)->ihl * 4 - tcp_of(skb)->doff * 4;
}

static u32 group_of(const struct link *q, const struct sk_buff *skb)
{
	u32 group = ((ntohl(ip_hdr(skb)->saddr) >> 16) & 0xff) - 1;

	return group < q->options.groups ? group : 0;
}

/* The number of a packet's source. */
static u32 source_of(const struct link *q, const struct sk_buff *skb)
{
	u32 group = group_of(q, skb), number = (ntohl(ip_hdr(skb)->saddr) & 0xffff) - 2;

	return q->first[group] + min(number, q->options.group[group].count - 1);
}

/* Puts a packet behind those that are due no later. */
static void insert(struct rb_root *tree, struct sk_buff *skb)
{
	struct rb_node **place = &tree->rb_node, *parent = NULL;

	while (*place) {
		parent = *place;
		place = *due(rb_to_skb(parent)) <= *due(skb) ? &parent->rb_right : &parent->rb_left;
	}
	rb_link_node(&skb->rbnode, parent, place);
	rb_insert_color(&skb->rbnode, tree);
}

static void take(struct rb_root *tree, struct sk_buff *skb, struct Qdisc *sch)
{
	rb_erase(&skb->rbnode, tree);
	skb->next = skb->prev = NULL;
	skb->dev = qdisc_dev(sch);
}

static u64 time_to_send(const struct sk_buff *skb, u64 bit_per_s)
{
	return bit_per_s ? div64_u64((u64)ip_bytes(skb) * 8 * NSEC_PER_SEC, bit_per_s) : 0;
}

static void write_log(const struct sk_buff *skb, u32 from_sender, u64 now)
{
	const struct tcphdr *tcp = tcp_of(skb);
	struct log_page *page = list_empty(&log_pages) ? NULL : list_last_entry(&log_pages, struct log_page, list);

	if (!page || page->used == ARRAY_SIZE(page->record)) {
		page = kmalloc(sizeof(*page), GFP_ATOMIC);
		if (!page)
			panic("no memory for the log of packets");
		page->used = 0;
		list_add_tail(&page->list, &log_pages);
	}
	page->record[page->used++] = (struct link_log_record){
		.time_ns = now, .from_sender = from_sender, .bytes = ip_bytes(skb), .payload = payload(skb),
		.seq = ntohl(tcp->seq), .ack = ntohl(tcp->ack_seq), .window = ntohs(tcp->window), .flags = ntohs(((const __be16 *)tcp)[6]),
		.from_port = ntohs(tcp->source), .to_port = ntohs(tcp->dest),
	};
}

static void set_level(struct link *q, u32 level, u64 now)
{
	q->time_at[min(q->level, q->options.levels - 1)] += now - q->changed_at;
	q->changed_at = now;
	q->level = level;
}

/* Begins a transmission at `now`, or when those before it are over; returns when it ends. */
static u64 transmit(struct link *q, const struct sk_buff *skb, u64 now)
{
	u64 scaled, bytes = q->options.bytes_each ?: ip_bytes(skb);

	if (now > q->free_ns) {
		q->free_ns = now;
		q->carry = 0;
	}
	scaled = bytes * 8 * NSEC_PER_SEC + q->carry;
	q->free_ns += div64_u64_rem(scaled, q->options.rate_bit_per_s, &q->carry);
	return q->free_ns;
}

/* When a packet that leaves at `end` is over the link behind the queue. */
static u64 over_the_link(struct link *q, const struct sk_buff *skb, u64 end)
{
	u64 drawn, at = end + q->options.delay_ns;
	bool late = false;

	if (!q->delays)
		return at;
	if (payload(skb)) {
		drawn = q->delays[q->delays_used++ % q->delays_count];
		at = end + drawn / LINK_DELAY_UNIT;
		late = drawn & LINK_OVERTAKEN;
	}
	if (!q->options.reorders)
		at = q->last_ns = max(q->last_ns, at);
	return at + (late ? q->late_ns : 0);
}

/* A packet gets to its egress link, and the device. */
static void pass_egress(struct link *q, struct sk_buff *skb, u64 at)
{
	u32 group = group_of(q, skb);

	if (q->egress_free) {
		u64 *free = &q->egress_free[source_of(q, skb)];

		*free = max(*free, at) + time_to_send(skb, q->options.egress_rate_bit_per_s);
		at = *free;
	}
	at += q->options.egress_delay_ns;
	q->counters.group[group].arrived++;
	q->counters.group[group].way_ns += at - stamp(skb)->sent;
	*due(skb) = at;
	if (q->egress_free || q->delays)
		insert(&q->egress, skb);
	else
		__skb_queue_tail(&q->line, skb);
}

/* Random loss, or the delay line, of a packet whose transmission is over at `end`; returns whether it is carried. */
static bool leave(struct Qdisc *sch, struct sk_buff *skb, u64 end)
{
	struct link *q = qdisc_priv(sch);
	u64 at;

	q->counters.started++;
	if (q->options.loss_threshold && draw(&q->losses) >> 11 < q->options.loss_threshold) {
		q->counters.lost++;
		sch->q.qlen--;
		kfree_skb(skb);
		return false;
	}
	at = over_the_link(q, skb, end);
	if (q->delays) {
		*due(skb) = at;
		insert(&q->flight, skb);
	} else {
		pass_egress(q, skb, at);
	}
	return true;
}

static bool has_child(const struct link *q)
{
	return !q->options.buffer_packets && q->options.rate_bit_per_s;
}

static void start_service(struct Qdisc *sch, u64 now)
{
	struct link *q = qdisc_priv(sch);

	q->in_service = q->child->dequeue(q->child);
	if (q->in_service)
		q->service_end = transmit(q, q->in_service, now);
	set_level(q, q->child->q.qlen + (q->in_service ? 1 : 0), now);
}

static void arrive(struct Qdisc *sch, struct sk_buff *skb, u64 now)
{
	struct link *q = qdisc_priv(sch);
	struct sk_buff *dropped = NULL;

	q->counters.arrived++;
	q->arrivals_at[min(q->level, q->options.levels - 1)]++;
	if (has_child(q)) {
		if (qdisc_enqueue(skb, q->child, &dropped) == NET_XMIT_SUCCESS)
			sch->q.qlen++;
		kfree_skb_list(dropped);
		if (q->in_service)
			set_level(q, q->child->q.qlen + 1, now);
		else
			start_service(sch, now);
		return;
	}
	if (q->options.buffer_packets && q->level == q->options.buffer_packets) {
		q->counters.dropped++;
		kfree_skb(skb);
		return;
	}
	sch->q.qlen++;
	if (!q->options.rate_bit_per_s) {
		leave(sch, skb, now);
		return;
	}
	q->ends[(q->ends_head + q->level) % q->options.buffer_packets] = transmit(q, skb, now);
	set_level(q, q->level + 1, now);
	if (leave(sch, skb, q->free_ns))
		q->counters.waited_ns += q->free_ns - now;
}

/* The drop-tail queue's packets whose transmission is over. */
static void depart(struct link *q, u64 now)
{
	while (q->level && q->ends[q->ends_head] <= now) {
		u64 end = q->ends[q->ends_head];

		q->ends_head = (q->ends_head + 1) % q->options.buffer_packets;
		set_level(q, q->level - 1, end);
	}
}

static struct sk_buff *first_on_access(struct link *q)
{
	return skb_rb_first(&q->access);
}

/* All that is over before `now`, or then. */
static void advance(struct Qdisc *sch, u64 now)
{
	struct link *q = qdisc_priv(sch);

	for (;;) {
		struct sk_buff *next = first_on_access(q), *sent = q->in_service;
		u64 arrival = next ? *due(next) : U64_MAX;
		u64 limit = min(arrival, now);

		if (!has_child(q))
			depart(q, limit);
		if (sent && q->service_end <= limit) {
			if (INET_ECN_is_ce(ip_hdr(sent)->tos))
				q->counters.marked++;
			leave(sch, sent, q->service_end);
			start_service(sch, q->service_end);
			continue;
		}
		if (arrival > now)
			return;
		take(&q->access, next, sch);
		arrive(sch, next, arrival);
	}
}

static void enter_access(struct Qdisc *sch, struct sk_buff *skb, u64 now)
{
	struct link *q = qdisc_priv(sch);
	const struct link_group *own = &q->options.group[group_of(q, skb)];
	u64 *free = &q->access_free[source_of(q, skb)];

	*free = max(*free, now) + time_to_send(skb, own->access_rate_bit_per_s);
	*due(skb) = *free + own->access_delay_ns;
	insert(&q->access, skb);
}

/* How long a packet would wait that gets to the queue now. */
static u64 wait_ns(const struct link *q, u64 now)
{
	u64 end = has_child(q) ? q->service_end : q->free_ns;
	u64 wait = end > now ? end - now : 0;

	if (has_child(q) && q->options.one_line)
		wait += div64_u64((u64)q->child->qstats.backlog * 8 * NSEC_PER_SEC, q->options.rate_bit_per_s);
	return wait;
}

static int link_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct link *q = qdisc_priv(sch);
	u64 now = ktime_get_ns();
	u32 bytes = ip_bytes(skb);

	if (skb->protocol != htons(ETH_P_IP))
		return qdisc_drop(skb, sch, to_free);
	advance(sch, now);
	if (q->options.log == LINK_LOG_SENT)
		write_log(skb, 1, now);
	if (q->options.read_as == LINK_BOTTLENECK && !payload(skb)) {
		*due(skb) = now + wait_ns(q, now) + q->options.group[group_of(q, skb)].access_delay_ns + q->options.delay_ns +
			    q->options.egress_delay_ns;
		insert(&q->around, skb);
		sch->q.qlen++;
		return NET_XMIT_SUCCESS;
	}
	stamp(skb)->sent = now;
	q->counters.sent++;
	if (bytes > q->counters.largest_bytes) {
		q->counters.largest_bytes = bytes;
		q->counters.full_size = 0;
	}
	q->counters.full_size += bytes == q->counters.largest_bytes;
	if (q->access_free)
		enter_access(sch, skb, now);
	else
		arrive(sch, skb, now);
	return NET_XMIT_SUCCESS;
}

static struct sk_buff *link_dequeue(struct Qdisc *sch)
{
	struct link *q = qdisc_priv(sch);
	u64 now = ktime_get_ns(), next = U64_MAX;
	bool sorted = q->egress_free || q->delays;
	struct sk_buff *skb;

	advance(sch, now);
	skb = skb_rb_first(&q->around);
	if (skb && *due(skb) <= now) {
		take(&q->around, skb, sch);
		sch->q.qlen--;
		return skb;
	}
	if (skb)
		next = *due(skb);
	for (; (skb = skb_rb_first(&q->flight)) && *due(skb) <= now; pass_egress(q, skb, *due(skb)))
		take(&q->flight, skb, sch);
	skb = sorted ? skb_rb_first(&q->egress) : skb_peek(&q->line);
	if (skb && *due(skb) <= now) {
		if (sorted)
			take(&q->egress, skb, sch);
		else
			__skb_unlink(skb, &q->line);
		sch->q.qlen--;
		q->counters.delivered++;
		qdisc_bstats_update(sch, skb);
		if (q->options.log == LINK_LOG_RECEIVED)
			write_log(skb, 0, now);
		return skb;
	}
	if (skb)
		next = min(next, *due(skb));
	if (q->in_service)
		next = min(next, q->service_end);
	skb = skb_rb_first(&q->flight);
	if (skb)
		next = min(next, *due(skb));
	skb = first_on_access(q);
	if (skb)
		next = min(next, *due(skb));
	if (next != U64_MAX)
		qdisc_watchdog_schedule_ns(&q->watchdog, next);
	return NULL;
}

static void link_reset(struct Qdisc *sch)
{
	struct link *q = qdisc_priv(sch);

	qdisc_watchdog_cancel(&q->watchdog);
	qdisc_reset(q->child);
	kfree_skb(q->in_service);
	q->in_service = NULL;
	__skb_queue_purge(&q->line);
	skb_rbtree_purge(&q->access);
	skb_rbtree_purge(&q->flight);
	skb_rbtree_purge(&q->around);
	skb_rbtree_purge(&q->egress);
	q->ends_head = q->level = 0;
}

static void link_destroy(struct Qdisc *sch)
{
	struct link *q = qdisc_priv(sch);

	qdisc_watchdog_cancel(&q->watchdog);
	if (named[q->options.read_as] == q)
		named[q->options.read_as] = NULL;
	qdisc_put(q->child);
	kvfree(q->access_free);
	kvfree(q->egress_free);
	kvfree(q->delays);
	kvfree(q->ends);
	kvfree(q->time_at);
	kvfree(q->arrivals_at);
}

static int link_init(struct Qdisc *sch, struct nlattr *options, struct netlink_ext_ack *extack)
{
	struct link *q = qdisc_priv(sch);
	bool access = false;
	u32 i, sources = 0;

	qdisc_watchdog_init(&q->watchdog, sch);
	__skb_queue_head_init(&q->line);
	q->access = q->flight = q->around = q->egress = RB_ROOT;
	q->child = &noop_qdisc;
	if (!options || nla_len(options) != sizeof(q->options))
		return -EINVAL;
	memcpy(&q->options, nla_data(options), sizeof(q->options));
	if (q->options.groups > LINK_GROUPS || !q->options.levels || q->options.read_as >= LINK_NAMES)
		return -EINVAL;
	for (i = 0; i < q->options.groups; i++) {
		q->first[i] = sources;
		sources += q->options.group[i].count;
		access |= q->options.group[i].access_rate_bit_per_s || q->options.group[i].access_delay_ns;
	}
	if (access)
		q->access_free = kvcalloc(sources, sizeof(u64), GFP_KERNEL);
	if (q->options.egress_rate_bit_per_s)
		q->egress_free = kvcalloc(sources, sizeof(u64), GFP_KERNEL);
	q->ends = kvcalloc(q->options.buffer_packets + 1, sizeof(u64), GFP_KERNEL);
	q->time_at = kvcalloc(q->options.levels, sizeof(u64), GFP_KERNEL);
	q->arrivals_at = kvcalloc(q->options.levels, sizeof(u64), GFP_KERNEL);
	if ((access && !q->access_free) || (q->options.egress_rate_bit_per_s && !q->egress_free) || !q->ends || !q->time_at || !q->arrivals_at)
		return -ENOMEM;
	seed_generator(&q->losses, q->options.loss_seed);
	q->changed_at = ktime_get_ns();
	named[q->options.read_as] = q;
	return 0;
}

static int link_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	return skb->len;
}

static int link_graft(struct Qdisc *sch, unsigned long arg, struct Qdisc *new, struct Qdisc **old,
		      struct netlink_ext_ack *extack)
{
	struct link *q = qdisc_priv(sch);

	*old = qdisc_replace(sch, new ?: &noop_qdisc, &q->child);
	return 0;
}

static struct Qdisc *link_leaf(struct Qdisc *sch, unsigned long arg)
{
	return ((struct link *)qdisc_priv(sch))->child;
}

static unsigned long link_find(struct Qdisc *sch, u32 classid)
{
	return 1;
}

static void link_walk(struct Qdisc *sch, struct qdisc_walker *walker)
{
	if (!walker->stop)
		tc_qdisc_stats_dump(sch, 1, walker);
}

static const struct Qdisc_class_ops link_class_ops = {
	.graft = link_graft,
	.leaf = link_leaf,
	.find = link_find,
	.walk = link_walk,
};

static struct Qdisc_ops link_ops __read_mostly = {
	.cl_ops = &link_class_ops,
	.id = "link",
	.priv_size = sizeof(struct link),
	.enqueue = link_enqueue,
	.dequeue = link_dequeue,
	.peek = qdisc_peek_dequeued,
	.init = link_init,
	.reset = link_reset,
	.destroy = link_destroy,
	.dump = link_dump,
	.owner = THIS_MODULE,
};

long link_read(const struct link_read __user *from)
{
	struct link_read places;
	struct link *q;
	size_t bytes;
	u64 now;

	if (copy_from_user(&places, from, sizeof(places)))
		return -EFAULT;
	q = places.which && places.which < LINK_NAMES ? named[places.which] : NULL;
	if (!q)
		return -ENODEV;
	local_bh_disable();
	now = ktime_get_ns();
	if (!has_child(q)) {
		depart(q, now);
	} else {
		q->counters.dropped = q->counters.arrived - q->counters.started - q->child->q.qlen -
				      (q->in_service ? 1 : 0);
	}
	set_level(q, q->level, now);
	local_bh_enable();
	bytes = q->options.levels * sizeof(u64);
	if (copy_to_user(u64_to_user_ptr(places.counters), &q->counters, sizeof(q->counters)) ||
	    copy_to_user(u64_to_user_ptr(places.time_at), q->time_at, bytes) ||
	    copy_to_user(u64_to_user_ptr(places.arrivals_at), q->arrivals_at, bytes))
		return -EFAULT;
	return 0;
}

long link_delays(const struct link_delays __user *from)
{
	struct link *q = named[LINK_BOTTLENECK];
	struct link_delays all;
	u64 *delays;

	if (copy_from_user(&all, from, sizeof(all)))
		return -EFAULT;
	if (!q || q->delays || !all.count)
		return -EINVAL;
	delays = kvmalloc_array(all.count, sizeof(u64), GFP_KERNEL);
	if (!delays)
		return -ENOMEM;
	if (copy_from_user(delays, u64_to_user_ptr(all.data), all.count * sizeof(u64))) {
		kvfree(delays);
		return -EFAULT;
	}
	local_bh_disable();
	q->late_ns = all.late_ns;
	q->delays_count = all.count;
	q->delays = delays;
	local_bh_enable();
	return 0;
}

/* Moves what has been logged so far to a user. */
long link_log(struct sources_array __user *to)
{
	struct sources_array places;
	struct log_page *page, *next;
	LIST_HEAD(full);

	if (copy_from_user(&places, to, sizeof(places)))
		return -EFAULT;
	places.count = 0;
	list_for_each_entry_safe(page, next, &log_pages, list) {
		struct link_log_record __user *place = u64_to_user_ptr(places.data);

		if (places.count + page->used > places.room)
			break;
		if (copy_to_user(place + places.count, page->record, page->used * sizeof(*page->record)))
			return -EFAULT;
		places.count += page->used;
		list_del(&page->list);
		kfree(page);
	}
	return copy_to_user(to, &places, sizeof(places)) ? -EFAULT : 0;
}

static int __init link_module_init(void)
{
	return register_qdisc(&link_ops);
}
module_init(link_module_init);
MODULE_LICENSE("GPL");
