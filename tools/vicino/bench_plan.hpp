// bench_plan.hpp: what `vicino bench` runs: the programs of the kit (bench/kit), with their arguments.
//
// Sizes  A program takes some hundredths of a second on the threads that it has, so that a round of all
//        of them is short and there are many rounds. Work that all threads share grows with their number.
// Order  A plan may have to end early. So the jobs are in the order of their importance, and the
//        sections take turns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program.hpp"

namespace vicino::cli {

// A part of the page.
struct BenchSection {
  std::string_view key;  // on the command line and in JSON
  std::string_view title;
  std::string_view note;  // how to read it, a sentence or two
};
std::span<const BenchSection> bench_sections();

// One call of a program.
struct BenchJob {
  std::string section;
  std::string program;  // of the kit, without its ABI
  Words arguments;
  std::string
      label;  // the row's name; programs that measure several things name them by themselves
  std::vector<std::pair<std::string, std::string>> settings;  // variables, for all runtimes
  bool is_for_vicino = false;                                 // other runtimes do not have it
};

// The jobs that the words name, most important first, for teams of so many threads. A word is the key of a
// section, or the name of a construct or a kernel; no word names all.
std::vector<BenchJob> bench_jobs(std::span<const std::string> words, int threads);
// A call of each program that does next to nothing, to see whether it starts.
std::vector<BenchJob> bench_starts();
// Whether there is something of this name.
bool names_bench_job(const std::string& word);

}  // namespace vicino::cli
