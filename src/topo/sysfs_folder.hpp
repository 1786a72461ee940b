// sysfs_folder.hpp: a folder of /sys; its files are read with few system calls.
//
// Why    Each file costs an open, a read and a close. A path that begins at an open folder is
//        shorter to look up, and a file of /sys that gave less than a full block has no more.
#pragma once

#include <optional>
#include <string>

#include "base/cpu_set.hpp"

namespace vicino::topo {

class Folder {
 public:
  explicit Folder(const std::string& path) noexcept;
  ~Folder();
  Folder(const Folder&) = delete;

  bool exists() const noexcept { return file_ >= 0; }
  // The text of a file without white space at its end; none if it cannot be read.
  std::optional<std::string> text(const std::string& name) const;
  // The file's list of CPUs or nodes; none if the file cannot be read or holds something else.
  std::optional<CpuSet> list(const std::string& name) const;
  // The file's number; none as for list().
  std::optional<long> number(const std::string& name) const;

 private:
  int file_;
};

}  // namespace vicino::topo
