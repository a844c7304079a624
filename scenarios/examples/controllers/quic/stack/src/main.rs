//! Whole endpoints of quinn-proto or noq-proto in virtual time over one drop-tail FIFO, no sockets, no clock, no packetsim:
//! what a controller behind tcpatlas_cc.h is compared with.
//!
//!   cargo run --release --features quinn -- SECONDS CONNECTIONS BUFFER_PACKETS [cubic|bbr|newreno [MBIT/S [PAUSE]]]
//!
//! Connections send without end, or 15 MB at a time with a pause of so many seconds between.
use bytes::BytesMut;
#[cfg(feature = "noq")]
use noq_proto::{congestion, crypto::rustls::{QuicClientConfig, QuicServerConfig}, *};
#[cfg(not(feature = "noq"))]
use quinn_proto::{congestion, crypto::rustls::{QuicClientConfig, QuicServerConfig}, *};
use std::{collections::BinaryHeap, cmp::Reverse, net::SocketAddr, sync::Arc, time::{Duration, Instant}};

const BURST: u64 = 15_000_000;
const ONE_WAY: u64 = 20_000_000; // ns
const HEADERS: usize = 28; // IPv4 and UDP
#[cfg(feature = "noq")]
const ONE: std::num::NonZeroUsize = std::num::NonZeroUsize::MIN;
#[cfg(not(feature = "noq"))]
const ONE: usize = 1;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Datagram { at: u64, number: u64, to_server: bool, pair: usize, data: Vec<u8> }
struct Side { endpoint: Endpoint, connection: Option<(ConnectionHandle, Connection)>, address: SocketAddr }
struct Pair { sides: [Side; 2], stream: Option<StreamId>, received: u64, half: u64, allowed: u64, written: u64, resumes: Option<u64> }

