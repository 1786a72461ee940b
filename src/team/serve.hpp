// serve.hpp: what a thread of Vicino's own does all its life.
#pragma once

#include "team/worker.hpp"

namespace vicino::team {

[[noreturn]] void serve(Worker& worker);

}  // namespace vicino::team
