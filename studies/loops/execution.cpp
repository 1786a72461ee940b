#include "execution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/hash.hpp"
#include "base/say.hpp"
#include "schedules.hpp"

namespace loops {
namespace {

using vicino::loop::Range;
using vicino::sim::picoseconds;
using vicino::sim::Time;

constexpr uint64_t kMostBlocks = 65'536;
constexpr Time kBegin = 1'000'000'000;  // clocks of 0 mean "not yet" to schedules

double uniform(uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

double normal(uint64_t seed, uint64_t core) {  // Box and Muller
  const uint64_t a = vicino::splitmix64(seed * 0x9e3779b97f4a7c15u + core);
  return std::sqrt(-2 * std::log(uniform(a))) *
         std::cos(2 * std::numbers::pi * uniform(vicino::splitmix64(a + 1)));
}

uint32_t per_core(const Parameters& p, uint32_t threads) {
  const auto cores = static_cast<uint32_t>(p.cores);
  return (threads + cores - 1) / cores;
}

Parameters with_clock(Parameters p, bool fixed) {
  if (fixed) {
    p.ghz = p.fixed_ghz;
    p.spread = 0;
  }
  return p;
}

}  // namespace

Execution::Execution(const Parameters& parameters, const vicino::loop::Selection& schedule,
                     const Setting& setting)
    : parameters_(with_clock(parameters, setting.fixed)),
      schedule_(schedule),
      setting_(setting),
      per_core_(per_core(parameters_, setting.threads)),
      team_(setting.threads, parameters_.costs(per_core_)),
      run_(team_),
      shape_(vicino::loop::Shape::blocks(1, 1, 1)),
      cores_(static_cast<size_t>(parameters_.cores)),
      groups_(static_cast<size_t>(parameters_.cores / parameters_.group)),
      touched_(groups_.size()) {
  for (uint32_t m = 0; m < setting.threads; ++m) {
    const uint32_t core = m / per_core_;
    const double clock = std::clamp(1 + parameters_.spread * normal(setting.seed, core), 0.5, 1.5);
    spots_.push_back({core, core / static_cast<uint32_t>(parameters_.group),
                      core / static_cast<uint32_t>(parameters_.package), clock});
  }
  shape_ = shape();
}

vicino::loop::Shape Execution::shape() const {
  std::vector<vicino::loop::Spot> spots;
  for (const Spot& spot : spots_) {
    const auto package = static_cast<int>(spot.package);
    spots.push_back(
        {static_cast<int>(spot.core / static_cast<uint32_t>(parameters_.share)), package, package});
  }
  return {spots, [](int a, int b) { return a == b ? 10u : 20u; }};
}

Outcome Execution::run(const Program& program) {
  Outcome outcome;
  outcome.updates.assign((setting_.threads + setting_.deque - 1) / setting_.deque, 0);
  owners_.clear();
  std::ranges::fill(touched_, 0);
  asked_bytes_ = found_bytes_ = 0;
  for (size_t i = 0; i < program.loops.size(); ++i) {
    const Loop& loop = program.loops[i];
    outcome.ns += loop.times * execute(loop, i, outcome);
  }
  outcome.reused = asked_bytes_ > 0 ? found_bytes_ / asked_bytes_ : 0;
  return outcome;
}

double Execution::execute(const Loop& loop, uint64_t number, Outcome& outcome) {
  vicino::loop::Plan plan;
  plan.trip = loop.trip;
  plan.chunk = schedule_.chunk;
  plan.values = schedule_.values;
  plan.shape = &shape_;
  const uint64_t chunk = plan.chunk_or_one();
  uint64_t every = 1;  // E7
  if (is_counter(*schedule_.row)) every = std::max<uint64_t>(1, loop.trip / chunk / kMostClaims);
  if (every > 1) plan.trip = loop.trip / every / chunk * chunk;

  const Piece whole = piece_of(loop, 0, loop.trip, 0);
  outcome.work += loop.times * whole.alone();
  quantum_ = std::max(1000.0, whole.alone() / setting_.threads / kPieces);  // E4
  loop_ = number + 1;
  cores_.assign(cores_.size(), {});
  std::ranges::fill(groups_, 0);
  nodes_[0] = nodes_[1] = links_[0] = links_[1] = 0;

  std::vector<Time> begins(setting_.threads);
  for (uint32_t m = 0; m < setting_.threads; ++m)
    begins[m] = kBegin + std::bit_width(m) * picoseconds(parameters_.fork);  // E6
  uint64_t iterations = 0;
  run_(*schedule_.row, plan, begins, vicino::splitmix64(setting_.seed + number), [&](Range range) {
    team_.work(picoseconds(parameters_.claim));
    ++outcome.claims;
    iterations += range.size();
    if (every > 1) range.begin *= every, range.end = std::min(range.begin + chunk, loop.trip);
    run_range(loop, range);
  });
  if (iterations != plan.trip)
    vicino::die("%llu of %llu iterations were executed",
                static_cast<unsigned long long>(iterations),
                static_cast<unsigned long long>(plan.trip));
  outcome.iterations += iterations;
  for (uint32_t m = 0; m < setting_.threads; ++m) {
    const vicino::loop::Tally& tally = run_.tally(m);
    outcome.updates[m / setting_.deque] += loop.times * static_cast<double>(tally.adapted);
    outcome.steals += std::accumulate(tally.stolen.begin(), tally.stolen.end(), uint64_t{0});
  }
  const double scale =
      static_cast<double>(loop.trip) / static_cast<double>(std::max<uint64_t>(plan.trip, 1));
  const double ran = static_cast<double>(team_.last_end() - kBegin) / 1000;
  const double barrier = std::bit_width(setting_.threads - 1) * parameters_.far_line;  // E6
  return ran * scale + barrier;
}

void Execution::run_range(const Loop& loop, Range range) {
  uint64_t count = range.size();
  for (uint64_t begin = range.begin; begin < range.end;) {
    count = std::clamp<uint64_t>(count, 1, range.end - begin);
    for (;;) {
      const double takes = piece_of(loop, begin, begin + count, 0).alone();
      if (takes <= 1.5 * quantum_ || count == 1) break;
      count = std::clamp<uint64_t>(
          static_cast<uint64_t>(static_cast<double>(count) * quantum_ / takes), 1, count - 1);
    }
    const double found = find_in_caches(loop, begin, begin + count);
    spend(piece_of(loop, begin, begin + count, found));
    begin += count;
    count *= 2;  // as long as the last one, if that was cut by a heavy iteration
  }
}

// E1, E2. `found`: the part of the bytes that are in the group's cache.
Execution::Piece Execution::piece_of(const Loop& loop, uint64_t begin, uint64_t end,
                                     double found) const {
  const Parameters& p = parameters_;
  const auto count = static_cast<double>(end - begin);
  const double units = loop.units_in(begin, end);
  const Cost& cost = loop.cost;
  const bool inside = vicino::sim::Team::current() != nullptr;
  const Spot spot = inside ? here() : spots_.front();
  // Where the data are: on the first package, or with the member of a static loop.
  const uint64_t static_package =
      begin * setting_.threads / loop.trip / per_core_ / static_cast<uint64_t>(p.package);
  const uint32_t home = p.homes == 0 ? 0 : static_cast<uint32_t>(static_package);
  const bool two = p.cores > p.package;
  Piece piece;
  piece.work = p.cycles(count * cost.cycles + units * cost.cycles_of_unit) / spot.clock;
  piece.near = count * cost.bytes * found / p.cache_rate;
  const auto latency = [&](uint32_t at) { return at == spot.package ? p.local : p.remote; };
  const auto stream = [&](double bytes, uint32_t at) {
    piece.memory += bytes / p.core_rate * latency(at) / p.local;
    piece.bytes[at] += bytes;
  };
  stream(count * cost.bytes * (1 - found) + units * cost.bytes_of_unit, home);
  const auto random = [&](double accesses, double bytes) {
    const bool spread = p.homes != 0 && two;
    for (const uint32_t at : {0u, 1u}) {
      const double part = spread ? 0.5 : at == 0 ? 1 : 0;
      piece.memory += part * accesses * latency(at) / p.misses;
      piece.bytes[at] += part * accesses * bytes;
    }
  };
  if (cost.lookups > 0 && cost.table <= kTable * p.cache)
    piece.near += units * cost.lookups * p.l3 / p.misses;
  else if (cost.lookups > 0)
    random(units * cost.lookups, 64);
  if (cost.stores > 0) random(units * cost.stores, 128);  // a line is read, and written back
  return piece;
}

// E2. The part of the bytes in order that the group's cache has.
double Execution::find_in_caches(const Loop& loop, uint64_t begin, uint64_t end) {
  const uint32_t group = here().group;
  const auto count = static_cast<double>(end - begin);
  touched_[group] += loop.units_in(begin, end) * loop.cost.bytes_of_unit;
  if (loop.cost.bytes == 0) return 0;
  const uint64_t places = loop.places != 0 ? loop.places : loop.trip;
  const uint64_t blocks = std::min(places, kMostBlocks);
  if (owners_.size() != blocks) owners_.assign(blocks, {});
  double found = 0;
  if (loop.place) {
    for (uint64_t i = begin; i < end; ++i)
      found += touch(owners_[loop.place(i)], group, loop.cost.bytes);
  } else {
    const uint64_t size = (places + blocks - 1) / blocks;
    for (uint64_t at = begin; at < end;) {
      const uint64_t block = at / size, until = std::min(end, (block + 1) * size);
      found += touch(owners_[block], group, static_cast<double>(until - at) * loop.cost.bytes);
      at = until;
    }
  }
  asked_bytes_ += count * loop.cost.bytes;
  found_bytes_ += found;
  return found / (count * loop.cost.bytes);
}

double Execution::touch(Owner& owner, uint32_t group, double bytes) {
  if (owner.loop != loop_) {
    owner.before = owner.last;
    owner.loop = loop_;
  }
  const bool found =
      owner.before.group == group && touched_[group] - owner.before.at <= parameters_.cache;
  if (!found) touched_[group] += bytes;
  owner.last = {group, touched_[group]};
  return found ? bytes : 0;
}

// E3, E4.
void Execution::spend(const Piece& piece) {
  const double alone = piece.alone();
  if (alone <= 0) return;
  const Demand demand{piece.work / alone, {piece.bytes[0] / alone, piece.bytes[1] / alone}};
  ask(demand, 1);
  for (double left = 1; left > 0;) {
    const double whole = duration(piece);
    const double now = left * whole > 1.5 * quantum_ ? quantum_ / whole : left;
    team_.work(picoseconds(now * whole));
    team_.give_way();
    left -= now;
  }
  ask(demand, -1);
}

void Execution::ask(const Demand& demand, double sign) {
  const Spot& spot = here();
  cores_[spot.core].running += sign > 0 ? 1 : -1;
  cores_[spot.core].work += sign * demand.work;
  cores_[spot.core].rate += sign * demand.all();
  groups_[spot.group] += sign * demand.all();
  for (const uint32_t at : {0u, 1u}) {
    nodes_[at] += sign * demand.node[at];
    if (at != spot.package) links_[spot.package] += sign * demand.node[at];
  }
}

// E3. The member itself is among those that ask.
double Execution::duration(const Piece& piece) const {
  const Parameters& p = parameters_;
  const Spot& spot = here();
  const Core& core = cores_[spot.core];
  const double threads = core.running > 2 ? p.four : core.running == 2 ? p.two : 1;
  const double work = std::max(1.0, core.work / threads);
  const auto fourth = [](double x) { return x * x * x * x; };
  const double own = std::max(1.0, core.rate / p.core_rate);
  const double group = fourth(groups_[spot.group] / p.group_rate);
  double memory = 0, bytes = piece.bytes[0] + piece.bytes[1];
  for (const uint32_t at : {0u, 1u}) {
    if (piece.bytes[at] == 0) continue;
    const double too_many = std::max(0.0, (nodes_[at] - p.node_rate) / p.core_rate);
    const double rate = p.node_rate * std::max(1 - p.loss * too_many, 0.25);
    const double link = at == spot.package ? 0 : fourth(links_[spot.package] / p.link_rate);
    const double longer = std::pow(1 + group + fourth(nodes_[at] / rate) + link, 0.25);
    memory += piece.bytes[at] / bytes * std::max(longer, own);
  }
  return piece.work * work + piece.near + piece.memory * memory;
}

}  // namespace loops
