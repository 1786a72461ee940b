// program.hpp: the paper's programs at its sizes, as loops whose iterations have counted work.
//
// Why    A kernel that runs 16 million iterations on 272 threads takes an emulator days. Here the
//        kernel runs once, natively and by itself, and counts what each iteration does: edges read,
//        nonzeros, neighbours. An iteration's time follows from the counts (execution.hpp).
// Work   Linear: so much for each iteration, and so much for each unit of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parameters.hpp"

namespace loops {

// How many units each iteration has. Sums over long ranges take a few steps.
class Units {
 public:
  using At = std::function<uint32_t(uint64_t)>;
  Units(uint64_t trip, At at);

  uint32_t at(uint64_t i) const { return at_(i); }
  uint64_t sum(uint64_t begin, uint64_t end) const { return before(end) - before(begin); }

 private:
  static constexpr uint64_t kStep = 64;
  uint64_t before(uint64_t i) const;

  At at_;
  std::vector<uint64_t> sums_;  // before each kStep-th iteration
};

struct Cost {
  double cycles = 0, cycles_of_unit = 0;
  double bytes = 0, bytes_of_unit = 0;  // in order; `bytes` are found in a cache again (Data)
  double lookups = 0, table = 0;        // of a unit, at random in a table of so many bytes
  double stores = 0;                    // of a unit, at random in memory
};

struct Loop {
  uint64_t trip = 0;
  std::shared_ptr<const Units> units{};  // null: each iteration has `even`
  double even = 1;
  Cost cost{};
  // The data of iteration i, if it is not that of the other loops' i.
  std::function<uint64_t(uint64_t)> place{};
  uint64_t places = 0;  // how many of them there are; 0: as many as iterations
  double times = 1;     // how many such loops this one stands for

  double units_in(uint64_t begin, uint64_t end) const {
    return units ? static_cast<double>(units->sum(begin, end))
                 : even * static_cast<double>(end - begin);
  }
};

struct Program {
  std::vector<Loop> loops;
};

struct Title {
  std::string_view name, paper;
};
std::vector<Title> programs();

// A folder where searches of graphs are kept between processes; empty: nowhere.
void keep_in(std::string folder);

Program make(std::string_view name, const Parameters& parameters);

// Of the work in an iteration, counted as the paper's table 1 counts it.
struct Works {
  double iterations, mean, variance, range;
};
Works works(std::string_view name, const Parameters& parameters);

}  // namespace loops
