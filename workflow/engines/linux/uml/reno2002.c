// SPDX-License-Identifier: GPL-2.0
/*
 * Reno as Linux had it in 2002: the congestion window grows by what arrives, acknowledgements, and not by what they
 * acknowledge. Today's "reno" counts segments (RFC 3465), so that delayed acknowledgements no longer slow it down: over a
 * link that loses a packet now and then it is faster by a factor of up to the square root of 2.
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

static struct tcp_congestion_ops reno2002 __read_mostly = {
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "reno2002",
	.owner = THIS_MODULE,
	.ssthresh = tcp_reno_ssthresh,
	.cong_avoid = reno2002_cong_avoid,
	.undo_cwnd = tcp_reno_undo_cwnd,
};

static int __init reno2002_register(void)
{
	return tcp_register_congestion_control(&reno2002);
}
module_init(reno2002_register);
MODULE_LICENSE("GPL");
