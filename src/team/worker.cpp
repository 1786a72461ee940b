#include "team/worker.hpp"

#include "team/metering.hpp"
#include "team/places.hpp"
#include "topo/machine.hpp"

namespace vicino::team {

thread_local constinit Member* self = nullptr;

namespace {

// Of threads that have ended; under the Cold lock, as all Workers are made and unmade.
std::vector<TaskMemory*>& spare_memories() {
  static auto& memories = *new std::vector<TaskMemory*>;
  return memories;
}

TaskMemory* take_memory() {
  auto& spare = spare_memories();
  if (spare.empty()) return new TaskMemory;
  TaskMemory* const memory = spare.back();
  spare.pop_back();
  return memory;
}

}  // namespace

Worker::Worker(int gtid) : gtid_(gtid), counts_(&new_counts(gtid)), memory_(take_memory()) {}
Worker::~Worker() {
  close_counter(*this);
  spare_memories().push_back(memory_);
}

Team& Worker::push_serial() {
  if (serial_depth_ == serial_.size()) serial_.push_back(std::make_unique<Team>(*this));
  return *serial_[serial_depth_++];
}

Team& Worker::push_hot() {
  if (hot_depth_ == hot_.size()) {
    hot_.push_back(std::make_unique<Team>(*this));
    hot_.back()->serial = false;
  }
  return *hot_[hot_depth_++];
}

void Worker::bind_to(int place) noexcept {
  if (place == place_) return;
  if (initial != nullptr && place_ < 0) keep_mask_from_new_threads();
  if (run_on(place < 0 ? topo::Machine::here().cpus() : places()[place])) place_ = place;
}

void Worker::forget_teams() {
  for (auto& team : hot_) team.release();  // gates of theirs may be in use by threads that are gone
  hot_.clear();
  for (auto& team : serial_) team->molded = {};
  hot_depth_ = serial_depth_ = 0;
}

}  // namespace vicino::team
