// main.cpp: the command line `vicino`: which command, its options, its help, its failures.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

// A standard file that the caller has closed stays unusable, but its number is taken: otherwise the next file that
// is opened would have it, and get what is meant for the caller. A program that is started finds it closed.
void hold_closed_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0)
      open("/dev/null", (file == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

}  // namespace

int main(int argc, char** argv) {
  hold_closed_standard_files();
  try {
    const int status = dispatch(Words(argv + 1, argv + argc));
    errno = EIO;  // an earlier error may have been another
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Failure(status == kOk ? int{kUsage} : status,
                    fmt::format("standard output cannot be written: {}", strerror(errno)));
    return status;
  } catch (const Failure& failure) {
    complain(failure.what());
    return failure.status();
  } catch (const std::exception& error) {
    // fmt::print() names no file.
    complain(
        fmt::format("{}{}", std::ferror(stdout) != 0 ? "standard output: " : "", error.what()));
    return kUsage;
  }
}
