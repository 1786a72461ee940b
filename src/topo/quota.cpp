#include "topo/quota.hpp"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file.hpp"

namespace vicino::topo {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// A mounted hierarchy that can limit CPU time.
struct Mount {
  bool v2;
  std::string root;   // the group that shows at `point`
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

// Parses a line of mountinfo: id parent device ROOT POINT options [optional...] - TYPE source
// OPTIONS
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

// The path of this process's group in a hierarchy. A line of /proc/self/cgroup is
// id:controllers:path; version 2's is 0::path.
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

// The part of `group` below the mounted group: "" or "/...". A container often sees its own group
// as the top of the hierarchy, while /proc names the group from the host's top, or from outside its
// namespace ("/.."): then the mounted group is all that can be seen.
std::string below_mount(const std::string& group, std::string_view mount_root) {
  if (group == "/" || group.starts_with("/..")) return "";
  if (mount_root == "/") mount_root = "";
  if (!group.starts_with(std::string(mount_root) + "/")) return "";
  return group.substr(mount_root.size());
}

// Returns -1 if there is no number: version 2 writes "max" for no limit.
double take_number(std::string_view& text) {
  long long value = -1;
  const std::string_view word = take_until(text, ' ');
  std::from_chars(word.data(), word.data() + word.size(), value);
  return static_cast<double>(value);
}

double quota_of_group(const std::string& folder, bool v2) {
  std::string text = read_file(folder + (v2 ? "/cpu.max" : "/cpu.cfs_quota_us"));
  if (text.empty() || text[0] == '-' || text[0] == 'm') return kNoLimit;  // "-1", "max 100000"
  if (!v2) text += " " + read_file(folder + "/cpu.cfs_period_us");
  std::string_view words = text;
  const double quota = take_number(words);
  const double period = take_number(words);
  return quota > 0 && period > 0 ? quota / period : kNoLimit;
}

// The lesser of the two becomes `least`.
void lower(Quota& least, Quota other) {
  if (other.cpus < least.cpus) least = std::move(other);
}

Quota least_up_to_mount(const Mount& mount, const std::string& root, std::string group) {
  Quota least;
  for (;;) {
    const std::string folder = root + mount.point + group;
    lower(least, {quota_of_group(folder, mount.v2), folder});
    if (group.empty()) return least;
    group.resize(group.rfind('/'));
  }
}

bool is_mounted(const std::string& point, bool v2) {
  struct statfs about;
  return statfs(point.c_str(), &about) == 0 &&
         about.f_type == (v2 ? CGROUP2_SUPER_MAGIC : CGROUP_SUPER_MAGIC);
}

// The limit of the hierarchy that has the CPU controller, if that is mounted at the usual place and
// shows this process's group below its own path; none if more has to be read. With this result
// mountinfo need not be read, which costs the kernel more time than all other files here.
std::optional<Quota> quota_at_usual_place(const std::string& groups, const std::string& root) {
  // A controller is in one hierarchy only: if version 1 has it, version 2 has no limits.
  const std::optional<std::string> v1 = find_group(groups, false);
  const std::optional<std::string> group = v1 ? v1 : find_group(groups, true);
  const Mount mount{!v1, "/", v1 ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup"};
  if (!group || !is_mounted(root + mount.point, mount.v2)) return std::nullopt;
  const std::string below = *group == "/" ? "" : *group;
  const bool outside = group->starts_with("/..");
  if (outside || (!below.empty() && access((root + mount.point + below).c_str(), F_OK) != 0))
    return std::nullopt;
  return least_up_to_mount(mount, root, below);
}

Quota quota_by_mountinfo(const std::string& groups, const std::string& root) {
  const std::string mounts = read_file(root + "/proc/self/mountinfo");
  Quota least;
  for (std::string_view rest = mounts; !rest.empty();) {
    const std::optional<Mount> mount = parse_mount(take_until(rest, '\n'));
    if (!mount) continue;
    if (const std::optional<std::string> group = find_group(groups, mount->v2))
      lower(least, least_up_to_mount(*mount, root, below_mount(*group, mount->root)));
  }
  return least;
}

}  // namespace

Quota read_quota(const std::string& root) {
  const std::string groups = read_file(root + "/proc/self/cgroup");
  if (groups.empty()) return {};
  if (auto quota = quota_at_usual_place(groups, root)) return *std::move(quota);
  return quota_by_mountinfo(groups, root);
}

}  // namespace vicino::topo
