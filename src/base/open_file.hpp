// open_file.hpp: files of data: an open file, and a file that is replaced as a whole.
//
// See    file.hpp for the kernel's small files.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace vicino {

// An open file, which its end closes.
class OpenFile {
 public:
  // Opening never waits, not even for a pipe or a device. `mode`: of a file that `flags` makes.
  OpenFile(const std::string& path, int flags, mode_t mode = 0666) noexcept;
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;

  bool ok() const noexcept { return number_ >= 0; }  // errno says why not
  int number() const noexcept { return number_; }

  // The error says that this is not a plain file, or what the system says.
  Result<uint64_t> size() const;

  // Reads `bytes` bytes from `offset` on; fewer only where the file ends. Returns how many.
  Result<size_t> read(void* to, size_t bytes, uint64_t offset) const;

  // The rest: errno's number, or 0.
  int write(std::string_view bytes) const noexcept;
  int close() noexcept;  // some file systems say only here that a disk is full

 private:
  int number_;
};

// Gives an open file a number that programs seldom come to, and closes the old one. For a file that stays open while the
// program runs: one that was started without standard output prints to number 1, whatever is open there, and others close
// numbers that are not theirs and get them for files of their own. `command`: F_DUPFD, or F_DUPFD_CLOEXEC. Returns the
// number; -1 and errno if there is none.
int moved_high(int number, int command) noexcept;

// The error of the system with errno's number.
Error system_error(int number);

// The path behind symbolic links: rename() would replace the link.
std::string behind_links(const std::string& path);

// Makes the file, or empties it, and writes the text. Returns errno's number, or 0; also for a pipe
// that nobody reads. A reader may see a part of the text: replace_file() is for files that others read
// meanwhile.
int write_text(const std::string& path, std::string_view text) noexcept;

// Makes the file, or gives it new contents: `pieces`, one behind the other. The error's text is
// empty on success, and does not name the file. Whatever happens, a reader finds the file as it was
// or as it becomes: the new file is written beside it and takes its name by rename(). A link stays
// a link, and owner and mode stay as far as the process may set them. Only a plain file that the
// process may write is replaced. A process that ends meanwhile may leave the file beside it.
// Not    fsync(): it would wait for the disk. After a power cut the file may be empty or damaged.
Error replace_file(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace vicino
