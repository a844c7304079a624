/* ngtcp2's CUBIC behind tcpatlas_cc.h, of the release whose sources build.sh has fetched; compiled with its ngtcp2_cc.c.
 * Its connection paces at 1.25 windows in a smoothed round trip, which the controller computes. Parameter: paced (1). */
#include <stdlib.h>
#include "ngtcp2_cc.h"
#include "ngtcp2_conn_stat.h"
#include "ngtcp2_log.h"
#include "ngtcp2_rst.h"
#include "tcpatlas_cc.h"
typedef struct {
  ngtcp2_cc_cubic cubic; ngtcp2_conn_stat stat; ngtcp2_rst rst; ngtcp2_log log;
  uint64_t bytes; int64_t last; int paced, marked;
} flow;
static uint64_t at(int64_t picoseconds) { return 1000000000 + (uint64_t)picoseconds / 1000; }
static void decide(const flow *f, cc_decision *d) {
  d->window = (double)f->stat.cwnd / (double)f->bytes;
  if (f->paced) d->pacing_rate = 1e9 * 1024 / (double)f->stat.pacing_interval_m;
}
static void *create(const cc_config *c, cc_decision *d) {
  flow *f = calloc(1, sizeof *f);
  f->bytes = c->packet_bytes;
  f->paced = cc_parameter_of(c, "paced", 1) != 0;
  f->stat.cwnd = (uint64_t)c->initial_window * f->bytes;
  f->stat.ssthresh = f->stat.congestion_recovery_start_ts = f->stat.first_rtt_sample_ts = UINT64_MAX;
  f->stat.max_tx_udp_payload_size = f->bytes;
  ngtcp2_cc_cubic_init(&f->cubic, &f->log, &f->stat, &f->rst);
  decide(f, d);
  return f;
}
static void on_delivery(void *self, const cc_event *e, cc_decision *d) {
  flow *f = self;
  if (f->stat.first_rtt_sample_ts == UINT64_MAX && e->srtt > 0) f->stat.first_rtt_sample_ts = at(e->now);
  f->stat.smoothed_rtt = (uint64_t)e->srtt / 1000;
  f->stat.bytes_in_flight = (uint64_t)e->in_flight * f->bytes;
  f->rst.delivered = (uint64_t)e->delivered_total * f->bytes;
  f->rst.rs.delivered = (uint64_t)(e->delivered_total - e->delivered_before) * f->bytes;
  f->rst.rs.is_app_limited = (e->flags & CC_APP_LIMITED) != 0;
  f->rst.is_cwnd_limited |= ((uint64_t)e->prior_in_flight + 1) * f->bytes > f->stat.cwnd;
  ngtcp2_cc_ack ack = {.bytes_delivered = (uint64_t)e->delivered * f->bytes, .bytes_lost = (uint64_t)e->lost * f->bytes,
                       .pkt_delivered = (uint64_t)e->delivered_before * f->bytes, .largest_pkt_sent_ts = at(e->newest.sent),
                       .rtt = e->delivered > 0 ? (uint64_t)(e->now - e->newest.sent) / 1000 : UINT64_MAX};
  if (f->marked) f->cubic.cc.congestion_event(&f->cubic.cc, &f->stat, at(e->newest.sent), &ack, at(e->now));
  f->marked = 0;
  if (e->lost > 0)
    f->cubic.cc.congestion_event(&f->cubic.cc, &f->stat, at(e->lost_packets[e->lost - 1].sent), &ack, at(e->now));
  f->cubic.cc.on_ack_recv(&f->cubic.cc, &f->stat, &ack, at(e->now));
  decide(f, d);
}
static void on_mark(void *self, const cc_event *e, cc_decision *d) { (void)e, (void)d, ((flow *)self)->marked = 1; }
static void on_loss(void *self, const cc_event *e, cc_decision *d) { (void)self, (void)e, (void)d; }
static void on_timeout(void *self, const cc_event *e, cc_decision *d) {
  flow *f = self;
  ngtcp2_cc_ack ack = {.largest_pkt_sent_ts = UINT64_MAX, .rtt = UINT64_MAX};
  f->cubic.cc.congestion_event(&f->cubic.cc, &f->stat, at(f->last), &ack, at(e->now));
  f->cubic.cc.on_persistent_congestion(&f->cubic.cc, &f->stat, at(e->now));
  decide(f, d);
}
static void on_sent(void *self, const cc_packet *packet) { ((flow *)self)->last = packet->sent; }
static const cc_controller it = {.built_for = CC_SIZES, .flags = CC_OWN_RECOVERY | CC_EVERY_ACK, .create = create, .destroy = free,
                                 .on_loss = on_loss, .on_mark = on_mark, .on_timeout = on_timeout, .on_delivery = on_delivery, .on_sent = on_sent};
const cc_controller *tcpatlas_cc(void) { return &it; }
