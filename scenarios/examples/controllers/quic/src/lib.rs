//! A congestion controller of a QUIC stack, as its crate is published, behind tcpatlas_cc.h.
//!
//!   cargo build --release --features quinn-cubic     (one of Cargo.toml's features at a time)
//!
//! A stack paces, not its controller: each file here does what its stack does. Parameter: paced (1).
mod abi;
mod sending;
use abi::*;
use std::{ffi::c_void, time::Duration};

#[cfg(any(feature = "noq-cubic", feature = "noq-newreno", feature = "noq-bbr3"))]
#[path = "noq.rs"]
mod stack;
#[cfg(any(feature = "quinn-cubic", feature = "quinn-newreno", feature = "quinn-bbr"))]
#[path = "quinn.rs"]
mod stack;
#[cfg(any(feature = "noq-cubic", feature = "noq-newreno", feature = "noq-bbr3", feature = "quinn-cubic", feature = "quinn-newreno", feature = "quinn-bbr"))]
mod quinn_family;
#[cfg(any(feature = "noq-cubic", feature = "noq-newreno", feature = "noq-bbr3", feature = "quinn-cubic", feature = "quinn-newreno", feature = "quinn-bbr"))]
mod rtt;
#[cfg(any(feature = "s2n-cubic", feature = "s2n-bbr"))]
#[path = "s2n.rs"]
mod stack;
use stack::Flow;

fn since_start(picoseconds: i64) -> Duration {
    Duration::from_nanos((picoseconds / 1000) as u64)
}

/// # Safety
/// `it` is of `create`, and packetsim makes one call at a time.
unsafe fn flow<'a>(it: *mut c_void) -> &'a mut Flow {
    unsafe { &mut *(it as *mut Flow) }
}

unsafe extern "C" fn create(config: *const Config, decision: *mut Decision) -> *mut c_void {
    let mut flow = Box::new(Flow::new(unsafe { &*config }));
    flow.decide(unsafe { &mut *decision });
    Box::into_raw(flow) as *mut c_void
}

unsafe extern "C" fn destroy(it: *mut c_void) {
    drop(unsafe { Box::from_raw(it as *mut Flow) })
}

unsafe extern "C" fn on_delivery(it: *mut c_void, event: *const Event, decision: *mut Decision) {
    let flow = unsafe { flow(it) };
    flow.on_delivery(unsafe { &*event });
    flow.decide(unsafe { &mut *decision });
}

/// Losses are told with the packets that are lost, in on_delivery.
unsafe extern "C" fn on_loss(_: *mut c_void, _: *const Event, _: *mut Decision) {}

/// A retransmission timeout is nearest to persistent congestion (RFC 9002, section 7.6).
unsafe extern "C" fn on_timeout(it: *mut c_void, event: *const Event, decision: *mut Decision) {
    let flow = unsafe { flow(it) };
    flow.on_timeout(unsafe { &*event });
    flow.decide(unsafe { &mut *decision });
}

/// The acknowledgement that tells of a mark is the one that on_delivery hears of next.
unsafe extern "C" fn on_mark(it: *mut c_void, _: *const Event, _: *mut Decision) {
    unsafe { flow(it) }.marked = true;
}

unsafe extern "C" fn on_sent(it: *mut c_void, packet: *const Packet) {
    unsafe { flow(it) }.on_sent(unsafe { &*packet });
}

static IT: Controller = Controller {
    built_for: SIZES,
    flags: OWN_RECOVERY | EVERY_ACK,
    create,
    destroy,
    on_ack: None,
    on_loss: Some(on_loss),
    on_recovered: None,
    on_timeout: Some(on_timeout),
    on_mark: Some(on_mark),
    on_restart: None,
    on_delivery: Some(on_delivery),
    on_sent: Some(on_sent),
};

#[no_mangle]
pub extern "C" fn tcpatlas_cc() -> *const Controller {
    &IT
}
