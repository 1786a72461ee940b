// plain.hpp: what a scenario needs besides the seam: variables that are not atomic, and fences.
#pragma once

#include <utility>

#include "plat/model/execution.hpp"

namespace vicino::model {

// A variable that is not atomic: two accesses must be ordered if one of them is a write.
template <class T>
class Plain {
 public:
  Plain() = default;
  explicit Plain(T value) : value_(std::move(value)) {}
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;

  const T& get(Where where = Where::current()) const {
    touch(false, where);
    return value_;
  }

  void set(T value, Where where = Where::current()) {
    touch(true, where);
    value_ = std::move(value);
  }

 private:
  void touch(bool writes, const Where& where) const {
    if (auto* run = Execution::current()) run->touch(this, footprint_, writes, where);
  }

  T value_{};
  mutable Footprint footprint_;
};

// The seam has no such fence, since nothing needs one.
inline void fence(std::memory_order order, Where where = Where::current()) {
  Execution::current()->fence(order, where);
}

}  // namespace vicino::model
