//! quinn-proto and noq-proto, which began as one: their controllers, and what an adapter holds of each.
use crate::{abi::Config, rtt::Rtt, sending::Sending, since_start};
#[cfg(any(feature = "noq-cubic", feature = "noq-newreno", feature = "noq-bbr3"))]
use noq_proto as proto;
use proto::{congestion::{self as cc, ControllerFactory}, RttEstimator};
#[cfg(any(feature = "quinn-cubic", feature = "quinn-newreno", feature = "quinn-bbr"))]
use quinn_proto as proto;
use std::{sync::Arc, time::Instant};

#[cfg(any(feature = "quinn-cubic", feature = "noq-cubic"))]
type Settings = cc::CubicConfig;
#[cfg(any(feature = "quinn-newreno", feature = "noq-newreno"))]
type Settings = cc::NewRenoConfig;
#[cfg(feature = "quinn-bbr")]
type Settings = cc::BbrConfig;
#[cfg(feature = "noq-bbr3")]
type Settings = cc::Bbr3Config;

pub struct Flow {
    pub cc: Box<dyn cc::Controller>,
    pub rtt: Rtt,
    start: Instant,
    pub bytes: u64,
    pub sending: Sending,
    pub paced: bool,
    pub marked: bool,
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
            marked: false,
        }
    }
    pub fn at(&self, picoseconds: i64) -> Instant {
        self.start + since_start(picoseconds)
    }
}
