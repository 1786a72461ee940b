// diagnosis.hpp: what a trace says about a program: what limits its speed-up, and what to try.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace_summary.hpp"

namespace vicino::cli {

enum class Disease {
  kSerial,
  kImbalance,
  kScheduling,
  kShortChunks,
  kShortRegions,
  kShortTasks,
  kLock,
  kCrowd,
  kOthers,
  kCommunication
};
std::string_view word_of(Disease disease);  // for JSON

struct Diagnosis {
  Disease disease;
  double share;          // of all thread time, that this costs
  std::string evidence;  // a sentence with numbers and the place
  std::string remedy;    // what to try: a sentence
  std::string command;   // that can be pasted; may be empty
  double alone = 0;      // its share if the program had the machine to itself; 0: `share` says it

  double shown_share() const { return alone > 0 ? alone : share; }
};

// "31 % of all thread time", or what it would be without other programs.
std::string in_words(const Diagnosis& one);

// The most costly first; empty: nothing stands out.
std::vector<Diagnosis> diagnose(const Summary& summary);

// How well the threads were used, what limits it, what to try: three sentences.
std::vector<std::string> verdict_of(const Summary& summary, const std::vector<Diagnosis>& found);

// "64 MiB of memory at the most, after 1.2 s (or: at the end): 98 % on node 0, 2 % on node 1; threads on 2 nodes"; empty if that is not known.
std::string memory_in_words(const Summary& summary);

std::string time_in_words(double ns);  // "67.8 us"
std::string percent(double share);     // "12 %"

}  // namespace vicino::cli
