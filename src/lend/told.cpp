// told.cpp: lending in words.
#include <stdio.h>

#include "lend/lending.hpp"
#include "lend/prepared.hpp"
#include "topo/rank_share.hpp"

namespace vicino::lend {
namespace {

std::string times(uint64_t number) {
  return std::to_string(number) + (number == 1 ? " time" : " times");
}

std::string milliseconds(uint64_t ns) {
  char text[32];
  snprintf(text, sizeof text, "%.3g ms", static_cast<double>(ns) * 1e-6);
  return text;
}

}  // namespace

std::string told_at_the_end() {
  if (prepared() == nullptr || topo::ranks() == nullptr) return {};
  std::string text = "rank " + std::to_string(topo::ranks()->rank) + " here: ";
  if (!prepared()->instead.empty())
    return text + "no cores are lent, because " + prepared()->instead;
  if (joined() == nullptr) return text + "no cores were lent or borrowed";
  const Lending::Told told = joined()->told();
  text += "cores were lent " + times(told.lendings) + ", for " + milliseconds(told.lent_ns) +
          " together, and borrowed " + times(told.borrowings) + ", for " +
          milliseconds(told.borrowed_ns);
  if (told.moved != 0)
    text += "; other ranks' threads were moved away " + times(told.moved) + ", within " +
            milliseconds(told.longest_move_ns) + " of the return at the most";
  if (told.wanted != 0)
    text += "; borrowed cores were wanted back " + times(told.wanted) + ", and given back within " +
            milliseconds(told.longest_return_ns) + " at the most";
  return text;
}

std::string describe() {
  if (prepared() == nullptr) return {};
  if (!prepared()->instead.empty()) return "no cores are lent, because " + prepared()->instead;
  return "up to " + std::to_string(most_threads()) +
         " threads, with cores that other ranks lend while they wait (" + prepared()->path + ")";
}

}  // namespace vicino::lend
