// plan.hpp: what is done to each file: the edits, and the loops that stay with the reason.
//
// Why    One file may be read by several compilations that see different parts of it. A loop is
//        converted if one of them says so and none refuses.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rewrite.hpp"
#include "unit.hpp"

namespace vicino::convert {

struct FilePlan {
  std::string shown;
  std::string text;
  std::map<size_t, std::vector<Edit>> edits;  // by the loop's offset
  std::map<size_t, std::string> refused;

  std::vector<Edit> all_edits() const;
};

using Plan = std::map<std::string, FilePlan>;  // by the canonical path

// `named` are the files that may be changed, and how they are shown.
Plan make_plan(const std::vector<Unit>& units, const std::map<std::string, std::string>& named,
               const Wish& wish);

}  // namespace vicino::convert
