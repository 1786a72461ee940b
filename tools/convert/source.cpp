#include "source.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace vicino::convert {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_all(int file, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(fmt::format("cannot write '{}'", name));
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// A file beside the one that it will replace: a rename cannot leave a file system.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) : name_(target.string() + ".vicino-XXXXXX") {
    file_ = mkostemp(name_.data(), O_CLOEXEC);
    if (file_ < 0) fail(fmt::format("cannot write beside '{}'", target.string()));
  }
  ~TemporaryFile() {
    if (file_ >= 0) close(file_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view text) { write_all(file_, text, name_); }

  void take_after(const struct stat& old) {
    // The owner comes first: a change of the owner clears the set-user-id bits.
    if (fchown(file_, old.st_uid, old.st_gid) != 0 && errno != EPERM) fail("fchown");
    if (fchmod(file_, old.st_mode & 07777) != 0)
      fail(fmt::format("cannot set the mode of '{}'", name_));
  }

  void become(const fs::path& target) {
    if (fsync(file_) != 0) fail(fmt::format("cannot write '{}'", name_));
    if (rename(name_.c_str(), target.c_str()) != 0)
      fail(fmt::format("cannot replace '{}'", target.string()));
    name_.clear();
  }

  // Writes into the target: a rename would leave its other names with the old text. If that fails half way,
  // this file stays.
  void copy_into(const fs::path& target, std::string_view text) {
    const int into = open(target.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (into < 0) fail(fmt::format("cannot write '{}'", target.string()));
    const std::string kept = std::exchange(name_, {});
    write_all(into, text, fmt::format("{}', whose new text is in '{}", target.string(), kept));
    if (close(into) != 0) fail(fmt::format("cannot write '{}'", target.string()));
    name_ = kept;
  }

 private:
  std::string name_;
  int file_ = -1;
};

// One run of whole lines that edits change.
struct Change {
  size_t first, past;  // lines of the old text, counted from 0
  std::string replacement;
};

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    for (size_t at = 0; at < text.size(); at = end_of(at)) begins_.push_back(at);
  }

  size_t count() const { return begins_.size(); }
  size_t begin(size_t line) const { return line < count() ? begins_[line] : text_.size(); }
  size_t line(size_t offset) const {
    const auto after = std::ranges::upper_bound(begins_, offset);
    return static_cast<size_t>(after - begins_.begin()) - 1;
  }
  std::string_view operator[](size_t line) const {
    return text_.substr(begin(line), begin(line + 1) - begin(line));
  }

 private:
  size_t end_of(size_t at) const { return std::min(text_.find('\n', at), text_.size() - 1) + 1; }

  std::string_view text_;
  std::vector<size_t> begins_;
};

std::vector<Change> changes_of(std::string_view text, const Lines& lines,
                               const std::vector<Edit>& edits) {
  std::vector<Change> changes;
  for (size_t i = 0; i < edits.size();) {
    const size_t first = lines.line(edits[i].begin);
    size_t past = first, j = i;
    std::vector<Edit> own;
    for (; j < edits.size() && (j == i || lines.line(edits[j].begin) < past); ++j) {
      past = std::max(past, lines.line(std::max(edits[j].begin, edits[j].end)) + 1);
      own.push_back(edits[j]);
      own.back().begin -= lines.begin(first);
      own.back().end -= lines.begin(first);
    }
    const size_t begin = lines.begin(first);
    changes.push_back({first, past, edited(text.substr(begin, lines.begin(past) - begin), own)});
    i = j;
  }
  return changes;
}

size_t print(std::string& out, char mark, const Lines& lines, size_t first, size_t past) {
  for (size_t line = first; line < past; ++line) {
    out += mark;
    out += lines[line];
    if (!lines[line].ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
  return past - first;
}

}  // namespace

std::string edited(std::string_view text, const std::vector<Edit>& edits) {
  std::string out;
  size_t done = 0;
  for (const Edit& edit : edits) {
    out += text.substr(done, edit.begin - done);
    out += edit.text;
    done = edit.end;
  }
  return out += text.substr(done);
}

std::string unified_diff(std::string_view text, const std::vector<Edit>& edits,
                         const fs::path& shown_as) {
  constexpr size_t kContext = 3;
  if (edits.empty()) return {};
  const Lines lines(text);
  const std::vector<Change> changes = changes_of(text, lines, edits);
  const std::string name = shown_as.lexically_normal().relative_path().string();
  // git and diff put a tab behind a name with blanks: else the name ends at its first blank for
  // patch.
  const char* const end = name.find(' ') == std::string::npos ? "" : "\t";
  std::string out = fmt::format("--- a/{}{}\n+++ b/{}{}\n", name, end, name, end);
  std::ptrdiff_t shift = 0;  // how many lines the hunks before have added
  for (size_t i = 0; i < changes.size();) {
    const size_t first = changes[i].first - std::min(changes[i].first, kContext);
    size_t at = first, old_count = 0, new_count = 0;
    std::string body;
    const auto same_until = [&](size_t line) {
      const size_t same = print(body, ' ', lines, at, line);
      old_count += same;
      new_count += same;
      at = line;
    };
    do {  // changes whose contexts meet are one hunk
      const Change& change = changes[i++];
      same_until(change.first);
      at = change.past;
      old_count += print(body, '-', lines, change.first, change.past);
      const Lines added(change.replacement);
      new_count += print(body, '+', added, 0, added.count());
    } while (i < changes.size() && changes[i].first <= at + 2 * kContext);
    same_until(std::min(at + kContext, lines.count()));
    out += fmt::format("@@ -{},{} +{},{} @@\n{}", first + 1, old_count,
                       static_cast<std::ptrdiff_t>(first) + 1 + shift, new_count, body);
    shift += static_cast<std::ptrdiff_t>(new_count) - static_cast<std::ptrdiff_t>(old_count);
  }
  return out;
}

std::string read_file(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(fmt::format("cannot read '{}'", path.string()));
  std::string text;
  char part[1 << 16];
  ssize_t got = 0;
  while ((got = read(file, part, sizeof part)) > 0) text.append(part, static_cast<size_t>(got));
  const int error = errno;
  close(file);
  errno = error;
  if (got < 0) fail(fmt::format("cannot read '{}'", path.string()));
  return text;
}

void replace_file(const fs::path& path, std::string_view text) {
  struct stat old;
  if (stat(path.c_str(), &old) != 0) fail(fmt::format("cannot read '{}'", path.string()));
  TemporaryFile temporary(path);
  temporary.write(text);
  if (old.st_nlink > 1) return temporary.copy_into(path, text);
  temporary.take_after(old);
  temporary.become(path);
}

size_t line_of(std::string_view text, size_t offset) {
  return 1 + static_cast<size_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

size_t line_begin(std::string_view text, size_t offset) {
  const size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

}  // namespace vicino::convert
