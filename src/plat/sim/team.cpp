#include "plat/sim/team.hpp"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>
#include <utility>

#include "base/hash.hpp"
#include "base/say.hpp"

namespace vicino::sim {
namespace {

constexpr std::size_t kStack = 128 * 1024;

// A fiber's stack that somebody else keeps.
struct KeptStack {
  std::byte* begin;

  boost::context::stack_context allocate() const noexcept {
    boost::context::stack_context stack;
    stack.size = kStack;
    stack.sp = begin + kStack;
    return stack;
  }
  void deallocate(boost::context::stack_context&) const noexcept {}
};

thread_local Team* current_team = nullptr;

}  // namespace

struct Team::Member {
  boost::context::fiber fiber;
  Time since = 0;  // when it began to wait, or ended
  State state = State::kEnded;
  const void* word = nullptr;  // that it waits for
  uint64_t random = 0;
  const void* failed = nullptr;  // what it has just tried to change in vain, and when (T9)
  Time failed_at = 0;
  Time loaded = kNever;  // its clock after its last load, if that moved a line (T7)
};

struct Team::Caller {
  boost::context::fiber fiber;
};

Team* Team::current() noexcept { return current_team; }

Team::Team(uint32_t members, const Costs& costs)
    : costs_(costs),
      size_(members),
      members_(members),
      times_(members),
      place_(members),
      caller_(std::make_unique<Caller>()) {
  if (members == 0 || members > kMostMembers)
    die("a simulated team has 1 to %u members, not %u", kMostMembers, members);
  if (costs.cores_per_package == 0) die("a simulated package has no core");
  if (costs.members_per_core == 0) die("a simulated core has no member");
  if (costs.overlap == 0) die("a simulated core fetches no line");
  if ((members - 1) / costs.members_per_core >= CoreSet::kMost)
    die("a simulated machine has 1 to %u cores", CoreSet::kMost);
  stacks_ = std::make_unique_for_overwrite<std::byte[]>(members * kStack);
}

Team::~Team() = default;

void Team::run(std::span<const Time> begins, uint64_t seed,
               const std::function<void(uint32_t)>& body) {
  if (begins.size() != members_.size())
    die("%zu times to begin for %zu simulated members", begins.size(), members_.size());
  lines_.forget();
  body_ = &body;
  blocked_ = 0;
  heap_.clear();
  Team* const outer = std::exchange(current_team, this);
  for (uint32_t m = 0; m < size(); ++m) {
    Member& member = members_[m];
    times_[m] = begins[m];
    member.state = State::kReady;
    member.random = seed * 0x9e3779b97f4a7c15u + m;
    member.loaded = kNever;
    member.failed = nullptr;
    put(m);
    member.fiber = boost::context::fiber(std::allocator_arg, KeptStack{stacks_.get() + m * kStack},
                                         [this, m](boost::context::fiber&& caller) {
                                           caller_->fiber = std::move(caller);
                                           (*body_)(m);
                                           end();
                                           return std::move(caller_->fiber);
                                         });
  }
  while (choose()) {
    Member& member = members_[running_];
    if (member.state != State::kReady) {  // its time is up
      member.state = State::kReady;
      --blocked_;
    }
    member.fiber = std::move(member.fiber).resume();
    if (member.state != State::kEnded) put(running_);
  }
  current_team = outer;
}

Time Team::ended(uint32_t member) const noexcept { return members_[member].since; }
Time Team::last_end() const noexcept {
  return std::ranges::max_element(members_, {}, &Member::since)->since;
}

uint64_t Team::random() noexcept {
  uint64_t& state = members_[running_].random;
  return splitmix64(std::exchange(state, state + kSplitmixStep));
}

void Team::load(const void* address) {
  give_way();
  Line& line = lines_.of(address);
  Time& time = times_[running_];
  Time& loaded = members_[running_].loaded;
  const bool follows = loaded == time;
  if (line.has(core())) {
    time += costs_.hit;  // T2
    if (follows) loaded = time;
    return;
  }
  const Time transfer =
      line.owner == Line::kNobody ? costs_.far_line : costs_.line(line.owner, core());
  time =
      std::max(time, line.free) + (follows ? transfer / costs_.overlap : transfer);  // T3, T4, T7
  loaded = time;
  line.copies.add(core());
  if (line.owner == Line::kNobody) line.owner = core();
}

void Team::update(const void* address) {
  give_way();
  Line& line = lines_.of(address);
  Time& time = times_[running_];
  Member& self = members_[running_];
  const bool kept = self.failed == address && self.failed_at == time;
  self.failed = nullptr;
  if (kept || line.is_only(core())) {
    time += costs_.own;  // T2
  } else {
    Time transfer = costs_.far_line;
    if (line.owner == core()) {
      transfer = 0;
      line.copies.for_each([&](uint32_t other) {
        if (other != core()) transfer = std::max(transfer, costs_.line(other, core()));
      });
    } else if (line.owner != Line::kNobody) {
      transfer = costs_.line(line.owner, core());
    }
    time = std::max(time, line.free) + transfer;  // T3, T4
    line.free = time;
  }
  line.owner = core();
  line.copies.become(core());
  if (blocked_ == 0) return;
  for (uint32_t m = 0; m < size_; ++m)  // T6
    if (members_[m].state == State::kWaits && members_[m].word == address) make_ready(m, time);
}

void Team::failed(const void* address) {
  if (!costs_.keeps_line) return;
  members_[running_].failed = address;
  members_[running_].failed_at = clock();
}

void Team::wait_for_update(const void* word, Time until) { block(State::kWaits, word, until); }
void Team::sleep(const void* word, Time until) { block(State::kSleeps, word, until); }

void Team::wake(const void* word, uint32_t count) {
  give_way();
  work(costs_.call);
  for (; count > 0 && blocked_ > 0; --count) {
    uint32_t first = size_;
    for (uint32_t m = 0; m < size_; ++m)
      if (members_[m].state == State::kSleeps && members_[m].word == word &&
          (first == size_ || members_[m].since < members_[first].since))
        first = m;
    if (first == size_) return;
    make_ready(first, clock() + costs_.wake);
  }
}

// T1
void Team::give_way() {
  const Time time = clock();
  if (time > next_time_ || (time == next_time_ && running_ > next_)) leave();
}

void Team::leave() { caller_->fiber = std::move(caller_->fiber).resume(); }

// The member has looked at the word in its turn, and no other member has run since: no update is
// missed.
void Team::block(State state, const void* word, Time until) {
  Member& self = members_[running_];
  self.since = clock();
  self.state = state;
  self.word = word;
  times_[running_] = std::max(until, self.since);
  ++blocked_;
  leave();
}

void Team::make_ready(uint32_t m, Time time) noexcept {
  Member& member = members_[m];
  times_[m] = std::max(member.since, std::min(times_[m], time));
  member.state = State::kReady;
  --blocked_;
  rise(place_[m]);
  if (times_[m] < next_time_ || (times_[m] == next_time_ && m < next_)) {
    next_time_ = times_[m];
    next_ = m;
  }
}

void Team::end() noexcept {
  Member& self = members_[running_];
  self.state = State::kEnded;
  self.since = clock();
  times_[running_] = kNever;
}

// The earliest member is to run; false if all have ended.
bool Team::choose() {
  if (heap_.empty()) return false;
  running_ = heap_.front();
  if (times_[running_] == kNever) hang();
  sink(heap_.back());
  next_ = heap_.empty() ? size_ : heap_.front();
  next_time_ = heap_.empty() ? kNever : times_[next_];
  return true;
}

void Team::put(uint32_t member) {
  heap_.push_back(member);
  place_[member] = static_cast<uint32_t>(heap_.size() - 1);
  rise(heap_.size() - 1);
}

void Team::rise(std::size_t place) noexcept {
  const uint32_t member = heap_[place];
  while (place > 0 && before(member, heap_[(place - 1) / 2])) {
    heap_[place] = heap_[(place - 1) / 2];
    place_[heap_[place]] = static_cast<uint32_t>(place);
    place = (place - 1) / 2;
  }
  heap_[place] = member;
  place_[member] = static_cast<uint32_t>(place);
}

// The heap's last member takes the place of its first, which has been taken out.
void Team::sink(uint32_t member) noexcept {
  heap_.pop_back();
  const std::size_t size = heap_.size();
  std::size_t place = 0;
  for (std::size_t child = 1; child < size; child = 2 * place + 1) {
    if (child + 1 < size && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], member)) break;
    heap_[place] = heap_[child];
    place_[heap_[place]] = static_cast<uint32_t>(place);
    place = child;
  }
  if (size == 0) return;
  heap_[place] = member;
  place_[member] = static_cast<uint32_t>(place);
}

void Team::hang() const {
  for (uint32_t m = 0; m < size_; ++m)
    if (members_[m].state != State::kEnded)
      say("simulated member %u %s since %llu ns", m,
          members_[m].state == State::kSleeps ? "sleeps" : "waits",
          static_cast<unsigned long long>(members_[m].since / kNanosecond));
  die("no simulated member can go on");
}

}  // namespace vicino::sim
