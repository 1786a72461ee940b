// borrowing.cpp: the borrower's side of lending.hpp.
#include <utility>

#include "lend/bell.hpp"
#include "lend/lending.hpp"
#include "plat/lost_time.hpp"

namespace vicino::lend {

int Lending::size_anew(int wanted) noexcept {
  take_back();
  look();
  if (wanted > own_size_ + extra()) borrow(wanted - own_size_ - extra());
  return std::min(wanted, own_size_ + extra());
}

void Lending::borrow(int most) noexcept {
  // To look for the dead takes system calls for each core.
  constexpr uint64_t kBetweenLooksNs = 50'000'000;
  JobBoard& board = file_->board();
  looked_at_ = board.lent();
  const size_t before = borrowed_.size();
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
    is_untold_ = true;
    --most;
  }
  tell_tool("borrowed", static_cast<int>(borrowed_.size() - before));
  note_change();
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
  placed_ = changes_;
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
      const int cpu = borrowed_[i].cpu;
      on_it = guest->put(cpu, rank_, file_->board().guest_on(cpu)) ? guest : nullptr;
      if (on_it != nullptr) break;
      std::erase(others_, cpu);  // the process may not run there
      give_back(i--);
    }
  }
  look();  // an owner that returned before a thread was there has not moved it
}

// An owner that returned has sent the thread home, and may have lent the core again since: then the thread goes
// back there. If the owner returns just now, the thread may come to the core after it was sent home. Then the
// core is wanted once more.
void Lending::heed() noexcept {
  JobBoard& board = file_->board();
  do {
    board.heed(rank_);
    for (size_t i = borrowed_.size(); i-- > 0;)
      if (board.must_leave(borrowed_[i].cpu, rank_))
        give_back(i);
      else if (borrowed_[i].guest != nullptr)
        borrowed_[i].guest->go_back();
  } while (board.wanted(rank_));
}

template <class Do>
void Lending::for_owners(Do act) noexcept {
  JobBoard& board = file_->board();
  for (const Borrowed& core : borrowed_) {
    const int owner = board.core(core.cpu).owner();
    if (owner >= 0 && owner < JobBoard::kMostRanks) act(board.bell_of(owner));
  }
}

void Lending::tell_owners() noexcept {
  for_owners([](auto& bell) { tell(bell); });
}

void Lending::ring_owners() noexcept {
  for_owners([](auto& bell) { lend::ring(bell, wake_between_processes); });
}

void Lending::give_back_all() noexcept {
  while (!borrowed_.empty()) give_back(borrowed_.size() - 1);
}

// The thread is off the core before the core is given back.
void Lending::give_back(size_t i) noexcept {
  const Borrowed core = borrowed_[i];
  if (core.guest != nullptr) core.guest->take_home(share_);
  const std::optional<uint64_t> wanted_since = file_->board().give_back(core.cpu, rank_);
  const uint64_t now = plat::now();
  told_.borrowed_ns += now - core.since;
  tell_tool("given back", 1);
  if (wanted_since) {
    ++told_.wanted;
    told_.longest_return_ns = std::max(told_.longest_return_ns, now - std::min(now, *wanted_since));
  }
  borrowed_[i] = borrowed_.back();
  borrowed_.pop_back();
  note_change();
}

void Lending::note_change() noexcept {
  ++changes_;
  const auto borrowed = static_cast<int>(borrowed_.size());
  extra_cores.store(borrowed, std::memory_order_relaxed);
  plat::set_usable_cpus(share_.count() + borrowed);
}

Lending::Told Lending::told() const noexcept {
  Told told = told_;
  for (const Borrowed& core : borrowed_) told.borrowed_ns += plat::now() - core.since;
  return told;
}

}  // namespace vicino::lend
