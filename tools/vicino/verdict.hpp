// verdict.hpp: the conclusion that a list of ratios allows.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "stats.hpp"

namespace vicino::cli {

enum class Finding { kNothing, kTooFew, kNoDifference, kBetter, kWorse };

struct Verdict {
  Finding finding = Finding::kNothing;
  RatioEstimate estimate{.ratio = 1, .interval = {}};
};

// `ratios` above 1 are in Vicino's favour.
Verdict judge(std::span<const double> ratios);

// One sentence. A time is "faster", any other figure is "better".
std::string sentence(const Verdict& verdict, bool is_time, size_t pairs);

std::string_view word_of(Finding finding);  // for JSON

}  // namespace vicino::cli
