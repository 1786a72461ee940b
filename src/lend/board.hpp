// board.hpp: which cores of a machine are lent between the ranks of a job, in memory that they share.
//
// Why    A rank that waits inside MPI leaves its cores idle, while others would be done sooner with
//        them. Here each core (a hardware thread: a CPU of the kernel's numbering) has one word, in
//        which its owner says whether it uses the core, and a borrower that it has taken it:
//
//          owner uses it   borrower
//          yes             none       as without lending
//          no              none       lent and free
//          no              r          lent, and taken by rank r
//          yes             r          wanted back: the owner runs on it already, r has to leave
//
// Owner  It never waits. To lend is one AND, to return is one OR, whatever the borrower does; so a
//        borrower that is slow, stopped or dead cannot keep an owner from its core.
// Death  The words outlive a process. A core that a dead rank had lent may be used further on. A core
//        that a dead rank had borrowed, or used as its owner, is seized (seize()) by a rank that has
//        seen in the kernel's locks that the other is dead (job_file.hpp).
//
// Invariants
//  I1 owner     a core has the owner that claimed it first. A core that a second rank claims is
//               contested for good: both use it, and nobody lends or borrows it.
//  I2 borrower  only a rank that finds no borrower writes itself in, and only while the owner does
//               not use the core, or is dead; so a core has one borrower at a time.
//  I3 leaving   a borrower takes itself out, unless it is dead.
//  I4 told      when the owner has returned to a core with a borrower r, wanted(r) is set after the
//               core's word has changed. Whoever clears wanted(r) looks at the cores of r afterwards.
//  I5 news      lent() changes after a core has become free. A rank that has looked at all cores need
//               not look again before lent() is another.
// The number of changes in each word's upper half makes a seizure fail that was decided on an older
// state: a dead rank may have been started anew meanwhile, and have borrowed the same core.
//
// Memory order
//  (1) the release of take_back() and claim() pairs with (2), the acquire of give_back(): the borrower sees since
//      when the core is wanted.
//  (3) the release of tell() pairs with (4), the acquire of heed(): a rank that has seen that a core is
//      wanted sees in the core's word which (I4). tell() is a read-modify-write, so that this holds for
//      each of several owners.
//  (5) the release of announce() pairs with (6), the acquire of lent(): I5.
//  (7) the release of give_back() and lend() pairs with (8), the acquire of borrow() and seize(): what
//      one user of a core did comes before what the next one does.
#pragma once

#include <cstdint>
#include <optional>

#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::lend {

// What a core's word says.
struct Core {
  uint64_t word;

  static constexpr uint64_t kUsed = 1;  // by its owner
  static constexpr uint64_t kContested = 2;
  static constexpr int kBorrowerShift = 2, kOwnerShift = 17, kChangesShift = 32;
  static constexpr uint64_t kRankMask = (1 << 15) - 1;  // rank + 1; 0: none
  static constexpr uint64_t kBorrower = kRankMask << kBorrowerShift;
  static constexpr uint64_t kOneChange = uint64_t{1} << kChangesShift;

  static constexpr uint64_t as_borrower(int rank) {
    return static_cast<uint64_t>(rank + 1) << kBorrowerShift;
  }
  static constexpr uint64_t as_owner(int rank) {
    return static_cast<uint64_t>(rank + 1) << kOwnerShift;
  }

  // -1: none
  int borrower() const { return static_cast<int>(word >> kBorrowerShift & kRankMask) - 1; }
  int owner() const { return static_cast<int>(word >> kOwnerShift & kRankMask) - 1; }
  bool is_used_by_owner() const { return (word & kUsed) != 0; }
  bool is_contested() const { return (word & kContested) != 0; }
  bool is_free() const {
    return owner() >= 0 && !is_used_by_owner() && !is_contested() && borrower() < 0;
  }
  // The word with another borrower.
  uint64_t with_borrower(uint64_t borrower) const {
    return ((word & ~kBorrower) | borrower) + kOneChange;
  }
};

template <int kCpus, int kRanks>
class Board {
  static_assert(kRanks < static_cast<int>(Core::kRankMask));

 public:
  static constexpr int kMostCpus = kCpus, kMostRanks = kRanks;

  Core core(int cpu) const noexcept { return {at(cpu).load(std::memory_order_relaxed)}; }

  // The owner's side.

