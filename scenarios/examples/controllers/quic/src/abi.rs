//! tcpatlas_cc.h in Rust. packetsim compares the sizes with those of its header and refuses any others.
use std::ffi::{c_char, c_void, CStr};
use std::mem::size_of;

#[repr(C)]
pub struct Parameter {
    pub name: *const c_char,
    pub value: f64,
}
#[repr(C)]
pub struct Config {
    pub packet_bytes: u32,
    pub initial_window: i32,
    pub most: i32,
    pub parameter_count: u32,
    pub parameters: *const Parameter,
    pub seed: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Packet {
    pub number: i64,
    pub sent: i64,
}
#[repr(C)]
pub struct Event {
    pub now: i64,
    pub rtt: i64,
    pub srtt: i64,
    pub min_rtt: i64,
    pub delivered_total: i64,
    pub marked_total: i64,
    pub delivered_before: i64,
    pub delivery_rate: f64,
    pub newest: Packet,
    pub lost_packets: *const Packet,
    pub acked: i32,
    pub delivered: i32,
    pub lost: i32,
    pub in_flight: i32,
    pub prior_in_flight: i32,
    pub una: i32,
    pub next: i32,
    pub flags: u32,
}
#[repr(C)]
pub struct Decision {
    pub window: f64,
    pub ssthresh: f64,
    pub pacing_rate: f64,
}
pub type Call = Option<unsafe extern "C" fn(*mut c_void, *const Event, *mut Decision)>;
#[repr(C)]
pub struct Controller {
    pub built_for: [u32; 5],
    pub flags: u32,
    pub create: unsafe extern "C" fn(*const Config, *mut Decision) -> *mut c_void,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub on_ack: Call,
    pub on_loss: Call,
    pub on_recovered: Call,
    pub on_timeout: Call,
    pub on_mark: Call,
    pub on_restart: Call,
    pub on_delivery: Call,
    pub on_sent: Option<unsafe extern "C" fn(*mut c_void, *const Packet)>,
}
pub const SIZES: [u32; 5] = [
    2,
    size_of::<Config>() as u32,
    size_of::<Event>() as u32,
    size_of::<Decision>() as u32,
    size_of::<Controller>() as u32,
];
pub const OWN_RECOVERY: u32 = 1;
pub const EVERY_ACK: u32 = 2;

impl Event {
    pub fn lost_packets(&self) -> &[Packet] {
        match self.lost {
            0 => &[],
            many => unsafe { std::slice::from_raw_parts(self.lost_packets, many as usize) },
        }
    }
}
impl Config {
    pub fn parameter(&self, name: &str, otherwise: f64) -> f64 {
        (0..self.parameter_count as usize)
            .map(|number| unsafe { &*self.parameters.add(number) })
            .find(|one| unsafe { CStr::from_ptr(one.name) }.to_bytes() == name.as_bytes())
            .map_or(otherwise, |one| one.value)
    }
}
