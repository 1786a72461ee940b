// share.hpp: vicino run --share: the program is one of several equal users of this machine.
#pragma once

#include <string>

namespace vicino::cli {

// Accepts N, or I/N.
bool is_share(const std::string& text);

// The value of VICINO_SHARE for N: a number that no other program has which was started so by this user with the
// same N, and which is this process's, and what it executes, until all of these have ended, or have closed the descriptor
// that they inherit, which has a high number. I/N is that share.
// Throws a Failure if all are taken.
std::string take_share(const std::string& text);

}  // namespace vicino::cli
