// region.hpp: what the files of GCC's ABI share about parallel regions.
#pragma once

#include "team/fork.hpp"

namespace vicino::gomp {

using Function = void (*)(void* data);

team::Request request_of(unsigned threads, unsigned flags);
team::Call plain_call(Function function, void* data);

}  // namespace vicino::gomp
