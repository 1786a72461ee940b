#include "graph/records.hpp"

#include <utility>

#include "graph/guard.hpp"

namespace vicino::graph {
namespace {

// It is short: graphs are made and destroyed outside.
constinit sync::Lock all_records;

}  // namespace

Records::Begun Records::begin(uint64_t id, bool reset) {
  std::shared_ptr<TaskGraph> gone;  // destroyed when the lock is free again
  const Guard guard(all_records);
  Record& record = records_[id];
  if (reset) {
    gone.swap(record.graph);
    record.is_refused = false;
    ++record.resets;
  }
  return {record.graph, record.graph == nullptr && !record.is_refused, record.resets};
}

Records::Record* Records::open(uint64_t id, const Begun& begun) noexcept {
  Record& record = records_.find(id)->second;
  const bool is_open =
      record.resets == begun.resets && record.graph == nullptr && !record.is_refused;
  return is_open ? &record : nullptr;
}

void Records::keep(uint64_t id, const Begun& begun, std::shared_ptr<TaskGraph> graph) noexcept {
  const Guard guard(all_records);
  if (Record* const record = open(id, begun)) record->graph = std::move(graph);
}

bool Records::refuse(uint64_t id, const Begun& begun) noexcept {
  const Guard guard(all_records);
  if (Record* const record = open(id, begun)) record->is_refused = true;
  return !std::exchange(has_refused_, true);
}

}  // namespace vicino::graph
