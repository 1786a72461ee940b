// lending.hpp: the cores that this process lends to other ranks of its job, and those that it borrows.
//
// Why    A rank with less work than others waits for them inside MPI. Its cores are idle meanwhile, and
//        the ranks that it waits for would be done sooner with them.
// How    A rank that waits lends its cores (lend()); the first region of a rank that computes takes as
//        many as it can use (size_for()) and puts a thread of its team on each (place()). The owner
//        returns (take_back()) and runs on its cores at once; the borrower leaves them. board.hpp has
//        the protocol.
// Leave  The owner that returns moves the borrower's thread from its core to the borrower's share, by
//        one system call: it is a process of the same user. This takes microseconds even if the region
//        of the borrower is long, and if the borrower does nothing. At the end of the region the borrower
//        sees that the core is wanted back, and gives it back; the next region is smaller. Rejected: a
//        thread of the borrower that waits for this; it would need a CPU, when all of them are busy, and
//        took milliseconds to get one. The number of a thread is good as long as its process lives,
//        which the owner asks first. Where ranks see different numbers of processes, as in containers,
//        the borrower's thread stays until its region ends.
// Stay   A borrowed core that nobody wants back is kept from region to region. It is given back when
//        the rank lends its own cores.
// Cost   off: none, but for the bits in the ICVs that are tested anyway. On, with nothing lent: two
//        relaxed loads before a region, one after it. lend() and take_back(): an atomic operation for
//        each core, and a system call for each one that is borrowed.
// Not    for regions of other threads than the initial one, nor inside of active regions; and not for
//        taskloops outside of regions, of which there are none.
//
// Concurrency: the initial thread calls all but most_threads() and extra(), outside of regions or
// between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cpu_set.hpp"
#include "lend/guest.hpp"
#include "lend/job.hpp"
#include "lend/job_file.hpp"

namespace vicino::lend {

// Tells this layer of the job, if VICINO_LEND is true; called before the first of the following.
// `instead`: why nothing is lent, to be read after "because "; empty if it may.
void prepare(Job job, std::string instead);

// Whether cores may be lent; then regions have fewer threads than they ask for, as with dyn-var.
bool is_on() noexcept;
// The size of a team with all cores of the job on this machine.
int most_threads();
// How many cores are borrowed now. Relaxed: sizes of teams and limits of waiting follow from it.
inline constinit plat::atomic<int> extra_cores{0};
inline int extra() noexcept { return extra_cores.load(std::memory_order_relaxed); }

class Lending {
 public:
  // This process's; null if it lends and borrows nothing. The first call joins the job.
  static Lending* get();

  // The number of threads for a region of at most `wanted`: those of the share, and one for each core
  // that can be borrowed.
  int size_for(int wanted) noexcept {
    if (!lends_ && (wanted <= own_size_ || !may_change(wanted))) [[likely]]
      return std::min(wanted, own_size_ + extra());
    return size_anew(wanted);
  }
  // Puts these threads, the team's beyond the share, on borrowed cores. Not needed if so many of the
  // same team are there since the last call.
  void place(std::span<Guest* const> guests) noexcept;
  // They have been called up: the owners of cores that were borrowed just now may leave them.
  void tell_called() noexcept {
    if (is_untold_) [[unlikely]]
      is_untold_ = false, tell_owners();
  }
  bool is_placed(size_t guests) const noexcept {
    return changes_ == placed_ && guests <= placed_size_;
  }
  void forget_placing() noexcept { placed_ = UINT64_MAX; }
  int own_size() const noexcept { return own_size_; }
  // Changes when a core has become free.
  uint64_t news() const noexcept { return file_->board().lent(); }
  // Whether a core could be borrowed.
  bool sees_free() const noexcept {
    return std::ranges::any_of(others_,
                               [&](int cpu) { return file_->board().core(cpu).is_free(); });
  }
  // Gives back what is wanted back.
  void look() noexcept {
    if (file_->board().wanted(rank_)) [[unlikely]]
      heed();
  }

