// plan.hpp: what is done to each file: its edits, and the loops that stay with their reasons.
//
// Why    Several compilations may read one file and see different parts of it. A loop is converted
//        if one of them converts it and none refuses.
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

// `named` has the files that may be changed, and the names to show for them.
Plan make_plan(const std::vector<Unit>& units, const std::map<std::string, std::string>& named,
               const Wish& wish);

}  // namespace vicino::convert
