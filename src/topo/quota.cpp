#include "topo/quota.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/file.hpp"

namespace vicino::topo {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// A mounted hierarchy that can limit CPU time.
struct Mount {
  bool v2;
  std::string root;   // the group that is seen at `point`
  std::string point;  // where the hierarchy is mounted
};

bool has_word(std::string_view comma_list, std::string_view word) {
  while (!comma_list.empty())
    if (take_until(comma_list, ',') == word) return true;
  return false;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// mountinfo writes blanks and backslashes in paths as \ and three octal digits.
std::string unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const bool escape = text.size() >= 4 && text[0] == '\\' && is_octal(text[1]) &&
                        is_octal(text[2]) && is_octal(text[3]);
    plain += escape ? static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + text[3] - '0')
                    : text[0];
    text.remove_prefix(escape ? 4 : 1);
  }
  return plain;
}

// A line of mountinfo: id parent device ROOT POINT options [optional...] - TYPE source OPTIONS
std::optional<Mount> parse_mount(std::string_view line) {
  for (int i = 0; i < 3; ++i) take_until(line, ' ');
  const std::string_view root = take_until(line, ' ');
  const std::string_view point = take_until(line, ' ');
  while (!line.empty() && take_until(line, ' ') != "-") {
  }
  const std::string_view type = take_until(line, ' ');
  take_until(line, ' ');
  const bool v2 = type == "cgroup2";
  if (!v2 && !(type == "cgroup" && has_word(line, "cpu"))) return std::nullopt;
  return Mount{v2, unescaped(root), unescaped(point)};
}

// The path of our group in a hierarchy. A line of /proc/self/cgroup is id:controllers:path, and
// version 2's is 0::path.
std::optional<std::string> find_group(std::string_view groups, bool v2) {
  while (!groups.empty()) {
    std::string_view line = take_until(groups, '\n');
    const bool unified = line.starts_with("0::");
    take_until(line, ':');
    const std::string_view controllers = take_until(line, ':');
    if (v2 ? unified : has_word(controllers, "cpu")) return std::string(line);
  }
  return std::nullopt;
}

// The part of `group` below the group that is mounted: "" or "/...". A container often sees its own
// group as the top of the hierarchy while /proc still names it from the host's top, or from outside
// its namespace ("/.."): what is mounted is then all there is to see.
std::string below_mount(const std::string& group, std::string_view mount_root) {
  if (group == "/" || group.starts_with("/..")) return "";
  if (mount_root == "/") mount_root = "";
  if (!group.starts_with(std::string(mount_root) + "/")) return "";
  return group.substr(mount_root.size());
}

// -1 for what is no number: version 2 writes "max" for no limit.
double take_number(std::string_view& text) {
  long long value = -1;
  const std::string_view word = take_until(text, ' ');
  std::from_chars(word.data(), word.data() + word.size(), value);
  return static_cast<double>(value);
}

double quota_of_group(const std::string& folder, bool v2) {
  const std::string text =
      v2 ? read_file(folder + "/cpu.max")
         : read_file(folder + "/cpu.cfs_quota_us") + " " + read_file(folder + "/cpu.cfs_period_us");
  std::string_view words = text;
  const double quota = take_number(words);
  const double period = take_number(words);
  return quota > 0 && period > 0 ? quota / period : kNoLimit;
}

double least_up_to_mount(const Mount& mount, const std::string& root, std::string group) {
  double least = kNoLimit;
  for (;;) {
    least = std::min(least, quota_of_group(root + mount.point + group, mount.v2));
    if (group.empty()) return least;
    group.resize(group.rfind('/'));
  }
}

}  // namespace

double read_quota(const std::string& root) {
  const std::string mounts = read_file(root + "/proc/self/mountinfo");
  const std::string groups = read_file(root + "/proc/self/cgroup");
  double least = kNoLimit;
  for (std::string_view rest = mounts; !rest.empty();) {
    const std::optional<Mount> mount = parse_mount(take_until(rest, '\n'));
    if (!mount) continue;
    if (const std::optional<std::string> group = find_group(groups, mount->v2))
      least = std::min(least, least_up_to_mount(*mount, root, below_mount(*group, mount->root)));
  }
  return least;
}

}  // namespace vicino::topo
