// target.hpp: what a tool is told of target constructs (OMPT), which run on the host.
#pragma once

#include "ompt/tool.hpp"

namespace vicino::event {

// A target construct, from its beginning to its end. A target region with `nowait` is told by the
// task that it became, the others by the task that meets them: there are no data to move.
class Target {
 public:
  Target(ompt::Target kind, int device, bool nowait = false) noexcept {
    if (ompt::is_watched()) [[unlikely]]
      begin(kind, device, nowait);
  }
  ~Target() {
    if (id_ != 0) [[unlikely]]
      end();
  }
  Target(const Target&) = delete;

 private:
  void begin(ompt::Target kind, int device, bool nowait) noexcept;
  void end() noexcept;
  void tell(ompt::Endpoint endpoint) noexcept;

  uint64_t id_ = 0;  // 0: nothing is told
  uint64_t around_;  // the construct that lies around this one
  ompt::Data data_{};
  ompt::TaskRecord* task_;
  int kind_;
  int device_;
  const void* caller_;
};

}  // namespace vicino::event
