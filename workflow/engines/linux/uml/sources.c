// SPDX-License-Identifier: GPL-2.0
/*
 * The device /dev/sources: senders and receivers without processes.
 *
 * A source makes one transfer after another, each on a connection of its own, which is opened ahead of it. From the
 * transfer's time on it writes a block whenever less than a block waits to be sent; the transfer has ended when the last byte
 * is acknowledged, and then it closes its side. A receiver reads what comes as it comes, and closes its side at the end. They
 * are what a process with non-blocking sockets is, without the system calls, which in User-Mode Linux cost ten times what TCP
 * does. Sockets call back as packets arrive; the rest is done by one worker, one source after the other.
 */
#include <linux/inet.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/tcp.h>
#include <linux/vmalloc.h>
#include <net/inet_connection_sock.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "link.h"

#define WRITE_BYTES 32768

struct group {
	struct net *net;
	struct socket *listener;
	struct sockaddr_in receiver;
	u32 number, first, count, write_bytes;
	bool arrivals;		/* connections to accept */
};

struct source {
	struct group *group;
	struct list_head work;
	struct hrtimer timer;
	struct socket *sender, *receiver;
	u64 unsent;
	u64 at;			/* when its transfer is to begin */
	u64 begun;		/* 0: it has not */
	bool due;		/* the timer has run out */
	struct sources_state past;	/* of transfers that have ended */
	u32 number;
};

static struct group groups[LINK_GROUPS];
static u32 group_count, source_count;
static struct source **sources;
static struct sources_completion *completions;	/* one a source at most */
static u32 completion_count;
static int failure;
static LIST_HEAD(work_list);
static DEFINE_SPINLOCK(lock);		/* of the lists, and what callbacks touch */
static DECLARE_WAIT_QUEUE_HEAD(waiting);
static void work(struct work_struct *unused);
static DECLARE_WORK(worker, work);
static struct workqueue_struct *queue;
static char data[WRITE_BYTES];

static void mark(struct source *source)
{
	spin_lock_bh(&lock);
	if (list_empty(&source->work))
		list_add_tail(&source->work, &work_list);
	spin_unlock_bh(&lock);
	queue_work(queue, &worker);
}

static void on_change(struct sock *sk)
{
	if (sk->sk_user_data)
		mark(sk->sk_user_data);
}

/*
 * Whether there is something to do: it writes before the sender runs out of data, so that it never fills the socket's
 * buffer, or it has written all, and all is acknowledged.
 */
static bool is_due(struct sock *sk, const struct source *source)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 written = READ_ONCE(tp->write_seq);

	if (!source->unsent)
		return READ_ONCE(tp->snd_una) == written;
	return written - READ_ONCE(tp->snd_nxt) < source->group->write_bytes;
}

static void on_write_space(struct sock *sk)
{
	if (sk->sk_user_data && sk->sk_socket && is_due(sk, sk->sk_user_data)) {
		clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		mark(sk->sk_user_data);
	}
}

static void on_nothing(struct sock *sk)
{
}

static int discard(read_descriptor_t *descriptor, struct sk_buff *skb, unsigned int offset, size_t bytes)
{
	return bytes;
}

/* A receiver that reads at once. The socket is locked. */
static void on_data(struct sock *sk)
{
	read_descriptor_t descriptor = { .count = 1 };

	tcp_read_sock(sk, &descriptor, discard);
}

/* Of a listener, and of connections until they are accepted: these inherit it. */
static void on_arrival(struct sock *sk)
{
	struct group *group = sk->sk_user_data;

	if (!group || sk->sk_state != TCP_LISTEN)
		return;
	group->arrivals = true;
	queue_work(queue, &worker);
}

static void add_state(struct sources_state *to, const struct tcp_sock *tp)
{
	/* SYN counts as a byte. */
	to->acknowledged_bytes += tp->bytes_acked - min_t(u64, tp->bytes_acked, 1);
	/* What waits beyond a hole has arrived; without SACK nobody says so, and duplicates are counted there. */
	if (tcp_is_sack(tp))
		to->acknowledged_bytes += (u64)tp->sacked_out * tp->mss_cache;
	to->sent_packets += tp->segs_out;
	to->resent_packets += tp->total_retrans;
}

static void fail(int error)
{
	if (!failure)
		failure = error;
	wake_up(&waiting);
}

static void begin(struct source *source, u32 number)
{
	struct group *group = source->group;
	struct sockaddr_in own = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(SOURCE_ADDRESS(group->number, number - group->first)),
	};
	struct socket *socket;
	int error = sock_create_kern(group->net, PF_INET, SOCK_STREAM, IPPROTO_TCP, &socket);

	if (error)
		return fail(error);
	source->begun = 0;
	source->sender = socket;
	inet_sk(socket->sk)->bind_address_no_port = 1;
	error = kernel_bind(socket, (struct sockaddr *)&own, sizeof(own));
	write_lock_bh(&socket->sk->sk_callback_lock);
	socket->sk->sk_user_data = source;
	socket->sk->sk_state_change = on_change;
	socket->sk->sk_write_space = on_write_space;
	socket->sk->sk_data_ready = on_nothing;
	socket->sk->sk_error_report = on_change;
	write_unlock_bh(&socket->sk->sk_callback_lock);
	if (!error)
		error = kernel_connect(socket, (struct sockaddr *)&group->receiver, sizeof(group->receiver), O_NONBLOCK);
	if (error && error != -EINPROGRESS)
		fail(error);
}

