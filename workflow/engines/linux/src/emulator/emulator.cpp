#include "emulator/emulator.hpp"

namespace seawind {

Emulator::Emulator(const ChannelSettings& from_sender, const ChannelSettings& from_receiver,
                   const std::filesystem::path& directory, Nanoseconds epoch)
    : channels_{Channel(from_sender), Channel(from_receiver)},
      logs_{FilterLog(directory / "sender.pcap"), FilterLog(directory / "receiver.pcap")},
      epoch_(epoch) {}

Channel::Fate Emulator::arrive(End end, Nanoseconds now, std::span<const std::byte> packet) {
  logs_[index(end)].record(epoch_ + now, packet);
  return channels_[index(end)].offer(now, packet);
}

std::optional<Nanoseconds> Emulator::next_delivery() const {
  const auto data = channels_[index(End::sender)].next_delivery();
  const auto acknowledgement = channels_[index(End::receiver)].next_delivery();
  if (!data || (acknowledgement && *acknowledgement < *data)) return acknowledgement;
  return data;
}

std::optional<Emulator::Delivery> Emulator::deliver(Nanoseconds now) {
  const auto due = next_delivery();
  if (!due || *due > now) return std::nullopt;
  const End from = channels_[index(End::sender)].next_delivery() == due ? End::sender : End::receiver;
  const auto packet = channels_[index(from)].deliver();
  logs_[index(other(from))].record(epoch_ + now, packet);
  return Delivery{other(from), *due, packet};
}

void Emulator::close_logs() {
  for (FilterLog& log : logs_) log.close();
}

}  // namespace seawind
