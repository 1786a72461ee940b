#include "locality/memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>

namespace vicino::lab {
namespace {

// The groups of a directory's word, lowest first.
template <typename F>
void for_each_group(std::uint32_t holders, F visit) {
  for (; holders != 0; holders &= holders - 1) visit(std::countr_zero(holders));
}

}  // namespace

Memory::Memory(const Machine& machine, const Parameters& parameters)
    : machine_(machine),
      parameters_(parameters),
      lines_(machine),
      bandwidth_(machine, parameters),
      filter_(static_cast<int>(machine.cpus.size()), parameters.l2_sets()),
      l2_(machine.cpus.size(), Cache(parameters.l2_sets(), parameters.l2_ways)),
      hands_(kHands),
      directory_(static_cast<std::uint32_t*>(std::calloc(lines_.lines() + 1, 4))) {
  if (!directory_) throw std::bad_alloc();
  for (int group = 0; group < machine.l3_groups(); ++group) {
    auto cpus = machine.cpus_of_l3(group);
    const Cpu first = machine.cpus[cpus[0]];
    l3_.push_back({Cache(parameters.l3_sets(), parameters.l3_ways), std::move(cpus), first.node,
                   first.package});
  }
}

Answer Memory::access(int cpu, std::uint64_t line, bool store, std::uint64_t now, Counters& count) {
  const State held = l2_[cpu].use(line);
  if (held == State::kModified || (held != State::kInvalid && !store)) return {};  // R3
  Answer answer;
  if (held != State::kInvalid) {
    answer = own(cpu, line, count);
    l2_[cpu].set_state(line, State::kModified);
  } else {
    ++count[Counter::kL2Misses];
    const bool in_l3 = l3_[machine_.cpus[cpu].l3].cache.use(line) != State::kInvalid;
    answer = in_l3 ? from_l3(cpu, line, store, count) : from_beyond(cpu, line, store, count);
    l2_[cpu].insert(line, store ? State::kModified : State::kShared);
  }
  if (answer.in_order) answer.latency = in_turn(line, now, answer.latency);
  return answer;
}

// R14
std::uint64_t Memory::in_turn(std::uint64_t line, std::uint64_t now, std::uint64_t latency) {
  Hand& hand = hands_[line % kHands];
  const std::uint64_t begin = hand.line == line ? std::max(now, hand.arrives) : now;
  hand = {line, begin + latency};
  return begin + latency - now;
}

// R4. The CPU's L3 holds the line.
Answer Memory::own(int cpu, std::uint64_t line, Counters& count) {
  const int group = machine_.cpus[cpu].l3;
  drop_from_l2s(l3_[group], line, cpu);
  const bool upgrades = holders_but(group, line) != 0;
  const std::uint64_t latency = drop_elsewhere(group, line);
  l3_[group].cache.set_state(line, State::kModified);
  count[Counter::kUpgrades] += upgrades;
  return {latency, upgrades};
}

// R5
Answer Memory::from_l3(int cpu, std::uint64_t line, bool store, Counters& count) {
  ++count[Counter::kL3Hits];
  const bool handed = share_in_l2s(l3_[machine_.cpus[cpu].l3], line);
  const Answer found = {handed ? parameters_.lat_transfer_group : parameters_.lat_l3, handed};
  if (!store) return found;
  const Answer owned = own(cpu, line, count);
  return {found.latency + owned.latency, found.in_order || owned.in_order};
}

// R6
Answer Memory::from_beyond(int cpu, std::uint64_t line, bool store, Counters& count) {
  const int group = machine_.cpus[cpu].l3;
  const int owner = owner_elsewhere(group, line);
  const std::uint64_t latency =
      owner >= 0 ? transfer(cpu, l3_[owner], count) : read_memory(cpu, line, count);
  State state = holders_but(group, line) != 0 ? State::kShared : State::kExclusive;
  if (store) {
    drop_elsewhere(group, line);
    state = State::kModified;
  } else {
    share_elsewhere(group, line, count);
  }
  fill_l3(group, line, state, count);
  return {latency, owner >= 0};
}

std::uint64_t Memory::read_memory(int cpu, std::uint64_t line, Counters& count) {
  const int home = lines_.home(line);
  const int node = machine_.cpus[cpu].node;
  const auto taking = [&](std::uint64_t latency) {
    return static_cast<std::uint64_t>(
        std::lround(static_cast<double>(latency) * bandwidth_.memory(cpu, home)));
  };
  switch (machine_.distance(node, home)) {
    case Distance::kLocal:
      ++count[Counter::kLocal];
      return taking(parameters_.lat_local);
    case Distance::kSamePackage:
      ++count[Counter::kSamePackage];
      return taking(parameters_.lat_same_package);
    case Distance::kOtherPackage:
      break;
  }
  ++count[Counter::kOtherPackage];
  return taking(parameters_.lat_hop > 0
                    ? parameters_.lat_local + machine_.hops(node, home) * parameters_.lat_hop
                    : parameters_.lat_other_package);
}

std::uint64_t Memory::latency_between(const Group& to, const Group& from) const {
  if (to.package == from.package) return parameters_.lat_transfer_same;
  return parameters_.lat_transfer_other + machine_.hops(to.node, from.node) * parameters_.lat_hop;
}

std::uint64_t Memory::transfer(int cpu, const Group& from, Counters& count) {
  const Group& to = l3_[machine_.cpus[cpu].l3];
  ++count[to.package == from.package ? Counter::kTransfersSamePackage
                                     : Counter::kTransfersOtherPackage];
  return static_cast<std::uint64_t>(std::lround(static_cast<double>(latency_between(to, from)) *
                                                bandwidth_.transfer(cpu, from.package)));
}

void Memory::write_back(const Group& from, std::uint64_t line, Counters& count) {
  const int home = lines_.home(line);
  ++count[home == from.node ? Counter::kWritebacksLocal : Counter::kWritebacksRemote];
  bandwidth_.write_back(from.cpus[0], home);
}

// R7. A line that leaves the L3 must not stay in an L2 (I1).
void Memory::fill_l3(int group, std::uint64_t line, State state, Counters& count) {
  const Cache::Victim victim = l3_[group].cache.insert(line, state);
  directory_[line] |= 1u << group;
  if (victim.state == State::kInvalid) return;
  directory_[victim.line] &= ~(1u << group);
  drop_from_l2s(l3_[group], victim.line, -1);
  if (victim.state == State::kModified) write_back(l3_[group], victim.line, count);
}

void Memory::share_elsewhere(int group, std::uint64_t line, Counters& count) {
  for_each_group(holders_but(group, line), [&](int other) {
    Group& holder = l3_[other];
    if (holder.cache.state(line) == State::kModified) {
      share_in_l2s(holder, line);
      write_back(holder, line, count);
    }
    holder.cache.set_state(line, State::kShared);
  });
}

bool Memory::share_in_l2s(const Group& group, std::uint64_t line) {
  for (int cpu : group.cpus) {
    if (l2_[cpu].state(line) != State::kModified) continue;
    l2_[cpu].set_state(line, State::kShared);
    filter_.forget(cpu, line);
    return true;  // I4: no other L2 has it modified
  }
  return false;
}

void Memory::drop_from_l2s(const Group& group, std::uint64_t line, int except) {
  for (int cpu : group.cpus)
    if (cpu != except && l2_[cpu].erase(line) != State::kInvalid) filter_.forget(cpu, line);
}

std::uint64_t Memory::drop_elsewhere(int group, std::uint64_t line) {
  std::uint64_t latency = 0;
  for_each_group(holders_but(group, line), [&](int other) {
    l3_[other].cache.erase(line);
    drop_from_l2s(l3_[other], line, -1);
    latency = std::max(latency, latency_between(l3_[group], l3_[other]));
  });
  directory_[line] &= 1u << group;
  return latency;
}

int Memory::owner_elsewhere(int group, std::uint64_t line) const {
  int owner = -1;
  for_each_group(holders_but(group, line), [&](int other) {
    if (l3_[other].cache.state(line) == State::kModified) owner = other;
  });
  return owner;
}

std::string Memory::check(std::uint64_t line) const {
  int holders = 0;
  bool alone = false;
  for (std::size_t i = 0; i < l3_.size(); ++i) {
    const State state = l3_[i].cache.state(line);
    const bool held = state != State::kInvalid;
    holders += held;
    alone |= state == State::kExclusive || state == State::kModified;
    if (held != ((directory_[line] >> i & 1) != 0)) return "I3 track";
    int copies = 0;
    bool modified = false;
    for (int cpu : l3_[i].cpus) {
      copies += l2_[cpu].state(line) != State::kInvalid;
      modified |= l2_[cpu].state(line) == State::kModified;
    }
    if (copies > 0 && !held) return "I1 include";
    if (modified && (state != State::kModified || copies > 1)) return "I4 owner";
  }
  return alone && holders > 1 ? "I2 single" : "";
}

}  // namespace vicino::lab
