//! noq-proto. Its connection paces at what the controller asks for, or at 1.25 windows in a smoothed round trip.
use crate::abi::*;
pub use crate::quinn_family::Flow;

impl Flow {
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
        if std::mem::take(&mut self.marked) {
            self.cc.on_congestion_event(now, self.at(e.newest.sent), false, true, 0, e.newest.number as u64);
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