/* Writes, once it is time. Returns whether the transfer has ended. */
static bool pump(struct source *source)
{
	struct socket *socket = source->sender;

	if (!source->begun) {
		u64 now = ktime_get_ns();

		if (now < source->at) {
			hrtimer_start(&source->timer, ns_to_ktime(source->at), HRTIMER_MODE_ABS_SOFT);
			return false;
		}
		source->begun = now;
	}
	for (;;) {
		struct msghdr message = { .msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL };
		struct kvec piece = { data, min_t(u64, source->unsent, source->group->write_bytes) };
		int written;

		if (!is_due(socket->sk, source)) {
			set_bit(SOCK_NOSPACE, &socket->flags); /* so that TCP calls back */
			smp_mb();
			if (!is_due(socket->sk, source))
				return false;
		}
		if (!source->unsent)
			return true;
		written = kernel_sendmsg(socket, &message, &piece, 1, piece.iov_len);
		if (written < 0) {
			if (written != -EAGAIN)
				fail(written);
			return false;
		}
		if (source->unsent != U64_MAX)
			source->unsent -= written;
	}
}

static void drop_receiver(struct source *source)
{
	if (source->receiver) {
		source->receiver->sk->sk_user_data = NULL;
		sock_release(source->receiver);
		source->receiver = NULL;
	}
}

static void end(struct source *source, u32 number)
{
	struct sock *sk = source->sender->sk;

	completions[completion_count++] = (struct sources_completion){
		.source = number, .srtt_us = tcp_sk(sk)->srtt_us >> 3, .begun_ns = source->begun,
		.ended_ns = ktime_get_ns(),
	};
	add_state(&source->past, tcp_sk(sk));
	sk->sk_user_data = NULL;
	sock_release(source->sender);
	source->sender = NULL;
	wake_up(&waiting);
}

static void serve(struct source *source, u32 number)
{
	struct sock *sk;

	if (source->receiver && source->receiver->sk->sk_state == TCP_CLOSE_WAIT)
		drop_receiver(source);
	if (source->due) {
		source->due = false;
		if (!source->sender) {
			begin(source, number);
			return;
		}
	}
	if (!source->sender)
		return;
	sk = source->sender->sk;
	if (sk->sk_err)
		return fail(-sk->sk_err);
	if (sk->sk_state == TCP_ESTABLISHED && pump(source))
		end(source, number);
}

static void accept_all(struct group *group)
{
	struct socket *socket;

	group->arrivals = false;
	while (!kernel_accept(group->listener, &socket, O_NONBLOCK)) {
		struct sock *sk = socket->sk;
		u32 number = ntohl(inet_sk(sk)->inet_daddr) - SOURCE_ADDRESS(group->number, 0);
		struct source *source;

		if (number >= group->count)
			return fail(-EADDRNOTAVAIL);
		source = sources[group->first + number];
		drop_receiver(source);
		source->receiver = socket;
		lock_sock(sk);
		if (sk->sk_userlocks & SOCK_RCVBUF_LOCK) /* the whole window from the start */
			tcp_sk(sk)->rcv_ssthresh = tcp_sk(sk)->window_clamp;
		sk->sk_user_data = source;
		sk->sk_data_ready = on_data;
		sk->sk_state_change = on_change;
		on_data(sk);
		release_sock(sk);
		if (sk->sk_state == TCP_CLOSE_WAIT)
			mark(source);
	}
}

static void work(struct work_struct *unused)
{
	u32 i;

	for (i = 0; i < group_count; i++)
		if (groups[i].arrivals)
			accept_all(&groups[i]);
	for (;;) {
		struct source *source;

		spin_lock_bh(&lock);
		source = list_first_entry_or_null(&work_list, struct source, work);
		if (source)
			list_del_init(&source->work);
		spin_unlock_bh(&lock);
		if (!source)
			return;
		serve(source, source->number);
	}
}

static enum hrtimer_restart on_time(struct hrtimer *timer)
{
	struct source *source = container_of(timer, struct source, timer);

	source->due = true;
	mark(source);
	return HRTIMER_NORESTART;
}

