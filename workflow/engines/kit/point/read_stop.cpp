#include "kit/point/read_parts.hpp"

namespace kit {

Stop read_stop(JsonReader& point) {
  JsonReader reader = point.object("stop");
  Stop stop;
  if (reader.has("duration_s")) {
    stop.duration_s = reader.number("duration_s", kDuration);
    stop.warmup_s = reader.number("warmup_s", kWarmup);
  } else if (reader.has("loss_events")) {
    stop.loss_events = reader.whole("loss_events", kStop);
    stop.warmup_loss_events = reader.whole("warmup_loss_events", kStopWarmup);
  } else if (reader.has("transfer_packets")) {
    stop.transfer_packets = reader.count("transfer_packets", kFilePackets);
  } else if (reader.has("packets")) {
    stop.packets = reader.whole("packets", kStop);
    stop.warmup_packets = reader.whole("warmup_packets", kStopWarmup);
  } else {
    stop.connections = reader.whole("connections", kStop);
    stop.warmup_connections = reader.whole("warmup_connections", kStopWarmup);
  }
  reader.finish();
  return stop;
}

}  // namespace kit
