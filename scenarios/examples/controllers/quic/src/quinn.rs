//! quinn-proto. Its connection paces at 1.25 windows in a smoothed round trip and asks no controller.
use crate::abi::*;
pub use crate::quinn_family::Flow;

impl Flow {
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
        if std::mem::take(&mut self.marked) {
            self.cc.on_congestion_event(now, self.at(e.newest.sent), false, 0);
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
