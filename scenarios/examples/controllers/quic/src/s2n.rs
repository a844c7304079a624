//! s2n-quic-core. Its controllers hold the pacer: bursts of 10 packets, here spread evenly at the same rate. The initial
//! window is its own, 14,720 bytes.
use crate::{abi::*, sending::Sending, since_start};
use s2n_quic_core::{
    event::builder::{BbrState, SlowStartExitCause},
    packet::number::PacketNumberSpace,
    random,
    recovery::{
        bandwidth::{Bandwidth, RateSample},
        congestion_controller::Publisher,
        CongestionController, RttEstimator,
    },
    time::Timestamp,
};
use std::{collections::BTreeMap, time::Duration};

#[cfg(feature = "s2n-cubic")]
type Theirs = s2n_quic_core::recovery::CubicCongestionController;
#[cfg(feature = "s2n-bbr")]
type Theirs = s2n_quic_core::recovery::bbr::BbrCongestionController;

/// Hears of the pacing rate, bytes/s.
struct Pacing(f64);
impl Publisher for Pacing {
    fn on_slow_start_exited(&mut self, _: SlowStartExitCause, _: u32) {}
    fn on_delivery_rate_sampled(&mut self, _: RateSample) {}
    fn on_pacing_rate_updated(&mut self, rate: Bandwidth, _: u32, _: num_rational::Ratio<u64>) {
        self.0 = rate.as_bytes_per_second() as f64;
    }
    fn on_bbr_state_changed(&mut self, _: BbrState) {}
}

/// SplitMix64 of the flow's seed.
struct Random(u64);
impl random::Generator for Random {
    fn public_random_fill(&mut self, into: &mut [u8]) {
        for part in into.chunks_mut(8) {
            self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
            part.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..part.len()]);
        }
    }
    fn private_random_fill(&mut self, into: &mut [u8]) {
        self.public_random_fill(into);
    }
}

pub struct Flow {
    cc: Theirs,
    rtt: RttEstimator,
    pacing: Pacing,
    random: Random,
    /// Sent and neither delivered nor lost, by number.
    waiting: BTreeMap<i64, <Theirs as CongestionController>::PacketInfo>,
    bytes: usize,
    sending: Sending,
    /// The last packet sent, until it is known whether it was the last that there was.
    held: Option<Packet>,
    paced: bool,
    pub marked: bool,
}

/// A timestamp is not 0.
fn at(picoseconds: i64) -> Timestamp {
    unsafe { Timestamp::from_duration(Duration::from_secs(1) + since_start(picoseconds)) }
}

impl Flow {
    pub fn new(config: &Config) -> Self {
        Flow {
            cc: Theirs::new(config.packet_bytes as u16, Default::default()),
            rtt: RttEstimator::new(Duration::from_millis(333)),
            pacing: Pacing(0.0),
            random: Random(config.seed),
            waiting: BTreeMap::new(),
            bytes: config.packet_bytes as usize,
            sending: Sending::default(),
            held: None,
            paced: config.parameter("paced", 1.0) != 0.0,
            marked: false,
        }
    }
    pub fn decide(&mut self, decision: &mut Decision) {
        decision.window = self.cc.congestion_window() as f64 / self.bytes as f64;
        if self.paced {
            decision.pacing_rate = self.pacing.0;
        }
        self.sending.decided(decision, self.bytes as u64);
    }
    fn lose(&mut self, number: i64, persistent: bool, new_burst: bool, now: Timestamp) {
        // One that is taken for its neighbour is the oldest.
        let oldest = self.waiting.keys().next().copied().unwrap_or(number);
        let known = if self.waiting.contains_key(&number) { number } else { oldest };
        if let Some(info) = self.waiting.remove(&known) {
            let bytes = self.bytes as u32;
            self.cc.on_packet_lost(bytes, info, persistent, new_burst, &mut self.random, now, &mut self.pacing);
        }
    }
    pub fn on_delivery(&mut self, e: &Event) {
        let now = at(e.now);
        if self.held.is_some_and(|it| self.sending.is_over(e.now) || it.number <= e.newest.number) {
            self.tell_sent(self.sending.has_no_data(e));
        }
        let sent = at(e.newest.sent);
        // The path is FIFO: what arrived is the newest packet and those just before it.
        let newest = self.waiting.get(&e.newest.number).copied();
        let first = e.newest.number - e.delivered as i64 + 1;
        let known = (first..=e.newest.number).filter(|number| self.waiting.remove(number).is_some()).count();
        if let (Some(newest), 1..) = (newest, known) {
            self.rtt.update_rtt(Duration::ZERO, now - sent, now, true, PacketNumberSpace::ApplicationData);
            self.cc.on_rtt_update(sent, now, &self.rtt, &mut self.pacing);
            self.cc.on_ack(sent, known * self.bytes, newest, &self.rtt, &mut self.random, now, &mut self.pacing);
        }
        if std::mem::take(&mut self.marked) {
            self.cc.on_explicit_congestion(1, now, &mut self.pacing);
        }
        let mut last = -2;
        for packet in e.lost_packets() {
            self.lose(packet.number, false, packet.number != last + 1, now);
            last = packet.number;
        }
    }
    pub fn on_timeout(&mut self, e: &Event) {
        self.tell_sent(false);
        while let Some((&number, _)) = self.waiting.first_key_value() {
            self.lose(number, true, false, at(e.now));
        }
        self.rtt.on_persistent_congestion();
    }
    pub fn on_sent(&mut self, packet: &Packet) {
        self.tell_sent(false);
        self.held = Some(*packet);
        self.sending.last = packet.sent;
    }
    fn tell_sent(&mut self, app_limited: bool) {
        if let Some(packet) = self.held.take() {
            let (sent, limited) = (at(packet.sent), Some(app_limited));
            let info = self.cc.on_packet_sent(sent, self.bytes, limited, &self.rtt, &mut self.pacing);
            self.waiting.insert(packet.number, info);
        }
    }
}
