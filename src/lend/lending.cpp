// lending.cpp: how a process joins the lending of its job, and the owner's side.
#include "lend/lending.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/hash.hpp"
#include "base/say.hpp"
#include "lend/prepared.hpp"
#include "ompt/tool.hpp"
#include "topo/allowance.hpp"
#include "topo/process_mask.hpp"
#include "topo/rank_share.hpp"

namespace vicino::lend {
namespace {

// Pointers, so that nothing has to be constructed or destroyed with the library. The initial thread
// writes the second one.
const Prepared* prepared_state = nullptr;
Lending* of_process = nullptr;
bool has_tried = false;

// The same for two processes in which a thread has the same number; 0: not known.
uint64_t number_space() noexcept {
  struct stat status;
  return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

}  // namespace

const Prepared* prepared() noexcept { return prepared_state; }
Lending* joined() noexcept { return of_process; }

void prepare(Job job, std::string instead) {
  std::string identity = instead.empty() ? identity_of(job) : std::string();
  if (instead.empty() && identity.empty())
    instead = "the launcher does not tell this job from others";
  std::string path = folder_of_files() + "/" + prefix_of_files() + hexadecimal(fnv1a(identity));
  prepared_state = new Prepared{std::move(path), std::move(instead)};
}

bool is_on() noexcept { return prepared_state != nullptr && prepared_state->instead.empty(); }

int most_threads() {
  const topo::Allowance& own = topo::allowance();
  const int ranks = topo::ranks()->size;
  if (own.is_share)
    return topo::default_team_size(topo::process_mask().count(), own.quota_cpus * ranks);
  // Each rank is bound, and the others have as many CPUs as this one.
  const long all =
      std::min(int64_t{own.cpus.count()} * ranks, int64_t{sysconf(_SC_NPROCESSORS_ONLN)});
  return topo::default_team_size(static_cast<int>(all), own.quota_cpus);
}

void Lending::tell_tool(const char* what, int cores) noexcept {
  if (ompt::has_tool() && cores > 0) ompt::tell(ompt::Event::kLent, what, cores);
}

Lending* Lending::get() {
  if (!has_tried) {
    has_tried = true;
    of_process = join();
  }
  return of_process;
}

Lending* Lending::join() {
  if (!is_on()) return nullptr;
  const std::string& path = prepared_state->path;
  const int rank = topo::ranks()->rank;
  Result<std::unique_ptr<JobFile>> file = JobFile::join(path, rank);
  if (file) {
    remove_stale_files(path.substr(0, path.rfind('/')), path);
    return new Lending(*std::move(file), rank);
  }
  if (!file.error().empty())
    say("VICINO_LEND: %s: %s; no cores are lent", path.c_str(), file.error().c_str());
  return nullptr;
}

Lending::Lending(std::unique_ptr<JobFile> file, int rank)
    : file_(std::move(file)),
      rank_(rank),
      share_(topo::allowance().cpus),
      own_size_(topo::allowance().default_team_size()) {
  JobBoard& board = file_->board();
  const int cpus = std::min(static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)), JobBoard::kMostCpus);
  const uint64_t now = plat::now();
  const int from = share_.last() + 1;
  for (int i = 0; i < cpus; ++i) {
    const int cpu = (from + i) % cpus;
    board.give_back(cpu, rank_);  // a process of this rank that was killed may have had it
    if (share_.test(cpu))
      board.claim(cpu, rank_, now);
    else
      others_.push_back(cpu);
  }
  board.heed(rank_);
  board.threads_of(rank_).store(number_space(), std::memory_order_relaxed);
}

bool Lending::has_own() const noexcept {
  const JobBoard& board = file_->board();
  for (int cpu = share_.first(); cpu >= 0 && cpu < JobBoard::kMostCpus; cpu = share_.next(cpu))
    if (!board.core(cpu).is_contested()) return true;
  return false;
}

int Lending::lend() noexcept {
  give_back_all();
  if (std::exchange(lends_, true)) return share_.count();
  JobBoard& board = file_->board();
  share_.for_each([&](int cpu) {
    if (cpu < JobBoard::kMostCpus) board.lend(cpu);
  });
  board.announce();
  lent_since_ = plat::now();
  tell_tool("lent", share_.count());
  return share_.count();
}

void Lending::take_back() noexcept {
  if (!std::exchange(lends_, false)) return;
  JobBoard& board = file_->board();
  const uint64_t now = plat::now();
  share_.for_each([&](int cpu) {
    if (cpu >= JobBoard::kMostCpus) return;
    const int borrower = board.take_back(cpu, now);
    if (borrower >= 0) move_guest(cpu, borrower, now);
  });
  const auto cores = static_cast<uint64_t>(share_.count());
  tell_tool("taken back", share_.count());
  told_.lendings += cores;
  told_.lent_ns += cores * (now - lent_since_);
}

bool Lending::are_taken() const noexcept {
  const JobBoard& board = file_->board();
  for (int cpu = share_.first(); cpu >= 0 && cpu < JobBoard::kMostCpus; cpu = share_.next(cpu))
    if (board.is_taken(cpu)) return true;
  return false;
}

// The thread's number was written by a process that lives, and its threads end with it.
void Lending::move_guest(int cpu, int borrower, uint64_t since) noexcept {
  JobBoard& board = file_->board();
  if (borrower >= JobBoard::kMostRanks || !file_->lives(borrower)) return;
  const auto threads = [&](int rank) {
    return board.threads_of(rank).load(std::memory_order_relaxed);
  };
  const pid_t guest =
      Guest::thread_in(board.guest_on(cpu).load(std::memory_order_relaxed), borrower);
  if (guest == 0 || threads(borrower) == 0 || threads(borrower) != threads(rank_)) return;
  CpuSet home;
  for (const int other : others_)
    if (board.core(other).owner() == borrower) home.set(other);
  if (home.empty() || board.core(cpu).borrower() != borrower || !topo::run_on(guest, home)) return;
  ++told_.moved;
  told_.longest_move_ns = std::max(told_.longest_move_ns, plat::now() - since);
}

void Lending::leave() noexcept {
  lend();
  file_->leave();
}

void forget_placing() noexcept {
  if (of_process != nullptr) of_process->forget_placing();
}

void give_back() noexcept {
  if (of_process != nullptr) of_process->give_back_all();
}

void leave() noexcept {
  if (of_process != nullptr) std::exchange(of_process, nullptr)->leave();
}

// The child does not have the parent's locks, and its teams are gone.
void forget() noexcept {
  of_process = nullptr;
  has_tried = true;
  extra_cores.store(0, std::memory_order_relaxed);
}

}  // namespace vicino::lend
