// commands.cpp: the commands that the demo runs. The others take longer to build than these with the runtime.
#include "command.hpp"

namespace vicino::cli {

std::span<const Maker> commands() {
  static constexpr Maker kRunning[] = {{add_run}, {add_compare}, {add_report}};
  return kRunning;
}

}  // namespace vicino::cli