static long add_group(const struct sources_group __user *from)
{
	struct sources_group wanted;
	struct group *group = &groups[group_count];
	struct source **more;
	int error;
	u32 i;

	if (copy_from_user(&wanted, from, sizeof(wanted)))
		return -EFAULT;
	if (group_count == LINK_GROUPS || !wanted.mss_bytes || wanted.mss_bytes > WRITE_BYTES)
		return -EINVAL;
	group->net = get_net_ns_by_fd(wanted.sender_net);
	if (IS_ERR(group->net))
		return PTR_ERR(group->net);
	group->listener = sockfd_lookup(wanted.listener, &error);
	if (!group->listener)
		return error;
	*group = (struct group){
		.net = group->net, .listener = group->listener, .number = group_count, .first = source_count,
		.count = wanted.count, .write_bytes = WRITE_BYTES / wanted.mss_bytes * wanted.mss_bytes,
		.receiver = { .sin_family = AF_INET, .sin_port = htons(wanted.port),
			      .sin_addr.s_addr = htonl(wanted.receiver_address) },
	};
	more = kvcalloc(source_count + wanted.count, sizeof(*sources), GFP_KERNEL);
	kvfree(completions);
	completions = kvcalloc(source_count + wanted.count, sizeof(*completions), GFP_KERNEL);
	if (!more || !completions)
		return -ENOMEM;
	if (source_count)
		memcpy(more, sources, source_count * sizeof(*sources));
	kvfree(sources);
	sources = more;
	for (i = 0; i < wanted.count; i++) {
		struct source *source = kzalloc(sizeof(*source), GFP_KERNEL);

		if (!source)
			return -ENOMEM;
		source->group = group;
		source->number = source_count;
		INIT_LIST_HEAD(&source->work);
		hrtimer_init(&source->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
		source->timer.function = on_time;
		sources[source_count++] = source;
	}
	write_lock_bh(&group->listener->sk->sk_callback_lock);
	group->listener->sk->sk_user_data = group;
	group->listener->sk->sk_data_ready = on_arrival;
	write_unlock_bh(&group->listener->sk->sk_callback_lock);
	group_count++;
	return 0;
}

static long exchange(struct sources_exchange __user *with)
{
	struct sources_exchange now;
	const struct sources_transfer __user *transfers;
	ktime_t left;
	u32 i;

	if (copy_from_user(&now, with, sizeof(now)))
		return -EFAULT;
	transfers = u64_to_user_ptr(now.transfers);
	for (i = 0; i < now.transfer_count; i++) {
		struct sources_transfer transfer;
		struct source *source;

		if (copy_from_user(&transfer, transfers + i, sizeof(transfer)))
			return -EFAULT;
		if (transfer.source >= source_count || sources[transfer.source]->sender)
			return -EINVAL;
		source = sources[transfer.source];
		source->unsent = transfer.bytes;
		source->at = transfer.at_ns;
		hrtimer_start(&source->timer, ns_to_ktime(transfer.open_ns), HRTIMER_MODE_ABS_SOFT);
	}
	left = ktime_sub(ns_to_ktime(now.until_ns), ktime_get());
	if (left > 0)
		wait_event_interruptible_hrtimeout(waiting, completion_count || failure, left);
	now.error = failure;
	now.completion_count = min(completion_count, now.completion_room);
	if (copy_to_user(u64_to_user_ptr(now.completions), completions, now.completion_count * sizeof(*completions)) ||
	    copy_to_user(with, &now, sizeof(now)))
		return -EFAULT;
	completion_count -= now.completion_count;
	memmove(completions, completions + now.completion_count, completion_count * sizeof(*completions));
	return 0;
}

static long read_states(struct sources_array __user *to)
{
	struct sources_array places;
	struct sources_state __user *place;
	u32 i;

	if (copy_from_user(&places, to, sizeof(places)))
		return -EFAULT;
	place = u64_to_user_ptr(places.data);
	places.count = min(places.room, source_count);
	for (i = 0; i < places.count; i++) {
		struct sources_state state = sources[i]->past;

		state.active = 0;
		if (sources[i]->sender) {
			const struct tcp_sock *tp = tcp_sk(sources[i]->sender->sk);

			add_state(&state, tp);
			state.cwnd = tcp_snd_cwnd(tp);
			state.ssthresh = tp->snd_ssthresh;
			state.srtt_us = tp->srtt_us >> 3;
			state.active = 1;
		}
		if (copy_to_user(place + i, &state, sizeof(state)))
			return -EFAULT;
	}
	return copy_to_user(to, &places, sizeof(places)) ? -EFAULT : 0;
}

static long sources_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	switch (command) {
	case SOURCES_ADD:
		return add_group((const void __user *)argument);
	case SOURCES_EXCHANGE:
		return exchange((void __user *)argument);
	case SOURCES_STATE:
		return read_states((void __user *)argument);
	case LINK_READ:
		return link_read((const void __user *)argument);
	case LINK_LOG:
		return link_log((void __user *)argument);
	case LINK_DELAYS:
		return link_delays((const void __user *)argument);
	}
	return -ENOTTY;
}

static const struct file_operations sources_operations = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = sources_ioctl,
};

static struct miscdevice sources_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "sources",
	.fops = &sources_operations,
};

static int __init sources_init(void)
{
	queue = alloc_ordered_workqueue("sources", 0);
	return queue ? misc_register(&sources_device) : -ENOMEM;
}
module_init(sources_init);
MODULE_LICENSE("GPL");
