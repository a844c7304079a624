// Points as a file has them, that tests start from.
#pragma once

#include "kit/point/json.hpp"

namespace kit {

inline Json on_off_json() {
  return Json::parse(R"({
    "schema": "tcp-atlas/point/3", "kind": "dumbbell", "study": "s", "set": "t", "point": "p", "parameters": {},
    "links": {"bottleneck": {"rate_bit_per_s": 1e7, "delay_s": 0.02, "loss_probability": 0, "queue": "drop-tail",
                             "buffer_packets": 200},
              "egress": {"rate_bit_per_s": 2e6, "delay_s": 0}},
    "return_delay_s": 0.02, "packet_bytes": 1500, "ack_bytes": 0,
    "sources": [{"name": "sources", "count": 5,
      "workload": {"kind": "on-off",
        "file_size": {"distribution": "exponential-exponential", "mean_packets": 12, "minimum_packets": 3,
                      "tail_share": 0.1, "tail_mean_ratio": 7},
        "off_time": {"distribution": "exponential", "mean_s": 1}},
      "tcp": {"variant": "newreno", "rwnd_packets": 44, "initial_window_packets": 2, "min_rto_s": 1, "max_rto_s": 64},
      "access": {"rate_bit_per_s": 1e8, "delay_s": 0}, "extra_delay_s": 0}],
    "stop": {"connections": 100, "warmup_connections": 1}, "probes": [], "replications": {}, "seed": 1})");
}

// A bulk transfer that fills the buffer soon: 42 packets are on their way, 10 wait.
inline Json compound_json() {
  Json json = on_off_json();
  json["links"]["bottleneck"].update({{"delay_s", 0.025}, {"buffer_packets", 10}});
  json["links"]["egress"]["rate_bit_per_s"] = 1e11;
  json["return_delay_s"] = 0.025;
  Json& source = json["sources"][0];
  source["count"] = 1;
  source["workload"] = {{"kind", "bulk"}};
  source["access"]["rate_bit_per_s"] = 1e11;
  source["tcp"].update(
      Json::parse(R"({"variant": "compound", "arithmetic": "linux", "alpha": 0.125, "k": 0.75,
    "beta": 0.5, "zeta": 1, "gamma_packets": 30, "damping": 1, "recovery": "pause", "rwnd_packets": 100})"));
  json["stop"] = {{"loss_events", 3}, {"warmup_loss_events", 1}};
  json["probes"] = {{{"kind", "window-trace"}}};
  return json;
}

}  // namespace kit
