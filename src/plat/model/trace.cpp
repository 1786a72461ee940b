#include "plat/model/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vicino::model {

void Names::add(const void* object, std::size_t size, std::string_view name) {
  known_.push_back({static_cast<const char*>(object), size, std::string(name)});
}

std::string Names::of(const void* address, std::string_view otherwise) const {
  const auto* at = static_cast<const char*>(address);
  for (const Known& object : known_) {
    if (at < object.begin || at >= object.begin + object.size) continue;
    const auto offset = at - object.begin;
    return offset == 0 ? object.name : fmt::format("{}+{}", object.name, offset);
  }
  return std::string(otherwise);
}

void Trace::add(std::string_view thread, std::string_view text, const Where& where) {
  lines_.push_back({std::string(thread), std::string(text), place(where)});
}

// A blank line marks a switch of threads: a reader looks for the switches first.
std::string Trace::text() const {
  std::size_t threads = 0, texts = 0;
  for (const Line& line : lines_) {
    threads = std::max(threads, line.thread.size());
    texts = std::max(texts, line.text.size());
  }
  std::string all;
  std::size_t step = 0;
  for (const Line& line : lines_) {
    if (step > 0 && lines_[step - 1].thread != line.thread) all += '\n';
    all += fmt::format("{:3}  {:{}}  {:{}}  {}\n", ++step, line.thread, threads, line.text, texts,
                       line.place);
  }
  return all;
}

std::string number(uint64_t value) {
  return value < 100'000 ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

}  // namespace vicino::model
