// profile_file.hpp: a profile as a file, which several processes may read and change at once.
//
// Invariants
//  P1 whole  a reader finds the file as it was or as it becomes: the new file is written beside it
//            and takes its name by rename().
//  P2 alone  a process changes the file only while it holds the lock of the file that has the name.
//            The lock is of a file, not of a name, and rename() gives the name to another file. So
//            once it has the lock, the process checks that the file still has the name, and begins
//            anew if not. From this check until its own rename() no other process passes the check,
//            which needs the lock of the same file. What follows the rename() changes nothing.
//  P3 none is lost  a process reads under the lock, changes what it read, and writes. What another
//            process wrote before P2's check is in what it reads, and later ones read what it
//            wrote.
//
// A process that ends in between leaves the file as it was, and at worst another beside it that
// nobody reads; the kernel releases its lock. An empty file is an empty profile: it exists from the
// first lock until the first rename(). Nothing waits longer than kPatienceMs.
// Not    a lock file beside it: that would stay behind, or be removed while a process waits for it.
// Not    fsync(): a job's ranks end together, and each would wait for the disk under the lock until
//        some lose their patience. A power cut may leave an empty profile, or a damaged one that is
//        refused; all that it had can be learnt again.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "tune/profile.hpp"

namespace vicino::tune {

inline constexpr int kPatienceMs = 5000;

// An error names the file. A file that is missing is an empty profile if `may_be_missing`.
Result<Profile> read_profile_file(const std::string& path, bool may_be_missing = false);

// Changes the file under its lock, and makes it if need be. The error's text is empty on success. A
// file that is no profile is left as it is.
Error change_profile_file(const std::string& path, const std::function<void(Profile&)>& change);

}  // namespace vicino::tune
