#include "environment.hpp"

#include <unistd.h>

#include <algorithm>

namespace vicino::cli {
namespace {

bool names(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
}

}  // namespace

Environment Environment::of_process() {
  Environment result;
  for (char** entry = environ; *entry != nullptr; ++entry) result.entries_.emplace_back(*entry);
  return result;
}

std::optional<std::string_view> Environment::get(std::string_view name) const {
  for (const std::string& entry : entries_)
    if (names(entry, name)) return std::string_view(entry).substr(name.size() + 1);
  return std::nullopt;
}

void Environment::set(std::string_view name, std::string_view value) {
  std::erase_if(entries_, [&](const std::string& entry) { return names(entry, name); });
  entries_.push_back(std::string(name) + '=' + std::string(value));
}

void Environment::prepend(std::string_view name, std::string_view entry, char separator) {
  std::string value(entry);
  if (const auto old = get(name); old && !old->empty()) value.append(1, separator).append(*old);
  set(name, value);
}

void Environment::remove_all(std::string_view prefix) {
  std::erase_if(entries_, [&](const std::string& entry) { return entry.starts_with(prefix); });
}

bool Environment::assign(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  set(assignment.substr(0, equals), assignment.substr(equals + 1));
  return true;
}

std::vector<char*> Environment::pointers() {
  std::vector<char*> result;
  for (std::string& entry : entries_) result.push_back(entry.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace vicino::cli
