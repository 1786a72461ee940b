#include "share.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/open_file.hpp"
#include "command.hpp"
#include "config/numbers.hpp"
#include "config/share.hpp"
#include "lend/job_file.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

// Where each share of so many has a file. A lock of the file lasts as long as a process has it open, so that what
// ends in any way gives its share back.
std::string file_of(int number, int of) {
  return fmt::format("{}/vicino-share-{}-{}-of-{}", lend::folder_of_files(), getuid(), number, of);
}

bool take(int number, int of) {
  const std::string name = file_of(number, of);
  const int file = open(name.c_str(), O_CREAT | O_RDWR | O_NOFOLLOW, 0600);
  if (file < 0)
    throw Failure(kRunFailed,
                  fmt::format("run --share: '{}': {}; --share {}/{} takes a share without it", name,
                              strerror(errno), number, of));
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    close(file);
    return false;
  }
  // It stays open, also in the program, which may close low numbers.
  if (moved_high(file, F_DUPFD) < 0)
    throw Failure(kRunFailed, fmt::format("run --share: '{}': {}", name, strerror(errno)));
  return true;
}

}  // namespace

bool is_share(const std::string& text) {
  if (config::ShareText::parse(text)) return true;
  const auto of = config::Positive::parse(text);
  return of && *of <= config::Share::kMost;
}

std::string take_share(const std::string& text) {
  if (config::ShareText::parse(text)) return text;
  const int of = *config::Positive::parse(text);
  for (int number = 0; number < of; ++number)
    if (take(number, of)) return config::ShareText::format({number, of});
  throw Failure(
      kRunFailed,
      fmt::format(
          "run --share: programs that run have all {} shares; --share 0/{} takes the first one "
          "a second time",
          of, of));
}

}  // namespace vicino::cli
