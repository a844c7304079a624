#include "live/emulator.hpp"

namespace linux_engine {
namespace {

// Whether a TCP segment over IPv4 has a payload (RFC 791, RFC 9293): lengths of headers are in words of 4
// bytes.
bool carries_data(std::span<const std::byte> packet) {
  constexpr std::size_t word = 4, kOffsetAt = 12;
  const auto words = [&](std::size_t at, int shift) {
    return at < packet.size() ? word * (std::to_integer<std::size_t>(packet[at] >> shift) & 0xfU) : 0;
  };
  const std::size_t ip_header = words(0, 0);
  return packet.size() > ip_header + words(ip_header + kOffsetAt, 4);
}

}  // namespace

Emulator::Emulator(const ChannelSettings& from_sender, const ChannelSettings& from_receiver,
                   const std::filesystem::path& directory, Nanoseconds epoch)
    : channels_{Channel(from_sender), Channel(from_receiver)},
      logs_{FilterLog(directory / "sender.pcap"), FilterLog(directory / "receiver.pcap")},
      epoch_(epoch) {}

Channel::Fate Emulator::arrive(End end, Nanoseconds now, std::span<const std::byte> packet) {
  logs_[index(end)].record(epoch_ + now, packet);
  return channels_[index(end)].offer(now, packet, carries_data(packet));
}

std::optional<Nanoseconds> Emulator::next_delivery() const {
  const auto data = channels_[index(End::kSender)].next_delivery();
  const auto acknowledgement = channels_[index(End::kReceiver)].next_delivery();
  if (!data || (acknowledgement && *acknowledgement < *data)) {
    return acknowledgement;
  }
  return data;
}

std::optional<Emulator::Delivery> Emulator::deliver(Nanoseconds now) {
  const auto due = next_delivery();
  if (!due || *due > now) {
    return std::nullopt;
  }
  const End from = channels_[index(End::kSender)].next_delivery() == due ? End::kSender : End::kReceiver;
  const auto packet = channels_[index(from)].deliver();
  logs_[index(other(from))].record(epoch_ + now, packet);
  return Delivery{other(from), *due, packet};
}

void Emulator::close_logs() {
  for (FilterLog& log : logs_) {
    log.close();
  }
}

}  // namespace linux_engine
