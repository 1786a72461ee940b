// region.hpp: declarations about parallel regions that the files of GCC's ABI share.
#pragma once

#include "region/fork.hpp"

namespace vicino::gomp {

using Function = void (*)(void* data);

region::Request request_of(unsigned threads, unsigned flags);
team::Call plain_call(Function function, void* data);

}  // namespace vicino::gomp
