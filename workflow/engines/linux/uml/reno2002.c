// SPDX-License-Identifier: GPL-2.0
/*
 * Reno as Linux 2.4 had it in 2002. It differs from today's "reno" in two ways.
 *
 * The congestion window grows by the acknowledgements that arrive, and not by the segments that they acknowledge
 * (RFC 3465), so that delayed acknowledgements make it grow half as fast.
 *
 * Recovery never leaves a window larger than what is in flight and two segments. A sender that could send nothing new
 * meanwhile, because its buffer or the receiver's was full, goes on in slow start, where today's sends a burst.
 */
#include <linux/module.h>
#include <net/tcp.h>

static void reno2002_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 cwnd = tcp_snd_cwnd(tp);

	if (!tcp_is_cwnd_limited(sk) || cwnd >= tp->snd_cwnd_clamp)
		return;
	if (!tcp_in_slow_start(tp) && ++tp->snd_cwnd_cnt < cwnd)
		return;
	tp->snd_cwnd_cnt = 0;
	tcp_snd_cwnd_set(tp, cwnd + 1);
}

static void reno2002_event(struct sock *sk, enum tcp_ca_event event)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (event == CA_EVENT_COMPLETE_CWR)
		tcp_snd_cwnd_set(tp, min(tcp_snd_cwnd(tp), tcp_packets_in_flight(tp) + 2));
}

static struct tcp_congestion_ops reno2002 __read_mostly = {
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "reno2002",
	.owner = THIS_MODULE,
	.ssthresh = tcp_reno_ssthresh,
	.cong_avoid = reno2002_cong_avoid,
	.cwnd_event = reno2002_event,
	.undo_cwnd = tcp_reno_undo_cwnd,
};

static int __init reno2002_register(void)
{
	return tcp_register_congestion_control(&reno2002);
}
module_init(reno2002_register);
MODULE_LICENSE("GPL");
