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

void region_runs(const void* function) noexcept {
  if (is_on()) tell(Event::kRegionCode, function);
}

void pages_moved(const char* what) noexcept {
  if (is_on()) tell(Event::kPagesMoved, what);
}

void named(Endpoint endpoint, const char* name) noexcept {
  if (is_on()) tell(Event::kNamed, endpoint, name);
}

}  // namespace vicino::event
