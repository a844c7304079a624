/* CUBIC (RFC 9438) with HyStart++ (RFC 9406), as packetsim has it: the same bytes.
 * cc -std=c99 -O2 -ffp-contract=off -shared -fPIC -I HEADERS -o cubic.so cubic.c
 * Parameters: c (0.4), fast_convergence (1), rfc9438 (0: the Reno-friendly window grows as RFC 8312's, as the kernel's does). */
#include <stdlib.h>
#include "portable_math.h"
#include "tcpatlas_cc.h"
#define NEVER INT64_MAX
static const double BETA = 0.7, ALPHA = 3 * (1 - 0.7) / (1 + 0.7);
typedef struct {
  int32_t round_end; int samples, css_rounds; int64_t shortest, last_shortest, baseline;
} hystart;
typedef struct {
  double most, c; int fast_convergence, rfc9438;
  double cwnd, ssthresh, w_max, cwnd_prior, w_est, k, srtt; int64_t epoch, last; int at_plateau; hystart h;
} cubic;
static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int32_t slow_start(hystart *h, const cc_event *e) { /* quarters of a packet */
  if (e->una > h->round_end) {
    h->round_end = e->next; h->last_shortest = h->shortest; h->shortest = NEVER; h->samples = 0;
    h->css_rounds += h->css_rounds > 0;
  }
  if (e->rtt > 0) h->shortest = min64(h->shortest, e->rtt), ++h->samples;
  if (h->samples >= 8) {
    if (h->css_rounds > 0) {
      if (h->shortest < h->baseline) h->css_rounds = 0, h->baseline = NEVER;
    } else if (h->last_shortest != NEVER && h->shortest >= h->last_shortest +
               max64(4000000000, min64(16000000000, h->last_shortest / 8))) {
      h->css_rounds = 1; h->baseline = h->shortest;
    }
  }
  int32_t packets = e->acked < 8 ? e->acked : 8;
  return h->css_rounds > 0 ? packets : packets * 4;
}
static void *create(const cc_config *c, cc_decision *d) {
  cubic *q = calloc(1, sizeof *q);
  q->most = c->most; q->c = cc_parameter_of(c, "c", 0.4);
  q->fast_convergence = cc_parameter_of(c, "fast_convergence", 1) != 0;
  q->rfc9438 = cc_parameter_of(c, "rfc9438", 0) != 0;
  q->cwnd = c->initial_window; q->ssthresh = d->ssthresh; q->epoch = NEVER; q->at_plateau = 1;
  q->h = (hystart){0, 0, 0, NEVER, NEVER, NEVER};
  return q;
}
static void say(const cubic *q, cc_decision *d) { d->window = q->cwnd; d->ssthresh = q->ssthresh; }
static double at(const cubic *q, double t) { double x = t - q->k; return q->c * x * x * x + q->w_max; }
static void on_ack(void *self, const cc_event *e, cc_decision *d) {
  cubic *q = self;
  q->last = e->now;
  if (e->rtt > 0) { double s = (double)e->rtt / 1e12; q->srtt = q->srtt == 0 ? s : q->srtt + (s - q->srtt) / 8; }
  if (q->cwnd < q->ssthresh) {
    q->cwnd += (double)slow_start(&q->h, e) / 4;
    if (q->h.css_rounds > 5) q->ssthresh = q->cwnd;
  } else {
    if (q->epoch == NEVER) {
      q->epoch = e->now; q->w_est = q->cwnd;
      if (q->at_plateau || q->cwnd >= q->w_max) q->w_max = q->cwnd, q->k = 0;
      else q->k = portable_exp(portable_log((q->w_max - q->cwnd) / q->c) / 3);
      q->at_plateau = 0;
    }
    double t = (double)(e->now - q->epoch) / 1e12, acked = e->acked;
    q->w_est += (q->w_est < q->cwnd_prior || !q->rfc9438 ? ALPHA : 1) * acked / q->cwnd;
    if (at(q, t) < q->w_est) {
      if (q->cwnd < q->w_est) q->cwnd = q->w_est;
    } else {
      double target = at(q, t + q->srtt);
      if (target < q->cwnd) target = q->cwnd;
      if (target > 1.5 * q->cwnd) target = 1.5 * q->cwnd;
      q->cwnd += (target - q->cwnd) * acked / q->cwnd;
    }
  }
  if (q->cwnd > q->most) q->cwnd = q->most;
  say(q, d);
}
static void cut(cubic *q) {
  q->w_max = q->fast_convergence && q->cwnd < q->w_max ? q->cwnd * (1 + BETA) / 2 : q->cwnd;
  q->cwnd_prior = q->cwnd;
  q->ssthresh = q->cwnd * BETA > 2 ? q->cwnd * BETA : 2;
  q->epoch = NEVER; q->at_plateau = 0;
}
static void on_loss(void *self, const cc_event *e, cc_decision *d) {
  cubic *q = self; (void)e; cut(q); q->cwnd = q->ssthresh; say(q, d);
}
static void on_timeout(void *self, const cc_event *e, cc_decision *d) {
  cubic *q = self; (void)e; cut(q); q->cwnd = 1; q->at_plateau = 1; say(q, d);
}
/* Idleness is no part of the epoch (RFC 9438, sections 4.2 and 5.8). */
static void on_restart(void *self, const cc_event *e, cc_decision *d) {
  cubic *q = self; (void)d;
  if (q->epoch != NEVER) q->epoch += e->now - q->last;
}
#ifndef FLAGS
#define FLAGS 0
#endif
static const cc_controller it = {.built_for = CC_SIZES, .flags = FLAGS, .create = create, .destroy = free, .on_ack = on_ack,
                                 .on_loss = on_loss, .on_timeout = on_timeout, .on_restart = on_restart};
const cc_controller *tcpatlas_cc(void) { return &it; }
