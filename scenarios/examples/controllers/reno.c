/* Reno (RFC 5681). cc -std=c99 -O2 -ffp-contract=off -shared -fPIC -I HEADERS -o reno.so reno.c
 * (HEADERS: the folder of tcpatlas_cc.h, workflow/engines/packetsim/src/tcp). */
#include <stdlib.h>

#include "tcpatlas_cc.h"

typedef struct {
  double most, beta;
} reno;

static void *create(const cc_config *c, cc_decision *d) {
  reno *r = malloc(sizeof *r);
  *r = (reno){c->most, cc_parameter_of(c, "beta", 0.5)};
  d->ssthresh = c->most;
  return r;
}
static void on_ack(void *self, const cc_event *e, cc_decision *d) {
  const double most = ((reno *)self)->most;
  d->window += d->window < d->ssthresh ? e->acked : e->acked / d->window;
  if (d->window > most) d->window = most;
}
static void on_loss(void *self, const cc_event *e, cc_decision *d) {
  (void)e;
  const double cut = d->window * ((reno *)self)->beta;
  d->ssthresh = d->window = cut > 2 ? cut : 2;
}
static void on_timeout(void *self, const cc_event *e, cc_decision *d) {
  on_loss(self, e, d);
  d->window = 1;
}

static const cc_controller it = {.built_for = CC_SIZES,
                                 .create = create,
                                 .destroy = free,
                                 .on_ack = on_ack,
                                 .on_loss = on_loss,
                                 .on_timeout = on_timeout};
const cc_controller *tcpatlas_cc(void) { return &it; }