  // Makes the rank, which uses the core, its owner. A rank that was started anew finds the words as its
  // predecessor has left them. False if another rank has claimed the core, too.
  bool claim(int cpu, int rank, uint64_t now) noexcept {
    since_[cpu].store(now, std::memory_order_relaxed);
    uint64_t seen = at(cpu).load(std::memory_order_relaxed);
    uint64_t made;
    do {
      const int owner = Core{seen}.owner();
      made = seen | Core::kUsed | (owner < 0 ? Core::as_owner(rank) : Core::kContested);
      if (owner == rank) made = seen | Core::kUsed;
    } while (!at(cpu).compare_exchange_weak(seen, made, std::memory_order_release,  // (1)
                                            std::memory_order_relaxed));
    if (Core{seen}.borrower() >= 0) tell(Core{seen}.borrower());
    return !Core{made}.is_contested();
  }
  // announce() has to follow, for any number of cores at once.
  void lend(int cpu) noexcept {
    at(cpu).fetch_and(~Core::kUsed, std::memory_order_release);  // (7)
  }
  void announce() noexcept { lent_.fetch_add(1, std::memory_order_release); }  // (5)
  // The owner is back on the core. Returns the borrower that has been told to leave, or -1.
  int take_back(int cpu, uint64_t now) noexcept {
    since_[cpu].store(now, std::memory_order_relaxed);
    const Core was{at(cpu).fetch_or(Core::kUsed, std::memory_order_release)};  // (1)
    if (was.borrower() >= 0) tell(was.borrower());
    return was.borrower();
  }

  // Whether another rank uses the core that this one has lent.
  bool is_taken(int cpu) const noexcept { return core(cpu).borrower() >= 0; }

  // The borrower's side.

  // Changes when a core has become free.
  uint64_t lent() const noexcept { return lent_.load(std::memory_order_acquire); }  // (6)
  bool borrow(int cpu, int rank) noexcept {
    uint64_t seen = at(cpu).load(std::memory_order_relaxed);
    return Core{seen}.is_free() && seize(cpu, rank, {seen});
  }
  // Takes a core that was found as `seen`, from a borrower that is dead or from nobody. False if the
  // word has changed since.
  bool seize(int cpu, int rank, Core seen) noexcept {
    uint64_t word = seen.word;
    const uint64_t made = seen.with_borrower(Core::as_borrower(rank)) & ~Core::kUsed;
    return at(cpu).compare_exchange_strong(word, made, std::memory_order_acquire,  // (8)
                                           std::memory_order_relaxed);
  }
  // Whether a core of this rank's has to be given back; perhaps in vain.
  bool wanted(int rank) const noexcept {
    return ranks_[rank].wanted.load(std::memory_order_relaxed) != 0;
  }
  void heed(int rank) noexcept {
    ranks_[rank].wanted.exchange(0, std::memory_order_acquire);  // (4)
  }
  // Whether the rank must leave the core, or has lost it.
  bool must_leave(int cpu, int rank) const noexcept {
    const Core now = core(cpu);
    return now.is_used_by_owner() || now.is_contested() || now.borrower() != rank;
  }
  // The borrower is off the core. Returns since when it was wanted, if it was.
  std::optional<uint64_t> give_back(int cpu, int rank) noexcept {
    uint64_t seen = at(cpu).load(std::memory_order_relaxed);
    do {
      if (Core{seen}.borrower() != rank) return std::nullopt;  // it was taken for dead
    } while (!at(cpu).compare_exchange_weak(seen, Core{seen}.with_borrower(0),
                                            std::memory_order_acq_rel,  // (2), (7)
                                            std::memory_order_relaxed));
    if (Core{seen}.is_used_by_owner()) return since_[cpu].load(std::memory_order_relaxed);
    announce();
    return std::nullopt;
  }

  // What a rank says of itself, for those who know its meaning: where numbers of threads are those that
  // it sees, and which thread is on a core that it has borrowed.
  plat::atomic<uint64_t>& threads_of(int rank) noexcept { return ranks_[rank].threads; }
  plat::atomic<uint64_t>& guest_on(int cpu) noexcept { return guests_[cpu]; }
  // Changes when a borrower of this rank's cores has come to a wait of its own, so that this rank's wait
  // may be over: bell.hpp.
  plat::atomic<uint32_t>& bell_of(int rank) noexcept { return ranks_[rank].bell; }

 private:
  struct alignas(kLine) Rank {
    plat::atomic<uint32_t> wanted{0};
    plat::atomic<uint32_t> bell{0};
    plat::atomic<uint64_t> threads{0};
  };

  void tell(int rank) noexcept {
    if (rank < kRanks) ranks_[rank].wanted.exchange(1, std::memory_order_release);  // (3)
  }
  plat::atomic<uint64_t>& at(int cpu) noexcept { return cores_[cpu]; }
  const plat::atomic<uint64_t>& at(int cpu) const noexcept { return cores_[cpu]; }

  alignas(kLine) plat::atomic<uint64_t> lent_{0};
  alignas(kLine) plat::atomic<uint64_t> cores_[kCpus]{};
  plat::atomic<uint64_t> since_[kCpus]{};
  plat::atomic<uint64_t> guests_[kCpus]{};
  Rank ranks_[kRanks]{};
};

}  // namespace vicino::lend
