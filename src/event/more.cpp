#include "event/more.hpp"

#include "event/start.hpp"

namespace vicino::event {

using ompt::Endpoint;
using ompt::Event;
using ompt::tell;

void stolen(int from, unsigned level) noexcept {
  if (is_on()) tell(Event::kStolen, static_cast<unsigned>(from), level);
}

void decided(const void* caller, const char* schedule, int threads) noexcept {
  if (is_on()) tell(Event::kDecided, caller, schedule, threads);
}

const void* taskloop_decided(const char* schedule, int threads) noexcept {
  if (!is_on() || ompt::thread == nullptr) return nullptr;
  const void* const caller = ompt::thread->caller.address;
  tell(Event::kDecided, caller, schedule, threads);
  return caller;
}

void region_runs(const void* function) noexcept {
  if (is_on()) tell(Event::kRegionCode, function);
}

void pages_moved(const char* what) noexcept {
  if (is_on()) tell(Event::kPagesMoved, what);
}

void named(Endpoint endpoint, const char* name) noexcept {
  if (is_on()) tell(Event::kNamed, endpoint, name);
}

bool is_told_of_crews() noexcept { return ompt::callback(Event::kCrew) != nullptr; }

void crew_begins(const void* caller, int threads, int domain) noexcept {
  if (!is_on()) return;
  ompt::thread->caller.address = caller;
  tell(Event::kCrew, Endpoint::kBegin, caller, threads, domain);
}
void crew_ends() noexcept {
  if (is_on()) tell(Event::kCrew, Endpoint::kEnd, static_cast<const void*>(nullptr), 0, 0);
}

void communication_begins(const char* name, const void* caller) noexcept {
  if (is_on()) tell(Event::kCommunication, Endpoint::kBegin, name, caller, uint64_t{0});
}
void communication_ends(uint64_t bytes) noexcept {
  if (is_on())
    tell(Event::kCommunication, Endpoint::kEnd, static_cast<const char*>(nullptr),
         static_cast<const void*>(nullptr), bytes);
}

}  // namespace vicino::event
