// prepared.hpp: what the files of this layer share about this process.
#pragma once

#include <string>

namespace vicino::lend {

class Lending;

struct Prepared {
  std::string path;     // of the job's file
  std::string instead;  // why nothing is lent
};
// Null if VICINO_LEND is not set.
const Prepared* prepared() noexcept;
// Null if the process has not joined.
Lending* joined() noexcept;

}  // namespace vicino::lend
