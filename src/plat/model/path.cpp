#include "plat/model/path.hpp"

#include <algorithm>

namespace vicino::model {

unsigned Path::pick(unsigned options) {
  if (fresh()) path_.push_back({0, options});
  Choice& choice = path_[at_++];
  if (choice.options == 0) choice = {std::min(choice.taken, options - 1), options};
  if (choice.options != options) {
    diverged_ = true;
    choice.options = options;
    choice.taken = std::min(choice.taken, options - 1);
  }
  return choice.taken;
}

bool Path::advance() {
  path_.resize(at_);
  while (!path_.empty() && path_.back().taken + 1 == path_.back().options) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().taken;
  return true;
}

std::vector<unsigned> Path::options() const {
  std::vector<unsigned> taken;
  for (std::size_t i = 0; i < at_; ++i) taken.push_back(path_[i].taken);
  return taken;
}

Path Path::of(const std::vector<unsigned>& options) {
  Path path;
  for (const unsigned taken : options) path.path_.push_back({taken, 0});
  return path;
}

}  // namespace vicino::model
