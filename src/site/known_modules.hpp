// known_modules.hpp: whether the library that a region belongs to is known to give the same results whatever the
// number of its threads (config/known_modules.hpp), looked up once for a region.
//
// Memory order: relaxed. Each field stands for itself, and all threads find the same.
#pragma once

#include <cstdint>
#include <string>

#include "plat/plat.hpp"

namespace vicino::site {

// What is known of a site's library; the site holds it.
class OfKnownModule {
 public:
  bool may_have_fewer_threads(const void* address) noexcept;
  void note_fewer() noexcept { had_fewer_.store(true, std::memory_order_relaxed); }
  bool had_fewer() const noexcept { return had_fewer_.load(std::memory_order_relaxed); }

 private:
  enum State : uint8_t { kUnknown, kNo, kYes };
  plat::atomic<uint8_t> state_{kUnknown};
  plat::atomic<bool> had_fewer_{false};
};

// The libraries whose regions had fewer threads for this reason: "lib_lightgbm and _loss"; empty: none.
std::string modules_with_fewer();

}  // namespace vicino::site
