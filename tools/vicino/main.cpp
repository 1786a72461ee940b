// main.cpp: the command line `vicino`: which command, its options, its help, its failures.
#include <csignal>
#include <span>

#include "base/version.hpp"
#include "command.hpp"
#include "command_line.hpp"
#include "page.hpp"
#include "say.hpp"

namespace {

using namespace vicino::cli;

int dispatch(const Words& arguments) {
  CommandLine line(commands());
  const Parsed parsed = line.parse(arguments);
  switch (parsed.wanted) {
    case Wanted::kHelp:
      fmt::print("{}", as_help(page_of(*parsed.command)));
      return kOk;
    case Wanted::kManual:
      fmt::print("{}", as_roff(page_of(*parsed.command)));
      return kOk;
    case Wanted::kVersion:
      fmt::print("vicino {}\n", vicino::version());
      return kOk;
    case Wanted::kAction:
      break;
  }
  return parsed.command->action(parsed.program);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = dispatch(Words(argv + 1, argv + argc));
    return std::fflush(stdout) == 0 ? status : 1;
  } catch (const Failure& failure) {
    complain(failure.what());
    return failure.status();
  } catch (const std::exception& error) {
    complain(error.what());
    return 1;
  }
}
