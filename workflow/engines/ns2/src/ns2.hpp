// The simulator ns-2, a program of its own.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace ns2 {

// What is missing for it, in one line.
std::optional<std::string> missing();

// Runs the script with arguments, name and value each, and returns what it printed, by name. Throws
// std::runtime_error with one line.
std::map<std::string, double> run_script(const std::map<std::string, std::string>& arguments);

}  // namespace ns2
