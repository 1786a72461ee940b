// explain.hpp: what the tuner tried at each loop, what it chose and why: VICINO_EXPLAIN.
#pragma once

namespace vicino::team {

// On standard error; nothing if it chose for no loop.
void explain();

}  // namespace vicino::team
