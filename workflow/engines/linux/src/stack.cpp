#include "stack.hpp"

namespace linux_engine {
namespace {

// What Linux has learnt since the kernels of 2002 (2.4), switched off. Two things have no switch. Reno counts
// segments acknowledged (RFC 3465, appropriate byte counting), where in 2002 it counted acknowledgements: our
// User-Mode Linux has that Reno as "reno2002" (uml/reno2002.c), other kernels have not. And recovery reduces
// the window in proportion (PRR, RFC 6937), where 2.4 sent on every second acknowledgement, which comes to
// the same unless many segments are lost at once.
Stack stack_of_2002(const std::string& congestion_control) {
  return {.sysctls = {{"tcp_recovery", "0"},         // RACK, 2016: three duplicate acknowledgements decide
                      {"tcp_early_retrans", "0"},    // early retransmit and tail loss probes, 2012
                      {"tcp_frto", "0"},             // F-RTO, 2007: a timeout is followed by slow start
                      {"tcp_comp_sack_nr", "0"},     // merging of selective acknowledgements, 2018
                      {"tcp_autocorking", "0"},      // merging of small writes, 2014
                      {"tcp_moderate_rcvbuf", "0"},  // growing receive buffers, 2004
                      {"tcp_limit_output_bytes", "4000000"},  // small queues below TCP, 2012
                      {"tcp_ecn", "0"}},
          .congestion_control = congestion_control,
          .segmentation_offload = false};
}

// The kernel's defaults, but CUBIC by name: a User-Mode Linux may have been configured for another.
Stack stack_of_today() { return {.sysctls = {}, .congestion_control = "cubic"}; }

}  // namespace

Stack make_stack(const Settings& settings) {
  Stack stack = settings.stack == "today"      ? stack_of_today()
                : settings.stack == "2002-abc" ? stack_of_2002("reno")
                                               : stack_of_2002("reno2002");
  const bool scaled = settings.rwnd_segments * settings.mss_bytes() > 65'535;
  const std::vector<Stack::Sysctl> of_the_experiment{
      {"tcp_sack", settings.sack ? "1" : "0"},
      {"tcp_timestamps", "1"},
      {"tcp_window_scaling", scaled || settings.stack == "today" ? "1" : "0"},
      {"tcp_no_metrics_save", "1"},  // each transfer starts afresh
      {"tcp_retries2", "200"},       // and has as long as it takes
      {"tcp_syn_retries", "100"},
      {"tcp_rmem", "4096 6000000 6000000"}};  // the window is limited by rwnd, not by memory
  stack.sysctls.insert(stack.sysctls.end(), of_the_experiment.begin(), of_the_experiment.end());
  return stack;
}

}  // namespace linux_engine