  // Whether there is a core that no other rank has as well.
  bool has_own() const noexcept;
  // Lends all cores of the process; returns how many it has.
  int lend() noexcept;
  void take_back() noexcept;
  // Whether another rank uses a core that is lent.
  bool are_taken() const noexcept;
  // Wakes the ranks whose cores are borrowed: this rank does not compute just now.
  void ring() noexcept {
    if (!borrowed_.empty()) [[unlikely]]
      ring_owners();
  }
  // By which this rank is woken: bell.hpp.
  const plat::atomic<uint32_t>& bell() const noexcept { return file_->board().bell_of(rank_); }

  void give_back_all() noexcept;
  // When the process ends: its cores are lent for good.
  void leave() noexcept;

  struct Told {
    uint64_t lendings = 0, lent_ns = 0;  // of single cores
    uint64_t borrowings = 0, borrowed_ns = 0;
    uint64_t wanted = 0, longest_return_ns = 0;  // borrowed, wanted back; until it was given back
    uint64_t moved = 0, longest_move_ns = 0;  // threads of others from own cores; since the return
  };
  Told told() const noexcept;

 private:
  struct Borrowed {
    int cpu;
    uint64_t since;
    Guest* guest;
  };

  Lending(std::unique_ptr<JobFile> file, int rank);
  // `what` has happened to so many cores.
  [[gnu::cold]] static void tell_tool(const char* what, int cores) noexcept;
  static Lending* join();

  // Whether something is wanted back, or more may be had. A rank that dies makes no news of its cores. So a
  // rank that finds none looks at all of them again in one region of kVain. This look reads a line for each
  // core, which on a large machine takes longer than a short region.
  bool may_change(int wanted) noexcept {
    constexpr uint32_t kVain = 1024;
    const JobBoard& board = file_->board();
    if (board.wanted(rank_)) return true;
    return wanted > own_size_ + extra() && (board.lent() != looked_at_ || ++vain_ % kVain == 0);
  }
  int size_anew(int wanted) noexcept;
  void heed() noexcept;
  void borrow(int most) noexcept;
  bool seize_from_dead(int cpu) noexcept;
  void keep(int cpu) noexcept;
  void give_back(size_t i) noexcept;
  void note_change() noexcept;
  template <class Do>
  void for_owners(Do act) noexcept;
  void tell_owners() noexcept;
  void ring_owners() noexcept;
  void move_guest(int cpu, int borrower, uint64_t since) noexcept;

  const std::unique_ptr<JobFile> file_;
  const int rank_;
  const CpuSet share_;
  const int own_size_;
  bool lends_ = false;
  uint64_t lent_since_ = 0;
  std::vector<int> others_;          // the CPUs outside of the share, the nearest first
  uint64_t looked_at_ = UINT64_MAX;  // Board::lent() before the last look at all cores
  uint32_t vain_ = 0;
  uint64_t looked_for_dead_ = 0;
  uint64_t placed_ = 0;  // changes_ at the last placing
  size_t placed_size_ = 0;
  bool is_untold_ = false;  // the owners of borrowed cores do not know yet that threads are there
  std::vector<Borrowed> borrowed_;
  Told told_;
  uint64_t changes_ = 0;  // of borrowed_
};

// "lent 1 core 12 times, for 3.4 ms; ..." for VICINO_EXPLAIN; empty if nothing is to be told.
std::string told_at_the_end();
// For `vicino topo`: whether cores are lent, and why not; empty if VICINO_LEND is not set.
std::string describe();

// For a team that is dissolved.
void forget_placing() noexcept;
// Before threads of the pool end.
void give_back() noexcept;
// In a child of fork(), which lends nothing; and at the process's end.
void forget() noexcept;
void leave() noexcept;

}  // namespace vicino::lend
