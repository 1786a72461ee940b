// dependences.hpp: a depend clause as the ABI hands it to the layers below. Nearly all are short.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "task/depend.hpp"

namespace vicino::abi {

class Dependences {
 public:
  explicit Dependences(size_t count) : many_(count > kFew ? count : 0) {}

  void add(const void* address, task::Access access) { all()[size_++] = {address, access}; }
  std::span<const task::Dependence> span() noexcept { return all().first(size_); }

 private:
  static constexpr size_t kFew = 8;
  std::span<task::Dependence> all() noexcept {
    return many_.empty() ? std::span<task::Dependence>(few_) : many_;
  }

  std::array<task::Dependence, kFew> few_;
  std::vector<task::Dependence> many_;
  size_t size_ = 0;
};

}  // namespace vicino::abi