struct Link { rate: f64, free: u64, queue: std::collections::VecDeque<u64>, buffer: usize, sent: u64, dropped: u64, sum: u128 }
impl Link {
    fn pass(&mut self, now: u64, bytes: usize) -> Option<u64> {
        while self.queue.front().is_some_and(|&t| t <= now) { self.queue.pop_front(); }
        self.sent += 1;
        self.sum += self.queue.len() as u128;
        if self.queue.len() >= self.buffer { self.dropped += 1; return None; }
        self.free = self.free.max(now) + (bytes as f64 * 8e9 / self.rate) as u64;
        self.queue.push_back(self.free);
        Some(self.free + ONE_WAY)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (seconds, count, buffer): (u64, usize, usize) = (arguments[1].parse().unwrap(), arguments[2].parse().unwrap(), arguments[3].parse().unwrap());
    let pause: u64 = arguments.get(6).map_or(0, |it| it.parse().unwrap());
    let mut transport = TransportConfig::default();
    let big = VarInt::from_u32(64 << 20);
    transport.mtu_discovery_config(None).initial_mtu(1472).min_mtu(1472).stream_receive_window(big).receive_window(big).send_window(64 << 20)
        .enable_segmentation_offload(false);
    match arguments.get(4).map(String::as_str) {
        #[cfg(not(feature = "noq"))]
        Some("bbr") => { transport.congestion_controller_factory(Arc::new(congestion::BbrConfig::default())); }
        #[cfg(feature = "noq")]
        Some("bbr") => { transport.congestion_controller_factory(Arc::new(congestion::Bbr3Config::default())); }
        Some("newreno") => { transport.congestion_controller_factory(Arc::new(congestion::NewRenoConfig::default())); }
        _ => { transport.congestion_controller_factory(Arc::new(congestion::CubicConfig::default())); }
    }
    let transport = Arc::new(transport);
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ED25519).unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["localhost".into()]).unwrap().self_signed(&key).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate.der().clone()).unwrap();
    let server_tls = rustls::ServerConfig::builder_with_provider(provider.clone()).with_protocol_versions(&[&rustls::version::TLS13]).unwrap()
        .with_no_client_auth().with_single_cert(vec![certificate.der().clone()], rustls::pki_types::PrivateKeyDer::Pkcs8(key.serialize_der().into())).unwrap();
    let client_tls = rustls::ClientConfig::builder_with_provider(provider).with_protocol_versions(&[&rustls::version::TLS13]).unwrap()
        .with_root_certificates(roots).with_no_client_auth();
    let mut server_config = ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(server_tls).unwrap()));
    server_config.transport_config(transport.clone());
    let server_config = Arc::new(server_config);
    let mut client_config = ClientConfig::new(Arc::new(QuicClientConfig::try_from(client_tls).unwrap()));
    client_config.transport_config(transport);

    let start = Instant::now();
    let at = |ns: u64| start + Duration::from_nanos(ns);
    #[cfg(feature = "noq")]
    let endpoint = |server: bool, pair: usize| {
        let mut config = EndpointConfig::default();
        config.rng_seed(Some([pair as u8 * 2 + server as u8; 32]));
        Endpoint::new(Arc::new(config), server.then(|| server_config.clone()), false)
    };
    #[cfg(not(feature = "noq"))]
    let endpoint = |server: bool, pair: usize| Endpoint::new(Arc::new(EndpointConfig::default()), server.then(|| server_config.clone()), false, Some([pair as u8 * 2 + server as u8; 32]));
    let mut pairs: Vec<Pair> = (0..count).map(|pair| Pair { sides: [
        Side { endpoint: endpoint(false, pair), connection: None, address: format!("10.0.0.1:{}", 1000 + pair).parse().unwrap() },
        Side { endpoint: endpoint(true, pair), connection: None, address: format!("10.0.1.1:{}", 1000 + pair).parse().unwrap() }],
        stream: None, received: 0, half: 0, allowed: if pause == 0 { u64::MAX } else { BURST }, written: 0, resumes: None }).collect();
    let mut link = Link { rate: arguments.get(5).map_or(100.0, |it| it.parse().unwrap()) * 1e6, free: 0, queue: Default::default(), buffer, sent: 0, dropped: 0, sum: 0 };
    let mut heap: BinaryHeap<Reverse<Datagram>> = BinaryHeap::new();
    let (mut number, mut now, end, mut events, mut hash) = (0u64, 0u64, seconds * 1_000_000_000, 0u64, 0u64);
    let chunk = vec![7u8; 1 << 16];
    let mut half_done = false;
    for pair in &mut pairs {
        let remote = pair.sides[1].address;
        pair.sides[0].connection = Some(pair.sides[0].endpoint.connect(start, client_config.clone(), remote, "localhost").unwrap());
    }
    loop {
        // What the connections have to do now: client bulk-sends, server reads.
        for index in 0..count {
            for side in 0..2 {
                let pair = &mut pairs[index];
                let Side { endpoint, connection, .. } = &mut pair.sides[side];
                let Some((handle, connection)) = connection else { continue };
                if connection.poll_timeout().is_some_and(|t| t <= at(now)) { connection.handle_timeout(at(now)); }
                while let Some(event) = connection.poll() {
                    if let Event::ConnectionLost { reason } = &event { panic!("{reason}"); }
                    if side == 0 && matches!(event, Event::Connected) { pair.stream = connection.streams().open(Dir::Uni); }
                    if side == 1 && matches!(event, Event::Stream(StreamEvent::Opened { .. })) { pair.stream = connection.streams().accept(Dir::Uni).or(pair.stream); }
                }
                if pause > 0 && pair.received == pair.allowed && pair.resumes.is_none() { pair.resumes = Some(now + pause * 1_000_000_000); }
                if pair.resumes.is_some_and(|time| time <= now) { pair.resumes = None; pair.allowed += BURST; }
                if let Some(stream) = pair.stream {
                    if side == 0 {
                        while pair.written < pair.allowed {
                            let most = chunk.len().min((pair.allowed - pair.written) as usize);
                            let Ok(written) = connection.send_stream(stream).write(&chunk[..most]) else { break };
                            pair.written += written as u64;
                        }
                    } else if let Ok(mut chunks) = connection.recv_stream(stream).read(true) {
                        while let Ok(Some(part)) = chunks.next(usize::MAX) { pair.received += part.bytes.len() as u64; }
                        let _ = chunks.finalize();
                    }
                }
                while let Some(event) = connection.poll_endpoint_events() {
                    if let Some(event) = endpoint.handle_event(*handle, event) { connection.handle_event(event); }
                }
                let mut buf = Vec::new();
                while let Some(transmit) = connection.poll_transmit(at(now), ONE, &mut buf) {
                    let size = transmit.size + HEADERS;
                    let arrives = if side == 0 { link.pass(now, size) } else { Some(now + ONE_WAY) };
                    if let Some(time) = arrives {
                        number += 1;
                        heap.push(Reverse(Datagram { at: time, number, to_server: side == 0, pair: index, data: std::mem::take(&mut buf) }));
                    }
                    hash = hash.wrapping_mul(0x100000001b3) ^ now ^ size as u64;
                    buf.clear();
                }
            }
        }
        // The next event: a datagram or a timer.
        let timer = pairs.iter_mut().flat_map(|p| &mut p.sides).filter_map(|s| s.connection.as_mut()?.1.poll_timeout()).min()
            .map(|t| (t - start).as_nanos() as u64);
        let timer = timer.into_iter().chain(pairs.iter().filter_map(|pair| pair.resumes)).min();
        let datagram = heap.peek().map(|Reverse(d)| d.at);
        let next = match (timer, datagram) { (None, None) => break, (Some(a), None) => a, (None, Some(b)) => b, (Some(a), Some(b)) => a.min(b) };
        now = next.max(now);
        if !half_done && now > end / 2 { half_done = true; for p in &mut pairs { p.half = p.received; } }
        if now > end { break; }
        events += 1;
        if datagram == Some(next) {
            let Reverse(d) = heap.pop().unwrap();
            let pair = &mut pairs[d.pair];

            let remote = pair.sides[if d.to_server { 0 } else { 1 }].address;

            let side = &mut pair.sides[d.to_server as usize];
            let mut buf = Vec::new();
            #[cfg(feature = "noq")]
            let done = side.endpoint.handle(at(now), FourTuple::from_remote(remote), None, BytesMut::from(&d.data[..]), &mut buf);
            #[cfg(not(feature = "noq"))]
            let done = side.endpoint.handle(at(now), remote, None, None, BytesMut::from(&d.data[..]), &mut buf);
            match done {
                Some(DatagramEvent::ConnectionEvent(_, event)) => { if let Some((_, c)) = &mut side.connection { c.handle_event(event); } }
                Some(DatagramEvent::NewConnection(incoming)) => { side.connection = Some(side.endpoint.accept(incoming, at(now), &mut buf, None).map_err(|e| e.cause).unwrap()); }
                _ => {}
            }
        }
    }
    let wall = start.elapsed().as_secs_f64();
    let half = seconds as f64 / 2.0;
    for (index, p) in pairs.iter_mut().enumerate() {
        #[cfg(feature = "noq")]
        let path = p.sides[0].connection.as_mut().unwrap().1.path_stats(PathId::ZERO).unwrap();
        #[cfg(not(feature = "noq"))]
        let path = p.sides[0].connection.as_ref().unwrap().1.stats().path;
        println!("connection {index}: goodput {:.3} Mbit/s in the second half; sent {} lost {} congestion events {} cwnd {}",
            (p.received - p.half) as f64 * 8e-6 / half, path.sent_packets, path.lost_packets, path.congestion_events, path.cwnd);
    }
    println!("link: {} packets, {} dropped, mean queue on arrival {:.1}; {} events; hash {:016x}", link.sent, link.dropped, link.sum as f64 / link.sent as f64, events, hash);
    eprintln!("wall {:.3} s for {} s: {:.0} packets/s", wall, seconds, link.sent as f64 / wall);
}
