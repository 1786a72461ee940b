// job_file.hpp: the file that the ranks of a job on this machine share, and which of them live.
//
// Where  In $XDG_RUNTIME_DIR, or else $TMPDIR, or else /tmp; never in /dev/shm, which is small in
//        containers and whose leftovers nobody clears. The name has the user's number and a hash of the
//        job's identity (job.hpp), so two jobs have different files.
// Whose  The file has mode 0600 and is opened without following links. A file of another user, or
//        one that others may read or write, is refused, and so is one with another name beside it.
// Life   A rank holds a lock of the kernel's on one byte of the file as long as it lives, and another
//        rank can ask whether the byte is locked. The locks are those of fcntl(): the kernel drops
//        them when the process ends, however it ends; children do not inherit them; and numbers of
//        processes, which the kernel uses again, do not matter. Rejected: a process's number and the
//        time of its start, which a rank in another container cannot read; flock(), which children
//        inherit; robust mutexes, since the kernel knows one list of them for each thread, and that one
//        belongs to the C library.
// Stale  A file with no rank's byte locked belongs to a job that was killed. The next rank that joins
//        under the same name begins it anew, and one that begins a file removes the others.
// Gate   Byte 0 is locked while a rank joins or leaves. So the last rank removes the file while
//        nobody joins it; a rank that has opened it before finds that it has no name any more.
//
// Not    for programs that close all descriptors without looking: their locks are gone, and the other
//        ranks take them for dead. Cores are then used twice for a while, and nothing else happens.
#pragma once

#include <memory>
#include <string>

#include "base/open_file.hpp"
#include "base/result.hpp"
#include "lend/board.hpp"

namespace vicino::lend {

using JobBoard = Board<4096, 1024>;

class JobFile {
 public:
  // Joins the job's ranks as one of them. The error says what is wrong with the file at `path`. It is
  // empty if the rank is here already: then this is a process that a rank has started.
  static Result<std::unique_ptr<JobFile>> join(const std::string& path, int rank);
  // As leave().
  ~JobFile();
  JobFile(const JobFile&) = delete;

  JobBoard& board() noexcept;
  // Whether a rank is there; of another process.
  bool lives(int rank) const noexcept;
  // The rank leaves, and the last one removes the file. The memory stays.
  void leave() noexcept;

 private:
  struct Layout;

  JobFile(std::string path, std::unique_ptr<OpenFile> file, Layout* layout) noexcept;

  const std::string path_;
  std::unique_ptr<OpenFile> file_;
  Layout* const layout_;
};

// The folder for such files.
std::string folder_of_files();
// The beginning of the names of all such files of this user.
std::string prefix_of_files();
// Removes the files of this user's dead jobs, except for the one with this path.
void remove_stale_files(const std::string& folder, const std::string& except);

}  // namespace vicino::lend
