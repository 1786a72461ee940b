#include "locality/config.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace vicino::lab {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& reason) {
  throw std::runtime_error("configuration: " + reason);
}

const Json& member(const Json& object, const std::string& name) {
  if (!object.is_object() || !object.contains(name)) refuse("'" + name + "' is missing");
  return object[name];
}

// TOML's 8.0 is a whole number as well.
std::uint64_t whole_number(const Json& value, const std::string& name) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (number >= 0 && number <= 1e15 && number == static_cast<double>(static_cast<long>(number)))
      return static_cast<std::uint64_t>(number);
  }
  refuse("'" + name + "' is " + value.dump() + "; accepted: a whole number, 0 or more");
}

int small_number(const Json& object, const std::string& name) {
  const std::uint64_t number = whole_number(member(object, name), name);
  if (number > 9999) refuse("'" + name + "' is " + std::to_string(number) + "; far too large");
  return static_cast<int>(number);
}

const Json& list(const Json& object, const std::string& name) {
  const Json& value = member(object, name);
  if (!value.is_array()) refuse("'" + name + "' is not a list");
  return value;
}

Machine machine_of(const Json& json) {
  Machine machine;
  for (const Json& cpu : list(json, "cpus"))
    machine.cpus.push_back(
        {small_number(cpu, "node"), small_number(cpu, "package"), small_number(cpu, "l3")});
  for (const Json& node : list(json, "nodes")) {
    const Json& block = member(node, "ram_block");
    if (!block.is_null() && !block.is_string())
      refuse("'ram_block' is " + block.dump() + "; accepted: a name or null");
    machine.nodes.push_back({small_number(node, "package"),
                             whole_number(member(node, "bytes"), "bytes"),
                             block.is_null() ? "" : block.get<std::string>(),
                             {}});
    for (const Json& distance : list(node, "distances"))
      machine.nodes.back().distances.push_back(
          static_cast<int>(std::min<std::uint64_t>(whole_number(distance, "distances"), 255)));
  }
  if (const auto fault = machine.fault(); !fault.empty()) refuse(fault);
  return machine;
}

Parameters parameters_of(const Json& json) {
  Parameters parameters{};
  for (const auto& [name, value] : kParameters)
    parameters.*value = whole_number(member(json, std::string(name)), std::string(name));
  for (const auto& [name, value] : json.items()) {
    bool known = false;
    for (const auto& parameter : kParameters) known |= parameter.name == name;
    if (!known) refuse("parameter '" + name + "' is unknown to the model");
  }
  if (const auto fault = parameters.fault(); !fault.empty()) refuse(fault);
  return parameters;
}

Json parse(const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) refuse("not JSON");
  return json;
}

}  // namespace

Config parse_config(const std::string& text) {
  const Json json = parse(text);
  const Json& clock = member(json, "clock");
  if (!clock.is_boolean()) refuse("'clock' is " + clock.dump() + "; accepted: true or false");
  const Json& output = member(json, "output");
  if (!output.is_string()) refuse("'output' is " + output.dump() + "; accepted: a path");
  return {machine_of(json), parameters_of(member(json, "parameters")), clock.get<bool>(),
          output.get<std::string>()};
}

std::string output_of(const std::string& text) noexcept try {
  return member(parse(text), "output").get<std::string>();
} catch (...) {
  return {};
}

}  // namespace vicino::lab
