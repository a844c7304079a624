/* A congestion controller of your own for packetsim: a shared object that exports tcpatlas_cc(). C99 or C++.
 *
 *   static void *create(const cc_config *c, cc_decision *d) { ... }     d->window is the initial one
 *   static void on_ack(void *self, const cc_event *e, cc_decision *d) { d->window += e->acked / d->window; }
 *   static void on_loss(void *self, const cc_event *e, cc_decision *d) { d->window = d->ssthresh = d->window / 2; }
 *   static const cc_controller mine = {.built_for = CC_SIZES, .create = create, .on_ack = on_ack, ...};
 *   const cc_controller *tcpatlas_cc(void) { return &mine; }
 *
 *   cc -std=c99 -O2 -ffp-contract=off -shared -fPIC -o mine.so mine.c
 *
 * One `self` per flow and connection; calls come one at a time. The same configuration must lead to the same
 * decisions: draw only from `seed`, ask for no time but `now`. A window below 1, one that is no number, a crash
 * and a call that does not return end the run with a line that names the call.
 */
#ifndef TCPATLAS_CC_H
#define TCPATLAS_CC_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Later versions only append to the structures; an object built for other sizes is refused. */
#define CC_ABI 2
#define CC_SIZES \
  { CC_ABI, sizeof(cc_config), sizeof(cc_event), sizeof(cc_decision), sizeof(cc_controller) }
typedef struct {
  uint32_t abi, config, event, decision, controller;
} cc_sizes;

typedef struct {
  const char *name;
  double value;
} cc_parameter;

typedef struct {
  uint32_t packet_bytes;  /* all packets are of this size */
  int32_t initial_window; /* packets */
  int32_t most;           /* packets: the receiver's window, the most that may be in flight */
  uint32_t parameter_count;
  const cc_parameter *parameters; /* those of the scenario */
  uint64_t seed;                  /* of this flow: same seed, same bytes */
} cc_config;

typedef struct {
  int64_t number; /* of a transmission, counted from 0; a packet that is sent again has another */
  int64_t sent;   /* when */
} cc_packet;

enum {              /* of an event */
  CC_APP_LIMITED = 1 /* the sender had nothing to send: the rate sample is not the path's */
};

/* What happened. Times are picoseconds of simulated time, 0: not known. Counts are packets. */
typedef struct {
  int64_t now;
  int64_t rtt;              /* of the packet that caused this; 0 if it was sent twice (Karn) */
  int64_t srtt, min_rtt;    /* of all samples: smoothed (RFC 6298), least */
  int64_t delivered_total;  /* acknowledged for the first time, since the connection began */
  int64_t marked_total;     /* of these, by acknowledgements that told of ECN marks */
  int64_t delivered_before; /* delivered when the newest packet was sent   (CC_EVERY_ACK, as the rest) */
  double delivery_rate;     /* packets/s; 0: no sample */
  cc_packet newest;         /* that has arrived */
  const cc_packet *lost_packets; /* `lost` of them, in the order of sending */
  int32_t acked;            /* on_ack: packets by which `una` moved */
  int32_t delivered, lost;  /* on_delivery: arrived for the first time, found lost, by this acknowledgement */
  int32_t in_flight, prior_in_flight;
  int32_t una, next;        /* the first packet without an acknowledgement, the next new one */
  uint32_t flags;
} cc_event;

/* What is to be done. `window` >= 1; slow start is below `ssthresh`; fractions are kept, whole packets are sent. */
typedef struct {
  double window, ssthresh; /* packets */
  double pacing_rate;      /* bytes/s; 0: acknowledgements clock packets out   (CC_EVERY_ACK) */
} cc_decision;

enum { /* of a controller */
  CC_OWN_RECOVERY = 1, /* `window` holds in a recovery, too; else the sender reduces in proportion (RFC 9937) */
  CC_EVERY_ACK = 2,    /* on_delivery, on_sent and pacing_rate are used; costs memory and time */
  CC_EACH_MARK = 4     /* receivers echo each ECN mark (RFC 8257, 3.2), and ECN is on unless the point says otherwise */
};

/* Each call but `destroy` and `on_sent` may change the decision. What is NULL is not called. */
typedef struct {
  cc_sizes built_for; /* CC_SIZES */
  uint32_t flags;
  void *(*create)(const cc_config *, cc_decision *); /* a connection begins */
  void (*destroy)(void *self);
  void (*on_ack)(void *self, const cc_event *, cc_decision *);       /* new data acknowledged, the window was full */
  void (*on_loss)(void *self, const cc_event *, cc_decision *);      /* a recovery begins: at most once a window */
  void (*on_recovered)(void *self, const cc_event *, cc_decision *); /* it is over */
  void (*on_timeout)(void *self, const cc_event *, cc_decision *);   /* the retransmission timer ran out */
  void (*on_mark)(void *self, const cc_event *, cc_decision *);      /* ECN, at most once a window; NULL: on_loss, or no ECN with CC_OWN_RECOVERY */
  void (*on_restart)(void *self, const cc_event *, cc_decision *);   /* sends again, with nothing in flight */
  void (*on_delivery)(void *self, const cc_event *, cc_decision *);  /* every acknowledgement, after all others */
  void (*on_sent)(void *self, const cc_packet *);
} cc_controller;

const cc_controller *tcpatlas_cc(void);

static inline double cc_parameter_of(const cc_config *config, const char *name, double otherwise) {
  for (uint32_t i = 0; i < config->parameter_count; ++i) {
    if (strcmp(config->parameters[i].name, name) == 0) {
      return config->parameters[i].value;
    }
  }
  return otherwise;
}

#ifdef __cplusplus
}
#endif
#endif
