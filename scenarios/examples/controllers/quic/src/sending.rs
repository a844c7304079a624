//! Whether a connection has run out of data. A stack knows; behind tcpatlas_cc.h it is told by what was not sent.
use crate::abi::{Decision, Event};

#[derive(Default)]
pub struct Sending {
    pub last: i64,
    window: f64,
    /// Between two paced packets, picoseconds.
    gap: f64,
}

impl Sending {
    pub fn decided(&mut self, decision: &Decision, bytes: u64) {
        self.window = decision.window;
        self.gap = if decision.pacing_rate > 0.0 { bytes as f64 * 1e12 / decision.pacing_rate } else { 0.0 };
    }
    /// Neither the pacer (two gaps have gone by) nor the window held the next packet back.
    pub fn has_no_data(&self, e: &Event) -> bool {
        self.is_over(e.now) && (e.prior_in_flight + 1) as f64 <= self.window
    }
    pub fn is_over(&self, now: i64) -> bool {
        (now - self.last) as f64 > 2.0 * self.gap
    }
}
