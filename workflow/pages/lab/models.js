// Two models of the pipeline in a few lines each; tests/unit/test_lab.py compares them with tcpatlas.models.
"use strict";

// Padhye, Firoiu, Towsley and Kurose 1998, equation 30 with b = 1: a Reno sender's rate in packets/s.
function padhye(rtt, p, timeout, maxWindow = Infinity) {
  const avoidance = rtt * Math.sqrt(2 * p / 3);
  const timeouts = timeout * Math.min(1, 3 * Math.sqrt(3 * p / 8)) * p * (1 + 32 * p ** 2);
  return Math.min(maxWindow / rtt, 1 / (avoidance + timeouts));
}

function stationary(births, deaths) {
  const logs = [0];
  births.forEach((birth, state) => logs.push(logs[state] + Math.log(birth / deaths[state])));
  const most = Math.max(...logs), weights = logs.map((log) => Math.exp(log - most));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / sum);
}

// A quotient as near a whole number as rounding brings it is that number.
const wholePart = (x) => Math.abs(x - Math.round(x)) <= 1e-9 * Math.max(x, Math.round(x)) ? Math.round(x) : Math.floor(x);

// Zaragoza 2014, sections 4.1 to 4.3: the speed of users who fetch files over a shared link, in bit/s, and its utilisation.
function engset(point) {
  const [group] = point.sources, { bottleneck, egress } = point.links, links = [group.access, bottleneck, egress];
  const packet = 8 * point.packet_bytes, users = group.count, capacity = bottleneck.rate_bit_per_s;
  const off = group.workload.off_time.mean_s, file = group.workload.file_size.mean_packets;
  const slowest = Math.min(...links.map((link) => link.rate_bit_per_s)), packetTime = packet / slowest;
  const rtt = links.reduce((sum, link) => sum + link.delay_s + packet / link.rate_bit_per_s, 0) + point.return_delay_s;
  const { rwnd_packets: rwnd, initial_window_packets: initial } = group.tcp;
  // Alone on the path: a round trip a flight, flights double up to rwnd or to what the path holds.
  const holds = wholePart(rtt / packetTime);
  let left = Math.ceil(file), window = Math.min(initial, rwnd), trips = 1;
  while (window < rwnd && window <= holds && window < left) {
    left -= window;
    window = Math.min(2 * window, rwnd);
    ++trips;
  }
  const full = window > holds ? 0 : Math.floor((left - 1) / window);
  const alone = (trips + full) * rtt + (left - full * window - 1) * packetTime;
  // Up to `fit` users get the speed that they would have alone; more share the link.
  const bits = file * packet, rate = bits / alone, fit = wholePart(capacity / rate), active = [...Array(users).keys()].map((j) => j + 1);
  const births = active.map((j) => (users + 1 - j) / off), deaths = active.map((j) => j <= fit ? j / alone : capacity / bits);
  const mean = (shares, first = 0) => shares.reduce((sum, share, j) => sum + (first + j) * share, 0);
  const shares = stationary(births, deaths), under = shares.slice(0, fit + 1), over = shares.slice(fit + 1);
  const throughput = rate * mean(under) + capacity * over.reduce((a, b) => a + b, 0);
  const first = { rate: throughput / mean(shares), utilisation: Math.min(1, throughput / capacity) };
  if (users <= fit) return first;
  const second = capacity / mean(stationary(births.slice(fit + 1), deaths.slice(fit + 1)), fit + 1);
  const load = users * bits / (bits / second + off) / capacity;
  return { rate: (first.rate + second) / 2, utilisation: (first.utilisation + Math.min(1, load)) / 2 };
}
