#include "lend/job_file.hpp"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <new>
#include <string_view>
#include <utility>

#include "base/uncancelled.hpp"

namespace vicino::lend {

// The file's contents. Another layout needs another version: ranks with different versions of Vicino
// may meet in one job.
struct JobFile::Layout {
  static constexpr char kMagic[8] = {'v', 'c', 'l', 'e', 'n', 'd', '\r', '\n'};
  static constexpr uint32_t kVersion = 2;

  char magic[8];
  uint32_t version;
  uint32_t size;
  JobBoard board;

  bool is_good() const noexcept {
    return memcmp(magic, kMagic, sizeof magic) == 0 && version == kVersion && size == sizeof *this;
  }
};

namespace {

constexpr off_t kGate = 0, kFirstRank = 1;

// Tries to lock or to unlock bytes: fcntl()'s F_WRLCK, F_UNLCK.
bool set_lock(int file, short kind, off_t first, off_t bytes = 1) noexcept {
  struct flock lock{};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = first;
  lock.l_len = bytes;
  return fcntl(file, F_SETLK, &lock) == 0;
}

// Whether another process has locked one of these bytes. If the kernel does not tell, it has.
bool is_locked(int file, off_t first, off_t bytes) noexcept {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = first;
  lock.l_len = bytes;
  return fcntl(file, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

// A rank joins or leaves in well under a millisecond; one that was stopped meanwhile is not waited
// for.
bool enter_gate(int file, int most_ms) noexcept {
  const Uncancelled uncancelled;
  for (int ms = 0;; ++ms) {
    if (set_lock(file, F_WRLCK, kGate)) return true;
    if (ms >= most_ms || (errno != EAGAIN && errno != EACCES)) return false;
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
}
void leave_gate(int file) noexcept { set_lock(file, F_UNLCK, kGate); }

// What is wrong with the file; nothing if it is empty. A file without a name was removed.
Error examine(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return {"this is not a plain file"};
  if (status.st_uid != geteuid()) return {"it belongs to another user"};
  if ((status.st_mode & 077) != 0) return {"other users may open it"};
  if (status.st_nlink > 1) return {"it has another name as well"};
  return {};
}

constexpr int kOpen = O_RDWR | O_NOFOLLOW;

// By a process that holds the file's gate: removes it if no rank is left. If it has no name any more, another
// job's file may have that one.
void remove_if_left(int file, const std::string& path) noexcept {
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_nlink == 0) return;
  if (!is_locked(file, kFirstRank, JobBoard::kMostRanks)) unlink(path.c_str());
}

}  // namespace

JobFile::JobFile(std::string path, std::unique_ptr<OpenFile> file, Layout* layout) noexcept
    : path_(std::move(path)), file_(std::move(file)), layout_(layout) {}

JobFile::~JobFile() {
  leave();
  munmap(layout_, sizeof *layout_);
}

JobBoard& JobFile::board() noexcept { return layout_->board; }

Result<std::unique_ptr<JobFile>> JobFile::join(const std::string& path, int rank) {
  constexpr int kMostTries = 100;  // each but the last meets a file that is just being removed
  if (rank >= JobBoard::kMostRanks) return Error{"there are too many ranks"};
  for (int tries = 0; tries < kMostTries; ++tries) {
    auto file = std::make_unique<OpenFile>(path, kOpen | O_CREAT, 0600);
    const int number = file->number();
    struct stat status;
    if (!file->ok() || fstat(number, &status) != 0) return system_error(errno);
    if (Error wrong = examine(status); !wrong.text.empty()) return wrong;
    if (!enter_gate(number, 2000)) return Error{"another process does not let go of it"};
    if (fstat(number, &status) != 0) return system_error(errno);
    if (status.st_nlink == 0) continue;
    const bool begins = !is_locked(number, kFirstRank, JobBoard::kMostRanks);
    if (begins && ftruncate(number, 0) != 0) return system_error(errno);
    // With its blocks: where the folder is full, a store into a page without one would end the program.
    const int refused = begins ? posix_fallocate(number, 0, sizeof(Layout)) : 0;
    if (refused != 0) return system_error(refused);
    if (!begins && (fstat(number, &status) != 0 || status.st_size != sizeof(Layout)))
      return Error{"it is damaged, or of another version of Vicino"};
    void* const memory =
        mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    if (memory == MAP_FAILED) return system_error(errno);
    auto* const layout = static_cast<Layout*>(memory);
    if (begins) {
      // The file is all zeros, which is what a Board begins with.
      layout->version = Layout::kVersion;
      layout->size = sizeof *layout;
      memcpy(layout->magic, Layout::kMagic, sizeof layout->magic);
    }
    Error wrong;
    if (!layout->is_good())
      wrong = {"it is damaged, or of another version of Vicino"};
    else if (set_lock(number, F_WRLCK, kFirstRank + rank)) {
      leave_gate(number);
      return std::unique_ptr<JobFile>(new JobFile(path, std::move(file), layout));
    }
    munmap(memory, sizeof(Layout));
    return wrong;
  }
  return Error{"it is removed again and again"};
}

bool JobFile::lives(int rank) const noexcept {
  return rank >= JobBoard::kMostRanks || file_ == nullptr ||
         is_locked(file_->number(), kFirstRank + rank, 1);
}

void JobFile::leave() noexcept {
  if (file_ == nullptr) return;
  if (enter_gate(file_->number(), 100)) remove_if_left(file_->number(), path_);
  file_.reset();  // drops the locks
}

std::string folder_of_files() {
  for (const char* variable : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* const folder = secure_getenv(variable);
    if (folder != nullptr && folder[0] == '/' && access(folder, W_OK | X_OK) == 0) return folder;
  }
  return "/tmp";
}

std::string prefix_of_files() { return "vicino-lend-" + std::to_string(geteuid()) + "-"; }

namespace {

void remove_if_stale(const std::string& path) {
  const OpenFile file(path, kOpen);
  struct stat status;
  if (!file.ok() || fstat(file.number(), &status) != 0 || !examine(status).text.empty()) return;
  if (enter_gate(file.number(), 0)) remove_if_left(file.number(), path);
}

}  // namespace

void remove_stale_files(const std::string& folder, const std::string& except) {
  const Uncancelled uncancelled;
  DIR* const entries = opendir(folder.c_str());
  if (entries == nullptr) return;
  const std::string prefix = prefix_of_files();
  while (const dirent* const entry = readdir(entries)) {
    const std::string path = folder + "/" + entry->d_name;
    if (std::string_view(entry->d_name).starts_with(prefix) && path != except)
      remove_if_stale(path);
  }
  closedir(entries);
}

}  // namespace vicino::lend
