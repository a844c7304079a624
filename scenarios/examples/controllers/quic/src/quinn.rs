//! quinn-proto. Its connection paces at 1.25 windows in a smoothed round trip and asks no controller.
use crate::{abi::*, rtt::Rtt, sending::Sending, since_start};
use quinn_proto::{congestion::{self as cc, ControllerFactory}, RttEstimator};
use std::{sync::Arc, time::Instant};

#[cfg(feature = "quinn-cubic")]
type Settings = cc::CubicConfig;
#[cfg(feature = "quinn-newreno")]
type Settings = cc::NewRenoConfig;
#[cfg(feature = "quinn-bbr")]
type Settings = cc::BbrConfig;

pub struct Flow {
    cc: Box<dyn cc::Controller>,
    rtt: Rtt,
    start: Instant,
    bytes: u64,
    sending: Sending,
    paced: bool,
}

impl Flow {
    pub fn new(config: &Config) -> Self {
        let mut settings = Settings::default();
        settings.initial_window(config.initial_window as u64 * config.packet_bytes as u64);
        let start = Instant::now(); // differences alone are used
        Flow {
            cc: Arc::new(settings).build(start, config.packet_bytes as u16),
            rtt: Rtt::new(RttEstimator::get, RttEstimator::min),
            start,
            bytes: config.packet_bytes as u64,
            sending: Sending::default(),
            paced: config.parameter("paced", 1.0) != 0.0,
        }
    }
    fn at(&self, picoseconds: i64) -> Instant {
        self.start + since_start(picoseconds)
    }
    pub fn decide(&mut self, decision: &mut Decision) {
        decision.window = self.cc.window() as f64 / self.bytes as f64;
        if self.paced {
            decision.pacing_rate = 1.25 * self.cc.window() as f64 / self.rtt.get().as_secs_f64();
        }
        self.sending.decided(decision, self.bytes);
    }
    pub fn on_delivery(&mut self, e: &Event) {
        let (now, app_limited) = (self.at(e.now), self.sending.has_no_data(e));
        if e.delivered > 0 {
            let (sent, rtt) = (self.at(e.newest.sent), unsafe { self.rtt.theirs() });
            self.cc.on_ack(now, sent, e.delivered as u64 * self.bytes, app_limited, &rtt);
            let in_flight = (e.in_flight + e.lost) as u64 * self.bytes;
            self.cc.on_end_acks(now, in_flight, app_limited, Some(e.newest.number as u64));
            self.rtt.update(now - sent);
        }
        if let Some(last) = e.lost_packets().last() {
            self.cc.on_congestion_event(now, self.at(last.sent), false, e.lost as u64 * self.bytes);
        }
    }
    pub fn on_timeout(&mut self, e: &Event) {
        self.cc.on_congestion_event(self.at(e.now), self.at(self.sending.last), true, 0);
    }
    pub fn on_sent(&mut self, packet: &Packet) {
        self.sending.last = packet.sent;
        self.cc.on_sent(self.at(packet.sent), self.bytes, packet.number as u64);
    }
}
