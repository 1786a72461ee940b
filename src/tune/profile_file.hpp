// profile_file.hpp: a profile as a file, which several processes may read and change at once.
//
// Invariants
//  P1 whole  a reader finds the file as it was or as it becomes: the new one is written beside it
//            and takes its name by rename().
//  P2 alone  a process changes the file only while it holds the lock of the file that has the name.
//            The lock is of a file, not of a name, and rename() gives the name to another one; so
//            after it has the lock it looks whether that file has the name still, and begins anew
//            if not. From there until its own rename() nobody else passes this test: for that he
//            would need the lock of the same file. What follows the rename() changes nothing.
//  P3 none is lost  it reads under the lock, changes what it read, and writes. What another process
//            wrote before P2's test is in what is read, and what comes later reads ours.
//
// A process that ends in between leaves the file as it was, at worst one beside it that nobody
// reads; the kernel takes its lock away. A file without a byte is an empty profile: it is there
// from the first lock until the first rename(). Nothing waits longer than kPatienceMs.
// Not    a lock file beside it, which would stay behind, or be removed while somebody waits for it.
// Not    fsync(): a job's ranks end together, and each would wait for the disk under the lock until
//        some lose their patience. What a power cut may leave is an empty profile, or a damaged one
//        that is refused; all it had can be learnt again.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "tune/profile.hpp"

namespace vicino::tune {

inline constexpr int kPatienceMs = 5000;

// What is wrong names the file. One that is not there is an empty profile if `may_be_missing`.
Result<Profile> read_profile_file(const std::string& path, bool may_be_missing = false);

// Changes the file under its lock; makes it if need be. The error's text is empty if that worked. A
// file that is no profile is left as it is.
Error change_profile_file(const std::string& path, const std::function<void(Profile&)>& change);

}  // namespace vicino::tune
