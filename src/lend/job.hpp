// job.hpp: which job this process belongs to, as the ranks of it on this machine see it alike.
//
// Why    Two jobs of one user on a machine must not lend each other cores: each thinks that it has the
//        machine. The launcher's variables tell jobs apart, or the process that started the ranks.
#pragma once

#include <string>

namespace vicino::lend {

struct Job {
  std::string text;  // what the launcher's variables say of the job; empty: nothing
  // If `text` is empty: the beginning of the name of the process that started this machine's ranks, by itself
  // or through others. Empty: not known.
  std::string starter;
  friend bool operator==(const Job&, const Job&) = default;
};

// The same for all ranks of the job on this machine, and for no other job; empty if it cannot be told.
std::string identity_of(const Job& job);

}  // namespace vicino::lend
