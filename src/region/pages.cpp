#include "region/pages.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/kept_errno.hpp"
#include "base/process_age.hpp"
#include "base/uncancelled.hpp"
#include "config/settings.hpp"
#include "event/more.hpp"
#include "lend/guest.hpp"
#include "pages/trial.hpp"
#include "plat/plat.hpp"
#include "region/request.hpp"
#include "site/counts.hpp"
#include "site/page_profile.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

namespace vicino::region {

using team::Call;
using team::Member;
using topo::Machine;
using topo::PageRun;
namespace {

// The thread that places pages, which alone uses `placer`. Its own loads are relaxed.
//  W1 the release with which it leaves pairs with
//  W2 the acquire of the exchange by which another thread follows it: that finds the placer as it was left.
plat::atomic<const team::Worker*> placing_worker{nullptr};

std::optional<pages::Placement> forced_placement() {
  switch (config::settings().pages) {
    case config::Pages::kBlocks:
      return pages::Placement::kBlocks;
    case config::Pages::kInterleave:
      return pages::Placement::kInterleaved;
    default:
      return std::nullopt;
  }
}

// Whether it is the stack of a member of the team that the calling thread leads. What pthread_t points to lies at the
// stack's upper end, by glibc and by musl.
bool is_stack_of_team(const topo::Mapping& mapping) {
  const team::Team* const team = team::self->worker->next_hot();
  if (team == nullptr) return false;
  for (int id = 1; id < team->capacity(); ++id) {
    const team::Worker* const worker = team->member(id).worker;
    if (worker == nullptr) continue;
    const auto at = (uintptr_t)worker->guest->thread();  // a number or a pointer
    if (mapping.begin <= at && at < mapping.end) return true;
  }
  return false;
}

// What moves, for the members to take. A node's own members come first; then they help the others.
class Move {
 public:
  explicit Move(std::vector<PageRun> runs) {
    std::ranges::stable_sort(runs, {}, &PageRun::node);
    for (auto first = runs.begin(); first != runs.end();) {
      const auto end = std::find_if(first, runs.end(),
                                    [&](const PageRun& run) { return run.node != first->node; });
      lists_.push_back(
          std::make_unique<List>(first->node, pages::pieces_of({first, end}, topo::page_size())));
      first = end;
    }
  }

  void take_part(int node) {
    const auto own = std::ranges::find(lists_, node, [](const auto& list) { return list->node; });
    const auto first = static_cast<size_t>(own - lists_.begin());
    for (size_t i = 0; i < lists_.size(); ++i) empty(*lists_[(first + i) % lists_.size()]);
  }

  // The kernel's, for the first piece that it refused.
  int error() const noexcept { return error_.load(std::memory_order_relaxed); }

 private:
  struct List {
    List(int its_node, std::vector<std::vector<PageRun>> its_pieces)
        : node(its_node), pieces(std::move(its_pieces)) {}
    const int node;
    const std::vector<std::vector<PageRun>> pieces;
    plat::atomic<size_t> taken{0};  // relaxed: the RMW alone gives each piece to one thread
  };

  void empty(List& list) noexcept {
    for (;;) {
      const size_t mine = list.taken.fetch_add(1, std::memory_order_relaxed);
      if (mine >= list.pieces.size()) return;
      if (const int error = topo::send_pages(list.pieces[mine]))
        error_.store(error, std::memory_order_relaxed);
    }
  }

  std::vector<std::unique_ptr<List>> lists_;
  plat::atomic<int> error_{0};  // relaxed: read after the join
};

class PagePlacer {
 public:
  PagePlacer()
      : trial_(pages::this_kernel(), forced_placement(), Machine::here().count(topo::Level::kNode),
               topo::page_size(), plat::now() - static_cast<uint64_t>(process_age() * 1e9),
               site::earlier_pages, is_stack_of_team) {}

  // True if end() is to be called.
  bool begin(Member& parent, const Call& call, int threads, Fork* fork) {
    const uint64_t now = plat::now();
    if (!trial_.is_due(now)) {
      skip_ = now - asked_ < (kSkipped + 1) * kShortNs ? kSkipped : 0;
      asked_ = now;
      return false;
    }
    if (moving_) return false;
    if (!look_at(parent.worker->next_hot())) return false;
    const std::vector<PageRun> runs = trial_.begin({call.function, words_of(call), owners_}, now);
    trial_.spend(plat::now() - now);
    if (!runs.empty()) move(parent, runs, threads, fork);
    if (trial_.is_off()) places_pages.store(false, std::memory_order_relaxed);
    tell();
    return trial_.is_watching();
  }

  void end() { trial_.end(); }
  // Another thread goes on, with a team of its own.
  void leave() {
    trial_.leave(plat::now());
    owners_.clear();
    changes_ = 0;
  }
  // Whether the next region is so soon that it need not read the clock.
  bool skips() noexcept {
    if (skip_ == 0) return false;
    --skip_;
    return true;
  }
  bool is_moving() const noexcept { return moving_; }

