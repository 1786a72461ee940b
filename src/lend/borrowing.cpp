// borrowing.cpp: the borrower's side of lending.hpp.
#include <pthread.h>
#include <signal.h>

#include <utility>

#include "lend/lending.hpp"
#include "lend/shared_futex.hpp"

namespace vicino::lend {
namespace {

// The watcher holds the lock while the kernel moves a thread.
class Guarded {
 public:
  explicit Guarded(sync::Lock& lock) noexcept : lock_(lock) { lock_.acquire({.ns = 10'000}); }
  ~Guarded() { lock_.release(); }
  Guarded(const Guarded&) = delete;

 private:
  sync::Lock& lock_;
};

}  // namespace

int Lending::size_anew(int wanted) noexcept {
  take_back();
  look();
  if (wanted > own_size_ + extra()) borrow(wanted - own_size_ - extra());
  return std::min(wanted, own_size_ + extra());
}

void Lending::borrow(int most) noexcept {
  constexpr uint64_t kBetweenLooksNs = 50'000'000;
  const Guarded guarded(guard_);
  JobBoard& board = file_->board();
  looked_at_ = board.lent();
  const uint64_t now = plat::now();
  const bool looks_for_dead = now - looked_for_dead_ >= kBetweenLooksNs;
  if (looks_for_dead) looked_for_dead_ = now;
  for (const int cpu : others_) {
    if (most == 0) {
      looked_at_ = UINT64_MAX;  // there may be more
      break;
    }
    if (!board.borrow(cpu, rank_) && !(looks_for_dead && seize_from_dead(cpu))) continue;
    borrowed_.push_back({cpu, now, nullptr});
    ++told_.borrowings;
    --most;
  }
  note_change();
  if (!borrowed_.empty()) start_watcher();
}

bool Lending::seize_from_dead(int cpu) noexcept {
  JobBoard& board = file_->board();
  const Core seen = board.core(cpu);
  const auto is_in_use = [this](int rank) { return rank == rank_ || file_->lives(rank); };
  if (seen.owner() < 0 || seen.is_contested()) return false;
  if (seen.is_used_by_owner() && is_in_use(seen.owner())) return false;
  if (seen.borrower() >= 0 && is_in_use(seen.borrower())) return false;
  return board.seize(cpu, rank_, seen);
}

void Lending::place(std::span<Guest* const> guests) noexcept {
  const Guarded guarded(guard_);
  placed_ = changes();
  placed_size_ = guests.size();
  const auto has_core = [this](const Guest* guest) {
    return std::ranges::count(borrowed_, guest, &Borrowed::guest) != 0;
  };
  for (Guest* const guest : guests) {
    if (has_core(guest)) continue;
    for (size_t i = 0; i < borrowed_.size(); ++i) {
      Guest*& on_it = borrowed_[i].guest;
      if (std::ranges::count(guests, on_it) != 0) continue;
      if (on_it != nullptr) on_it->take_home(share_);
      on_it = guest->put(borrowed_[i].cpu) ? guest : nullptr;
      if (on_it != nullptr) break;
      std::erase(others_, borrowed_[i].cpu);  // the process may not run there
      give_back(i--);
    }
  }
}

void Lending::heed() noexcept {
  const Guarded guarded(guard_);
  JobBoard& board = file_->board();
  board.heed(rank_);
  for (size_t i = borrowed_.size(); i-- > 0;)
    if (board.must_leave(borrowed_[i].cpu, rank_)) give_back(i);
}

void Lending::give_back_all() noexcept {
  const Guarded guarded(guard_);
  while (!borrowed_.empty()) give_back(borrowed_.size() - 1);
}

// Under `guard_`. The thread is off the core before the core is given back.
void Lending::give_back(size_t i) noexcept {
  const Borrowed core = borrowed_[i];
  if (core.guest != nullptr) core.guest->take_home(share_);
  const std::optional<uint64_t> wanted_since = file_->board().give_back(core.cpu, rank_);
  const uint64_t now = plat::now();
  told_.borrowed_ns += now - core.since;
  if (wanted_since) {
    ++told_.returned_wanted;
    told_.longest_return_ns = std::max(told_.longest_return_ns, now - std::min(now, *wanted_since));
  }
  borrowed_[i] = borrowed_.back();
  borrowed_.pop_back();
  note_change();
}

void Lending::note_change() noexcept {
  changes_.fetch_add(1, std::memory_order_relaxed);
  const auto borrowed = static_cast<int>(borrowed_.size());
  extra_cores.store(borrowed, std::memory_order_relaxed);
  plat::set_usable_cpus(share_.count() + borrowed);
}

// Without a watcher cores are given back between regions only.
void Lending::start_watcher() noexcept {
  if (std::exchange(has_watcher_, true)) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);  // signals are for the program's threads
  pthread_t thread;
  if (pthread_create(&thread, nullptr, watch, this) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void* Lending::watch(void* its) {
  auto& lending = *static_cast<Lending*>(its);
  const JobBoard& board = lending.file_->board();
  for (;;) {
    while (!board.wanted(lending.rank_)) sleep_while(board.wanted_word(lending.rank_), 0);
    if (lending.has_left_.load(std::memory_order_relaxed)) return nullptr;
    lending.heed();
  }
}

Lending::Told Lending::told() noexcept {
  const Guarded guarded(guard_);
  Told told = told_;
  for (const Borrowed& core : borrowed_) told.borrowed_ns += plat::now() - core.since;
  return told;
}

}  // namespace vicino::lend
