/* A controller that misbehaves in one of its calls: parameter `fault` by its number in FAULTS of test_controllers.py,
   `call` by its number in CALLS. Otherwise it is Reno. */
#include <math.h>
#include <stdlib.h>

#include "tcpatlas_cc.h"

enum { CREATE, ON_ACK, ON_LOSS, ON_TIMEOUT, ON_DELIVERY, ON_SENT, DESTROY };
static int fault, call;
static volatile int zero, *volatile nowhere;

static int deeper(int depth) {
  volatile char page[4096];
  page[0] = (char)depth;
  return depth < 0 ? page[0] : deeper(depth + 1) + page[0];
}

static void misbehave(int here, cc_decision *d) {
  if (here != call) return;
  switch (fault) {
    case 0: *nowhere = 1; break;
    case 1: abort();
    case 2: zero = 7 / zero; break;
    case 3: for (;;) ++zero;
    case 4: __builtin_trap();
    case 5: exit(0);
    case 6: zero = deeper(1); break;
    case 7: if (d != NULL) d->window = nan(""); break;
    case 8: if (d != NULL) d->window = 0; break;
    case 9: if (d != NULL) d->window = -INFINITY; break;
    case 10: if (d != NULL) d->ssthresh = nan(""); break;
    case 11: if (d != NULL) d->pacing_rate = -1; break;
    default: break;
  }
}

static void *create(const cc_config *c, cc_decision *d) {
  fault = (int)cc_parameter_of(c, "fault", -1);
  call = (int)cc_parameter_of(c, "call", -1);
  d->ssthresh = c->most;
  misbehave(CREATE, d);
  return &fault;
}
static void on_ack(void *self, const cc_event *e, cc_decision *d) {
  (void)self;
  d->window += d->window < d->ssthresh ? e->acked : e->acked / d->window;
  misbehave(ON_ACK, d);
}
static void on_loss(void *self, const cc_event *e, cc_decision *d) {
  (void)self, (void)e;
  d->window = d->ssthresh = d->window > 4 ? d->window / 2 : 2;
  misbehave(ON_LOSS, d);
}
static void on_timeout(void *self, const cc_event *e, cc_decision *d) {
  on_loss(self, e, d);
  d->window = 1;
  misbehave(ON_TIMEOUT, d);
}
static void on_delivery(void *self, const cc_event *e, cc_decision *d) { (void)self, (void)e, misbehave(ON_DELIVERY, d); }
static void on_sent(void *self, const cc_packet *p) { (void)self, (void)p, misbehave(ON_SENT, NULL); }
static void destroy(void *self) { (void)self, misbehave(DESTROY, NULL); }

static const cc_controller it = {.built_for = CC_SIZES, .flags = CC_EVERY_ACK, .create = create, .destroy = destroy,
                                 .on_ack = on_ack, .on_loss = on_loss, .on_timeout = on_timeout,
                                 .on_delivery = on_delivery, .on_sent = on_sent};
const cc_controller *tcpatlas_cc(void) { return &it; }
