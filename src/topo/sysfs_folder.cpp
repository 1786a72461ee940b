#include "topo/sysfs_folder.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>

#include "base/uncancelled.hpp"

namespace vicino::topo {

Folder::Folder(const std::string& path) noexcept {
  const Uncancelled uncancelled;
  file_ = open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

Folder::~Folder() {
  const Uncancelled uncancelled;
  if (exists()) close(file_);
}

std::optional<std::string> Folder::text(const std::string& name) const {
  const Uncancelled uncancelled;
  const int file = exists() ? openat(file_, name.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return std::nullopt;
  std::string all;
  char block[4096];
  ssize_t got;
  do {
    got = read(file, block, sizeof(block));
    if (got > 0) all.append(block, static_cast<size_t>(got));
  } while (got == sizeof(block) || (got < 0 && errno == EINTR));
  close(file);
  if (got < 0) return std::nullopt;
  all.resize(all.find_last_not_of(" \t\n") + 1);
  return all;
}

std::optional<CpuSet> Folder::list(const std::string& name) const {
  const auto read = text(name);
  if (!read) return std::nullopt;
  const Result<CpuSet> set = CpuSet::parse_list(*read);
  return set ? std::optional(*set) : std::nullopt;
}

std::optional<long> Folder::number(const std::string& name) const {
  const auto read = text(name);
  long value = 0;
  if (!read) return std::nullopt;
  const auto [end, error] = std::from_chars(read->data(), read->data() + read->size(), value);
  if (error != std::errc{} || end != read->data() + read->size()) return std::nullopt;
  return value;
}

}  // namespace vicino::topo
