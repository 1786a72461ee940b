#include "files.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>

#include "base/open_file.hpp"
#include "base/quote.hpp"
#include "janitor.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

Failure cannot_write(const std::string& file, int error) {
  return Failure(kUsage, fmt::format("cannot write '{}': {}", file, strerror(error)));
}

}  // namespace

void write_or_print(const std::string& file, const std::string& text) {
  if (file == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() || std::fflush(stdout) != 0)
      throw Failure(kUsage, fmt::format("standard output cannot be written: {}", strerror(errno)));
    return;
  }
  if (const int error = write_text(file, text); error != 0) throw cannot_write(file, error);
}

void expect_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  std::error_code ignored;
  if (std::filesystem::is_other(file, ignored)) return;
  const bool is_new = !std::filesystem::exists(std::filesystem::symlink_status(file, ignored));
  const OpenFile opened(file, O_WRONLY | O_CREAT);
  if (!opened.ok()) throw cannot_write(file, errno);
  if (is_new) std::filesystem::remove(file, ignored);
}

void Results::deliver(const std::function<void()>& one) {
  try {
    one();
  } catch (const std::exception& failure) {
    failures_ += (failures_.empty() ? "" : "; ") + std::string(failure.what());
  }
}

void Results::finish(int status) const {
  if (!failures_.empty()) throw Failure(status == kOk ? int{kUsage} : status, failures_);
}

TemporaryFolder::TemporaryFolder(std::string_view command) {
  const char* const given = getenv("TMPDIR");
  const bool is_given = given != nullptr && *given != '\0';
  const std::filesystem::path place(is_given ? given : "/tmp");
  std::string name = place / fmt::format("vicino-{}-XXXXXX", command);
  if (mkdtemp(name.data()) == nullptr)
    throw Failure(kUsage,
                  fmt::format("{}: no folder can be made in '{}'{}: {}", command, place.string(),
                              is_given ? " (TMPDIR)" : "", strerror(errno)));
  path_ = name;
  start_janitor(path_);  // a signal may end the process
}

std::string TemporaryFolder::why_full() const {
  // More than one page, which the file system may still find.
  const std::string some(1 << 16, '\n');
  const std::filesystem::path file = path_ / "some";
  const int error = write_text(file, some);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  if (error == 0) return "";
  return fmt::format("'{}' (TMPDIR): {}", path_.parent_path().string(), strerror(error));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string in_xml(const std::string& text) {
  std::string escaped;
  for (const char c : plain(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace vicino::cli