 private:
  // Finds the memory node of each member, as the team's last region had them. False if they are not on
  // several nodes. Before the first region nothing is known yet.
  bool look_at(const team::Team* team) {
    if (team == nullptr) return true;
    if (team->arrangement().changes() == changes_) return !owners_.empty();
    changes_ = team->arrangement().changes();
    owners_.clear();
    if (!team->arrangement().has_several_nodes()) return false;
    for (const int node : team->arrangement().nodes_of_members())
      owners_.push_back(topo::memory_of_node(Machine::here(), node));
    return true;
  }

  void tell() {
    for (; told_ < trial_.outcomes().size(); ++told_) {
      site::keep(trial_.outcomes()[told_], static_cast<int>(owners_.size()));
      if (ompt::is_watched()) event::pages_moved(pages::in_words(trial_.outcomes()[told_]).c_str());
    }
  }

  static std::span<const uintptr_t> words_of(const Call& call) noexcept {
    const void* const words = call.count <= Call::kInline ? call.args : call.args[0];
    return {static_cast<const uintptr_t*>(words), call.count};
  }

  void move(Member& parent, const std::vector<PageRun>& runs, int threads, Fork* fork) {
    Move move(runs);
    moving_ = true;
    const uint64_t began = plat::now();
    const auto run = [](Member& member, const Call& call) {
      static_cast<Move*>(call.args[0])
          ->take_part(static_cast<PagePlacer*>(call.args[1])->owner_of(member.id));
    };
    // A tool that watches is told of the program's regions, not of this one; then one thread moves all. So it
    // is where the clauses of the next region have been said already.
    if (parent.team->icvs.watched() || parent.pushed.num_threads != nullptr) {
      move.take_part(-1);
    } else {
      fork({run, nullptr, 2, {&move, this}}, {.threads = threads});
      --parent.worker->counts().regions;
    }
    trial_.moved(began, plat::now(), move.error());
    moving_ = false;
  }

  int owner_of(int member) const noexcept {
    const auto i = static_cast<size_t>(member);
    return i < owners_.size() ? owners_[i] : -1;
  }

  // Regions that follow each other in less than kShortNs do not read the clock but once in kSkipped + 1.
  static constexpr uint64_t kShortNs = 10'000;
  static constexpr int kSkipped = 15;

  pages::Trial trial_;
  int skip_ = 0;
  uint64_t asked_ = 0;
  size_t told_ = 0;
  uint64_t changes_ = 0;
  std::vector<int> owners_;
  bool moving_ = false;
};

PagePlacer* placer = nullptr;  // the placing worker's

// Whether pages may lie, and members be, on several nodes.
bool may_place() {
  return config::settings().pages != config::Pages::kOff && !Machine::here().recorded() &&
         Machine::here().count(topo::Level::kNode) > 1 &&
         topo::memory_nodes(Machine::here()).size() > 1;
}

// The first thread that comes here when no other one places pages does so from then on, if there are nodes to
// place them on.
bool begins_placing(const team::Worker& worker) {
  const team::Worker* none = nullptr;
  if (!placing_worker.compare_exchange_strong(none, &worker, std::memory_order_acquire,  // W2
                                              std::memory_order_relaxed))
    return false;
  if (placer != nullptr) return true;
  if (!may_place()) {
    places_pages.store(false, std::memory_order_relaxed);
    return false;
  }
  placer = new PagePlacer;
  return true;
}

}  // namespace

void place_pages(Member& parent, const Call& call, int threads, Fork* fork) {
  if (parent.team->active_level > 0) return;
  const team::Worker* const mine = placing_worker.load(std::memory_order_relaxed);
  if (mine != parent.worker && (mine != nullptr || !begins_placing(*parent.worker))) return;
  if (placer->skips()) return;
  const KeptErrno kept;
  const Uncancelled uncancelled;
  const bool is_watching = placer->begin(parent, call, threads, fork);
  team::Team* const team = parent.worker->next_hot();
  if (is_watching && team != nullptr) team->at_end |= team::kPlacesPages;
}

void end_placing() noexcept {
  const KeptErrno kept;
  placer->end();
}

bool is_moving_pages() noexcept {
  return placing_worker.load(std::memory_order_relaxed) == team::self->worker &&
         placer != nullptr && placer->is_moving();
}

void leave_pages(const team::Worker& worker) noexcept {
  if (placing_worker.load(std::memory_order_relaxed) != &worker || placer == nullptr) return;
  placer->leave();
  placing_worker.store(nullptr, std::memory_order_release);  // W1
}

void forget_pages() noexcept { places_pages.store(false, std::memory_order_relaxed); }

}  // namespace vicino::region
