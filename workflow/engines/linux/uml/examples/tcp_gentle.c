// SPDX-License-Identifier: GPL-2.0-only
// Reno that keeps four fifths of its window after a loss instead of a half: ./atlas judge workflow/engines/linux/uml/examples/tcp_gentle.c
#include <linux/module.h>
#include <net/tcp.h>

static u32 gentle_ssthresh(struct sock *sk)
{
	return max(tcp_sk(sk)->snd_cwnd * 4 / 5, 2U);
}

static struct tcp_congestion_ops gentle __read_mostly = {
	.ssthresh = gentle_ssthresh,
	.undo_cwnd = tcp_reno_undo_cwnd,
	.cong_avoid = tcp_reno_cong_avoid,
	.owner = THIS_MODULE,
	.name = "gentle",
};

static int __init gentle_register(void)
{
	return tcp_register_congestion_control(&gentle);
}

static void __exit gentle_unregister(void)
{
	tcp_unregister_congestion_control(&gentle);
}

module_init(gentle_register);
module_exit(gentle_unregister);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("Reno with a multiplicative decrease of 0.8");
