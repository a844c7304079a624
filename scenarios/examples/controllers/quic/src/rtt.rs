//! The fields of quinn's and noq's RttEstimator, whose constructor is private: one is made of these.
use std::{mem::{size_of, transmute_copy}, time::Duration};

#[derive(Clone, Copy)]
pub struct Rtt {
    latest: Duration,
    smoothed: Option<Duration>,
    var: Duration,
    min: Duration,
}

impl Rtt {
    /// `get` and `min` are theirs: an RttEstimator with other fields ends the run here.
    pub fn new<T>(get: fn(&T) -> Duration, min: fn(&T) -> Duration) -> Self {
        let initial = Duration::from_millis(333);
        let rtt = Rtt { latest: initial, smoothed: None, var: initial / 2, min: Duration::from_millis(7) };
        assert!(size_of::<Rtt>() == size_of::<T>());
        let seen: T = unsafe { rtt.theirs() };
        assert!(get(&seen) == initial && min(&seen) == rtt.min);
        Rtt { min: initial, ..rtt }
    }
    /// # Safety
    /// `new` has compared the fields.
    pub unsafe fn theirs<T>(&self) -> T {
        unsafe { transmute_copy(self) }
    }
    pub fn get(&self) -> Duration {
        self.smoothed.unwrap_or(self.latest)
    }
    pub fn update(&mut self, rtt: Duration) {
        self.latest = rtt;
        self.min = self.min.min(rtt);
        if let Some(smoothed) = self.smoothed {
            self.var = (3 * self.var + smoothed.abs_diff(rtt)) / 4;
            self.smoothed = Some((7 * smoothed + rtt) / 8);
        } else {
            self.smoothed = Some(rtt);
            self.var = rtt / 2;
        }
    }
}
