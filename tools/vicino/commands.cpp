// commands.cpp: the commands of `vicino`, in the order of its help.
#include "command.hpp"

namespace vicino::cli {

std::span<const Maker> commands() {
  static constexpr Maker kAll[] = {
      {add_run},
      {add_compare},
      {add_report},
      {add_bench},
      {add_explain},
      {add_profile},
      {add_profile_show, "profile"},
      {add_profile_merge, "profile"},
      {add_profile_prune, "profile"},
      {add_topo},
      {add_selftest},
      {add_doctor},
      {add_graph},
      {add_settings},
      {add_schedules},
      {add_convert},
      {add_help},
  };
  return kAll;
}

}  // namespace vicino::cli
