// path.hpp: the choices that make one execution, and the next execution after it, depth first.
#pragma once

#include <cstdint>
#include <vector>

namespace vicino::model {

class Path {
 public:
  // Starts an execution that repeats the choices of the path and then always takes option 0.
  void begin() noexcept { at_ = 0; }

  // Chooses one of `options` > 0.
  unsigned pick(unsigned options);

  // Whether the execution is past the choices that it repeats.
  bool fresh() const noexcept { return at_ == path_.size(); }

  // Moves to the next path; false when all have been taken.
  bool advance();

  // The options taken. A path made of options may name some that do not exist: then the last
  // existing option is taken, so a path with one choice changed is a path again.
  std::vector<unsigned> options() const;
  static Path of(const std::vector<unsigned>& options);

  // True after an execution that did not offer the same choices as the one before.
  bool diverged() const noexcept { return diverged_; }

 private:
  struct Choice {
    unsigned taken;
    unsigned options;  // 0: not known yet
  };
  std::vector<Choice> path_;
  std::size_t at_ = 0;
  bool diverged_ = false;
};

}  // namespace vicino::model
