//! Whole endpoints of s2n-quic in virtual time, by its own testing provider, over a drop-tail FIFO of ours: what a controller behind
//! tcpatlas_cc.h is compared with.
//!
//!   cargo run --release --features s2n --bin s2n -- SECONDS CONNECTIONS BUFFER_PACKETS [MBIT/S [PAUSE]]
//!
//! Connections send without end, or 15 MB at a time with a pause of so many seconds between.
use bytes::Bytes;
use s2n_quic::provider::io::testing::{network::{Buffers, Network}, primary, spawn, test, time, Handle};
use s2n_quic::provider::{congestion_controller::Cubic, io::testing::Io, limits::Limits, tls::rustls};
use s2n_quic::{client::Connect, Client, Server};
use std::{collections::VecDeque, net::SocketAddr, sync::{Arc, Mutex}, time::Duration};

const BURST: usize = 15_000_000;
const PART: usize = 1 << 16;
const ONE_WAY: u64 = 20_000_000; // ns
const HEADERS: usize = 28; // IPv4 and UDP
type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct State { rate: f64, free: u64, queue: VecDeque<u64>, buffer: usize, sent: u64, dropped: u64, sum: u64, server: Option<SocketAddr> }
#[derive(Clone)]
struct Link(Arc<Mutex<State>>);
impl State {
    fn pass(&mut self, now: u64, bytes: usize) -> Option<u64> {
        while self.queue.front().is_some_and(|&t| t <= now) { self.queue.pop_front(); }
        self.sent += 1;
        self.sum += self.queue.len() as u64;
        if self.queue.len() >= self.buffer { self.dropped += 1; return None; }
        self.free = self.free.max(now) + (bytes as f64 * 8e9 / self.rate) as u64;
        self.queue.push_back(self.free);
        Some(self.free - now + ONE_WAY)
    }
}
impl Network for Link {
    fn execute(&mut self, buffers: &Buffers) -> usize {
        let now = unsafe { time::now().as_duration() }.as_nanos() as u64;
        let mut link = self.0.lock().unwrap();
        let mut count = 0;
        buffers.drain_pending_transmissions(|mut packet| {
            count += 1;
            packet.switch();
            let to = *packet.path.local_address;
            let takes = if link.server == Some(to.into()) { link.pass(now, packet.payload.len() + HEADERS) } else { Some(ONE_WAY) };
            if let Some(ns) = takes {
                let buffers = buffers.clone();
                spawn(async move {
                    time::delay(Duration::from_nanos(ns)).await;
                    buffers.rx(to, |queue| queue.enqueue(packet));
                });
            }
            Ok(())
        });
        count
    }
}

fn io(handle: &Handle) -> Io {
    handle.builder().with_max_mtu(1500).with_base_mtu(1500).with_initial_mtu(1500).build().unwrap()
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<f64> = std::env::args().skip(1).map(|it| it.parse().unwrap()).collect();
    let (seconds, count) = (arguments[0], arguments[1] as usize);
    let pause = arguments.get(4).copied().unwrap_or(0.0);
    let rate = arguments.get(3).copied().unwrap_or(100.0) * 1e6;
    let link = Link(Arc::new(Mutex::new(State { rate, buffer: arguments[2] as usize, ..State::default() })));
    let limits = Limits::new().with_data_window(64 << 20)?.with_unidirectional_data_window(64 << 20)?.with_max_send_buffer_size(8 << 20)?
        .with_max_idle_timeout(Duration::from_secs(600))?;
    let key = rcgen::KeyPair::generate()?;
    let certificate = rcgen::CertificateParams::new(vec!["localhost".into()])?.self_signed(&key)?.pem();
    test(link.clone(), |handle| {
        let tls = rustls::Server::builder().with_certificate(certificate.clone(), key.serialize_pem()).unwrap().build().unwrap();
        let mut server = Server::builder().with_io(io(handle))?.with_tls(tls)?.with_limits(limits)?.with_congestion_controller(Cubic::default())?.start()?;
        let address = server.local_addr()?;
        link.0.lock().unwrap().server = Some(address);
        let received: Arc<Mutex<Vec<usize>>> = Arc::new(Mutex::new(Vec::new()));
        let heard = received.clone();
        spawn(async move {
            while let Some(mut connection) = server.accept().await {
                let heard = heard.clone();
                spawn(async move {
                    let Ok(Some(mut stream)) = connection.accept_receive_stream().await else { return };
                    let first = stream.receive().await.unwrap().unwrap(); // a byte that names the connection
                    let index = first[0] as usize;
                    heard.lock().unwrap()[index] += first.len();
                    while let Ok(Some(part)) = stream.receive().await { heard.lock().unwrap()[index] += part.len(); }
                });
            }
        });
        for index in 0..count {
            let tls = rustls::Client::builder().with_certificate(certificate.clone()).unwrap().build().unwrap();
            let client = Client::builder().with_io(io(handle))?.with_tls(tls)?.with_limits(limits)?.with_congestion_controller(Cubic::default())?.start()?;
            received.lock().unwrap().push(0);
            let received = received.clone();
            spawn(async move {
                let mut connection = client.connect(Connect::new(address).with_server_name("localhost")).await.unwrap();
                let mut stream = connection.open_send_stream().await.unwrap();
                let part = Bytes::from(vec![index as u8; PART]);
                let mut written = 0;
                loop {
                    let most = if pause > 0.0 { PART.min(BURST - written % BURST) } else { PART };
                    if stream.send(part.slice(..most)).await.is_err() { return } // at the end
                    written += most;
                    if pause > 0.0 && written % BURST == 0 {
                        while received.lock().unwrap()[index] < written { time::delay(Duration::from_millis(1)).await; }
                        time::delay(Duration::from_secs_f64(pause)).await;
                    }
                }
            });
        }
        primary::spawn(async move {
            time::delay(Duration::from_secs_f64(seconds)).await;
            let link = link.0.lock().unwrap();
            let (sent, dropped) = (link.sent as f64, link.dropped as f64);
            println!("link: {sent} packets, {dropped} dropped ({:.3} %), mean queue on arrival {:.1}", 100.0 * dropped / sent, link.sum as f64 / sent);
        });
        Ok(())
    })?;
    Ok(())
}
