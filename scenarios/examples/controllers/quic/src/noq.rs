//! noq-proto. Its connection paces at what the controller asks for, or at 1.25 windows in a smoothed round trip.
use crate::{abi::*, rtt::Rtt, sending::Sending, since_start};
use noq_proto::{congestion::{self as cc, ControllerFactory}, RttEstimator};
use std::{sync::Arc, time::Instant};

#[cfg(feature = "noq-cubic")]
type Settings = cc::CubicConfig;
#[cfg(feature = "noq-newreno")]
type Settings = cc::NewRenoConfig;
#[cfg(feature = "noq-bbr3")]
type Settings = cc::Bbr3Config;

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
            let usual = 1.25 * self.cc.window() as f64 / self.rtt.get().as_secs_f64();
            decision.pacing_rate = self.cc.metrics().pacing_rate.map_or(usual, |rate| rate as f64);
        }
        self.sending.decided(decision, self.bytes);
    }
    pub fn on_delivery(&mut self, e: &Event) {
        let (now, app_limited) = (self.at(e.now), self.sending.has_no_data(e));
        if (e.prior_in_flight as u64 + 1) * self.bytes > self.cc.window() {
            self.cc.on_cwnd_limited();
        }
        if e.delivered > 0 {
            let (sent, newest, rtt) = (self.at(e.newest.sent), e.newest.number as u64, unsafe { self.rtt.theirs() });
            self.cc.on_ack(now, sent, e.delivered as u64 * self.bytes, newest, app_limited, &rtt);
            let in_flight = (e.in_flight + e.lost) as u64 * self.bytes;
            self.cc.on_end_acks(now, in_flight, app_limited, Some(newest));
            self.rtt.update(now - sent);
        }
        for packet in e.lost_packets() {
            self.cc.on_packet_lost(self.bytes as u16, packet.number as u64, now);
        }
        if let Some(last) = e.lost_packets().last() {
            let lost = e.lost as u64 * self.bytes;
            self.cc.on_congestion_event(now, self.at(last.sent), false, false, lost, last.number as u64);
        }
    }
    pub fn on_timeout(&mut self, e: &Event) {
        self.cc.on_congestion_event(self.at(e.now), self.at(self.sending.last), true, false, 0, 0);
    }
    pub fn on_sent(&mut self, packet: &Packet) {
        self.sending.last = packet.sent;
        let at = self.at(packet.sent);
        self.cc.on_packet_sent(at, self.bytes as u16, packet.number as u64);
        self.cc.on_sent(at, self.bytes, packet.number as u64);
    }
}
